"""Tables of a study as CSV: read, checked against their schema, and given their types."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pandera.pandas as pa
from pandera.engines import pandas_engine
from pandera.errors import ParserError

from onlooker.experiments.naming import rank, read_name
from onlooker.experiments.schema import LARGEST, Column, Kind, TableSchema
from onlooker.game import ExperimentName
from onlooker.support.files import read_text, write_file
from onlooker.support.problems import DataError, Problem, ProblemsError

TRUTH = {"true": True, "yes": True, "false": False, "no": False}  # in any case
DTYPES: dict[Kind, str] = {"whole": "int64", "true-false": "bool", "experiment": "object"}
EMPTY_DTYPES: dict[Kind, str] = {"whole": "Int64", "true-false": "boolean"}  # with missing values
PLACE = ("file", "line")  # the index of a table that was read
FRAME = "data frame"  # stands for the file where there is none


def read_table(
    path: str | os.PathLike[str] | pd.DataFrame, schema: TableSchema, *, more_columns: bool = False
) -> pd.DataFrame:
    """The table in a CSV file, indexed by file and line; DataError lists all that is wrong.

    A data frame is checked in the same way; its lines are its rows, from 1.

    Columns may stand in any order. Others are refused, or left out where `more_columns` are
    expected.
    """
    return check_table(read_texts(path, schema, more_columns=more_columns), schema)


def _frame_texts(frame: pd.DataFrame, schema: TableSchema, more_columns: bool) -> pd.DataFrame:
    """The values of a data frame as a CSV file would have them."""
    if wrong := _header(list(frame.columns), schema, more_columns):
        raise DataError([Problem(FRAME, why) for why in wrong])
    places = [(FRAME, row) for row in range(1, len(frame) + 1)]
    index = pd.MultiIndex.from_tuples(places, names=PLACE)
    names = [column.name for column in schema.columns if column.name in frame]
    texts = {name: [_text(value) for value in frame[name].tolist()] for name in names}
    return pd.DataFrame(texts, index=index, columns=pd.Index(names), dtype=str)


def _text(value: Any) -> str:
    if value is None or value != value:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def read_texts(
    path: str | os.PathLike[str] | pd.DataFrame, schema: TableSchema, *, more_columns: bool = False
) -> pd.DataFrame:
    """The values of a CSV file as text, indexed by file and line; only the columns are checked."""
    if isinstance(path, pd.DataFrame):
        return _frame_texts(path, schema, more_columns)
    file = os.fspath(path)
    if _is_zip(path):
        reason = "a zip archive: unpack it, and give the folder that is in it"
        raise DataError([Problem(file, reason)])
    try:
        text = read_text(path)
        table = csv.reader(io.StringIO(text, newline=""), strict=True)
        header = next(table, [])
        rows = [(table.line_num, texts) for texts in table if texts]
    except ProblemsError as error:
        raise DataError(Problem(file, str(each)) for each in error.problems) from None
    except csv.Error as error:
        raise DataError([Problem(file, f"not CSV: {error}")]) from None
    problems = [Problem(f"{file}: line 1", why) for why in _header(header, schema, more_columns)]
    problems = problems or [
        Problem(f"{file}: line {line}", f"{len(texts)} values; the header has {len(header)}")
        for line, texts in rows
        if len(texts) != len(header)
    ]
    if problems:
        raise DataError(problems)
    index = pd.MultiIndex.from_tuples([(file, line) for line, _ in rows], names=PLACE)
    stripped = [[text.strip() for text in texts] for _, texts in rows]
    frame = pd.DataFrame(stripped, index=index, columns=pd.Index(header), dtype=str)
    return frame[[column.name for column in schema.columns if column.name in frame]]


def _is_zip(path: str | os.PathLike[str]) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(2) == b"PK"
    except OSError:
        return False


def check_table(frame: pd.DataFrame, schema: TableSchema) -> pd.DataFrame:
    """The table with the columns in order and of their kinds; DataError lists all that is wrong."""
    source = f"table {schema.name}"
    if wrong := _header(list(frame.columns), schema, False):
        raise DataError([Problem(source, reason) for reason in wrong])
    names = [column.name for column in schema.columns if column.name in frame]
    rows = frame[names].reset_index(drop=True)
    try:
        return _coercing(schema).validate(rows, lazy=True).set_axis(frame.index)
    except pa.errors.SchemaErrors as errors:
        where = places(frame, source)
        problems = list(_problems(rows, schema, errors.failure_cases, where))
        raise DataError(problems) from None


def experiment_order(column: pd.Series) -> pd.Series:
    """The key to sort a table's rows by: experiments may be numbers and words."""
    if column.name != "experiment":
        return column
    places = {name: place for place, name in enumerate(sorted(set(column), key=rank))}
    return column.map(places)


def write_frame(path: str | os.PathLike[str], frame: pd.DataFrame) -> None:
    """Write a table of results as CSV, without its index."""
    write_file(path, frame.to_csv(index=False, lineterminator="\n"))


def places(frame: pd.DataFrame, source: str = "") -> list[str]:
    """Where each row stands, in words."""
    if tuple(frame.index.names) == PLACE:
        return [f"{file}: line {line}" for file, line in frame.index]
    prefix = f"{source}: " if source else ""
    return [f"{prefix}row {row}" for row in range(1, len(frame) + 1)]


