"""The palette: how colours and agents look wherever they are drawn.

Nothing depends on colour alone: an amulet colour also has a pattern and a badge (in the terminal a
letter), an agent also a shape, a letter and a line style. The hues follow Okabe and Ito's, which
colour-blind people can tell apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from zlib import crc32

from onlooker.game import Expertise, Map, Npc, PlayerView, Trial
from onlooker.game.player_view import NpcLabel

MAIN = "main"  # the main agent's key beside the NPCs' ids

PAPER = "#FFFFFF"
FLOOR = "#FBFAF6"
GRID = "#E2DFD6"
WALL = "#3D4148"
INK = "#1B1D21"  # letters and outlines
FAINT_INK = "#6A6E76"  # coordinates and ids
CHEST = "#E3BC74"
CHEST_EDGE = "#6B4716"
HOLDER = "#FFD43B"

MAIN_DASHES = (4.0, 1.0, 1.0, 1.0)
DASHES: tuple[tuple[float, ...], ...] = ((), (2.6, 1.1), (1.0, 0.9), (6.0, 1.3))


@dataclass(frozen=True, slots=True)
class AmuletStyle:
    """How the wizards and barriers of one colour look."""

    fill: str
    pattern: str  # on barriers: one of `shapes.PATTERNS`
    badge: str  # on wizards and barriers: one of `shapes.BADGES`
    letter: str = "?"  # in the terminal: its own among the colours of the map

    @property
    def ink(self) -> str:
        """The colour of what is written on the fill."""
        return ink_on(self.fill)

    @property
    def line(self) -> str:
        """The colour of lines on a light ground: the fill, darkened where that is light too."""
        return self.fill if self.ink == PAPER else shade(self.fill, 0.35)


@dataclass(frozen=True, slots=True)
class AgentStyle:
    """How an agent and its path look."""

    fill: str
    shape: str  # diamond: main agent; disc, square, triangle, pentagon: NPCs
    letter: str  # M, E, N or T
    number: str  # tells several NPCs apart; empty for the main agent
    dashes: tuple[float, ...]  # of the path's line, in line widths; () is solid

    @property
    def ink(self) -> str:
        """The colour of what is written on the fill."""
        return ink_on(self.fill)

    @property
    def label(self) -> str:
        """Letter and number."""
        return self.letter + self.number


_NAMED = {
    "blue": AmuletStyle("#0072B2", "diagonal", "disc"),
    "red": AmuletStyle("#D2451E", "dots", "triangle"),
    "green": AmuletStyle("#009E73", "vertical", "square"),
    "yellow": AmuletStyle("#F0E442", "lattice", "diamond"),
    "purple": AmuletStyle("#AA4499", "zigzag", "cross"),
    "orange": AmuletStyle("#E69F00", "horizontal", "plus"),
}
_OTHERS = {
    "cyan": AmuletStyle("#56B4E9", "rings", "ring"),
    "pink": AmuletStyle("#EE99BB", "antidiagonal", "bar"),
    "brown": AmuletStyle("#8B5A2B", "bricks", "frame"),
    "grey": AmuletStyle("#8F949C", "grid", "bars"),
    "black": AmuletStyle("#2B2B2B", "checks", "wedge"),
    "white": AmuletStyle("#F2F2F2", "pluses", "lozenge"),
}
_FIXED = _NAMED | _OTHERS

_MAIN_HUE = "#C2183C"
_NPC_HUES = ("#2456A6", "#1B7F4B", "#7A3E9D", "#8A5A00", "#00798C", "#5B5F66")
_SHAPES = {
    Expertise.EXPERT: "disc",
    Expertise.NOVICE: "square",
    Expertise.TEACHER: "triangle",
    None: "pentagon",
}


def ink_on(fill: str) -> str:
    """White or dark, whichever is well read on a fill.

    >>> ink_on("#0072B2"), ink_on("#F0E442")
    ('#FFFFFF', '#1B1D21')
    """
    channels = (int(fill[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return PAPER if 1.05 / (luminance + 0.05) >= 3.2 else INK


def tint(fill: str, amount: float) -> str:
    """A fill mixed with white: amount 0 is white, 1 the fill itself.

    >>> tint("#000000", 0.2)
    '#CCCCCC'
    """
    mixed = (255 - (255 - int(fill[i : i + 2], 16)) * amount for i in (1, 3, 5))
    return "#" + "".join(f"{round(channel):02X}" for channel in mixed)


def shade(fill: str, amount: float) -> str:
    """A fill mixed with black: amount 0 is the fill itself, 1 black.

    >>> shade("#FFFFFF", 0.2)
    '#CCCCCC'
    """
    mixed = (int(fill[i : i + 2], 16) * (1 - amount) for i in (1, 3, 5))
    return "#" + "".join(f"{round(channel):02X}" for channel in mixed)


def colours_of(map: Map) -> tuple[str, ...]:
    """The colours of a map's wizards and barriers in alphabetical order."""
    return tuple(sorted({*map.colours, *(barrier.colour for barrier in map.barriers)}))


