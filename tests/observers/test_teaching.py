"""Teachers: the worked cases, the plain reference, and what must hold on any map."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from comparing import same
from observers.teaching_reference import LessonReference, run_told_reference
from onlooker.game import Expertise, Trial, read_document
from onlooker.inference.errors import TooLargeError
from onlooker.inference.kernels import tree
from onlooker.observers import OBSERVERS, Engine, Parameters, find_observer, run
from onlooker.observers.kernels import lessons
from onlooker.observers.lessons import plans
from onlooker.observers.teaching import Teacher, watched_alone
from onlooker.planning import NoPathError
from onlooker.planning.packing import pack
from strategies import parameters, trials
from vectors import TEACHING

CASES = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(TEACHING.glob("*.json"))}


def given_parameters(case: dict[str, Any], **more: Any) -> Parameters:
    return Parameters(**case["params"], care=case["care"], **more)


def teaching(trial: Trial, care: float | None = None) -> Trial:
    """The trial with its first NPC as a teacher."""
    first = replace(trial.npcs[0], expertise=Expertise.TEACHER, actions=None, care=care)
    return replace(trial, npcs=(first, *trial.npcs[1:]))


@pytest.mark.parametrize("name", CASES)
def test_the_plans_of_the_vectors(name: str) -> None:
    trial = read_document(CASES[name]["trial"])
    found = [plan.to_dict() for plan in plans(trial, "agent2", given_parameters(CASES[name]))]
    assert same(found, CASES[name]["expect"]["plans"])


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("told", ["teacher", "expert", "expert/teacher"])
@pytest.mark.filterwarnings("ignore:.*prune=")
def test_the_runs_of_the_vectors(name: str, told: str) -> None:
    trial = read_document(CASES[name]["trial"])
    expected = CASES[name]["expect"]["told"][told]
    observer, given = "rational_mentalizing", given_parameters(CASES[name])
    if told == "expert":
        labels = {Expertise.TEACHER: Expertise.EXPERT}
        npcs = (replace(npc, told=labels.get(npc.expertise)) for npc in trial.npcs)
        trial = replace(trial, npcs=tuple(npcs))
    elif told == "expert/teacher":
        observer, given = (
            "untold_mentalizing",
            given_parameters(CASES[name], kinds="expert,teacher"),
        )
    found = run(trial, observer, given).to_dict(trace=True)
    trace = [{key: row[key] for key in ("c_self", "q_obs", "belief")} for row in found["trace"]]
    assert same(
        {key: found[key] for key in ("observed", "choices", "cost")} | {"trace": trace}, expected
    )


@pytest.mark.parametrize("name", CASES)
def test_the_ideal_observer_of_the_vectors(name: str) -> None:
    trial, given = read_document(CASES[name]["trial"]), given_parameters(CASES[name])
    expert = replace(trial.npcs[0], expertise=Expertise.EXPERT, care=None)
    expected = CASES[name]["expect"]
    found = run(trial, "ideal_observer", given).expected_cost
    as_expert = run(replace(trial, npcs=(expert, *trial.npcs[1:])), "ideal_observer", given)
    assert same([found, as_expert.expected_cost], [expected["ideal"], expected["ideal_if_expert"]])


@given(trials(cells=30, pairs=6), parameters, st.sampled_from([0.0, 0.3, 1.0, 2.5]))
@settings(max_examples=15)
@pytest.mark.filterwarnings("ignore:.*prune=")
def test_plans_are_those_of_the_reference(trial: Trial, given: Parameters, care: float) -> None:
    try:
        found = plans(teaching(trial, care), trial.npcs[0].id, given)
    except (NoPathError, TooLargeError):
        assume(False)
        raise
    reference = LessonReference(trial, trial.npcs[0], given, care)
    for plan in found:
        assignment = tuple(plan.holders[colour] for colour in trial.map.colours)
        assert same(plan.to_dict(), reference.plan(plan.goal, assignment))


@given(trials(cells=20, pairs=6), parameters, st.sampled_from([0.3, 1.0, 2.5]))
@settings(max_examples=25)
@pytest.mark.filterwarnings("ignore:.*prune=")
def test_who_is_told_runs_as_the_reference_does(
    trial: Trial, given: Parameters, care: float
) -> None:
    trial = teaching(trial, care)
    try:
        found = run(trial, "rational_mentalizing", given)
    except (NoPathError, TooLargeError):
        assume(False)
        raise
    expected = run_told_reference(trial, given)
    rows = [
        [[row.choice, row.c_self, list(row.q_obs or ()), row.belief] for row in trace]
        for trace in (found.trace, expected.trace)
    ]
    assert same(*rows)


@given(trials(), parameters)
@pytest.mark.filterwarnings("ignore:.*prune=")
def test_a_teacher_that_does_not_care_is_an_expert(trial: Trial, given: Parameters) -> None:
    assume(trial.npcs)
    first = replace(trial.npcs[0], expertise=Expertise.EXPERT, actions=None)
    expert = replace(trial, npcs=(first, *trial.npcs[1:]))
    for observer in OBSERVERS:
        try:
            expected = run(expert, observer, given)
        except NoPathError:
            assume(False)
        assert run(teaching(trial, 0.0), observer, given) == expected


@given(trials(cells=30))  # plans are many
def test_the_more_it_cares_the_more_it_pays_and_the_less_the_learner_does(trial: Trial) -> None:
    assume(trial.npcs)
    cares, npc = (0.0, 0.5, 1.0, 3.0), trial.npcs[0]
    try:
        found = [plans(teaching(trial, care), npc.id) for care in cares]
    except (NoPathError, TooLargeError):
        assume(False)
        raise
    for less, more in pairwise(found):
        for one, other in zip(less, more, strict=True):
            assert one.own <= other.own
            assert one.learner >= other.learner
    for care, each in zip(cares, found, strict=True):
        for plan, expert in zip(each, found[0], strict=True):
            assert plan.own + care * plan.learner <= expert.own + care * expert.learner + 1e-9


def test_without_care_nothing_is_searched() -> None:
    trial = read_document(CASES["feint-w2"]["trial"])
    for care, searches in ((0.0, False), (1.0, True)):
        teacher = Teacher(watched_alone(pack([trial]), 0, 0), Parameters().settings, care)
        teacher.plan()
        assert (teacher.room[lessons.Lesson].search > 0) is searches


@pytest.mark.parametrize("beta", [0.0, 0.5])
@pytest.mark.parametrize("name", ["feint-w2", "random-2-1", "random-3-2"])
def test_what_it_really_does_is_the_plan(name: str, beta: float) -> None:
    trial = read_document(CASES[name]["trial"])
    engine = Engine(trial, Parameters(beta=beta, care=CASES[name]["care"]))
    [plan] = (
        plan
        for plan in plans(trial, "agent2", engine.parameters)
        if (plan.goal, dict(plan.holders)) == (trial.npcs[0].goal, dict(trial.holders))
    )
    assert engine.paths[0] == plan.path


@pytest.mark.filterwarnings("ignore:.*may be a teacher")
def test_every_observer_meets_teachers() -> None:
    trial, given = (
        read_document(CASES["random-3-2"]["trial"]),
        given_parameters(CASES["random-3-2"]),
    )
    for name in (*OBSERVERS, "graded_mentalizing", "ideal_observer", "untold_mentalizing"):
        result = find_observer(name)(trial, given)
        assert result.cost >= 0


def test_too_many_histories_are_refused_with_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tree.MOST_HISTORIES == 100_000
    monkeypatch.setenv("ONLOOKER_COMPILE", "never")
    monkeypatch.setattr("onlooker.observers.kernels.teaching.MOST_HISTORIES", 2)
    trial = read_document(CASES["feint-w2"]["trial"])
    with pytest.raises(TooLargeError, match="100,000 histories"):
        plans(trial, "agent2")
    with pytest.raises(TooLargeError, match="agent2 would do as a teacher"):
        run(trial)
