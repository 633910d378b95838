"""The map text: a trial as people write and read it in an editor.

Lines that begin with `;` are comments. The rest is

- first, where wanted, `name: …`, `experiment: …`, `scenario: …`, `tutorial: yes` for a trial
  that is practice, and `outcomes: hidden` (or `revealed`, which they are by default);
- `map:` and the rows of the grid, up to the next blank line. `#` is a wall, `.` floor, a capital
  letter the chest of that name; what other characters stand for is said in the legend;
- `legend:` and lines such as

      @ = main agent, goal A
      2 = expert agent2, goal B
      b = blue wizard
      h = blue wizard, holder
      = = blue barrier

  The NPCs come in the order of the legend. Wizards are called w1, w2, … in reading order unless
  the legend gives one a name: `g = blue wizard gandalf`;
- `actions:` and lines such as `agent2: up up left`, for NPCs whose actions are fixed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from onlooker.game.document import read_document
from onlooker.game.grid import Cell
from onlooker.game.problems import MAX_SIDE, DocumentPath, TrialError, dotted
from onlooker.game.trial import Expertise, Trial
from onlooker.support.problems import Problem

WALL, FLOOR, COMMENT = "#", ".", ";"
OUTCOMES = {"revealed": True, "hidden": False}
TUTORIAL = {"yes": True, "no": False}
SETTINGS = ("name", "experiment", "scenario", "tutorial", "outcomes")
BLOCKS = ("map", "legend", "actions")

_WORD = r"[^\s,]+"
_KINDS = "|".join(Expertise)
_MEANINGS = {
    "main": re.compile(rf"main agent, goal (?P<goal>{_WORD})"),
    "npc": re.compile(
        rf"(?P<expertise>{_KINDS}) (?P<id>{_WORD}), goal (?P<goal>{_WORD})"
        rf"(, care (?P<care>{_WORD}))?(, told (?P<told>{_KINDS}))?"
    ),
    "wizard": re.compile(rf"(?P<colour>{_WORD}) wizard( (?P<id>{_WORD}))?(?P<holder>, holder)?"),
    "barrier": re.compile(rf"(?P<colour>{_WORD}) barrier"),
    "chest": re.compile(r"chest (?P<letter>[A-Z])"),
    "wall": re.compile("wall"),
    "floor": re.compile("floor"),
}
_Meaning = tuple[str, dict[str, str | None]]  # the kind of a pattern, and its groups
_ALWAYS = {WALL: "wall", FLOOR: "floor"}
_LEGENDARY = re.compile("[^#.]")  # characters whose meaning the legend says
_EXPECTED = (
    "'main agent, goal A', 'expert ID, goal A', 'novice ID, goal A',"
    " 'teacher ID, goal A', 'teacher ID, goal A, care 0.5, told expert', 'COLOUR wizard',"
    " 'COLOUR wizard, holder', 'COLOUR barrier', 'chest A', 'wall' or 'floor'"
)


def read_map_text(text: str) -> Trial:
    """The trial that a map text describes, or TrialError with all that is wrong with it."""
    reader = _Reader()
    reader.blocks(text)
    document = reader.document() if not reader.problems else None
    if reader.problems:
        raise TrialError(reader.problems)
    return read_document(document, reader.locate)


class _Line(NamedTuple):
    number: int  # in the file, from 1
    text: str


@dataclass(slots=True)
class _Entry:
    """One line of the legend."""

    line: _Line
    kind: str
    details: dict[str, str | None]
    cells: list[Cell] = field(default_factory=list)


class _Reader:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.settings: dict[str, _Line] = {}
        self.lines: dict[str, list[_Line]] = {name: [] for name in BLOCKS}
        self.legend: dict[str, _Entry] = {}
        self.misread: set[str] = set()  # characters of legend lines that could not be read
        self.read_rows = False  # whether the grid was read
        self.places: dict[DocumentPath, Cell | _Line] = {}

    def note(self, place: Cell | _Line, reason: str) -> None:
        self.problems.append(Problem(self.words(place), reason))

    def locate(self, path: DocumentPath) -> str:
        """The line of a part of the document, or of the nearest whole that it is part of."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.places:
                return self.words(self.places[path[:length]])
        return dotted(path)

    def words(self, place: Cell | _Line) -> str:
        """Where a line, or a cell of the map, stands in the file."""
        if isinstance(place, _Line):
            return f"line {place.number}"
        return f"line {self.lines['map'][place[1]].number}, column {place[0] + 1}"

    # -- lines to blocks -----------------------------------------------------------------------

    def blocks(self, text: str) -> None:
        """Sort the lines into settings and blocks."""
        block: str | None = None
        ended = 0  # the blank line that ended the map
        lost = False  # whether the line before was not understood either
        for number, raw in enumerate(text.split("\n"), start=1):
            content = raw.strip()
            if content.startswith(COMMENT):
                continue
            if not content:
                if block == "map" and self.lines["map"]:
                    block, ended = None, number
                lost = False
                continue
            line = _Line(number, content)
            key, colon, value = content.partition(":")
            if block != "map" and colon and key in BLOCKS and not value:
                block = key
                if self.lines[key]:
                    self.note(line, f"a second '{key}:'; a file has one")
            elif block:
                self.lines[block].append(line)
            elif colon and key in SETTINGS:
                self.setting(key, _Line(number, value.strip()))
            elif not lost:
                lost = True
                where = f" (the map ended at the blank line {ended})" if ended else ""
                names = ", ".join(f"'{name}:'" for name in (*SETTINGS, *BLOCKS))
                self.note(line, f"expected one of {names}{where}")
        if not self.settings and not any(self.lines.values()) and self.problems:
            self.problems = self.problems[:1]  # not a map text at all

    def setting(self, key: str, line: _Line) -> None:
        if key in self.settings:
            self.note(line, f"a second '{key}:'; a file has one")
        self.settings[key] = line
        self.places[(key,)] = line

    # -- blocks to document --------------------------------------------------------------------

    def document(self) -> dict[str, Any] | None:
        for line in self.lines["legend"]:
            self.legend_line(line)
        document: dict[str, Any] = {"walls": [], "barriers": [], "chests": {}, "npcs": []}
        wizards: list[tuple[Cell, _Entry]] = []
        for cell, entry in list(self.grid(document["walls"])):
            if entry.kind in ("main", "npc"):
                entry.cells.append(cell)
            elif entry.kind == "wall":
                document["walls"].append(list(cell))
            elif entry.kind == "barrier":
                self.places[("barriers", len(document["barriers"]))] = cell
                document["barriers"].append({"at": list(cell), "colour": entry.details["colour"]})
            elif entry.kind == "chest":
                self.chest(document["chests"], cell, entry)
            elif entry.kind == "wizard":
                wizards.append((cell, entry))
        document["wizards"], document["holders"] = self.wizards(wizards)
        self.agents(document)
        self.actions(document)
        document["width"] = len(self.lines["map"][0].text) if self.lines["map"] else 0
        document["height"] = len(self.lines["map"])
        document["reveals_outcomes"] = self.either("outcomes", OUTCOMES, default=True)
        document["tutorial"] = self.either("tutorial", TUTORIAL, default=False)
        for key in ("name", "experiment", "scenario"):
            if key in self.settings:
                document[key] = self.value(self.settings[key], number=key != "name")
        return document

    def legend_line(self, line: _Line) -> None:
        character, meaning, found = _legend_line(line.text)
        if character is None:
            self.note(line, f"expected 'CHARACTER = MEANING', not {_cut(line.text)}")
        elif character in _ALWAYS:
            self.note(line, f"{character!r} always means {_ALWAYS[character]}")
        elif character in self.legend:
            first = self.legend[character].line.number
            self.note(line, f"{character!r} has a meaning already, in line {first}")
        elif found:
            self.legend[character] = _Entry(line, *found)
        else:
            self.misread.add(character)
            self.note(line, f"expected {_EXPECTED}, not {_cut(meaning)}")

    def grid(self, walls: list[list[int]]) -> Iterator[tuple[Cell, _Entry]]:
        """What stands on the map in reading order; walls, of which there are many, are added."""
        rows = self.lines["map"]
        if not rows:
            self.problems.append(Problem("", "there is no map: expected 'map:' and rows below it"))
            return
        width = len(rows[0].text)
        if max(width, len(rows)) > MAX_SIDE:
            size = f"{width} columns and {len(rows)} rows"
            self.note(rows[0], f"{size}; a side has at most {MAX_SIDE} cells")
            return
        self.read_rows = True
        for y, line in enumerate(rows):
            if len(line.text) != width:
                first = f"the first row (line {rows[0].number}) has {width}"
                self.note(line, f"ragged rows: this one has {len(line.text)} cells, {first}")
            row = line.text[:width]
            walls += [[x, y] for x, character in enumerate(row) if character == WALL]
            for match in _LEGENDARY.finditer(row):
                cell = match.start(), y
                if entry := self.meaning(match[0]):
                    yield cell, entry
                elif match[0] not in self.misread:
                    self.note(cell, f"unknown character {match[0]!r}; add it to the legend")

    def meaning(self, character: str) -> _Entry | None:
        if character in self.legend:
            return self.legend[character]
        if "A" <= character <= "Z":
            self.legend[character] = _Entry(_Line(0, ""), "chest", {"letter": character})
            return self.legend[character]
        return None

    def chest(self, chests: dict[str, list[int]], cell: Cell, entry: _Entry) -> None:
        letter = str(entry.details["letter"])
        if letter in chests:
            self.note(cell, f"a second chest {letter}")
        chests[letter] = list(cell)
        self.places[("chests", letter)] = cell

    def wizards(
        self, found: list[tuple[Cell, _Entry]]
    ) -> tuple[list[dict[str, Any]], dict[str, str]]:
        wizards: list[dict[str, Any]] = []
        holders: dict[str, str] = {}
        for index, (cell, entry) in enumerate(found):
            colour = str(entry.details["colour"])
            wizard_id = entry.details["id"] or f"w{index + 1}"
            self.places[("wizards", index)] = cell
            wizards.append({"id": wizard_id, "at": list(cell), "colour": colour})
            if entry.details["holder"]:
                if colour in holders:
                    reason = f"two holders of the {colour} amulet: {holders[colour]}, {wizard_id}"
                    self.note(cell, reason)
                holders[colour] = wizard_id
                self.places[("holders", colour)] = cell
        return wizards, holders

    def agents(self, document: dict[str, Any]) -> None:
        for character, entry in self.legend.items():
            if entry.kind not in ("main", "npc"):
                continue
            who = "the main agent" if entry.kind == "main" else entry.details["id"]
            if len(entry.cells) != 1:
                if not self.read_rows:  # that is said already
                    continue
                times = f"stands {len(entry.cells)} times on the map; expected it once"
                self.note(entry.line, f"{who} ({character!r}) {times}")
                continue
            agent: dict[str, Any] = {"at": list(entry.cells[0])}
            agent |= {key: word for key, word in entry.details.items() if word is not None}
            if "care" in agent:
                agent["care"] = _number(agent["care"])
            if entry.kind == "npc":
                path: DocumentPath = ("npcs", len(document["npcs"]))
                document["npcs"].append(agent)
            elif "main" in document:
                self.note(entry.line, "a second main agent; a trial has one")
                continue
            else:
                path = ("main",)
                document["main"] = agent
            self.places[path] = entry.cells[0]
            self.places |= {(*path, key): entry.line for key in entry.details}
        if "main" not in document and not self.problems:
            self.problems.append(
                Problem("legend", "there is no main agent: expected '@ = main agent, goal A'")
            )

    def actions(self, document: dict[str, Any]) -> None:
        npcs = {npc["id"]: index for index, npc in enumerate(document["npcs"])}
        for line in self.lines["actions"]:
            who, colon, words = line.text.partition(":")
            if not colon or who not in npcs:
                known = ", ".join(npcs) or "none"
                self.note(line, f"expected 'ID: up down …' for an NPC of the legend ({known})")
                continue
            npc = document["npcs"][npcs[who]]
            if "actions" in npc:
                self.note(line, f"a second line of actions for {who}")
            npc["actions"] = [] if words.strip() == "none" else words.split()
            self.places[("npcs", npcs[who], "actions")] = line

    def either(self, key: str, words: dict[str, bool], default: bool) -> bool:
        """A setting that is one of two words."""
        line = self.settings.get(key)
        if line is None:
            return default
        if line.text not in words:
            expected = " or ".join(f"'{word}'" for word in words)
            self.note(line, f"{key}: expected {expected}, not {_cut(line.text)}")
        return words.get(line.text, default)

    def value(self, line: _Line, number: bool) -> object:
        """A setting's value: a quoted text, a whole number if it may be one, or the text."""
        if line.text.startswith('"'):
            try:
                return json.loads(line.text)
            except ValueError:
                self.note(line, f"the quoted text does not end properly: {_cut(line.text)}")
        if number and re.fullmatch(r"0|[1-9][0-9]{0,8}", line.text):
            return int(line.text)
        return line.text


@lru_cache(maxsize=1024)  # the same few lines come again and again
def _legend_line(text: str) -> tuple[str | None, str, _Meaning | None]:
    """The character, its meaning in words, and understood; None where it cannot be."""
    match = re.fullmatch(r"(\S)\s*=\s*(.*)", text)
    if match is None:
        return None, "", None
    meaning = " ".join(match[2].split())
    for kind, pattern in _MEANINGS.items():
        if found := pattern.fullmatch(meaning):
            return match[1], meaning, (kind, found.groupdict())
    return match[1], meaning, None


def _cut(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _number(word: str) -> float | str:
    """A number, or the word itself if it is none: the document's reader says so."""
    try:
        return float(word)
    except ValueError:
        return word
