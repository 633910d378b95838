"""What people ask about teachers, and every observer on trials with them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings

from comparing import same
from onlooker.experiments.regret import regrets
from onlooker.game import Action, Expertise, Trial, load_trial, play_trial, read_document
from onlooker.inference.errors import TooLargeError
from onlooker.observers import (
    KNOWN_OBSERVERS,
    OBSERVERS,
    Batch,
    Engine,
    Parameters,
    find_observer,
    run,
    run_sequence,
)
from onlooker.observers.lessons import LiteralLearner, frontiers, plans, worth_of_teaching
from onlooker.observers.teaching import watched_alone
from onlooker.planning import NoPathError, Tables, as_played, npc_paths, stage
from onlooker.planning.packing import pack
from onlooker.players.observers import ObserverPlayer, knows_all
from running import ROOT
from strategies import trials
from vectors import TEACHING

CASES = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(TEACHING.glob("*.json"))}
EARLY, FEINT, SILENCE = (
    load_trial(ROOT / "examples" / "teachers" / f"{name}.map")
    for name in ("early-turn", "feint", "silence")
)
UNTOLD = Parameters(kinds="expert,teacher")


def case(name: str) -> tuple[Trial, Parameters]:
    given = CASES[name]
    return read_document(given["trial"]), Parameters(**given["params"], care=given["care"])


def relabelled(trial: Trial, told: Expertise | None) -> Trial:
    return replace(trial, npcs=tuple(replace(npc, told=told) for npc in trial.npcs))


@pytest.mark.parametrize("name", list(CASES)[::4])  # test_teaching has the costs of all of them
def test_what_teaching_is_worth_in_the_vectors(name: str) -> None:
    worth, expected = worth_of_teaching(*case(name)), CASES[name]["expect"]
    assert same([worth.taught, worth.untaught], [expected["ideal"], expected["ideal_if_expert"]])
    assert worth.points == worth.untaught - worth.taught


@pytest.mark.parametrize("name", CASES)
def test_the_literal_learner_leaves_and_pays_as_planned(name: str) -> None:
    trial, given = case(name)
    learner = LiteralLearner(Engine(trial, given, warn=False), "agent2")
    [plan] = (
        plan
        for plan in plans(trial, "agent2", given)
        if (plan.goal, dict(plan.holders)) == (trial.npcs[0].goal, dict(trial.holders))
    )
    assert (learner.leaves, learner.pays) == (plan.looks, plan.learner)


@given(trials(cells=30))  # plans are many
@settings(max_examples=10)
def test_frontiers_have_what_is_done_at_any_care(trial: Trial) -> None:
    npc = trial.npcs[0].id
    try:
        found = frontiers(trial, npc)
        for offers in found:
            points = [(offer.plan.own, -offer.plan.learner) for offer in offers]
            cares = [offer.care for offer in offers]
            assert points == sorted(set(points))
            assert cares == sorted(cares)
        for care in {offer.care for offers in found for offer in offers}:
            for offers, plan in zip(found, plans(trial, npc, care=care + 1e-3), strict=True):
                least = min(o.plan.own + (care + 1e-3) * o.plan.learner for o in offers)
                assert abs(plan.own + (care + 1e-3) * plan.learner - least) < 1e-6
    except (NoPathError, TooLargeError):
        assume(False)


# -- trials that are played ------------------------------------------------------------------------


def test_a_teachers_actions_are_fixed_where_its_trial_is_played() -> None:
    game = stage(FEINT)
    [path] = Engine(FEINT).paths
    assert game.scripts == (tuple(taken.action for taken in path),)
    assert game.trial.npcs[0].actions == game.scripts[0]
    assert npc_paths(Tables(FEINT.map), FEINT) == (path,)
    assert as_played(game.trial) is game.trial
    for care in (0.0, 0.1, 5.0):  # what a model supposes changes nothing that is seen
        assert Engine(game.trial, Parameters(care=care)).stage.scripts == game.scripts
    careless = replace(FEINT, npcs=(replace(FEINT.npcs[0], care=0.0),))
    assert as_played(careless) is careless


def test_what_cannot_be_worked_out_cannot_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONLOOKER_COMPILE", "never")
    monkeypatch.setattr("onlooker.observers.kernels.teaching.MOST_HISTORIES", 2)
    with pytest.raises(NoPathError, match=r"agent2 \(teacher\): .* 100,000 histories"):
        stage(FEINT)


# Who is not told plans anew at each step for whatever it supposes; one map is played every time.
LONG = [(trial.label, "untold_mentalizing") for trial in (FEINT, SILENCE)]


@pytest.mark.parametrize(
    ("trial", "name"),
    [
        pytest.param(
            trial,
            name,
            id=f"{trial.label}-{name}",
            marks=[pytest.mark.slow] * ((trial.label, name) in LONG),
        )
        for trial in (EARLY, FEINT, SILENCE)
        for name in KNOWN_OBSERVERS
    ],
)
def test_observers_play_with_teachers_as_they_run(trial: Trial, name: str) -> None:
    observer, engine = find_observer(name), Engine(trial, UNTOLD)
    result = observer.run(engine)
    told = trial if knows_all(observer) else None
    turns = play_trial(engine.stage, ObserverPlayer(observer, UNTOLD, "hard", told=told))
    assert [str(turn.choice) for turn in turns] == [
        *(f"observe {npc}" for npc in result.choices),
        *map(str, result.route),
    ]


# -- observers -------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.*may be a teacher")
@pytest.mark.parametrize("name", KNOWN_OBSERVERS)
def test_without_care_a_teacher_is_an_expert_to_everybody(name: str) -> None:
    trial = EARLY if name == "untold_mentalizing" else FEINT  # which takes that one seconds
    [npc] = trial.npcs
    expert = replace(trial, npcs=(replace(npc, expertise=Expertise.EXPERT),))
    careless = replace(trial, npcs=(replace(npc, care=0.0),))
    assert find_observer(name)(careless) == find_observer(name)(expert)
    assert find_observer(name)(trial, Parameters(care=0.0)) == find_observer(name)(expert)
    if name in ("rational_mentalizing", "graded_mentalizing"):
        one, other = Batch([careless, expert]).expect(observer=name, rule="softmax")
        assert (one.observed, one.cost) == (other.observed, other.cost)


@pytest.mark.parametrize("told", [None, Expertise.EXPERT, Expertise.NOVICE])
@pytest.mark.parametrize("name", OBSERVERS)
def test_lattices_agree_with_runs_whatever_is_told(name: str, told: Expertise | None) -> None:
    for trial in (EARLY, FEINT, SILENCE):
        labelled = relabelled(trial, told)
        lattice = Engine(labelled).lattice(OBSERVERS[name].parts)
        chosen = lattice.chosen[:, 0].tolist()
        looks = next(steps for steps, choice in enumerate(chosen) if choice == 0)
        assert (looks,) == find_observer(name)(labelled).observed


def test_who_is_told_learns_from_silence_and_who_is_not_does_not() -> None:
    told, literal = run(SILENCE), run(relabelled(SILENCE, Expertise.EXPERT))
    shares = [(each.trace[-1].belief or {})["blue"]["w1"] for each in (told, literal)]
    assert shares == pytest.approx([0.99, 0.5], abs=5e-3)


def test_a_teacher_who_keeps_teaching_is_recognised() -> None:
    runs = run_sequence([EARLY] * 16, "untold_mentalizing", UNTOLD)
    teacher = [(result.trace[-1].kinds or {})["agent2"][Expertise.TEACHER] for _, result in runs]
    assert teacher == sorted(teacher)
    assert teacher[0] > 0.5
    assert teacher[-1] > 0.95


def test_who_never_teaches_is_recognised_too() -> None:
    [npc] = FEINT.npcs
    expert = replace(FEINT, npcs=(replace(npc, expertise=Expertise.EXPERT),))
    walks = tuple(taken.action for taken in Engine(expert).paths[0])
    trial = replace(FEINT, npcs=(replace(npc, actions=walks),))
    runs = run_sequence([trial] * 6, "untold_mentalizing", UNTOLD)
    teacher = [(result.trace[-1].kinds or {})["agent2"][Expertise.TEACHER] for _, result in runs]
    assert teacher == sorted(teacher, reverse=True)
    assert teacher[-1] < 0.1


def test_the_literal_learner_needs_no_other_compiled_code() -> None:
    [npc] = FEINT.npcs
    scripted = replace(FEINT, npcs=(replace(npc, actions=(Action.UP, Action.DOWN)),))
    packed = pack([scripted, scripted], (Expertise.EXPERT, Expertise.TEACHER), [[[0.5, 0.5]]] * 2)
    for before, alone in zip(packed, watched_alone(packed, 1, 0), strict=True):
        assert type(before) is type(alone)
        if isinstance(alone, np.ndarray):
            assert (alone.dtype, alone.ndim) == (before.dtype, before.ndim)
            assert alone.flags.c_contiguous
            assert alone.flags.writeable


def test_regret_counts_all_worlds_of_a_teacher() -> None:
    [row] = regrets([FEINT], ["rational_mentalizing"])
    assert (row.worlds, row.expected_cost, row.ideal_cost) == (4, 67.5, 68)
    assert row.regret == pytest.approx(0)
