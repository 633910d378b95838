"""What can go wrong in planning, and what keeps an agent from where it wants to go."""

from __future__ import annotations

from collections.abc import Iterable

from onlooker.game.grid import Cell, Map
from onlooker.game.needs import Reach
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


def in_the_way(
    map: Map,
    at: Cell,
    to: Iterable[Cell],
    amulets: frozenset[str] = frozenset(),
    holders: Holders | None = None,
) -> str:
    """What an agent with some amulets cannot pass on its way to some cells.

    If the holders are given, it asks those whom it can get to.

    >>> from onlooker.game.grid import Barrier, Chest, Wizard
    >>> hall = Map(4, 1, barriers=(Barrier((1, 0), "red"),), chests=(Chest("A", (3, 0)),))
    >>> in_the_way(hall, (0, 0), [(3, 0)])
    'the red barrier at (1, 0) is in the way'
    """
    reach = Reach(map)
    wanted = 0
    for cell in to:
        wanted |= reach.bit(cell)
    every = frozenset({*map.colours, *(barrier.colour for barrier in map.barriers)})
    if not reach.around(reach.region(reach.bit(at), every)) & wanted:
        return "walls are in the way"
    while True:
        region = reach.region(reach.bit(at), amulets)
        near = reach.around(region) | region
        given = {
            colour
            for colour, holder in (holders or {}).items()
            if colour not in amulets and near & reach.bit(map.wizard(holder).at)
        }
        if not given:
            break
        amulets |= given
    closed = [
        f"the {barrier.colour} barrier at {barrier.at}"
        for barrier in map.barriers
        if barrier.colour not in amulets and near & reach.bit(barrier.at)
    ]
    closed += [
        f"wizard {wizard.id} at {wizard.at}"
        for wizard in map.wizards
        if wizard.colour not in amulets and near & reach.bit(wizard.at)
    ]
    if not closed:
        return "nothing is in the way"  # an agent that could go on, and does not want to
    return f"{' and '.join(closed)} {'is' if len(closed) == 1 else 'are'} in the way"