# -- what pandera checks ---------------------------------------------------------------------------


@cache
def _coercing(schema: TableSchema) -> pa.DataFrameSchema:
    """The schema in pandera's terms: it gives each column its type, and finds equal keys."""
    return pa.DataFrameSchema(
        {
            column.name: pa.Column(
                _Values(column), coerce=True, nullable=True, required=column.required
            )
            for column in schema.columns
        },
        unique=list(schema.key),
        report_duplicates="exclude_first",
        name=schema.name,
    )


class _Values(pandas_engine.DataType):
    """The type of a column's values: text becomes it, and so do values that are of it already."""

    column: Column
    type = pd.api.types.pandas_dtype(object)

    def __init__(self, column: Column) -> None:
        object.__setattr__(self, "column", column)  # the class is frozen

    def coerce(self, data_container: Any) -> Any:
        """The values of the right type; ParserError has those that cannot be."""
        found, good = _parsed(data_container, self.column)
        if not good.all():
            wrong = data_container[~good]
            cases = pd.DataFrame({"index": wrong.index, "failure_case": wrong.to_numpy(object)})
            raise ParserError(f"expected {self}", failure_cases=cases)  # type: ignore[no-untyped-call]
        dtypes = EMPTY_DTYPES if self.column.empty else DTYPES
        dtype: Any = dtypes.get(self.column.kind, found.dtype)
        return found.astype(dtype)

    def check(self, pandera_dtype: Any, data_container: Any = None) -> bool:
        """True: what was coerced is of the right type."""
        return True

    def __str__(self) -> str:
        return self.column.expected()


def _parsed(values: pd.Series, column: Column) -> tuple[pd.Series, pd.Series]:
    """The values of a column, missing where there is none, and which of them are allowed."""
    stripped = values.map(lambda value: value.strip() if isinstance(value, str) else value)
    there = stripped.notna() & (stripped != "")
    given = stripped.where(there)
    found: pd.Series
    if column.kind in ("whole", "number"):
        found = pd.to_numeric(given, errors="coerce").astype(float)
        good = found.abs() <= LARGEST
        if column.least is not None:
            good &= found >= column.least
        if column.kind == "whole":
            good &= found % 1 == 0
    elif column.kind == "experiment":
        found = given.map(_name).astype(object)
        good = found.notna()
    elif column.kind == "true-false":
        found = given.map(lambda value: TRUTH.get(str(value).lower()), na_action="ignore")
        good = found.notna()
    elif column.kind == "time":
        found = pd.to_datetime(given, utc=True, format="ISO8601", errors="coerce")
        good = found.notna()
    else:
        found = given.map(str, na_action="ignore").astype("str")
        good = found.isin(column.words) if column.words else found.notna()
    return found, good | ~there if column.empty else good


def _name(value: Any) -> ExperimentName | None:
    with suppress(ValueError):
        return read_name(_text(value))
    with suppress(ValueError):  # 1.0, as spreadsheets write it
        return read_name(_text(float(value)))
    return None


# -- what is wrong, in words -----------------------------------------------------------------------


def _header(header: Sequence[str], schema: TableSchema, more_columns: bool) -> list[str]:
    """What is wrong with the columns of a table."""
    names = [column.name for column in schema.columns]
    if not header:
        return [f"there is nothing; expected the columns {', '.join(names)}"]
    if len(header) == 1 and (other := next((c for c in ";\t|" if c in str(header[0])), "")):
        return [f"the columns are separated by {other!r}; expected commas"]
    found = []
    required = [column.name for column in schema.columns if column.required]
    if missing := [name for name in required if name not in header]:
        there = ", ".join(map(str, header))[:200]
        found.append(f"missing columns: {', '.join(missing)}; there are: {there}")
    if twice := sorted({name for name in header if list(header).count(name) > 1}):
        found.append(f"columns that come twice: {', '.join(twice)}")
    unknown = [str(name) for name in header if name not in names]
    if unknown and not more_columns:
        found.append(f"unknown columns: {', '.join(unknown)}; expected {', '.join(names)}")
    return found


def _problems(
    rows: pd.DataFrame, schema: TableSchema, cases: pd.DataFrame, where: Sequence[str]
) -> Iterator[Problem]:
    """What is wrong with the values, in the order of the rows, and then with the keys."""
    of_values = cases[cases["schema_context"] == "Column"]
    order = {name: place for place, name in enumerate(rows)}
    bad = set(zip(of_values["index"].astype(int), of_values["column"], strict=True))
    for row, name in sorted(bad, key=lambda case: (case[0], order[case[1]])):
        value: Any = rows.at[row, name]
        text = "" if pd.isna(value) else str(value).strip()
        reason = f"expected {schema.column(name).expected()}, not {text[:40]!r}"
        yield Problem(f"{where[row]}, column {name}", reason)
    keys = list(zip(*(rows[name] for name in schema.key), strict=True))
    for row in sorted(set(cases.loc[cases["schema_context"] != "Column", "index"].astype(int))):
        pairs = zip(schema.key, keys[row], strict=True)
        what = ", ".join(f"{name} {value}" for name, value in pairs)
        first = where[keys.index(keys[row])]
        yield Problem(where[row], f"{what} comes twice, first at {first}")
