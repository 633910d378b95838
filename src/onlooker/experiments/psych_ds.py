"""Study data as a Psych-DS folder: a description, and a CSV file for each table and experiment.

A dataset is written whole or not at all, and read whole or not at all. Reading replays every choice
on the game, where the trials are available.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from onlooker.experiments.dataset import DESCRIPTION, OURS, write_dataset
from onlooker.experiments.naming import from_slug, read_name
from onlooker.experiments.replaying import BadTrial, GameRules, ReplayError, replay_tables
from onlooker.experiments.schema import TABLES, TableSchema
from onlooker.experiments.tables import check_table, places, read_texts
from onlooker.game import ExperimentName, Trial
from onlooker.support.problems import DataError, Problem, first_lines, first_names

FILE_PATTERN = re.compile(r"(?:.*_)?study-([A-Za-z0-9]+)_(?:.*_)?desc-(\w+)_data\.csv")
OPTIONAL = ("actions",)  # tables that a dataset may lack
NO_TRIALS = "not replayed on the game: the trials that were played are not available"
NO_ACTIONS = "not replayed on the game: there is no table actions, so single choices are not known"


@dataclass(frozen=True, slots=True)
class Description:
    """What a dataset is; `more` has further fields of the description file."""

    name: str
    description: str
    simulated: bool = False  # made by a program, not by people
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of those who played, such as language models; none for people or noise."""
        listed = self.more.get("players") if self.simulated else None
        known = listed if isinstance(listed, list) else []
        return tuple(
            str(each["name"]) for each in known if isinstance(each, dict) and "name" in each
        )

    @property
    def rules(self) -> GameRules:
        """The rules that it was played by."""
        return GameRules.read(self.more)


@dataclass(frozen=True, slots=True)
class Dataset:
    """The tables of a study by name, each over all experiments, and what they are."""

    tables: Mapping[str, pd.DataFrame]
    description: Description
    notes: tuple[str, ...] = ()  # what was left out when it was read, and what was not replayed
    checked: bool = False  # every choice was replayed, of the trials that are available

    def replayed(
        self, trials: Iterable[Trial], *, skip_bad: bool = False, complete: bool = True
    ) -> Dataset:
        """The dataset, with every choice made again on the trials that were played.

        ReplayError names the rows that contradict the rules. With `skip_bad` such trials are left
        out instead, and the notes say whose. The notes also name trials that are not available;
        where `trials` are the `complete` set of an experiment, those of it are bad instead.
        """
        if "actions" not in self.tables:
            return replace(self, notes=(NO_ACTIONS,))
        trials = list(trials)
        found = replay_tables(self.tables, trials, self.description.rules)
        there = {trial.experiment for trial in trials} if complete else set()
        bad = [*found.bad, *(each for each in found.unknown if each.experiment in there)]
        absent = [each for each in found.unknown if each.experiment not in there]
        notes = [note for note in self.notes if note != NO_TRIALS]
        if absent:
            levels = list(dict.fromkeys(each.level for each in absent))
            notes.append(
                f"not replayed on the game: {len(absent)} plays of trials that the stimuli do not"
                f" have: {first_names(levels)}"
            )
        if not bad:
            return replace(self, notes=tuple(notes), checked=True)
        if not skip_bad:
            raise ReplayError(each.problem for each in bad)
        return self._without(bad, notes)

    def _without(self, bad: Sequence[BadTrial], notes: Sequence[str]) -> Dataset:
        """The dataset without some trials; the notes say which and why."""
        out = {(each.participant, each.level) for each in bad}
        tables = {
            name: frame[[key not in out for key in _keys(frame, ["participant", "level"])]]
            for name, frame in self.tables.items()
            if name != "participants"
        }
        people = self.tables["participants"]
        before = set(self.tables["trials"]["participant"])
        gone = before - set(tables["trials"]["participant"])
        tables["participants"] = people[~people["participant"].isin(gone)]
        reasons = [f"{each.participant}, {each.level}: {each.problem}" for each in bad]
        trials = (
            "1 trial that contradicts" if len(bad) == 1 else f"{len(bad)} trials that contradict"
        )
        told = [f"left out: {trials} the rules of the game"]
        told += [f"  {line}" for line in first_lines(reasons)]
        if gone:
            told.append(f"left out, as none of its trials is left: {first_names(sorted(gone))}")
        return replace(self, tables=tables, notes=(*notes, *told), checked=True)

    def write(self, folder: str | os.PathLike[str], *, replace: bool = False) -> Path:
        """Write it; ValueError if there is a dataset already, unless it is to be replaced."""
        about = self.description
        rows = {name: _plain_rows(frame) for name, frame in self.tables.items()}
        return write_dataset(
            folder,
            rows,
            about.name,
            about.description,
            about.simulated,
            about.more,
            replace=replace,
        )


