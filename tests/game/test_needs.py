from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given

from onlooker.game import ACTIONS, Cell, Map, Trial, needed, needs, read_map_text
from onlooker.game.needs import Reach
from onlooker.game.rules import Effect, effect
from strategies import trials

LEGEND = """
legend:
@ = main agent, goal A
b = blue wizard, holder
r = red wizard, holder
= = blue barrier
% = red barrier
"""


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("@br..A", ("blue", "red")),  # the wizards themselves are in the way
        ("b@.A..\n######\n#####.", ()),
        ("br.###\n@..%.A", ("red",)),
        ("br.%..\n@..=.A", ("blue",)),  # either would do: the first in the alphabet
        ("br.###\n@..=%A", ("blue", "red")),
    ],
)
def test_needed_is_the_smallest_set_and_the_first_of_equals(
    rows: str, expected: tuple[str, ...]
) -> None:
    trial = read_map_text(f"map:\n{rows}\n{LEGEND}")
    assert needed(trial.map, trial.main.at, "A") == expected


def test_needs_of_every_chest_at_once() -> None:
    trial = read_map_text(f"map:\nB.br..\nC.@=.A\n{LEGEND}")
    assert needs(trial.map, trial.main.at) == {"A": ("blue",), "B": (), "C": ()}


def walked(map: Map, start: Cell, amulets: frozenset[str]) -> set[Cell]:
    """Where the rules let an agent walk."""
    reached, frontier = {start}, [start]
    while frontier:
        cell = frontier.pop()
        ahead = {action.from_cell(cell) for action in ACTIONS} - reached
        ahead = {cell for cell in ahead if effect(map, cell, amulets) is Effect.MOVE}
        reached |= ahead
        frontier += ahead
    return reached


@given(trials())
def test_regions_follow_the_rules(trial: Trial) -> None:
    map = trial.map
    reach = Reach(map)
    for start in (trial.main.at, *(npc.at for npc in trial.npcs)):
        for size in range(len(map.colours) + 1):
            for colours in combinations(map.colours, size):
                region = reach.region(reach.bit(start), frozenset(colours))
                cells = walked(map, start, frozenset(colours))
                assert region == sum(reach.bit(cell) for cell in cells)
