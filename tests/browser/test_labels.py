"""A round with a teacher, as people see it under each label."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit
from browser.study import Study, settings
from onlooker.game import Label, parse_trial, save_trial
from onlooker.planning import as_played
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Settings, load_settings
from onlooker.web.store import Store
from onlooker.web.store.queries import log
from running import ROOT
from waiting import HANG

TEACHERS = ROOT / "examples" / "teachers"
WORDS = {  # on the card before a round
    ("teacher", "de"): "Figur 2 ist Lehrer",
    ("expert", "en"): "Agent 2 is an expert",
    ("untold", "en"): "You may watch Agent 2",
    ("untold", "de"): "Sie können Figur 2 beobachten",
}
LETTERS = {"teacher": "T", "expert": "E", "untold": "?"}


def lesson_settings(folder: Path, label: str, language: str) -> Settings:
    """A study of two rounds with a teacher, under one label, with the example's questions."""
    feint = (TEACHERS / "feint.map").read_text()
    trial = as_played(parse_trial(feint))
    for name in ("first", "second"):
        save_trial(trial, folder / "maps" / f"{name}.map")
        text = (folder / "maps" / f"{name}.map").read_text().replace("feint", name)
        (folder / "maps" / f"{name}.map").write_text(text)
    orderings = {"length": 2, "orderings": [["first", "second"]]}
    (folder / "maps" / "orderings.json").write_text(json.dumps(orderings))
    asked = load_settings(TEACHERS / "study.toml").round
    changes: dict[str, object] = {
        "experiments": {"slesson": "lesson"},
        "labels": (Label(label),),
        "language": language,
    }
    whole = settings({})
    study = whole.study.model_copy(update=changes)
    known = whole.model_dump() | {
        "study": study.model_dump(),
        "round": asked.model_dump(),
        "stimuli": {"lesson": {"folder": folder / "maps"}},
    }
    return Settings.model_validate(known)


Lesson = Callable[..., Study]


@pytest.fixture
def lesson(tmp_path: Path) -> Iterator[Lesson]:
    """Serve such a study; ask for this before `visit`, so that pages close before their server."""
    with ExitStack() as running:

        def serve(label: str, language: str = "en") -> Study:
            chosen = lesson_settings(tmp_path, label, language)
            store = running.enter_context(Store(str(tmp_path / "study.db"), HANG))
            service = StudyService(chosen, store)
            app = create_app(chosen, store, service=service)
            return Study(running.enter_context(serving(app)), service)

        yield serve


@pytest.mark.parametrize(
    ("label", "language"),
    [("teacher", "de"), ("expert", "en"), ("untold", "en"), ("untold", "de")],
)
def test_a_round_with_a_teacher_and_its_questions(
    lesson: Lesson, visit: Visit, label: str, language: str
) -> None:
    study = lesson(label, language)
    person = visit(study, "lesson", at="card")
    page = person.page
    expect(page.locator("main")).to_contain_text(WORDS[label, language])
    if label == "untold":
        for word in ("expert", "teacher", "Lehrer", "Experte"):
            expect(page.locator("body")).not_to_contain_text(word)
    person.go_on()
    npc = page.locator(".map [data-agent=agent2]")
    expect(npc).to_contain_text(LETTERS[label])
    place = {"en": "column 1, row 2", "de": "Spalte 1, Zeile 2"}[language]
    cell = page.locator(".map [data-x='0'][data-y='1']")
    expect(cell).to_have_attribute("aria-label", re.compile(f"; {place}$"))
    assert list(person.play(observations=3)) == ["observed", "result"]
    go_on = {"en": "Continue", "de": "Weiter"}[language]  # not to the next round: to the questions
    expect(page.locator("main .primary")).to_have_text(go_on)
    person.go_on()
    expect(page.locator("main")).to_have_attribute("data-screen", "questions")
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    scale = page.locator("fieldset.scale label")
    assert scale.count() == 7
    assert len(set(scale.evaluate_all("labels => labels.map((each) => each.offsetTop)"))) == 1
    page.locator("[name=chest][value=C]").check()
    page.locator("[name=sure][value='6']").check()
    person.go_on()
    expect(page.locator("main")).to_have_attribute("data-screen", "card")
    session = study.session(person.pid)
    assert session.label == label
    with study.store.read() as orm:
        assert log(orm, session)[-1].data["answers"] == {"chest": "C", "sure": 6}


def test_the_tutorial_explains_teachers_and_the_help_says_what_is_told(
    lesson: Lesson, visit: Visit
) -> None:
    study = lesson("teacher")
    person = visit(study, "lesson")
    page = person.page
    expect(page.locator("main")).to_have_attribute("data-screen", "consent")
    person.go_on()
    titles = []
    while not page.locator(".play").count():
        titles.append(page.get_by_role("heading", level=1).inner_text())
        person.go_on()
    assert "Teachers" in titles
    page.locator("#help").click()
    expect(page.locator("dialog[open]")).to_contain_text("A teacher knows it too")
