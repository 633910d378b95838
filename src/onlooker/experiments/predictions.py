"""What the observers predict for trials: a row per trial, observer and NPC, and their CSV."""

from __future__ import annotations

import csv
import io
import math
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from pathlib import Path
from typing import Any

from onlooker.experiments.schema import LARGEST
from onlooker.game import Expertise, Trial, TrialError
from onlooker.game.document import RESERVED_IDS
from onlooker.inference import Parameters, UnexplainedError
from onlooker.observers import Batch, Observer, Outcomes
from onlooker.planning import NoPathError
from onlooker.support.problems import Problem

TOGETHER = 256  # trials that are run at once


@dataclass(frozen=True, slots=True)
class Prediction:
    """What an observer does about one NPC of a trial; the fields are the columns of the CSV.

    The numbers of an observer in this package are whole; other people's tables may have means.
    """

    experiment: str  # empty if the trial is of none
    level: str
    observer: str
    agent: str
    expertise: str
    observed: float  # steps watched of this NPC
    cost_observation: float  # points for watching this NPC
    moves: float  # from here on of the trial as a whole, the same in the row of each NPC
    interactions: float
    cost_execution: float  # moves and interactions
    cost_total: float  # execution, and watching all NPCs

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What no two rows of a table have in common."""
        return self.experiment, self.level, self.observer, self.agent


COLUMNS = tuple(field.name for field in fields(Prediction))
LABELS, NUMBERS = COLUMNS[:5], COLUMNS[5:]
_values = attrgetter(*COLUMNS)
REQUIRED_LABELS = ("level", "observer", "agent")


def predict(
    trials: Sequence[Trial],
    observers: Sequence[Observer],
    parameters: Parameters | None = None,
    progress: Callable[[Trial], object] | None = None,
) -> list[Prediction]:
    """Run observers on trials; `progress` is called with each trial once it is done.

    Tutorial trials are left out and trials without NPCs give no row; a warning says so.

    >>> from onlooker import find_observer, load_trial
    >>> trial = load_trial("examples/early-turn.map")
    >>> [row] = predict([trial], [find_observer("rational_mentalizing")])
    >>> row.level, row.agent, row.observed, row.cost_execution, row.cost_total
    ('early turn', 'agent2', 3, 74, 77)
    """
    parameters = parameters or Parameters()
    _refuse_doubles(trials, observers)
    tutorials = [trial.label for trial in trials if trial.tutorial]
    if tutorials:
        warnings.warn(f"tutorial trials are left out: {', '.join(tutorials)}", stacklevel=2)
    rows: list[Prediction] = []
    for start in range(0, len(trials), TOGETHER):
        some = trials[start : start + TOGETHER]
        for trial in some:
            if not trial.tutorial and not trial.npcs:
                warnings.warn(f"{trial.label}: no row, as it has no NPC to watch", stacklevel=2)
        try:
            rows += _predict(some, observers, parameters)
        except TrialError:  # find out in which one
            for trial in some:
                rows += _predict([trial], observers, parameters)
                if progress:
                    progress(trial)
            continue
        if progress:
            for trial in some:
                progress(trial)
    return rows


def _predict(
    trials: Sequence[Trial], observers: Sequence[Observer], parameters: Parameters
) -> list[Prediction]:
    """The rows of some trials; TrialError if one cannot be run."""
    batch = Batch([trial for trial in trials if trial.npcs and not trial.tutorial])
    try:
        return list(_rows(batch.run(parameters, observers), parameters))
    except (NoPathError, UnexplainedError) as error:
        raise TrialError([Problem("npcs", str(error))], source=trials[0].label) from None


def _rows(outcomes: Outcomes, parameters: Parameters) -> Iterator[Prediction]:
    costs = parameters.costs
    observed, moves, interactions, total = (
        values.tolist()
        for values in (outcomes.observed, outcomes.moves, outcomes.interactions, outcomes.cost)
    )
    for row, trial in enumerate(outcomes.trials):
        for column, observer in enumerate(outcomes.observers):
            moved, asked = moves[row][column], interactions[row][column]
            for npc, steps in zip(trial.npcs, observed[row][column], strict=False):
                yield Prediction(
                    experiment=_experiment(trial),
                    level=trial.label,
                    observer=observer,
                    agent=npc.id,
                    expertise=str(npc.expertise),
                    observed=steps,
                    cost_observation=costs.observe * steps,
                    moves=moved,
                    interactions=asked,
                    cost_execution=costs.move * moved + costs.interact * asked,
                    cost_total=total[row][column],
                )


def same_level(trials: Iterable[Trial]) -> list[tuple[int, int]]:
    """Which trials, by their places, have experiment and name in common with an earlier one."""
    first: dict[tuple[str, str], int] = {}
    return [
        (found, index)
        for index, trial in enumerate(trials)
        if not trial.tutorial
        and (found := first.setdefault((_experiment(trial), trial.label), index)) != index
    ]


def _experiment(trial: Trial) -> str:
    return "" if trial.experiment is None else str(trial.experiment)


def _refuse_doubles(trials: Sequence[Trial], observers: Sequence[Observer]) -> None:
    """Rows are told apart by experiment, level and observer, so none may come twice."""
    if twice := _repeated([observer.name for observer in observers]):
        raise ValueError(f"two observers are called {', '.join(map(repr, twice))}")
    if doubles := same_level(trials):
        labels = [trials[index].label for _, index in doubles]
        reason = "the name of two trials of the same experiment"
        raise TrialError([Problem(label, reason) for label in labels])


def _repeated(words: Sequence[str]) -> list[str]:
    return [word for index, word in enumerate(words) if word in words[:index]]


# -- the CSV -----------------------------------------------------------------------------------


def dump_predictions(rows: Iterable[Prediction]) -> str:
    """The rows as CSV text with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_values(row) for row in rows)
    return text.getvalue()


