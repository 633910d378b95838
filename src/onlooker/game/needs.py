"""Where an agent can walk, and which amulets its way to a chest needs."""

from __future__ import annotations

from itertools import combinations

from onlooker.game.grid import ACTIONS, Cell, Map, Wizard
from onlooker.game.rules import Effect, effect


def region(map: Map, start: Cell, amulets: frozenset[str]) -> set[Cell]:
    """The cells that can be walked to from `start` holding `amulets`, asking nobody."""
    reached, frontier = {start}, [start]
    while frontier:
        cell = frontier.pop()
        for action in ACTIONS:
            ahead = action.from_cell(cell)
            if ahead not in reached and effect(map, ahead, amulets) is Effect.MOVE:
                reached.add(ahead)
                frontier.append(ahead)
    return reached


def beside(wizard: Wizard, cells: set[Cell]) -> bool:
    """Whether the wizard can be asked from one of the cells."""
    return any(action.from_cell(wizard.at) in cells for action in ACTIONS)


def needs(map: Map, start: Cell) -> dict[str, tuple[str, ...] | None]:
    """What `needed` says for every chest, by its letter."""
    everywhere = region(map, start, frozenset(map.colours))
    found: dict[str, tuple[str, ...] | None] = {
        chest.letter: None for chest in map.chests if chest.at not in everywhere
    }
    for size in range(len(map.colours) + 1):
        for colours in combinations(map.colours, size):
            if len(found) == len(map.chests):
                break
            cells = region(map, start, frozenset(colours))
            for chest in map.chests:
                if chest.at in cells:
                    found.setdefault(chest.letter, colours)
    return {letter: found[letter] for letter in map.letters}


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


def surely_obtainable(map: Map, start: Cell) -> tuple[frozenset[str], set[Cell]]:
    """The amulets an agent can get whoever holds them, and where it can walk with those.

    An amulet is sure once every wizard of its colour can be asked. For each other colour some
    wizard is out of reach; were those the holders, the agent could walk nowhere else.
    """
    amulets: frozenset[str] = frozenset()
    while True:
        cells = region(map, start, amulets)
        sure = amulets | {
            colour
            for colour, wizards in map.wizards_of.items()
            if all(beside(wizard, cells) for wizard in wizards)
        }
        if sure == amulets:
            return amulets, cells
        amulets = sure
