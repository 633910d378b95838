"""The three ways in which a map is written for a language model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, count, groupby
from string import ascii_lowercase, digits

from onlooker.game import ACTIONS, Barrier, Cell, Chest, Map, PlayerView, Wizard
from onlooker.game.grid import Thing
from onlooker.players.chat.words import MapWriter, TextVariant, text

WALL, FLOOR, MAIN = "#", ".", "@"
BARRIERS = "=%~+^&$*!?"


def writer_of(variant: TextVariant) -> MapWriter:
    """The writer of a variant."""
    writers: dict[TextVariant, type[MapWriter]] = {
        "grid": Grid,
        "coordinates": Coordinates,
        "prose": Prose,
    }
    return writers[variant]()


class Grid:
    """A character for each cell, and a legend."""

    def whole(self, view: PlayerView) -> str:
        """The map with its legend."""
        size = text("grid", "map", width=view.map.width, height=view.map.height)
        legend = "\n".join(f"{sign} {name}" for sign, name in self._legend(view))
        return "\n\n".join([size, self.now(view), legend])

    def now(self, view: PlayerView) -> str:
        """The rows of the map, and what else is on a cell with an agent."""
        map, signs = view.map, _signs(view)
        shown = dict.fromkeys(map.cells(), FLOOR) | dict.fromkeys(map.walls, WALL)
        things: tuple[Thing, ...] = (*map.wizards, *map.barriers, *map.chests)
        shown |= {thing.at: signs[_kind(thing)] for thing in things}
        agents = {view.main.at: [MAIN]}
        for npc in view.npcs:
            agents.setdefault(npc.at, []).append(signs["npc", npc.id])
        shown |= {cell: standing[0] for cell, standing in agents.items()}
        rows = ["".join(shown[x, y] for x in range(map.width)) for y in range(map.height)]
        return "\n".join([*rows, *self._covered(map, agents)])

    def _covered(self, map: Map, agents: dict[Cell, list[str]]) -> Iterator[str]:
        """What is on a cell beside the one sign that it shows."""
        for cell, (first, *others) in agents.items():
            if thing := map.thing(cell):
                others.append(_name(_kind(thing)))
            if others:
                yield text("grid", "same", shown=first, others=" and ".join(others))

    def _legend(self, view: PlayerView) -> Iterator[tuple[str, str]]:
        if view.map.walls:
            yield WALL, text("grid", "wall")
        yield FLOOR, text("grid", "floor")
        yield MAIN, text("grid", "main")
        names = {npc.id: npc.name for npc in view.npcs}
        for kind, sign in _signs(view).items():
            if kind == ("chest", view.main.goal):
                yield sign, text("grid", "goal", letter=view.main.goal)
            else:
                yield sign, names[kind[1]] if kind[0] == "npc" else _name(kind)


Kind = tuple[str, str]  # "npc" and its id, "wizard" or "barrier" and its colour, "chest" and letter


def _signs(view: PlayerView) -> dict[Kind, str]:
    """A sign for each NPC and each kind of thing, no two the same."""
    map, taken = view.map, {WALL, FLOOR, MAIN, *view.map.letters}

    def free(wanted: str) -> str:
        signs = chain(
            wanted, ascii_lowercase, digits, BARRIERS, (chr(code) for code in count(0xC0))
        )
        sign = next(sign for sign in signs if sign not in taken and not sign.isspace())
        taken.add(sign)
        return sign

    found: dict[Kind, str] = {}
    for npc in view.npcs:
        own = npc.id[-1] if npc.id[-1] in digits else ""
        found["npc", npc.id] = free(own + digits[1:])
    for colour in map.colours:
        found["wizard", colour] = free(colour.lower())
    for colour in sorted({barrier.colour for barrier in map.barriers}):
        found["barrier", colour] = free(BARRIERS)
    return found | {("chest", letter): letter for letter in map.letters}


def _kind(thing: Thing) -> Kind:
    match thing:
        case Wizard(colour=colour):
            return "wizard", colour
        case Barrier(colour=colour):
            return "barrier", colour
        case Chest(letter=letter):
            return "chest", letter


def _name(kind: Kind) -> str:
    """What the legend calls a kind of thing."""
    return text("grid", kind[0], letter=kind[1], colour=kind[1])


class Coordinates:
    """The cells of everything, as numbers."""

    def whole(self, view: PlayerView) -> str:
        """Where everything is."""
        map = view.map
        lines = [text("coordinates", "map", width=map.width, height=map.height)]
        lines += [self._walls(map), *self._things(view), self.now(view)]
        return "\n".join(lines)

    def now(self, view: PlayerView) -> str:
        """Where the agents are."""
        lines = [text("coordinates", "main", cell=_at(view.main.at))]
        lines += [text("coordinates", "npc", name=npc.name, cell=_at(npc.at)) for npc in view.npcs]
        return "\n".join(lines)

    def _walls(self, map: Map) -> str:
        rows = [
            text("coordinates", "row", row=y, columns=columns)
            for y in range(map.height)
            if (columns := _ranges(x for x in range(map.width) if (x, y) in map.walls))
        ]
        if not rows:
            return text("coordinates", "no_walls")
        return text("coordinates", "walls", rows="; ".join(rows))

    def _things(self, view: PlayerView) -> Iterator[str]:
        map = view.map
        for colour, wizards in map.wizards_of.items():
            cells = ", ".join(_at(wizard.at) for wizard in wizards)
            yield text("coordinates", "wizards", colour=_opening(colour), cells=cells)
        for colour in sorted({barrier.colour for barrier in map.barriers}):
            cells = ", ".join(_at(each.at) for each in map.barriers if each.colour == colour)
            yield text("coordinates", "barriers", colour=_opening(colour), cells=cells)
        chests = [
            text(
                "coordinates",
                "goal" if chest.letter == view.main.goal else "chest",
                letter=chest.letter,
                cell=_at(chest.at),
            )
            for chest in map.chests
        ]
        yield text("coordinates", "chests", cells="; ".join(chests))


def _opening(word: str) -> str:
    return word[:1].upper() + word[1:]


def _at(cell: Cell) -> str:
    return f"({cell[0]}, {cell[1]})"


def _ranges(numbers: Iterable[int]) -> str:
    """Numbers in order, those that follow each other as ranges.

    >>> _ranges([0, 1, 2, 5, 7, 8])
    'columns 0 to 2, 5, 7 to 8'
    """
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    ]
    words = [f"{run[0]}" if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    return f"columns {', '.join(words)}" if words else ""


class Prose:
    """The map in sentences."""

    def whole(self, view: PlayerView) -> str:
        """The rows from the top, and the agents."""
        map = view.map
        opening = text("prose", "map", width=map.width, height=map.height)
        rows = [
            text("prose", "row", row=y + 1, pieces=", ".join(self._row(view, y)))
            for y in range(map.height)
        ]
        return "\n\n".join([opening, "\n".join(rows), self.now(view)])

    def now(self, view: PlayerView) -> str:
        """Where the agents are, and what is around the player's own."""
        column, row = view.main.at
        around = {str(action): self._at(view, action.from_cell(view.main.at)) for action in ACTIONS}
        lines = [text("prose", "main", row=row + 1, column=column + 1, **around)]
        lines += [
            text("prose", "npc", name=npc.name, row=npc.at[1] + 1, column=npc.at[0] + 1)
            for npc in view.npcs
        ]
        return " ".join(lines)

    def _row(self, view: PlayerView, y: int) -> Iterator[str]:
        """The pieces of a row, equal walls and floors together."""
        for piece, cells in groupby(self._at(view, (x, y)) for x in range(view.map.width)):
            count = len(list(cells))
            for name in ("wall", "floor"):
                if piece == text("prose", name) and count > 1:
                    yield text("prose", f"{name}s", count=count)
                    break
            else:
                yield from [piece] * count

    def _at(self, view: PlayerView, cell: Cell) -> str:
        if not view.map.contains(cell):
            return text("prose", "edge")
        if cell in view.map.walls:
            return text("prose", "wall")
        match view.map.thing(cell):
            case Wizard(colour=colour):
                return text("prose", "wizard", a=_article(colour), colour=colour)
            case Barrier(colour=colour):
                return text("prose", "barrier", a=_article(colour), colour=colour)
            case Chest(letter=letter):
                mine = letter == view.main.goal
                return text("prose", "goal" if mine else "chest", letter=letter)
        return text("prose", "floor")


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"
