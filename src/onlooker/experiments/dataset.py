"""Writing a study's tables as a dataset in the Psych-DS layout."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from onlooker.experiments.naming import in_order, slug
from onlooker.experiments.schema import TABLES, TableSchema, column_meanings
from onlooker.game import ExperimentName
from onlooker.support.files import json_text
from onlooker.support.folders import write_whole
from onlooker.version import __version__

DESCRIPTION = "dataset_description.json"
OURS = ("@context", "@type", "name", "description", "simulated", "generatedBy", "variableMeasured")


def data_file(experiment: ExperimentName, table: str) -> str:
    """Where a table of an experiment is in a dataset.

    >>> data_file(1, "trials")
    'data/study-exp1_desc-trials_data.csv'
    """
    return f"data/study-{slug(experiment)}_desc-{table}_data.csv"


def dataset_files(
    tables: Mapping[str, Iterable[Mapping[str, Any]]],
    name: str,
    description: str,
    simulated: bool = False,
    extra: Mapping[str, Any] | None = None,
    schemas: Mapping[str, TableSchema] = TABLES,
) -> dict[str, str]:
    """The files of a dataset: the description and a CSV for each experiment and table.

    `extra` are further fields of the description. `schemas` are those of the tables.
    """
    if clash := sorted(set(extra or {}) & set(OURS)):
        raise ValueError(f"{DESCRIPTION}: extra fields may not have the name {', '.join(clash)}")
    files: dict[str, str] = {}
    for table, rows in tables.items():
        groups: dict[ExperimentName, list[Mapping[str, Any]]] = {}
        for row in rows:
            groups.setdefault(row["experiment"], []).append(row)
        for experiment in in_order(groups):
            files[data_file(experiment, table)] = table_csv(schemas[table], groups[experiment])
    about = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": name,
        "description": description,
        "simulated": simulated,
        "generatedBy": f"onlooker {__version__}",
        **(extra or {}),
        "variableMeasured": [
            {"@type": "PropertyValue", "name": column, "description": meaning}
            for column, meaning in column_meanings(schemas[table] for table in tables).items()
            if any(column in text.partition("\n")[0].split(",") for text in files.values())
        ],
    }
    return {DESCRIPTION: json_text(about), **files}


def write_dataset(
    folder: str | os.PathLike[str],
    tables: Mapping[str, Iterable[Mapping[str, Any]]],
    name: str,
    description: str,
    simulated: bool = False,
    extra: Mapping[str, Any] | None = None,
    *,
    replace: bool = False,
) -> Path:
    """Write a dataset, whole or not at all; ValueError if there is something already.

    With `replace` a dataset that is there gives way, but nothing else does.
    """
    folder = Path(folder)
    files = dataset_files(tables, name, description, simulated, extra)
    there = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    is_dataset = (folder / DESCRIPTION).is_file()
    if there and not (replace and is_dataset):
        what = "a dataset" if is_dataset else "something that is not a dataset"
        raise ValueError(f"{folder}: there is {what} already; it is not replaced")
    write_whole(folder, files, [path.name for path in folder.iterdir()] if there else [])
    return folder


def table_csv(schema: TableSchema, rows: Iterable[Mapping[str, Any]]) -> str:
    """A table as CSV text: nothing for None, true or false for what is yes or no.

    A column that need not be there is left out where no row has it.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rows = list(rows)
    given = {name for row in rows for name in row}
    names = [column.name for column in schema.columns if column.required or column.name in given]
    writer.writerow(names)
    for row in rows:
        writer.writerow([_written(row.get(name)) for name in names])
    return text.getvalue()


def _written(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value