def dataset_of(
    tables: Mapping[str, pd.DataFrame | Sequence[Mapping[str, Any]]], description: Description
) -> Dataset:
    """The dataset that has some rows, checked as if it had been read."""
    return Dataset(_check({name: _frame(name, rows) for name, rows in tables.items()}), description)


def _frame(name: str, rows: pd.DataFrame | Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    if isinstance(rows, pd.DataFrame):
        return rows
    given = {name for row in rows for name in row}
    columns = [each.name for each in TABLES[name].columns if each.required or each.name in given]
    return pd.DataFrame(list(rows), columns=columns)


def _plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as plain values, None for an empty one."""
    values = frame.astype(object).where(frame.notna(), None)
    return [{str(name): value for name, value in row.items()} for row in values.to_dict("records")]


def read_dataset(
    folder: str | os.PathLike[str],
    trials: Iterable[Trial] | None = None,
    *,
    skip_bad: bool = False,
    complete: bool = True,
) -> Dataset:
    """Read and check a dataset; the tables are indexed by file and line.

    Its choices are replayed on the trials that were played, as `Dataset.replayed` says. Without
    trials they cannot be, and a note says so.
    """
    folder = Path(folder)
    if not folder.is_dir():
        reason = "expected the folder of a Psych-DS dataset"
        if folder.is_file():
            reason += ", not a file; `onlooker import-data` makes one of a table of choices"
        raise DataError([Problem(str(folder), reason)])
    described, measured = _read_description(folder / DESCRIPTION)
    files = _files(folder)
    problems: list[Problem] = []
    texts: dict[str, pd.DataFrame] = {}
    for schema in TABLES.values():
        paths = files.get(schema.name, {})
        if not paths:
            if schema.name not in OPTIONAL:
                name = f"study-expN_desc-{schema.name}_data.csv"
                problems.append(Problem(str(folder / "data"), f"there is no {name}"))
            continue
        for read in (_reading(path, number, schema, measured) for path, number in paths.items()):
            if isinstance(read, DataError):
                problems += read.problems
            else:
                before = [texts[schema.name]] if schema.name in texts else []
                texts[schema.name] = pd.concat([*before, read]).fillna("")
    if problems:
        raise DataError(problems)
    dataset = Dataset(_check(texts), described)
    if trials is None:
        return replace(dataset, notes=(NO_TRIALS,))
    return dataset.replayed(trials, skip_bad=skip_bad, complete=complete)


# -- reading ---------------------------------------------------------------------------------------


def _read_description(file: Path) -> tuple[Description, set[str]]:
    """The description in a file, and the columns that it names."""
    try:
        fields = json.loads(file.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise DataError([Problem(str(file), "there is no such file")]) from None
    except (ValueError, RecursionError) as error:
        raise DataError([Problem(str(file), f"not JSON: {error}")]) from None
    if not isinstance(fields, dict):
        raise DataError([Problem(str(file), f"expected an object, not {str(fields)[:40]}")])
    problems = []
    for name, kind, what, default in (
        ("name", str, "a text", None),
        ("description", str, "a text", None),
        ("simulated", bool, "true or false", False),
        ("variableMeasured", list, "a list of the columns", None),
    ):
        if not isinstance(fields.get(name, default), kind):
            shown = json.dumps(fields[name])[:40] if name in fields else "nothing"
            problems.append(Problem(f"{file}: {name}", f"expected {what}, not {shown}"))
    if problems:
        raise DataError(problems)
    measured = {v.get("name") if isinstance(v, dict) else v for v in fields["variableMeasured"]}
    more = {name: value for name, value in fields.items() if name not in OURS}
    try:
        GameRules.read(more)
    except ValueError as error:
        raise DataError([Problem(str(file), str(error))]) from None
    simulated = fields.get("simulated", False)
    described = Description(fields["name"], fields["description"], simulated, more)
    return described, {name for name in measured if isinstance(name, str)}


def _files(folder: Path) -> dict[str, dict[Path, ExperimentName]]:
    """The files of each table and the experiment that each is of."""
    found: dict[str, dict[Path, ExperimentName]] = {}
    for path in sorted((folder / "data").rglob("*_data.csv")):
        if match := FILE_PATTERN.fullmatch(path.name):
            with suppress(ValueError):
                found.setdefault(match[2], {})[path] = from_slug(match[1])
    return found


def _reading(
    path: Path, experiment: ExperimentName, schema: TableSchema, measured: set[str]
) -> pd.DataFrame | DataError:
    """The values of a file as text, or what is wrong with its columns or its experiment."""
    try:
        texts = read_texts(path, schema)
    except DataError as error:
        return error
    problems = [
        Problem(str(path), f"column {name} is not in variableMeasured of {DESCRIPTION}")
        for name in texts
        if name not in measured
    ]
    other = texts["experiment"].map(lambda text: _is_other(text, experiment)).astype(bool)
    problems += [
        Problem(f"{place}, column experiment", f"expected {experiment} as in the file's name")
        for place in places(texts[other])
    ]
    return DataError(problems) if problems else texts


def _is_other(text: str, experiment: ExperimentName) -> bool:
    """Whether a text names another experiment."""
    try:
        return read_name(text) != experiment
    except ValueError:
        return False  # reported with the values that are wrong


# -- checking across tables ------------------------------------------------------------------------


def _check(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Every table checked, first alone and then against the others."""
    names = ", ".join(TABLES)
    problems = [
        Problem(f"table {name}", f"there is no such table; there are {names}")
        for name in tables
        if name not in TABLES
    ]
    checked: dict[str, pd.DataFrame] = {}
    for name, schema in TABLES.items():
        if name not in tables:
            if name not in OPTIONAL:
                problems.append(Problem(f"table {name}", "missing"))
            continue
        try:
            checked[name] = check_table(tables[name], schema)
        except DataError as error:
            problems += error.problems
    if not problems:
        problems = list(_contradictions(checked))
    if problems:
        raise DataError(problems)
    return checked


def _contradictions(tables: Mapping[str, pd.DataFrame]) -> Iterator[Problem]:
    """Where tables contradict each other."""
    people, trials = tables["participants"], tables["trials"]
    if people.empty:
        yield Problem("table participants", "expected participants; there is no row")
    yield from _unmatched_rows(tables, "trials", "participants", ["participant", "experiment"])
    played = ["participant", "experiment", "level"]
    for name in ("observations", "actions"):
        if name in tables:
            yield from _unmatched_rows(tables, name, "trials", played)
    watched = tables["observations"].groupby(["participant", "level"])["observed"].sum()
    sums = [int(watched.get(key, 0)) for key in _keys(trials, ["participant", "level"])]
    yield from _rows(
        "trials",
        trials,
        trials["observed"] != pd.Series(sums, index=trials.index, dtype="int64"),
        lambda row: f"observed is {row.observed}, but table observations says otherwise",
    )
    costs = trials["cost_observation"] + trials["cost_execution"] - trials["cost_total"]
    yield from _rows(
        "trials",
        trials,
        costs.abs() > 1e-6,
        lambda row: f"cost_total is {row.cost_total:g}, not the sum of the other two costs",
    )
    done = set(people.loc[people["completed"], "participant"])
    yield from _rows(
        "trials",
        trials,
        ~trials["finished"] & trials["participant"].isin(done),
        lambda row: f"not finished, but {row.participant} completed all trials",
    )
    real = set(trials.loc[~trials["tutorial"], "participant"])
    yield from _rows(
        "participants",
        people,
        people["completed"] & ~people["participant"].isin(real),
        lambda row: f"{row.participant} completed all trials, but table trials has none",
    )


def _unmatched_rows(
    tables: Mapping[str, pd.DataFrame], name: str, other: str, columns: list[str]
) -> Iterator[Problem]:
    """Rows of a table whose values in some columns stand nowhere in another table."""
    frame = tables[name]
    known = set(_keys(tables[other], columns))
    unknown = [key not in known for key in _keys(frame, columns)]

    def reason(row: Any) -> str:
        what = ", ".join(f"{column} {getattr(row, column)}" for column in columns)
        return f"{what} is not in table {other}"

    yield from _rows(name, frame, pd.Series(unknown, index=frame.index, dtype=bool), reason)


def _keys(frame: pd.DataFrame, columns: list[str]) -> Iterable[tuple[Any, ...]]:
    return zip(*(frame[column] for column in columns), strict=True)


def _rows(
    name: str, frame: pd.DataFrame, bad: pd.Series, reason: Callable[[Any], str]
) -> Iterator[Problem]:
    """A problem for each bad row."""
    where = places(frame, f"table {name}")
    for place, wrong, row in zip(where, bad, frame.itertuples(), strict=True):
        if wrong:
            yield Problem(place, reason(row))
