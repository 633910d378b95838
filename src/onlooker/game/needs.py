"""Where an agent can walk, and which amulets its way to a chest needs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from onlooker.game.grid import ACTIONS, Cell, Map, Wizard
from onlooker.game.rules import Effect, effect

_DELTAS = tuple(action.delta for action in ACTIONS)

Needs = dict[str, tuple[str, ...] | None]  # chest -> colours, None if no set of amulets opens a way

# What is wrong with a trial on which one cannot search alone.
ENDLESS_SEARCH = (
    "a wizard of a colour that the main agent needs stands behind a barrier of one that it does not"
    " need; to the observers searching alone then costs without end, so that they never compare"
)


class Reach:
    """Where one can walk on a map; every region is found once.

    >>> from onlooker.game.grid import Barrier
    >>> hall = Map(4, 1, barriers=(Barrier((1, 0), "red"),), wizards=(Wizard("w1", (3, 0), "red"),))
    >>> sorted(Reach(hall).region((0, 0), frozenset()))
    [(0, 0)]
    """

    def __init__(self, map: Map) -> None:
        self.map = map
        coloured = [(barrier.at, barrier.colour) for barrier in map.barriers]
        coloured += [(wizard.at, wizard.colour) for wizard in map.wizards]
        closed = map.walls | {cell for cell, _ in coloured}
        # cell -> the amulet that opens it, None for floor
        self._key: dict[Cell, str | None] = {c: None for c in map.cells() if c not in closed}
        for cell, colour in coloured:
            if effect(map, cell, frozenset({colour})) is Effect.MOVE:
                self._key[cell] = colour
        self._near: dict[Cell, list[Cell]] = {}
        self._regions: dict[frozenset[str], list[set[Cell]]] = {}

    def region(self, start: Cell, amulets: frozenset[str]) -> set[Cell]:
        """The cells that can be walked to from `start` holding `amulets`, asking nobody."""
        known = self._regions.setdefault(amulets, [])
        for region in known:
            if start in region:
                return region
        reached, frontier = {start}, [start]
        keys, beside = self._key, self._near
        while frontier:
            cell = frontier.pop()
            for near in beside.get(cell) or self._beside(cell):
                if near not in reached:
                    key = keys[near]
                    if key is None or key in amulets:
                        reached.add(near)
                        frontier.append(near)
        known.append(reached)
        return reached

    def _beside(self, cell: Cell) -> list[Cell]:
        x, y = cell
        around = [(x + dx, y + dy) for dx, dy in _DELTAS]
        self._near[cell] = [near for near in around if near in self._key]
        return self._near[cell]

    def needs(self, start: Cell) -> Needs:
        """What `needed` says for every chest, by its letter."""
        map = self.map
        everywhere = self.region(start, frozenset(map.colours))
        found: Needs = {chest.letter: None for chest in map.chests if chest.at not in everywhere}
        for size in range(len(map.colours) + 1):
            for colours in combinations(map.colours, size):
                if len(found) == len(map.chests):
                    break
                cells = self.region(start, frozenset(colours))
                for chest in map.chests:
                    if chest.at in cells:
                        found.setdefault(chest.letter, colours)
        return {letter: found[letter] for letter in map.letters}

    def surely_obtainable(
        self, start: Cell, colours: Iterable[str] | None = None
    ) -> tuple[frozenset[str], set[Cell]]:
        """The amulets an agent can get whoever holds them, and where it can walk with those.

        An amulet is sure once every wizard of its colour can be asked. For each other colour some
        wizard is out of reach; were those the holders, the agent could walk nowhere else. It asks
        only for amulets of some colours, if they are given.
        """
        wanted = set(self.map.colours if colours is None else colours)
        amulets: frozenset[str] = frozenset()
        while True:
            cells = self.region(start, amulets)
            sure = amulets | {
                colour
                for colour, wizards in self.map.wizards_of.items()
                if colour in wanted and all(beside(wizard, cells) for wizard in wizards)
            }
            if sure == amulets:
                return amulets, cells
            amulets = sure


def can_search_alone(map: Map, start: Cell, chest: str) -> bool:
    """Whether what an agent needs for a chest can be found by asking for nothing else.

    Else a wizard of a colour that it needs stands behind a barrier of another one that it does
    not need, and what searching alone could cost is infinite to the observers.
    """
    reach = Reach(map)
    colours = reach.needs(start)[chest] or ()
    return reach.surely_obtainable(start, colours)[0] >= set(colours)


def beside(wizard: Wizard, cells: set[Cell]) -> bool:
    """Whether the wizard can be asked from one of the cells."""
    return any(action.from_cell(wizard.at) in cells for action in ACTIONS)


def needs(map: Map, start: Cell) -> Needs:
    """What `needed` says for every chest, by its letter."""
    return Reach(map).needs(start)


def needed(map: Map, start: Cell, chest: str) -> tuple[str, ...] | None:
    """The fewest colours, alphabetical among equals, whose amulets open a walk to the chest.

    With those colours' barriers open and their wizards walkable, everything else of colour
    blocked, the chest can be walked to. None if no set of amulets opens a way.

    >>> from onlooker.game.grid import Barrier, Chest
    >>> hall = Map(4, 1, barriers=(Barrier((2, 0), "blue"),), chests=(Chest("A", (3, 0)),),
    ...            wizards=(Wizard("w1", (0, 0), "blue"),))
    >>> needed(hall, (1, 0), "A")
    ('blue',)
    """
    return needs(map, start)[chest]