def amulet_styles(colours: Iterable[str]) -> dict[str, AmuletStyle]:
    """How each of a map's colours looks: known names as they should, others as is left.

    >>> amulet_styles(["blue", "black", "octarine"])["octarine"].letter
    'O'
    """
    ordered = sorted(set(colours), key=lambda colour: (colour not in _NAMED, colour))
    styles = {colour: _FIXED[colour] for colour in ordered if colour in _FIXED}
    for colour in ordered:
        if colour not in styles:
            choices = list(_OTHERS.values())
            first = crc32(colour.encode()) % len(choices)
            turned = choices[first:] + choices[:first]
            free = (style for style in turned if style not in styles.values())
            styles[colour] = next(free, turned[0])
    return {
        colour: AmuletStyle(styles[colour].fill, styles[colour].pattern, styles[colour].badge, mark)
        for colour, mark in _letters(ordered)
    }


def _letters(colours: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each colour's letter: its initial, or the first after it that no other colour has."""
    taken: set[str] = set()
    for colour in colours:
        letters = (char for char in colour.lower() if char in ascii_lowercase)
        free = (char for char in (*letters, *ascii_lowercase) if char not in taken)
        letter = next(free, "?")
        taken.add(letter)
        yield colour, letter.upper()


def agent_styles(trial: Trial | PlayerView) -> dict[str, AgentStyle]:
    """How each agent of a trial, or of a player's view of one, looks: by "main" and the NPCs' ids.

    An NPC called agent2, agent3, … has the hue of its number in every trial.
    """
    styles = {MAIN: AgentStyle(_MAIN_HUE, "diamond", "M", "", MAIN_DASHES)}
    npcs: Sequence[Npc | NpcLabel] = trial.npcs
    for npc, number in zip(npcs, _numbers([npc.id for npc in npcs]), strict=True):
        told = npc.label if isinstance(npc, Npc) else npc.expertise
        styles[npc.id] = AgentStyle(
            _NPC_HUES[(number - 2) % len(_NPC_HUES)],
            _SHAPES[told],
            told[0].upper() if told else "?",
            str(number),
            DASHES[(number - 2) % len(DASHES)],
        )
    return styles


def _numbers(ids: list[str]) -> list[int]:
    """A number for each NPC: the one in its id, or the first free one from 2 on."""
    found = {name: re.fullmatch(r"agent([1-9]\d?)", name, re.ASCII) for name in ids}
    numbered = {name: int(match[1]) for name, match in found.items() if match}
    free = (number for number in range(2, 2 + 2 * len(ids) + 1) if number not in numbered.values())
    return [numbered[name] if name in numbered else next(free) for name in ids]


def goal_of(trial: Trial, agent: str) -> str:
    """The letter of an agent's chest."""
    return trial.main.goal if agent == MAIN else trial.npc(agent).goal
