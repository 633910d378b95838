"""What can go wrong in planning."""

from __future__ import annotations


class NoPathError(ValueError):
    """An agent has no way to do what it should.

    >>> from onlooker.game import Chest, Map, State
    >>> from onlooker.planning import Tables, expert_path
    >>> island = Map(3, 1, frozenset({(1, 0)}), chests=(Chest("A", (2, 0)),))
    >>> expert_path(Tables(island), State((0, 0)), "A", {})
    Traceback (most recent call last):
    onlooker.planning.errors.NoPathError: there is no way from (0, 0) to chest A
    """
