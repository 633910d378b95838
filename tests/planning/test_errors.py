"""What keeps an agent from where it wants to go, in words."""

from __future__ import annotations

import pytest

from onlooker.game import Barrier, Chest, Map, TrialError, Wizard, read_map_text
from onlooker.planning.errors import in_the_way

HALL = Map(
    6,
    1,
    barriers=(Barrier((2, 0), "red"), Barrier((4, 0), "blue")),
    wizards=(Wizard("w1", (0, 0), "red"), Wizard("w2", (5, 0), "blue")),
    chests=(Chest("A", (3, 0)),),
)


def test_barriers_and_wizards_are_named() -> None:
    named = in_the_way(HALL, (1, 0), [(3, 0)])
    assert named == "the red barrier at (2, 0) and wizard w1 at (0, 0) are in the way"
    holders = {"red": "w1", "blue": "w2"}
    named = in_the_way(HALL, (1, 0), [(5, 0)], holders=holders)
    assert named == "the blue barrier at (4, 0) is in the way"
    assert in_the_way(HALL, (1, 0), [(3, 0)], frozenset({"red"})).startswith("the blue barrier")


def test_walls_that_no_amulet_opens() -> None:
    shut = Map(4, 1, frozenset({(2, 0)}), (Wizard("w1", (0, 0), "red"),), chests=HALL.chests)
    assert in_the_way(shut, (1, 0), [(3, 0)]) == "walls are in the way"
    with pytest.raises(TrialError, match=r"cannot reach chest A at \(2, 0\): walls are in the way"):
        read_map_text("map:\n@#A\n\nlegend:\n@ = main agent, goal A\n")


def test_nothing_in_the_way() -> None:
    open_hall = Map(3, 1, chests=(Chest("A", (2, 0)),))
    assert in_the_way(open_hall, (0, 0), [(2, 0)]) == "nothing is in the way"
