"""Trials as arrays: the quick game is the plain game, and nothing hidden is in it."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onlooker.experiments.stimuli import stimuli
from onlooker.game import (
    ACTIONS,
    Npc,
    Stage,
    Trial,
    Turn,
    load_trial,
    opening,
    player_view,
    possible_holders,
    take,
)
from onlooker.planning import NoPathError, stage
from onlooker.players.arrays import Arrays, Layout, choice_at, encode, layout_of, mask_of
from onlooker.players.quick import QuickGame, Round
from strategies import trials

TWO = load_trial("examples/two-experts.map")


def same(one: Arrays, other: Arrays) -> bool:
    return one.keys() == other.keys() and all(
        one[name].dtype == other[name].dtype and np.array_equal(one[name], other[name])
        for name in one
    )


def play_both(game: Stage, layout: Layout, quick: QuickGame, rng: random.Random) -> None:
    """Play at random, the plain game beside the quick one, and compare them at every step."""
    current, turns = Round(quick), list[Turn]()
    views = [player_view(game, [])]
    ids = [npc.id for npc in game.trial.npcs]
    for _ in range(60):
        assert same(current.arrays(), encode(layout, views))
        assert np.array_equal(current.mask, mask_of(layout, views[-1]))
        assert current.over == views[-1].finished
        assert current.spent == game.budget - views[-1].left
        if current.over:
            assert current.choose(0) is None
            break
        index = rng.randrange(len(ACTIONS) + layout.npcs)
        if len(views[-1].npcs) and rng.random() < 0.4:
            index = len(ACTIONS) + rng.randrange(len(ids))
        choice = choice_at(ids, index)
        before = turns[-1].situation if turns else opening(game)
        turn = take(game, before, choice) if choice else None
        cost = current.choose(index)
        if not isinstance(turn, Turn):
            assert cost is None
            continue
        turns.append(turn)
        assert cost == turn.situation.spent - before.spent
        views.append(player_view(game, turns))
    assert [choice_at(ids, index) for index in current.log] == [turn.choice for turn in turns]


@settings(max_examples=25)
@given(trials(), st.randoms(use_true_random=False))
def test_the_quick_game_is_the_plain_game(trial: Trial, rng: random.Random) -> None:
    try:
        games = [stage(trial, budget="map"), stage(TWO, budget="map")]
    except NoPathError:
        return
    layout = layout_of(games, 60)
    quick = QuickGame(games[0], layout)
    for _ in range(3):  # later rounds find what earlier ones asked for
        play_both(games[0], layout, quick, rng)


def test_the_quick_game_is_the_plain_game_on_our_stimuli() -> None:
    games = [stage(trial) for trial in stimuli()[::9]]
    layout = layout_of(games, 60)
    for number, game in enumerate(games):
        quick = QuickGame(game, layout)
        for seed in range(3):
            play_both(game, layout, quick, random.Random(10 * number + seed))


def test_what_stands_where_in_the_arrays() -> None:
    game = stage(TWO, budget="map")
    layout = layout_of([game, stage(stimuli(1)[0])], 500)
    assert layout.planes[:6] == ("map", "wall", "goal", "chest", "wizard blue", "barrier blue")
    current = Round(QuickGame(game, layout))
    assert current.choose(4) == 1
    arrays = current.arrays()
    grid = dict(zip(layout.planes, arrays["grid"], strict=True))
    x, y = TWO.main.at
    assert grid["main"][y, x] == grid["main"].sum() == 1
    x, y = TWO.map.chest(TWO.main.goal).at
    assert grid["goal"][y, x] == grid["goal"].sum() == 1
    assert grid["map"].sum() == TWO.map.width * TWO.map.height
    assert grid["wizard blue"].sum() == len(TWO.map.wizards_of["blue"])
    start, after = TWO.npcs[0].at, game.scripts[0][0].from_cell(TWO.npcs[0].at)
    assert arrays["seen"][0, start[1], start[0]] == 1
    assert arrays["seen"][0, after[1], after[0]] == 2
    assert arrays["npcs"][0].tolist() == [2, 0, 1]
    assert arrays["points"].tolist() == [game.budget - 1, game.budget]


def worlds(trial: Trial) -> list[Trial]:
    """The trial with every assignment of holders and every goal of its NPCs: hidden facts."""
    found = []
    for holders in possible_holders(trial.map):
        for letter in trial.map.letters:
            npcs = tuple(Npc(npc.id, npc.at, letter, npc.expertise) for npc in trial.npcs)
            found.append(replace(trial, holders=holders, npcs=npcs))
    return found


@pytest.mark.parametrize("trial", [TWO, stimuli(1)[3], stimuli(2)[20], stimuli(4)[7]])
def test_what_is_hidden_is_not_in_the_arrays_before_it_is_shown(trial: Trial) -> None:
    games = []
    for world in worlds(trial):
        try:
            games.append(stage(world, budget="map"))
        except NoPathError:
            continue
    assert len({game.scripts for game in games}) > 1
    layouts = {layout_of([game], 500) for game in games}
    assert len(layouts) == 1  # nor in their shapes
    layout = layouts.pop()
    rounds = [Round(QuickGame(game, layout)) for game in games]
    rng = random.Random(1)
    for _ in range(40):
        first, *others = rounds
        for other in others:
            assert same(first.arrays(), other.arrays())
            assert np.array_equal(first.mask, other.mask)
        possible = np.flatnonzero(first.mask)
        index = int(rng.choice(possible))
        shown = [shows(each, index) for each in rounds]
        if len(set(shown)) > 1:  # something is revealed: those go on that were shown the same
            rounds = [each for each, seen in zip(rounds, shown, strict=True) if seen == shown[0]]
        for each in rounds:
            each.choose(index)
        if rounds[0].over:
            break
    assert len(rounds) < len(games)  # and something was


def shows(current: Round, index: int) -> tuple[object, ...]:
    """What a choice will show, as a participant reads it."""
    ids = [npc.id for npc in current.game.stage.trial.npcs]
    stage_, log = current.game.stage, [choice_at(ids, each) for each in [*current.log, index]]
    turns, situation = list[Turn](), opening(stage_)
    for choice in log:
        assert choice is not None
        turn = take(stage_, situation, choice)
        assert isinstance(turn, Turn)
        turns.append(turn)
        situation = turn.situation
    view = player_view(stage_, turns)
    arrived = tuple(npc.arrived for npc in view.npcs)
    assert view.last is not None
    return view.last.text, arrived, view.finished
