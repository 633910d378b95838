"""A session stands on what it was played on, whatever the stimuli or the settings say today."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from onlooker.experiments.dataset import data_file
from onlooker.web.export.dataset import export
from onlooker.web.participant.messages import IntentRequest
from onlooker.web.participant.service import StudyService
from onlooker.web.replay.catalogue import TrialCatalogue
from onlooker.web.replay.sessions import people, played
from onlooker.web.researcher.bonuses import open_bonuses, record_bonuses
from onlooker.web.researcher.dashboard import Dashboard
from onlooker.web.settings import Payment, Settings, default_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from onlooker.web.study.course_document import dump_course, load_course_document
from web.short_study import short_study, shortened

pytestmark = pytest.mark.server

Change = Callable[[Courses], tuple[Settings, Courses]]


def a_map_changed(courses: Courses) -> tuple[Settings, Courses]:
    course = shortened(courses)[1]
    changed = {
        name: replace(stage, budget=stage.budget + 7) for name, stage in course.stages.items()
    }
    return default_settings(1), {1: replace(course, stages=changed)}


def trials_were_replaced(courses: Courses) -> tuple[Settings, Courses]:
    course, other = shortened(courses)[1], courses[3]
    orderings = tuple(ordering[:3] for ordering in other.orderings)
    new = replace(
        course, stages=other.stages, least_costs=other.least_costs, orderings=orderings, practice=()
    )
    return default_settings(1), {1: new}


def the_experiment_was_removed(courses: Courses) -> tuple[Settings, Courses]:
    return default_settings(2), {2: courses[2]}


def the_pay_was_changed(courses: Courses) -> tuple[Settings, Courses]:
    payment = Payment(base=Decimal(9), bonus_max=Decimal("0.10"), currency="€")
    settings = default_settings(1).model_copy(update={"payment": payment})
    return settings, shortened(courses)


CHANGES: list[Change] = [
    a_map_changed,
    trials_were_replaced,
    the_experiment_was_removed,
    the_pay_was_changed,
]


@pytest.mark.parametrize("experiment", [1, 4])
def test_a_course_is_the_same_after_it_was_stored(courses: Courses, experiment: int) -> None:
    course = courses[experiment]
    again = load_course_document(dump_course(course))
    assert again.stimulus_hash == course.stimulus_hash
    assert again == course


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_session_can_still_be_shown_exported_and_paid(
    store: Store, courses: Courses, change: Change
) -> None:
    with short_study(store, courses) as study:
        study.complete("anna")
        ben = study.visitor("ben")
        ben.go_to(study.courses[1], "trial")
        anna = study.visitor("anna")
        promised = anna.look()
        before = export(store, study.settings, study.courses)
    settings, changed = change(courses)
    service = StudyService(settings, store, changed)
    after = json.loads(service.view(anna.token or "").body)["view"]
    for part in ("bonus", "unspent", "completion", "text"):
        assert after[part] == promised[part]
    made = export(store, settings, changed)
    assert made.problems == []
    for table in ("participants", "trials", "actions"):
        name = data_file(1, table)
        assert made.files[name] == before.files[name]
    going_on = IntentRequest("goes-on", ben.view["seq"], "choose", {"choice": "observe agent2"})
    assert service.intent(ben.token or "", going_on).status == 200
    assert [store.verify(s.id, changed) for s in store.sessions()] == [[], []]
    [due] = open_bonuses(store, settings.payment, changed)
    assert str(due.amount) == promised["bonus"]["amount"]
    assert due.currency == "$"
    record_bonuses(store, [due], "2025-03-01T12:00:00.000Z")
    assert open_bonuses(store, settings.payment, changed) == []
    figures = {each.experiment: each for each in Dashboard(service).all_figures()}
    assert figures[1].complete == 1
    assert figures[1].pay is None or str(figures[1].pay.bonus) == promised["bonus"]["amount"]
    catalogue = TrialCatalogue(changed)
    found = {person.id: person for person in people(service, catalogue)}
    assert [len(person.rounds) for person in found.values()] == [2, 1]
    for person in found.values():
        assert played(service, catalogue, person.id, person.rounds[0].trial).log


def test_texts_of_the_settings_are_read_on_an_earlier_course_too(
    store: Store, courses: Courses
) -> None:
    with short_study(store, courses) as study:
        ben = study.visitor("ben")
        ben.go_to(study.courses[1], "card")
    _, changed = a_map_changed(courses)
    texts = {"names": {"agent": "Figure {number}"}}
    settings = default_settings(1).model_copy(update={"texts": texts})
    service = StudyService(settings, store, changed)
    view = json.loads(service.view(ben.token or "").body)["view"]
    assert [npc["name"] for npc in view["npcs"]] == ["Figure 2"]
