"""A player's view shows what may be seen and nothing that may not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

import pytest

from onlooker.experiments.stimuli import stimuli, tutorials
from onlooker.game import (
    Act,
    Barrier,
    Chest,
    Costs,
    Map,
    Npc,
    Observe,
    PlayerView,
    Stage,
    Trial,
    Wizard,
    choices,
    opening,
    player_view,
    replay,
)
from onlooker.game.player_view import (
    PricedChoice,
    VisibleMain,
    VisibleNpc,
    VisibleTurn,
)
from onlooker.planning import NoPathError, Tables, main_path, stage

# Every class that a view may consist of: none of them has a holder, an NPC's goal or its future.
VISIBLE = {
    PlayerView, VisibleMain, VisibleNpc, VisibleTurn, PricedChoice, Act, Observe, Costs,
    Map, Barrier, Wizard, Chest,
}  # fmt: skip


def classes_in(value: Any) -> set[type]:
    """The classes of all objects that can be reached from a value."""
    if is_dataclass(value):
        parts = [getattr(value, field.name) for field in fields(value)]
        return {type(value)}.union(*map(classes_in, parts))
    if isinstance(value, dict):
        return classes_in([*value, *value.values()])
    if isinstance(value, (tuple, list, frozenset)):
        return set().union(*map(classes_in, value))
    assert value is None or isinstance(value, (str, int, Enum)), type(value)
    return set()


@pytest.mark.parametrize("experiment", [1, 2, 3, 4])
def test_nothing_hidden_can_be_reached_from_a_view(experiment: int) -> None:
    for trial in stimuli(experiment)[:4]:
        game = stage(trial)
        logs = [[f"observe {npc.id}"] * len(game.scripts[i]) for i, npc in enumerate(trial.npcs)]
        logs += [[str(taken.action) for taken in main_path(Tables(trial.map), trial)]]
        for log in logs:
            turns = replay(game, log)
            for count in range(len(turns) + 1):
                assert classes_in(player_view(game, turns[:count])) <= VISIBLE
    assert {field.name for field in fields(VisibleNpc)}.isdisjoint({"goal", "actions", "amulets"})
    assert [field.name for field in fields(Wizard)] == ["id", "at", "colour"]


def other_holders(trial: Trial) -> Iterator[Trial]:
    """The same trial with other holders."""
    for colour, holder in trial.holders.items():
        for wizard in trial.map.wizards_of[colour]:
            if wizard.id != holder:
                yield replace(trial, holders={**trial.holders, colour: wizard.id})


def other_goals(trial: Trial) -> Iterator[Trial]:
    """The same trial with other goals of its NPCs."""
    for index, npc in enumerate(trial.npcs):
        for letter in trial.map.letters:
            if letter != npc.goal:
                changed = Npc(npc.id, npc.at, letter, npc.expertise)
                yield replace(trial, npcs=(*trial.npcs[:index], changed, *trial.npcs[index + 1 :]))


@pytest.mark.parametrize("experiment", [1, 2, 3, 4])
def test_before_anything_is_seen_trials_that_differ_in_what_is_hidden_look_the_same(
    experiment: int,
) -> None:
    compared = 0
    for trial in stimuli(experiment)[:8]:
        shown = stage(trial)
        for other in (*other_holders(trial), *other_goals(trial)):
            try:
                hidden = replace(stage(other), budget=shown.budget)
            except NoPathError:
                continue
            assert player_view(hidden, []) == player_view(shown, [])
            compared += 1
    assert compared > 8


def test_what_has_been_seen_alike_looks_alike_even_if_it_meant_something_else() -> None:
    """Experiment 4: as long as the NPCs act alike, hidden outcomes tell nothing."""
    compared = 0
    for trial in stimuli(4)[::3]:
        shown = stage(trial)
        for other in other_holders(trial):
            hidden = replace(stage(other), budget=shown.budget)
            for index, npc in enumerate(trial.npcs):
                alike = common_start(shown.scripts[index], hidden.scripts[index])
                log = [f"observe {npc.id}"] * min(alike, len(shown.scripts[index]) - 1)
                views = [player_view(game, replay(game, log)) for game in (shown, hidden)]
                if alike < len(hidden.scripts[index]):
                    assert views[0] == views[1]
                    compared += "hidden" in [view.last.outcome for view in views if view.last]
    assert compared


def common_start(first: tuple, second: tuple) -> int:
    count = 0
    while count < min(len(first), len(second)) and first[count] == second[count]:
        count += 1
    return count


def watched(game: Stage, npc: str) -> list[VisibleTurn]:
    """What every step of an NPC shows."""
    log, seen = [], []
    while Observe(npc) in choices(game, replay(game, log)[-1].situation if log else opening(game)):
        log.append(f"observe {npc}")
        seen.append(player_view(game, replay(game, log)).last)
    return seen


def test_experiments_1_to_3_reveal_outcomes_and_experiment_4_hides_them() -> None:
    for experiment, allowed in (
        (1, {"given", "nothing"}),
        (3, {"given", "nothing"}),
        (4, {"hidden"}),
    ):
        seen = set()
        for game in map(stage, stimuli(experiment)[:6]):
            for npc in game.trial.npcs:
                for last in watched(game, npc.id):
                    if last.kind == "interaction":
                        seen.add(last.outcome)
                        assert ("not told" in last.text) == (experiment == 4)
                        assert last.start == last.end
        assert seen
        assert seen <= allowed


def test_the_players_own_outcomes_are_always_shown() -> None:
    game = stage(tutorials(4)[0])
    log: list[str] = []
    for taken in main_path(Tables(game.trial.map), game.trial):
        log.append(str(taken.action))
        turns = replay(game, log)
        last = player_view(game, turns).last
        assert last is not None
        assert last.who == "main"
        if last.kind == "interaction":
            assert last.outcome == "given"
            assert "gave you" in last.text
    view = player_view(game, turns)
    assert view.finished
    assert view.choices == ()
    assert view.left == view.budget - turns[-1].situation.spent


def test_an_npc_that_has_arrived_cannot_be_observed() -> None:
    game = stage(tutorials(1)[0])
    log = ["observe agent2"] * len(game.scripts[0])
    view = player_view(game, replay(game, log))
    assert view.npcs[0].arrived
    assert Observe("agent2") not in [priced.choice for priced in view.choices]
    assert view.last is not None
    assert view.last.text.endswith("and reached its chest, A.")


def test_choices_are_priced() -> None:
    prices = {"move": 3, "interaction": 5, "observation": 1}
    for trial in stimuli(2):
        view = player_view(stage(trial), [])
        assert view.choices
        for priced in view.choices:
            assert priced.cost == prices[priced.kind]
