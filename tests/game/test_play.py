from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlooker.game import (
    Interaction,
    LogError,
    Observe,
    Stage,
    Trial,
    Turn,
    Unavailable,
    choices,
    opening,
    parse_choice,
    read_map_text,
    replay,
    score,
    take,
)
from onlooker.planning import NoPathError, stage
from strategies import trials

TRIAL = read_map_text(
    """
map:
2.h
@.=
b.A

legend:
@ = main agent, goal A
2 = expert agent2, goal A
h = blue wizard, holder
b = blue wizard
= = blue barrier
"""
)


@pytest.fixture
def game() -> Stage:
    return stage(TRIAL)


def test_observing_moves_that_npc_alone(game: Stage) -> None:
    turn = take(game, opening(game), Observe("agent2"))
    assert isinstance(turn, Turn)
    assert turn.situation.spent == 1
    assert turn.situation.observed == (1,)
    assert turn.situation.main == opening(game).main
    assert turn.situation.npcs != opening(game).npcs


def test_an_npc_that_arrived_cannot_be_observed(game: Stage) -> None:
    turns = replay(game, [Observe("agent2")] * len(game.scripts[0]))
    assert turns[-1].situation.npcs[0].arrived
    refused = take(game, turns[-1].situation, Observe("agent2"))
    assert refused == Unavailable("agent2 has arrived and cannot be observed any more")


def test_a_whole_trial_and_its_score(game: Stage) -> None:
    log = ["observe agent2", "down", "right", "down", "right"]
    turns = replay(game, log)
    assert isinstance(turns[1].event, Interaction)
    assert not turns[-2].situation.over
    result = score(game, turns)
    assert (result.finished, result.arrived) == (True, True)
    assert (result.spent, result.moves, result.interactions, result.observed) == (15, 3, 1, (1,))
    assert result.unspent == 30 - 15
    with pytest.raises(LogError, match=r"unnamed trial: choice 6 \(up\): the trial is over"):
        replay(game, [*log, "up", "up"])


def test_points_go_below_zero_and_the_trial_goes_on(game: Stage) -> None:
    turns = replay(game, ["down"] * 20)
    assert score(game, turns).unspent == game.budget - 100 < 0
    assert not turns[-1].situation.over


def test_a_study_may_end_a_trial_without_points() -> None:
    game = stage(TRIAL, on_empty="end")
    turns = replay(game, ["down"] * 6)
    assert [turn.situation.over for turn in turns] == [False] * 5 + [True]
    assert score(game, turns).finished
    assert not score(game, turns).arrived
    assert take(game, turns[-1].situation, Observe("agent2")) == Unavailable("the trial is over")


def test_an_unknown_npc_is_named(game: Stage) -> None:
    refused = take(game, opening(game), Observe("agent9"))
    assert refused == Unavailable("no NPC 'agent9'; this trial has: agent2")


@pytest.mark.parametrize("text", ["", "jump", "observe", "observe ", "Up"])
def test_a_log_entry_that_is_no_choice(text: str) -> None:
    with pytest.raises(ValueError, match="expected up, down, left, right or 'observe ID'"):
        parse_choice(text)


@given(trials(), st.integers(0, 2**32))
def test_replaying_a_log_gives_the_situations_it_came_from(trial: Trial, seed: int) -> None:
    try:
        game = stage(trial)
    except NoPathError:
        return
    rng = random.Random(seed)
    situation = opening(game)
    lived, spent = [], 0
    for _ in range(30):
        possible = choices(game, situation)
        if not possible:
            break
        turn = take(game, situation, rng.choice(possible))
        assert isinstance(turn, Turn)
        watched = isinstance(turn.choice, Observe)
        spent += game.costs.observe if watched else turn.event.cost
        situation = turn.situation
        assert situation.spent == spent
        lived.append(turn)
    log = [str(turn.choice) for turn in lived]
    assert replay(game, log) == lived
    assert score(game, lived).unspent == game.budget - spent
    assert situation.over is situation.main.arrived
