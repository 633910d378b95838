"""The people of the archive: found, read and numbered.

Nobody is to be recognised. People are numbered in the order of a keyed hash of their session ids.
The key is made from all logs together: one archive always gives the same numbers, and who knows
ids but has not the logs cannot find a number. Texts for files go through `Mask`, which removes ids.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from onlooker.experiments.archive.replaying import Replayed, agreement, npc_cells, replay_block
from onlooker.experiments.archive.session import (
    MOST_BYTES,
    Block,
    Kind,
    NoSessionError,
    Session,
    is_tutorial,
    our_level,
    read_session,
    session_id,
)
from onlooker.experiments.archive.tree import Tree
from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.experiments.trialset import LOG
from onlooker.game import Cell, Stage, Trial
from onlooker.planning import stage
from onlooker.support.problems import DataError

FOLDER = re.compile(r"exp([1-4])")
TRIALS = 10  # that a person of the paper plays
LONGEST_GENDER = 30  # characters; longer texts may say who somebody is
SHORTEST_ID = 6  # characters of an id that can be told from other words

NO_SESSION = "files that are not sessions"
ELSEWHERE = "logs in other folders"
COPY = "copies of a log"
SAME_ID = "two people with one id"
TWICE = "people who took part twice"
NO_MAPS = "logs of an experiment without maps"
UNKNOWN = "unknown levels"
STOPPED = "trials that cannot be replayed"
REPAIRED = "gaps with moves put in"


class Note(NamedTuple):
    """Something that a reader of the import should know."""

    kind: str
    file: str
    line: int | None
    reason: str
    who: str = ""  # session id
    level: str = ""


@dataclass(frozen=True)
class Played:
    """What a person did in one level: as the paper counts, and replayed."""

    level: str
    position: int
    stage: Stage
    blocks: int
    looks: Mapping[str, float]  # per block, by NPC
    steps: int
    points: int | None  # left, by the log
    block: Block  # the one that counts: the first that was finished, else the last
    replayed: Replayed  # of that block
    without_effect: int
    repaired: int

    @property
    def finished(self) -> bool:
        """Whether the chest was reached."""
        stopped = self.replayed.stopped is not None
        return self.block.finished if stopped else self.replayed.arrived


@dataclass
class Person:
    """One person, still by session id."""

    experiment: int
    id: str
    prolific_id: str
    age: int | None
    gender: str | None
    completed: bool
    played: list[Played]
    name: str = ""  # its number, once everybody is known
    excluded: bool = False  # by the paper's rule

    @property
    def score(self) -> int:
        """The points left, summed over the levels, as the log has them."""
        return sum(each.points or 0 for each in self.played)


@dataclass
class People:
    """Everybody of the archive."""

    persons: list[Person] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    tutorials: int = 0  # blocks of practice, which are not read
    positions: tuple[int, int] = (0, 0)  # of watched NPCs: those that agree, and all
    digest: str = ""  # of all logs
    found: int = 0  # files that look like logs, in the right folders

    def ids(self) -> set[str]:
        """Everything that must not be written."""
        return {each.id for each in self.persons} | {
            each.prolific_id for each in self.persons if each.prolific_id
        }


def read_people(
    tree: Tree, trials: Iterable[Trial], experiments: Iterable[int] = PAPER_EXPERIMENTS
) -> People:
    """Read the logs of some experiments; what is wrong with one is noted, and the rest goes on."""
    reader = _Reader(tree, trials)
    reader.read(set(experiments))
    return reader.people


class _Reader:
    """Reads the logs one after the other."""

    def __init__(self, tree: Tree, trials: Iterable[Trial]) -> None:
        self.tree = tree
        self.trials = {(trial.experiment, trial.label): trial for trial in trials}
        self.stages: dict[tuple[int, str], tuple[Stage, dict[str, list[Cell]]]] = {}
        self.people = People()
        self.hashes: list[bytes] = []

    def note(
        self, kind: str, file: Path, line: int | None, reason: str, who: str = "", level: str = ""
    ) -> None:
        """Remember something about a file."""
        self.people.notes.append(Note(kind, self.tree.relative(file), line, reason, who, level))

    def read(self, experiments: set[int]) -> None:
        """Read, then number."""
        seen: dict[str, tuple[Path, bytes]] = {}
        twice: dict[str, Path] = {}
        for path, experiment in self.logs(experiments):
            self.people.found += 1
            try:
                content = self.tree.read(path, MOST_BYTES)
                who = session_id(content)
            except (NoSessionError, DataError) as error:
                self.note(NO_SESSION, path, 1, _reason(error))
                continue
            digest = hashlib.sha256(content).digest()
            if who in seen:
                first, same = self.tree.relative(seen[who][0]), seen[who][1] == digest
                kind = COPY if same else SAME_ID
                self.note(kind, path, 1, f"the session of {first}, which is read", who)
                continue
            if not any(number == experiment for number, _ in self.trials):
                self.note(NO_MAPS, path, None, f"there is no folder problems_exp{experiment}", who)
                continue
            seen[who] = path, digest
            try:
                session = read_session(content, experiment)
            except NoSessionError as error:
                self.note(NO_SESSION, path, 1, str(error))
                continue
            if session.prolific_id and session.prolific_id in twice:
                other = self.tree.relative(twice[session.prolific_id])
                self.note(TWICE, path, None, f"the prolificId of {other}; both are kept", who)
            twice.setdefault(session.prolific_id, path)
            self.hashes.append(digest)
            self.people.persons.append(self.person(path, experiment, session))
        _number(self.people, self.hashes)

    def logs(self, experiments: set[int]) -> Iterator[tuple[Path, int]]:
        """The logs in folders of the right names, those higher up first; others are noted."""
        for path in sorted(self.tree.files, key=lambda path: (len(path.parts), path)):
            match = FOLDER.fullmatch(path.parent.name)
            if match and int(match[1]) not in experiments:
                continue
            if LOG.fullmatch(path.name):
                if match:
                    yield path, int(match[1])
                else:
                    self.note(ELSEWHERE, path, None, "not in a folder exp1, exp2, exp3 or exp4")
            elif match and path.suffix.lower() == ".csv":
                self.note(NO_SESSION, path, None, "expected a name such as u123.csv")

    def person(self, path: Path, experiment: int, session: Session) -> Person:
        """What a log says of a person."""
        for trouble in session.troubles:
            self.note(trouble.kind, path, trouble.line, trouble.reason, session.id)
        levels: dict[str, list[Block]] = {}
        for block in session.blocks:
            level = our_level(experiment, block.name)
            if is_tutorial(block.name):
                self.people.tutorials += 1
            elif level is None or (experiment, level) not in self.trials:
                reason = f"{block.name[:40]!r} is not a level of Experiment {experiment}"
                self.note(UNKNOWN, path, block.line, reason, session.id)
            else:
                levels.setdefault(level, []).append(block)
        for blocks in levels.values():
            blocks.sort(key=_begin)
        ordered = sorted(levels, key=lambda level: _begin(levels[level][0]))
        played = [
            self.played(path, session.id, experiment, level, position, levels[level])
            for position, level in enumerate(ordered, start=1)
        ]
        done = session.completed or len(played) >= TRIALS
        completed = done and bool(played) and all(each.finished for each in played)
        gender, prolific = session.gender, session.prolific_id
        return Person(experiment, session.id, prolific, session.age, gender, completed, played)

    def played(
        self,
        path: Path,
        who: str,
        experiment: int,
        level: str,
        position: int,
        blocks: list[Block],
    ) -> Played:
        """What a person did in a level."""
        game, cells = self.stage(experiment, level)
        replayed = [replay_block(game, block) for block in blocks]
        for block, each in zip(blocks, replayed, strict=True):
            agree, checked = agreement(cells, block)
            before = self.people.positions
            self.people.positions = before[0] + agree, before[1] + checked
            if each.stopped is not None:
                self.note(STOPPED, path, *each.stopped, who, level)
            for line, moves in each.repairs:
                what = f"{moves} move{'s' * (moves > 1)} put in"
                self.note(REPAIRED, path, line, what, who, level)
        counts = [i for i, block in enumerate(blocks) if block.finished]
        index = counts[0] if counts else len(blocks) - 1
        looks = Counter(
            row.agent for block in blocks for row in block.rows if row.kind is Kind.LOOK
        )
        return Played(
            level=level,
            position=position,
            stage=game,
            blocks=len(blocks),
            looks={npc: looks[npc] / len(blocks) for npc in cells},
            steps=sum(map(_steps, blocks)),
            points=blocks[index].points_left,
            block=blocks[index],
            replayed=replayed[index],
            without_effect=sum(each.without_effect for each in replayed),
            repaired=sum(each.repaired for each in replayed),
        )

    def stage(self, experiment: int, level: str) -> tuple[Stage, dict[str, list[Cell]]]:
        """A trial made ready, and where its NPCs go."""
        key = experiment, level
        if key not in self.stages:
            game = stage(self.trials[key])
            self.stages[key] = game, npc_cells(game)
        return self.stages[key]


def _reason(error: Exception) -> str:
    return error.problems[0].reason if isinstance(error, DataError) else str(error)


def _begin(block: Block) -> tuple[float, int]:
    """When a block began; one that does not say so comes last."""
    begin = block.begin
    return (float("inf") if begin is None else begin), block.line


def _steps(block: Block) -> int:
    """The rows of a block that the paper counts as steps."""
    return sum(
        row.kind in (Kind.KEY, Kind.LOOK)
        or (row.kind is Kind.INTERACTION and row.interaction != "comprehension_check")
        for row in block.rows
    )


def _number(people: People, hashes: list[bytes]) -> None:
    """Give everybody a number, and leave out of `gender` what may say who somebody is."""
    content = b"".join(sorted(hashes))
    people.digest = hashlib.sha256(b"digest" + content).hexdigest()
    key = hashlib.sha256(b"key" + content).digest()
    ordered = sorted(
        people.persons,
        key=lambda each: (each.experiment, hmac.digest(key, each.id.encode(), "sha256")),
    )
    numbers: Counter[int] = Counter()
    ids = {each for each in people.ids() if len(each) >= SHORTEST_ID}
    for person in ordered:
        numbers[person.experiment] += 1
        person.name = f"p{person.experiment}{numbers[person.experiment]:04}"
        text = person.gender or ""
        if len(text) > LONGEST_GENDER or "@" in text or any(each in text for each in ids):
            people.notes.append(Note("genders left out", "", None, "too long, or an id", person.id))
            person.gender = None
    people.persons[:] = ordered


# -- privacy ---------------------------------------------------------------------------------------


class Mask:
    """Removes ids from texts, and calls people by their numbers."""

    def __init__(self, people: People) -> None:
        self.names = {person.id: person.name for person in people.persons}
        ids = sorted((each for each in people.ids() if len(each) >= SHORTEST_ID), key=len)
        words = [r"\bu[0-9]+", *map(re.escape, reversed(ids))]
        self.pattern = re.compile("|".join(words))

    def __call__(self, text: str) -> str:
        """A text without ids."""
        return self.pattern.sub("…", text)

    def place(self, note: Note) -> str:
        """Where something is: a person's number, level and line, or a file without its name."""
        where = [self.names.get(note.who) or self(note.file), note.level]
        line = f"line {note.line}" if note.line is not None else ""
        return ", ".join(filter(None, (*where, line)))