def read_predictions(path: str | os.PathLike[str]) -> list[Prediction]:
    """The rows of a CSV of predictions; TrialError names the file, line and column of problems.

    Columns may stand in any order, and others beside them are not read.
    """
    reader = _CsvReader()
    rows: list[Prediction] = []
    try:
        rows = reader.read(Path(path).read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        reader.note("", "there is no such file")
    except OSError as error:
        reader.note("", f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        reader.note(f"byte {error.start}", "not UTF-8 text")
    except csv.Error as error:
        reader.note("", f"not CSV: {error}")
    if reader.problems:
        raise TrialError(reader.problems, source=path)
    return rows


class _CsvReader:
    """Reads the table and collects what is wrong with it."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def note(self, place: str, reason: str) -> None:
        self.problems.append(Problem(place, reason))

    def read(self, text: str) -> list[Prediction]:
        table = csv.reader(io.StringIO(text, newline=""), strict=True)
        header = next(table, [])
        if missing := [column for column in COLUMNS if column not in header]:
            there = ", ".join(header)[:200] or "nothing"
            self.note("line 1", f"missing columns: {', '.join(missing)}; there are: {there}")
            return []
        if twice := _repeated(header):
            self.note("line 1", f"columns that come twice: {', '.join(twice)}")
        rows: list[Prediction] = []
        lines: dict[tuple[str, ...], int] = {}
        for cells in table:
            line = table.line_num
            if not cells:
                continue
            if len(cells) != len(header):
                self.note(f"line {line}", f"{len(cells)} cells; the header has {len(header)}")
                continue
            if row := self.row(line, dict(zip(header, cells, strict=True))):
                if (first := lines.setdefault(row.key, line)) != line:
                    what = "trial, observer and NPC"
                    self.note(f"line {line}", f"the same {what} as in line {first}")
                rows.append(row)
        return rows

    def row(self, line: int, cells: dict[str, str]) -> Prediction | None:
        before = len(self.problems)
        labels: dict[str, Any] = {column: cells[column].strip() for column in LABELS}
        for column in REQUIRED_LABELS:
            if not labels[column]:
                self.note(f"line {line}, column {column}", "expected a name, not nothing")
        if labels["agent"] in RESERVED_IDS:
            reason = f"expected the id of an NPC; {labels['agent']!r} is reserved"
            self.note(f"line {line}, column agent", reason)
        if labels["expertise"] not in list(Expertise):
            reason = f"expected expert or novice, not {labels['expertise'][:40]!r}"
            self.note(f"line {line}, column expertise", reason)
        numbers: dict[str, Any] = {c: self.number(line, c, cells[c]) for c in NUMBERS}
        return None if len(self.problems) > before else Prediction(**labels, **numbers)

    def number(self, line: int, column: str, text: str) -> float:
        """A number from 0 to LARGEST, as int where it is whole."""
        try:
            value = float(text) if text.isascii() and "_" not in text else math.nan
        except ValueError:
            value = math.nan
        if not 0 <= value <= LARGEST:
            reason = f"expected a number from 0 to 1e15, not {text[:40]!r}"
            self.note(f"line {line}, column {column}", reason)
            return 0
        return int(value) if value.is_integer() else value
