"""The folder of a fit: its tables as CSV, and `fit.json` with priors, settings and provenance."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from onlooker.experiments.naming import read_name
from onlooker.support.extras import html_table
from onlooker.support.files import json_text, read_text, write_file
from onlooker.support.problems import DataError, Problem, ProblemsError

ABOUT = "fit.json"
NEEDED = {
    "fits": (
        "data",
        "participant",
        "experiment",
        "observer",
        "rule",
        "n",
        "trials",
        "log_evidence",
        "bic",
        "aic",
        "cv_trial",
    ),
    "trials": ("participant", "experiment", "observer", "level", "cv"),
}


@dataclass(frozen=True)
class Fits:
    """The tables of a fit by name, and what is behind them."""

    tables: Mapping[str, pd.DataFrame]
    about: Mapping[str, Any]

    @property
    def data(self) -> str:
        """Whether the participants are human or simulated."""
        return str(self.tables["fits"]["data"].iloc[0])

    def _repr_html_(self) -> str:
        """A row for each observer."""
        rows = self.tables["fits"].groupby("observer", sort=False)
        people = self.tables["fits"]["participant"].nunique()
        cells = [
            [name, len(of), f"{of['log_evidence'].sum():.2f}", f"{of['bic'].sum():.2f}"]
            for name, of in rows
        ]
        head = ["observer", "fits", "sum of log evidence", "of BIC"]
        return html_table(f"{people} participants, {self.data}", head, cells)


def fill_folder(folder: Path, fits: Fits) -> None:
    """Write the tables and what is behind them into a folder."""
    for name, frame in fits.tables.items():
        write_file(folder / f"{name}.csv", frame.to_csv(index=False, lineterminator="\n"))
    write_file(folder / ABOUT, json_text(dict(fits.about)))


def read_fits(folder: str | Path) -> Fits:
    """Read the folder of a fit; DataError names what is missing or no table of a fit."""
    folder = Path(folder)
    if not (folder / ABOUT).exists():
        reason = "expected a folder that `onlooker fit` wrote"
        reason += f"; this one has no {ABOUT}" if folder.is_dir() else ""
        raise DataError([Problem(str(folder), reason)])
    try:
        about = json.loads(read_text(folder / ABOUT))
    except ProblemsError as error:
        raise DataError(Problem("", str(each)) for each in error.lines()) from None
    except ValueError as error:
        raise DataError([Problem(str(folder / ABOUT), f"not JSON: {error}")]) from None
    tables = {}
    for file in sorted(folder.glob("*.csv")):
        tables[file.stem] = _read(file)
    problems = []
    for name, columns in NEEDED.items():
        file = folder / f"{name}.csv"
        if name not in tables:
            problems.append(Problem(str(file), "there is no such file"))
        elif missing := [column for column in columns if column not in tables[name]]:
            problems.append(Problem(str(file), f"missing columns: {', '.join(missing)}"))
        elif tables[name].empty:
            problems.append(Problem(str(file), "expected rows; there is none"))
    if not problems:
        problems = _twice(folder / "fits.csv", tables["fits"])
    if not isinstance(about, dict):
        problems.append(Problem(str(folder / ABOUT), "expected an object of `onlooker fit`"))
    if problems:
        raise DataError(problems)
    return Fits(tables, about)


def read_all_fits(folders: Sequence[str | Path]) -> Fits:
    """The fits of several folders as one; DataError if they are not of the same people's choices.

    What some lack, such as fits of groups, is left out.
    """
    every = [read_fits(folder) for folder in folders]
    first, problems = every[0], list[Problem]()
    known = _choices(first)
    whose = dict.fromkeys(first.tables["fits"]["observer"], folders[0])
    for folder, fits in zip(folders[1:], every[1:], strict=True):
        found, file = _choices(fits), Path(folder) / "fits.csv"
        for observer in dict.fromkeys(fits.tables["fits"]["observer"]):
            if (other := whose.setdefault(observer, folder)) != folder:
                problems.append(Problem(str(file), f"{observer} is fitted in {other} too"))
        if fits.data != first.data:
            reason = f"expected {first.data} data as in {folders[0]}, not {fits.data}"
            problems.append(Problem(str(file), reason))
        elif odd := sorted(who for who in {*known, *found} if known.get(who) != found.get(who)):
            experiment, participant = odd[0]
            reason = (
                f"expected fits of the same choices as in {folders[0]}; those of {len(odd)} people"
                f" differ, the first is {participant} of Experiment {experiment}"
                f" ({_counted(known.get(odd[0]))} there, {_counted(found.get(odd[0]))} here)"
            )
            problems.append(Problem(str(file), reason))
    if problems:
        raise DataError(problems)
    shared = set.intersection(*(set(each.tables) for each in every))
    tables = {
        name: pd.concat([each.tables[name] for each in every], ignore_index=True)
        for name in first.tables
        if name in shared
    }
    models = {name: each for fits in every for name, each in fits.about.get("models", {}).items()}
    return Fits(tables, {**first.about, "models": models})


def _choices(fits: Fits) -> dict[tuple[Any, str], tuple[int, int]]:
    """How many choices and trials of each person were fitted."""
    rows = fits.tables["fits"][["experiment", "participant", "n", "trials"]]
    found = rows.drop_duplicates(["experiment", "participant"]).itertuples(index=False, name=None)
    return {(experiment, who): (n, trials) for experiment, who, n, trials in found}


def _counted(choices: tuple[int, int] | None) -> str:
    return "none" if choices is None else f"{choices[0]} choices"


def _twice(file: Path, fits: pd.DataFrame) -> list[Problem]:
    """The fits that come twice, with their lines in a file."""
    key = ["experiment", "participant", "observer"]
    again = fits[fits.duplicated(key)]
    return [
        Problem(
            f"{file}: line {line + 2}",
            f"{row.observer} is fitted to {row.participant} twice",
        )
        for line, row in zip(again.index, again.itertuples(), strict=True)
    ]


def _read(file: Path) -> pd.DataFrame:
    try:
        texts = {"participant": str, "level": str, "experiment": str}
        table = pd.read_csv(file, dtype=texts, keep_default_na=True)
    except (ValueError, pd.errors.ParserError) as error:
        raise DataError([Problem(str(file), f"not a table: {error}")]) from None
    if "experiment" in table:
        table["experiment"] = _experiments(file, table["experiment"])
    return table


def _experiments(file: Path, texts: pd.Series) -> pd.Series:
    """The names of the experiments in a column."""
    try:
        return texts.map(read_name).astype(object)
    except ValueError as error:
        raise DataError([Problem(f"{file}, column experiment", str(error))]) from None
