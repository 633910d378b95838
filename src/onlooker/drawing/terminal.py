"""Trials in a terminal: the map as coloured text that also reads without colour.

A cell is two characters, so that it looks square. The first says which one, the second what it is:
`b^` a blue wizard, `b*` one that holds its amulet, `b▒` a blue barrier, `A$` a chest, `A!` the
main agent's; `M` the main agent, `E2` an expert, `N3` a novice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from string import ascii_lowercase
from typing import TYPE_CHECKING

from onlooker.drawing.route import Paths, asks_on, cells_on, check_agents, start_of
from onlooker.drawing.style import (
    CHEST,
    INK,
    MAIN,
    AgentStyle,
    AmuletStyle,
    agent_styles,
    amulet_styles,
    colours_of,
    goal_of,
    tint,
)
from onlooker.game import Barrier, Cell, Chest, Holders, Npc, PlayerView, Step, Trial, Wizard

if TYPE_CHECKING:
    from rich.text import Text

WALL, FLOOR = "██", "· "
WIZARD, HOLDER, BARRIER, CHEST_MARK, GOAL = "^", "*", "▒", "$", "!"
ARROWS = {(0, -1): "↑", (0, 1): "↓", (-1, 0): "←", (1, 0): "→"}
BOTH_WAYS = {frozenset("←→"): "↔", frozenset("↑↓"): "↕"}
CROSSING, END = "+", "•"

Piece = tuple[str, str]  # characters and their rich style


def map_text(trial: Trial, *, holders: bool = False, paths: Paths | None = None) -> Text:
    """A trial's map as text for a terminal, with coordinates and a legend of what occurs.

    `holders` marks the wizards that hold the amulets, and shows who was given one on a path;
    `paths` are agents' steps from their starts, by "main" or the NPC's id. Print it with
    `soft_wrap=True`, or rich cuts maps that are wider than the terminal.
    """
    paths = paths or {}
    check_agents(trial, "paths", paths)
    picture = _Picture(
        trial,
        places={agent: start_of(trial, agent) for agent in agent_styles(trial)},
        goals={agent: goal_of(trial, agent) for agent in agent_styles(trial)},
        holders=trial.holders if holders else {},
        paths=paths,
    )
    return _text([*picture.rows(), [], *picture.legend()])


def view_texts(view: PlayerView) -> tuple[Text, Text]:
    """The map as its player sees it now, and the legend: no holders, no goals of NPCs."""
    picture = _Picture(
        view,
        places={MAIN: view.main.at} | {npc.id: npc.at for npc in view.npcs},
        goals={MAIN: view.main.goal},
        holders={},
        paths={},
    )
    return _text(picture.rows()), _text(picture.legend())


def _text(lines: Iterable[list[Piece]]) -> Text:
    from rich.text import Text

    text = Text(no_wrap=True)
    for line in lines:
        text.append_tokens([*line, ("\n", "")])
    text.right_crop(1)
    return text


class _Picture:
    """What is written where."""

    def __init__(
        self,
        game: Trial | PlayerView,
        places: Mapping[str, Cell],
        goals: Mapping[str, str],
        holders: Holders,
        paths: Paths,
    ) -> None:
        self.map, self.places, self.goals = game.map, places, goals
        self.holders, self.paths = holders, paths
        self.mine = isinstance(game, PlayerView)  # what its player reads
        self.kinds = {MAIN: "you" if self.mine else "main agent"} | {
            npc.id: f"{npc.expertise} {npc.id}" for npc in game.npcs
        }
        self.told = {npc.id: npc.told_words for npc in game.npcs if isinstance(npc, Npc)}
        self.agents = agent_styles(game)
        self.amulets = amulet_styles(colours_of(game.map))
        self.standing: dict[Cell, list[str]] = defaultdict(list)
        for agent, cell in places.items():
            self.standing[cell].append(agent)
        self.tracks = {
            agent: _track(cells_on(places[agent], steps)) for agent, steps in paths.items()
        }

    # -- the map -------------------------------------------------------------------------------

    def rows(self) -> Iterator[list[Piece]]:
        """The lines of the map with its frame and coordinates."""
        map = self.map
        margin = " " * (len(str(map.height - 1)) + 2)
        if map.width > 10:
            tens = "".join(f"{x // 10 or ' '} " for x in range(map.width))
            yield [(f"{margin}{tens}".rstrip(), "dim")]
        ones = "".join(f"{x % 10} " for x in range(map.width))
        yield [(f"{margin}{ones}".rstrip(), "dim")]
        edge = "─" * (2 * map.width)
        yield [(f"{margin[:-1]}┌{edge}┐", "dim")]
        for y in range(map.height):
            cells = (piece for x in range(map.width) for piece in self.cell((x, y)))
            yield [(f"{y:>{len(margin) - 2}} │", "dim"), *cells, ("│", "dim")]
        yield [(f"{margin[:-1]}└{edge}┘", "dim")]

    def cell(self, cell: Cell) -> list[Piece]:
        """The two characters of a cell."""
        if cell in self.map.walls:
            return [(WALL, "bright_black")]
        if agents := self.standing.get(cell):
            return self.tokens(agents)
        if thing := self.map.thing(cell):
            return [self.thing(thing)]
        if marks := self.marks(cell):
            return marks
        return [(FLOOR, "dim")]

    def tokens(self, agents: list[str]) -> list[Piece]:
        """One agent's label, or the letters of several on the same cell."""
        if len(agents) == 1:
            return [self.agent(agents[0])]
        letters = [(self.agents[agent].letter, _on(self.agents[agent])) for agent in agents]
        return letters if len(letters) == 2 else [letters[0], (CROSSING, "bold")]

    def agent(self, agent: str) -> Piece:
        """An agent's letter and number."""
        style = self.agents[agent]
        return style.letter + _digit(style.number), _on(style)

    def thing(self, thing: Wizard | Barrier | Chest) -> Piece:
        """The letter of a thing and the mark of its kind."""
        match thing:
            case Wizard(id=name, colour=colour):
                mark = HOLDER if self.holders.get(colour) == name else WIZARD
                return self.amulets[colour].letter.lower() + mark, _on(self.amulets[colour])
            case Barrier(colour=colour):
                style = self.amulets[colour]
                return style.letter.lower() + BARRIER, f"{style.ink} on {style.fill}"
            case Chest(letter=letter):
                goal = letter == self.goals[MAIN]
                return letter + (GOAL if goal else CHEST_MARK), f"bold {INK} on {CHEST}"

    def marks(self, cell: Cell) -> list[Piece]:
        """The arrows of the paths over a floor cell."""
        found = [
            self.arrow(agent, track[cell]) for agent, track in self.tracks.items() if cell in track
        ]
        if len(found) > 2:
            return [*found[0][:1], (CROSSING, "bold")]
        if len(found) == 2:
            return [piece for pieces in found for piece in pieces if piece[0] != " "]
        return found[0] if found else []

    def arrow(self, agent: str, mark: str) -> list[Piece]:
        """One arrow; of two paths, the second has its arrows on the right of the cells."""
        piece = mark, f"bold {tint(self.agents[agent].fill, 0.75)}"  # reads on dark and on light
        right = len(self.tracks) == 2 and agent == list(self.tracks)[1]
        return [(" ", ""), piece] if right else [piece, (" ", "")]

    # -- the legend ----------------------------------------------------------------------------

    def legend(self) -> Iterator[list[Piece]]:
        """What the characters mean."""
        for agent in self.agents:
            goal = f", goal {self.goals[agent]}" if agent in self.goals else ""
            told = f", {self.told[agent]}" if self.told.get(agent) else ""
            where = _shown(self.places[agent])
            yield [self.agent(agent), (f" {self.kinds[agent]} at {where}{goal}{told}", "")]
            if agent in self.paths:
                yield self.story(agent, self.paths[agent])
        for wizard in self.map.wizards:
            piece = self.thing(wizard)
            holds = ", holds the amulet" if piece[0].endswith(HOLDER) else ""
            words = f" {wizard.colour} wizard {wizard.id} at {_shown(wizard.at)}{holds}"
            yield [piece, (words, "")]
        barriers = {barrier.colour: barrier for barrier in self.map.barriers}
        for colour, barrier in sorted(barriers.items()):
            yield [self.thing(barrier), (f" {colour} barrier", "")]
        for chest in self.map.chests:
            whose = "your goal" if self.mine else "the main agent's goal"
            goal = f", {whose}" if chest.letter == self.goals[MAIN] else ""
            yield [self.thing(chest), (f" chest {chest.letter} at {_shown(chest.at)}{goal}", "")]
        if self.map.walls:
            yield [(WALL, "bright_black"), (" wall", "")]

    def story(self, agent: str, steps: Sequence[Step]) -> list[Piece]:
        """One line on an agent's path: how far it goes and whom it asks."""
        moves = len(cells_on((0, 0), steps)) - 1
        parts = (
            [f"{moves} move{'' if moves == 1 else 's'} to {_shown(steps[-1].state.cell)}"]
            if steps
            else ["no steps"]
        )
        for ask in asks_on(agent, steps):
            outcome = (" (gets the amulet)" if ask.gave else " (a decoy)") if self.holders else ""
            parts.append(f"asks {ask.wizard}{outcome}")
        return [*self.arrow(agent, ARROWS[1, 0]), (f" its path: {', '.join(parts)}", "")]


def _on(style: AgentStyle | AmuletStyle) -> str:
    return f"bold {style.ink} on {style.fill}"


def _digit(number: str) -> str:
    """A number as one character: 10 is a, 11 b, …"""
    if len(number) < 2:
        return number or " "
    return dict(enumerate(ascii_lowercase, start=10)).get(int(number), "+")


def _shown(cell: Cell) -> str:
    return f"({cell[0]}, {cell[1]})"


def _track(cells: Sequence[Cell]) -> dict[Cell, str]:
    """The mark on each cell of a path: the way it is left, or that the path ends there."""
    ways: dict[Cell, set[str]] = defaultdict(set)
    for (x, y), (to_x, to_y) in pairwise(cells):
        ways[x, y].add(ARROWS[to_x - x, to_y - y])
    track = {cell: _merged(arrows) for cell, arrows in ways.items()}
    return track | {cells[-1]: END}


def _merged(arrows: set[str]) -> str:
    if len(arrows) == 1:
        return next(iter(arrows))
    return BOTH_WAYS.get(frozenset(arrows), CROSSING)
