"""Advice in the middle of a trial."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from comparing import in_order, same
from onlooker.game import Trial, TrialError, choices, load_trial, opening, take
from onlooker.game.play import Turn
from onlooker.observers import Decision, Engine, Parameters, advise, run
from onlooker.observers.reference import advise_reference
from onlooker.planning import NoPathError
from strategies import trials
from vectors import VECTORS, Vector

EXAMPLES = Path(__file__).parents[2] / "examples"


def plainly(trial: Trial, log: list[str]) -> Decision:
    return advise_reference(trial, log, Parameters())


both = pytest.mark.parametrize("adviser", [advise, plainly])
Adviser = Callable[[Trial, list[str]], Decision]


def comparable(decision: object) -> object:
    return in_order({"trace": [decision.to_dict()]})  # type: ignore[attr-defined]


@pytest.mark.parametrize("vector", VECTORS[::5], ids=lambda vector: vector.name)
def test_following_the_model_gives_its_own_trace(vector: Vector) -> None:
    result = run(vector.trial)
    for count, decision in enumerate(result.trace):
        log = [f"observe {npc}" for npc in result.choices[:count]]
        assert advise(vector.trial, log) == decision


@both
def test_its_own_interactions_are_evidence(adviser: Adviser) -> None:
    trial = load_trial(EXAMPLES / "near-wizards.map")
    before = adviser(trial, ["up"])
    after = adviser(trial, ["up", "up"])  # asks the decoy w1
    assert before.belief == {"blue": {"w1": 0.5, "w2": 0.5}}
    assert after.belief == {"blue": {"w1": 0.0, "w2": 1.0}}
    assert before.c_self is not None
    assert after.c_self is not None
    assert after.c_self < before.c_self
    assert after.choice == "act"


@both
def test_a_held_amulet_is_no_longer_needed(adviser: Adviser) -> None:
    trial = load_trial(EXAMPLES / "near-wizards.map")
    decision = adviser(trial, ["right", "right"])  # asks the holder w2
    assert decision.belief == {}
    assert decision.q_obs == (None,)
    assert decision.c_self == 8 * 3  # the walk that is left
    assert decision.choice == "act"


@both
def test_nobody_is_watched_any_more_who_has_arrived(adviser: Adviser) -> None:
    trial = load_trial(EXAMPLES / "early-turn.map")
    decision = adviser(trial, ["observe agent2"] * 17)
    assert (decision.q_obs, decision.particles, decision.choice) == ((None,), ((),), "act")


@both
def test_where_it_stands_counts(adviser: Adviser) -> None:
    trial = load_trial(EXAMPLES / "early-turn.map")
    here, nearer = adviser(trial, []), adviser(trial, ["right"])
    assert here.c_self is not None
    assert nearer.c_self == here.c_self - 3


def test_nothing_to_advise_at_the_chest() -> None:
    trial = load_trial(EXAMPLES / "near-wizards.map")
    route = [str(action) for action in run(trial).route]
    with pytest.raises(ValueError, match="near wizards: the main agent has arrived"):
        advise(trial, route)


@given(trials(), st.integers(0, 2**32))
def test_advice_agrees_with_the_plain_reference(trial: Trial, seed: int) -> None:
    """After some random turns of a player."""
    rng = random.Random(seed)
    try:
        stage = Engine(trial).stage
    except (NoPathError, TrialError):
        assume(False)
    situation, log = opening(stage), []
    for _ in range(rng.randint(0, 12)):
        possible = choices(stage, situation)
        turn = take(stage, situation, rng.choice(possible)) if possible else None
        if not isinstance(turn, Turn) or turn.situation.over:
            break
        log.append(turn.choice)
        situation = turn.situation
    found, expected = advise(trial, log), advise_reference(trial, log, Parameters())
    assert same(comparable(found), comparable(expected))
