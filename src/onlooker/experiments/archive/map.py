"""Reading one of the authors' map files: its grid, its goals, its trials."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from onlooker.experiments.inventory import Experiment
from onlooker.game import Cell, Expertise, Trial, TrialError, read_document
from onlooker.game.problems import MAX_FILE_BYTES, DocumentPath, dotted
from onlooker.planning import NoPathError, Tables, main_path, npc_paths
from onlooker.support.problems import Problem

METADATA = "metadata.json"  # has the NPCs' goals in some experiments
WITH_METADATA = (2, 3)
NPCS = {"X": "agent2", "Y": "agent3"}
CHARACTERS = "W.ebrBRgGMXY"
_WIZARDS = {"e": "blue", "b": "blue", "r": "red"}
_HOLDERS = {"b": "blue", "r": "red"}
_HOLDERS_ARE = {c: f"the holder of the {colour} amulet" for c, colour in _HOLDERS.items()}
_BARRIERS = {"B": "blue", "R": "red"}
_EXPERTISE = {"": Expertise.EXPERT, "a": Expertise.EXPERT, "n": Expertise.NOVICE}
_GOALS = re.compile(r"([XY])\s*:\s*([0-9]{1,3})([an]?)\s*,\s*([0-9]{1,3})([an]?)")

Line = tuple[int, str]  # its number in the file, its text


def level_name(experiment: int, map_name: str, scenario: int) -> str:
    """What the authors call a trial.

    >>> level_name(2, "s211", 1), level_name(4, "sm211", 2)
    ('s211_1', 'sm211_scenario2')
    """
    return f"{map_name}_{'scenario' if experiment > 2 else ''}{scenario}"


@dataclass(frozen=True)
class Source:
    """A map file, and the metadata of its folder: None if they cannot be read."""

    path: Path
    content: bytes
    metadata: Mapping[str, object] | None

    @property
    def entry(self) -> object:
        """What the metadata say of this map, None if nothing."""
        return self.metadata.get(self.path.stem) if self.metadata else None

    def differs(self, other: Source) -> bool:
        """Whether there is something else in the other file than other blanks and line ends."""
        mine, others = self.content.split(), other.content.split()
        return (mine, self.entry) != (others, other.entry)


@dataclass(frozen=True)
class _Goals:
    """What an NPC heads for in each scenario, and where that is said."""

    place: str = field(compare=False)
    chests: tuple[int, ...]  # their numbers, from 1
    expertise: tuple[Expertise, ...]


class MapReader:
    """Reads one map file, and collects what is wrong or odd in it."""

    def __init__(self, experiment: Experiment, source: Source) -> None:
        self.experiment, self.source = experiment, source
        self.file, self.metadata = str(source.path), str(source.path.with_name(METADATA))
        self.npcs = dict(list(NPCS.items())[: len(experiment.npcs)])  # letter -> id
        self.problems: list[Problem] = []
        self.warnings: list[str] = []
        self.places: dict[DocumentPath, str] = {}
        self.rows: list[Line] = []

    def note(self, place: str, reason: str) -> None:
        """Remember what is wrong at a place."""
        self.problems.append(Problem(place, reason))

    def trials(self) -> list[Trial]:
        """A trial for each scenario; none if there are problems."""
        try:
            self.rows, goal_lines = _split(text_of(self.source.content))
        except TrialError as error:
            self.problems += [Problem(self.file, str(problem)) for problem in error.problems]
            return []
        document = self.layout()
        goals = self.goals(goal_lines, len(document["chests"]))
        if self.problems or self.source.metadata is None:
            return []
        trials = [self.trial(document, goals, n) for n in range(self.experiment.scenarios)]
        return [trial for trial in trials if trial]

    # -- the map -------------------------------------------------------------------------------

    def layout(self) -> dict[str, Any]:
        """The document of the map, still without NPCs."""
        cells = list(self.cells())
        where: dict[str, list[Cell]] = {character: [] for character in CHARACTERS}
        for cell, character in cells:
            where[character].append(cell)
        self.check_counts(where)
        wizards = [(cell, c) for cell, c in cells if c in _WIZARDS]
        ids = {cell: f"w{index + 1}" for index, (cell, _) in enumerate(wizards)}
        chests = {chr(ord("A") + i): at for i, at in enumerate(c for c, g in cells if g in "gG")}
        self.places |= {("wizards", i): self.at(cell) for i, (cell, _) in enumerate(wizards)}
        self.places |= {("chests", letter): self.at(cell) for letter, cell in chests.items()}
        npcs = [(npc, where[letter][0]) for letter, npc in self.npcs.items() if where[letter]]
        self.places |= {("npcs", i): self.at(cell) for i, (_, cell) in enumerate(npcs)}
        main = where["M"][-1] if where["M"] else (0, 0)
        self.places[("main",)] = self.at(main) if where["M"] else ""
        own_goal = next((letter for letter, at in chests.items() if at in where["G"]), "A")
        return {
            "width": len(self.rows[0][1]) if self.rows else 0,
            "height": len(self.rows),
            "walls": [list(cell) for cell in where["W"]],
            "barriers": [
                {"at": list(cell), "colour": colour}
                for character, colour in _BARRIERS.items()
                for cell in where[character]
            ],
            "wizards": [
                {"id": ids[cell], "at": list(cell), "colour": _WIZARDS[c]} for cell, c in wizards
            ],
            "chests": {letter: list(at) for letter, at in chests.items()},
            "holders": {colour: ids[where[c][0]] for c, colour in _HOLDERS.items() if where[c]},
            "main": {"at": list(main), "goal": own_goal},
            "npcs": [{"id": npc, "at": list(cell)} for npc, cell in npcs],
            "reveals_outcomes": self.experiment.reveals_outcomes,
        }

    def cells(self) -> Iterator[tuple[Cell, str]]:
        """Every cell and its character, in reading order."""
        if not self.rows:
            self.note(self.file, "there is no map: expected rows of characters")
        for y, (number, row) in enumerate(self.rows):
            width = len(self.rows[0][1])
            if len(row) != width:
                first = f"the first row (line {self.rows[0][0]}) has {width}"
                reason = f"ragged rows: this one has {len(row)} cells, {first}"
                self.note(f"{self.file}: line {number}", reason)
            for x, character in enumerate(row[:width]):
                if character in CHARACTERS:
                    yield (x, y), character
                else:
                    known = " ".join(CHARACTERS)
                    reason = f"unknown character {character!r}; expected one of {known}"
                    self.note(self.at((x, y)), reason)

    def at(self, cell: Cell) -> str:
        """Where a cell stands in the file."""
        return f"{self.file}: line {self.rows[cell[1]][0]}, column {cell[0] + 1}"

    def check_counts(self, where: dict[str, list[Cell]]) -> None:
        """Check what must stand on the map once, or not at all."""
        once = {"G": "the main agent's chest", "M": "the main agent", **self.npcs}
        for character, what in once.items():
            if not where[character]:
                self.note(self.file, f"there is no {character} on the map, {what}")
        if len(where["M"]) > 1:
            line, column = self.rows[where["M"][-1][1]][0], where["M"][-1][0] + 1
            place = f"in line {line}, column {column}"
            self.warnings.append(f"{len(where['M'])} M on the map; the last one counts, {place}")
        for character, what in ({**once, **_HOLDERS_ARE}).items():
            if character != "M" and len(where[character]) > 1:
                self.note(self.at(where[character][1]), f"a second {character}, {what}")
        for character in NPCS.keys() - self.npcs.keys():
            for cell in where[character]:
                number, count = self.experiment.number, len(self.npcs)
                reason = f"{character} is {NPCS[character]}; Experiment {number} has {count} NPC"
                self.note(self.at(cell), reason)

    # -- the goals -----------------------------------------------------------------------------

    def goals(self, lines: list[Line], chests: int) -> dict[str, _Goals]:
        """Each NPC's goals: those of the metadata, else those of the lines below the map."""
        if self.experiment.number == 1:
            if chests > 1:
                self.note(self.file, f"{chests} chests; in Experiment 1 there is one")
            return {NPCS["X"]: _Goals(self.file, (1,), (Expertise.EXPERT,))}
        before = len(self.problems)
        below, listed = self.goals_below(lines), self.goals_listed()
        for npc in below.keys() & listed.keys():
            if below[npc] != listed[npc]:
                words = f"{list(below[npc].chests)}, not {list(listed[npc].chests)}"
                warning = f"{npc}'s goals are {words} as in {METADATA}, which counts"
                self.warnings.append(warning)
        goals = below | listed
        for letter, npc in self.npcs.items():
            unread = len(self.problems) > before or self.source.metadata is None
            if npc not in goals and not unread:
                self.note_no_goals(letter, npc)
        for npc, found in goals.items():
            for number in found.chests:
                if not 1 <= number <= chests:
                    reason = f"{npc}'s goal is chest {number}; the map has chests 1 to {chests}"
                    self.note(found.place, reason)
        return goals

    def note_no_goals(self, letter: str, npc: str) -> None:
        """Remember that an NPC's goals are missing, and where they were expected."""
        if self.experiment.number in WITH_METADATA:
            reason = f"no goals of {npc}: expected two numbers of chests, such as [1, 3]"
            self.note(f"{self.metadata}: {self.source.path.stem}", reason)
        else:
            reason = f"no goals of {npc}: expected '{letter}: 1a, 3a' below the map"
            self.note(self.file, reason)

    def goals_below(self, lines: list[Line]) -> dict[str, _Goals]:
        """The goals in the lines below the map."""
        found: dict[str, _Goals] = {}
        lettered = self.experiment.number not in WITH_METADATA
        example = "1a, 3n" if lettered else "1, 3"
        for number, text in lines:
            place = f"{self.file}: line {number}"
            match = _GOALS.fullmatch(text)
            npc = self.npcs.get(match[1]) if match else None
            if not match or not npc or {bool(match[3]), bool(match[5])} != {lettered}:
                expected = " or ".join(f"'{letter}: {example}'" for letter in self.npcs)
                self.note(place, f"expected goals as in {expected}, not {text[:40]!r}")
            elif npc in found:
                self.note(place, f"a second line of goals of {npc}")
            else:
                chests = (int(match[2]), int(match[4]))
                found[npc] = _Goals(place, chests, (_EXPERTISE[match[3]], _EXPERTISE[match[5]]))
        return found

    def goals_listed(self) -> dict[str, _Goals]:
        """The goals in the metadata, where they have an entry for this map."""
        entry = self.source.entry
        place = f"{self.metadata}: {self.source.path.stem}"
        if isinstance(entry, list) and len(self.npcs) == 1:
            entry = {NPCS["X"]: entry}
        if entry is not None and not isinstance(entry, dict):
            self.note(place, f"expected the goals of {', '.join(self.npcs.values())}")
        if not isinstance(entry, dict):
            return {}
        found = {}
        for npc in self.npcs.values():
            value = entry.get(npc)
            if value is None:
                continue
            if not isinstance(value, list) or [type(n) for n in value] != [int, int]:
                shown = json.dumps(value)[:40]
                self.note(place, f"{npc}: expected two numbers of chests as [1, 3], not {shown}")
            else:
                found[npc] = _Goals(place, (*value,), (Expertise.EXPERT,) * 2)
        return found

    # -- the trials ----------------------------------------------------------------------------

    def trial(
        self, document: dict[str, Any], goals: dict[str, _Goals], scenario: int
    ) -> Trial | None:
        """The trial of a scenario, checked as `onlooker check` does."""
        labels = {
            "name": level_name(self.experiment.number, self.source.path.stem, scenario + 1),
            "experiment": self.experiment.number,
            "scenario": scenario + 1,
        }
        npcs = []
        for npc in document["npcs"]:
            chest = goals[npc["id"]].chests[scenario]
            expertise = str(goals[npc["id"]].expertise[scenario])
            npcs.append(
                {**npc, "goal": list(document["chests"])[chest - 1], "expertise": expertise}
            )
        try:
            trial = read_document({**labels, **document, "npcs": npcs}, self.locate)
            tables = Tables(trial.map)
            npc_paths(tables, trial)
            main_path(tables, trial)
        except TrialError as error:
            self.problems += error.problems
        except NoPathError as error:
            self.note(self.file, f"{labels['name']}: {error}")
        else:
            return trial
        return None

    def locate(self, part: DocumentPath) -> str:
        """Where a part of the document stands in the file."""
        for length in range(len(part), 0, -1):
            if part[:length] in self.places:
                return self.places[part[:length]]
        return f"{self.file}: {dotted(part)}" if part else self.file


def _split(text: str) -> tuple[list[Line], list[Line]]:
    """The rows of the map, and the lines with goals below it."""
    lines = [(n, line.rstrip()) for n, line in enumerate(re.split(r"\r\n?|\n", text), start=1)]
    begin = next((i for i, (_, line) in enumerate(lines) if line), len(lines))
    ends = (i for i, (_, line) in enumerate(lines) if i >= begin and (not line or ":" in line))
    end = next(ends, len(lines))
    return lines[begin:end], [line for line in lines[end:] if line[1]]


def text_of(content: bytes) -> str:
    """The text of a file; TrialError if it is too large or no text."""
    if len(content) > MAX_FILE_BYTES:
        raise TrialError([Problem("", f"more than {MAX_FILE_BYTES:,} bytes")])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TrialError([Problem(f"byte {error.start}", "not UTF-8 text")]) from None
