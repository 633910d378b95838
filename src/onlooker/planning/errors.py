"""What can go wrong in planning."""

from __future__ import annotations

from onlooker.game.grid import Cell, Map
from onlooker.game.obstacles import in_the_way
from onlooker.game.trial import Holders


class NoPathError(ValueError):
    """An agent has no way to do what it should.

    >>> from onlooker.game import Chest, Map, State
    >>> from onlooker.planning import Tables, expert_path
    >>> island = Map(3, 1, frozenset({(1, 0)}), chests=(Chest("A", (2, 0)),))
    >>> expert_path(Tables(island), State((0, 0)), "A", {})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    onlooker.planning.errors.NoPathError: there is no way from (0, 0) to chest A: walls ...
    """


def no_way(
    map: Map,
    at: Cell,
    goal: str,
    amulets: frozenset[str] = frozenset(),
    holders: Holders | None = None,
) -> NoPathError:
    """That an agent cannot get to a chest, and what is in its way."""
    why = in_the_way(map, at, [map.chest(goal).at], amulets, holders)
    return NoPathError(f"there is no way from {at} to chest {goal}: {why}")
