"""Where an agent can walk, and which amulets its way to a chest needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

from onlooker.game.grid import Cell, Map

Needs = dict[str, tuple[str, ...] | None]  # chest -> colours, None if no set of amulets opens a way
Region = int  # a set of cells: the bits of a whole number, see `Reach.bit`

# What is wrong with a trial on which one cannot search alone.
ENDLESS_SEARCH = (
    "a wizard of a colour that the main agent needs stands behind a barrier of one that it does not"
    " need; to the observers searching alone then costs without end, so that they never compare"
)


class Reach:
    """Where one can walk on a map; every region is found once.

    A set of cells is a whole number with a bit for each cell, row after row. Each row has one bit
    more than the map has columns; nobody can walk there, so that rows do not run into each other.
    A step of all cells of a set in one direction is then a shift of the number.

    >>> from onlooker.game.grid import Barrier, Wizard
    >>> hall = Map(4, 1, barriers=(Barrier((1, 0), "red"),), wizards=(Wizard("w1", (3, 0), "red"),))
    >>> reach = Reach(hall)
    >>> bin(reach.region(reach.bit((0, 0)), frozenset()))
    '0b1'
    >>> bin(reach.region(reach.bit((0, 0)), frozenset({"red"})))
    '0b1111'
    """

    def __init__(self, map: Map) -> None:
        self.map = map
        self._stride = stride = map.width + 1
        digits = bytearray(b"1" * map.width + b"0") * map.height
        for x, y in map.walls:
            digits[x + y * stride] = 48  # the digit 0
        self._unwalled = int(digits[::-1], 2)
        self._wizards = dict.fromkeys(map.colours, 0)  # colour -> where its wizards stand
        for wizard in map.wizards:
            self._wizards[wizard.colour] |= self.bit(wizard.at)
        self._opened = defaultdict(int, self._wizards)  # colour -> the cells that its amulet opens
        for barrier in map.barriers:
            self._opened[barrier.colour] |= self.bit(barrier.at)
        self._floor = self._unwalled
        for cells in self._opened.values():
            self._floor &= ~cells
        self._regions: dict[frozenset[str], list[Region]] = {}

    def bit(self, cell: Cell) -> Region:
        """The set of one cell."""
        return 1 << cell[0] + cell[1] * self._stride

    def around(self, cells: Region) -> Region:
        """The cells that are one step away from a set of cells."""
        stride = self._stride
        return cells << 1 | cells >> 1 | cells << stride | cells >> stride

    def region(self, start: Region, amulets: frozenset[str]) -> Region:
        """The cells that can be walked to from `start` holding `amulets`, asking nobody."""
        known = self._regions.setdefault(amulets, [])
        for region in known:
            if region & start:
                return region
        free, stride = self._floor, self._stride
        for colour in amulets:
            free |= self._opened[colour] & self._unwalled
        reached, wider = 0, start
        while wider != reached:
            reached = wider
            wider |= (wider << 1 | wider >> 1) & free
            wider |= (wider << stride | wider >> stride) & free
        known.append(reached)
        return reached

    def needs(self, start: Cell) -> Needs:
        """What `needed` says for every chest, by its letter."""
        map = self.map
        chests = {chest.letter: self.bit(chest.at) for chest in map.chests}
        everywhere = self.region(self.bit(start), frozenset(map.colours))
        found: Needs = {letter: None for letter, at in chests.items() if not everywhere & at}
        for size in range(len(map.colours) + 1):
            for colours in combinations(map.colours, size):
                if len(found) == len(chests):
                    break
                region = self.region(self.bit(start), frozenset(colours))
                for letter, at in chests.items():
                    if region & at:
                        found.setdefault(letter, colours)
        return {letter: found[letter] for letter in map.letters}

    def surely_obtainable(
        self, start: Cell, colours: Iterable[str] | None = None
    ) -> tuple[frozenset[str], Region]:
        """The amulets an agent can get whoever holds them, and where it can walk with those.

        An amulet is sure once every wizard of its colour can be asked. For each other colour some
        wizard is out of reach; were those the holders, the agent could walk nowhere else. It asks
        only for amulets of some colours, if they are given.
        """
        unsure = set(self.map.colours if colours is None else colours)
        amulets: frozenset[str] = frozenset()
        region = self.bit(start)
        while True:
            region = self.region(region, amulets)
            near = self.around(region)
            sure = {colour for colour in unsure if not self._wizards[colour] & ~near}
            if not sure:
                return amulets, region
            amulets |= sure
            unsure -= sure


def can_search_alone(map: Map, start: Cell, chest: str) -> bool:
    """Whether what an agent needs for a chest can be found by asking for nothing else.

    Else a wizard of a colour that it needs stands behind a barrier of another one that it does
    not need, and what searching alone could cost is infinite to the observers.
    """
    reach = Reach(map)
    colours = reach.needs(start)[chest] or ()
    return reach.surely_obtainable(start, colours)[0] >= set(colours)


def needs(map: Map, start: Cell) -> Needs:
    """What `needed` says for every chest, by its letter."""
    return Reach(map).needs(start)


def needed(map: Map, start: Cell, chest: str) -> tuple[str, ...] | None:
    """The fewest colours, alphabetical among equals, whose amulets open a walk to the chest.

    With those colours' barriers open and their wizards walkable, everything else of colour
    blocked, the chest can be walked to. None if no set of amulets opens a way.

    >>> from onlooker.game.grid import Barrier, Chest, Wizard
    >>> hall = Map(4, 1, barriers=(Barrier((2, 0), "blue"),), chests=(Chest("A", (3, 0)),),
    ...            wizards=(Wizard("w1", (0, 0), "blue"),))
    >>> needed(hall, (1, 0), "A")
    ('blue',)
    """
    return needs(map, start)[chest]
