"""Tables of a study as CSV: read and checked against their schema, and written.

Values are checked while they are still text, so that a message can quote them. A table
that is in memory is checked as the text that it would be written as.
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Callable, Sequence
from functools import cache
from numbers import Real
from pathlib import Path
from typing import Any

import pandas as pd
import pandera.pandas as pa

from onlooker.experiments.schema import LARGEST, TABLES, Column, TableSchema
from onlooker.support.files import read_text, write_file
from onlooker.support.problems import DataError, Problem, ProblemsError

YES, NO = ("true", "yes"), ("false", "no")  # in any case; the first of each is written
KEY = "key"  # the name of the check that no two rows are of the same thing
PLACE = ("file", "line")  # the index of a table that was read

Allowed = Callable[[pd.Series], pd.Series]


def read_table(
    path: str | os.PathLike[str], schema: TableSchema, *, more_columns: bool = False
) -> pd.DataFrame:
    """The table in a CSV file, indexed by file and line; DataError lists all that is wrong.

    Columns may stand in any order. Others are refused, or left out where `more_columns` are
    expected.
    """
    return check_table(read_texts(path, schema, more_columns=more_columns), schema)


def read_texts(
    path: str | os.PathLike[str], schema: TableSchema, *, more_columns: bool = False
) -> pd.DataFrame:
    """The values of a CSV file as text, indexed by file and line; only the columns are checked."""
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
    if missing := _header(list(frame.columns), schema, False):
        raise DataError([Problem(source, reason) for reason in missing])
    columns = [column for column in schema.columns if column.name in frame]
    texts = pd.DataFrame({c.name: _words(frame[c.name], c) for c in columns}, dtype=str)
    if problems := _text_problems(texts, schema, places(frame, source)):
        raise DataError(problems)
    typed = pd.DataFrame({c.name: _typed(texts[c.name], c) for c in columns})
    return typed.set_axis(frame.index)


def write_frame(path: str | os.PathLike[str], frame: pd.DataFrame) -> None:
    """Write a table of results as CSV, without its index."""
    write_file(path, frame.to_csv(index=False, lineterminator="\n"))


def places(frame: pd.DataFrame, source: str = "") -> list[str]:
    """Where each row stands, in words."""
    if tuple(frame.index.names) == PLACE:
        return [f"{file}: line {line}" for file, line in frame.index]
    prefix = f"{source}: " if source else ""
    return [f"{prefix}row {row}" for row in range(1, len(frame) + 1)]


@cache
def text_schema(schema: TableSchema) -> pa.DataFrameSchema:
    """What the values of a table must meet while they are text."""
    key = list(schema.key)
    return pa.DataFrameSchema(
        {
            column.name: pa.Column(
                checks=pa.Check(_allowed(column), error=expected(column), ignore_na=False),
                required=column.required,
            )
            for column in schema.columns
        },
        checks=pa.Check(lambda frame: ~frame.duplicated(key), error=KEY, ignore_na=False),
        strict=True,
        name=schema.name,
    )


def expected(column: Column) -> str:
    """What may stand in a column, in words.

    >>> from onlooker.experiments.schema import TRIALS
    >>> expected(TRIALS.column("moves"))
    'a whole number from 0 up'
    """
    if column.words:
        what = " or ".join(column.words)
    else:
        what = {
            "text": "a text",
            "whole": "a whole number",
            "number": "a number",
            "yes-no": "true or false",
            "time": "a time such as 2025-01-31T12:00:00Z",
        }[column.kind]
    if column.least is not None:
        what += f" from {column.least:g} {'to 1e15' if column.kind == 'number' else 'up'}"
    return f"{what}, or nothing" if column.empty else what


def data_dictionary() -> str:
    """All tables of a study as Markdown: every column, what may stand in it and what it means."""
    parts = []
    for schema in TABLES.values():
        key = ", ".join(f"`{name}`" for name in schema.key)
        lines = [f"### {schema.name}", "", f"A row is {schema.row}; the key is {key}.", ""]
        lines += ["| column | what may stand in it | meaning |", "|---|---|---|"]
        for column in schema.columns:
            what = expected(column) + ("" if column.required else " (the column may be absent)")
            lines.append(f"| `{column.name}` | {what} | {column.meaning} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


# -- columns and values ----------------------------------------------------------------------------


def _header(header: Sequence[str], schema: TableSchema, more_columns: bool) -> list[str]:
    """What is wrong with the columns of a table."""
    names = [column.name for column in schema.columns]
    if not header:
        return [f"there is nothing; expected the columns {', '.join(names)}"]
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


def _text_problems(texts: pd.DataFrame, schema: TableSchema, where: list[str]) -> list[Problem]:
    """What is wrong with the values and keys, in the order of the rows."""
    try:
        text_schema(schema).validate(texts, lazy=True)
    except pa.errors.SchemaErrors as errors:
        failures = errors.failure_cases.astype({"index": int})
    else:
        return []
    bad = failures[failures["check"] != KEY].sort_values("index", kind="stable")
    found = {
        (row, str(column)): f"expected {check}, not {str(text)[:40]!r}"
        for row, column, check, text in zip(
            bad["index"], bad["column"], bad["check"], bad["failure_case"], strict=True
        )
    }
    problems = [Problem(f"{where[row]}, column {name}", why) for (row, name), why in found.items()]
    words = list(zip(*(texts[name] for name in schema.key), strict=True))
    first = {word: row for row, word in reversed(list(enumerate(words)))}
    for row in sorted(set(failures.loc[failures["check"] == KEY, "index"])):
        what = ", ".join(
            f"{name} {word}" for name, word in zip(schema.key, words[row], strict=True)
        )
        problems.append(
            Problem(where[row], f"{what} comes twice, first at {where[first[words[row]]]}")
        )
    return problems


def _allowed(column: Column) -> Allowed:
    """Which values of a column are allowed."""

    def allowed(texts: pd.Series) -> pd.Series:
        good = _well_formed(texts, column)
        return (good | (texts == "")) if column.empty else good & (texts != "")

    return allowed


def _well_formed(texts: pd.Series, column: Column) -> pd.Series:
    if column.kind == "text":
        return texts.isin(column.words) if column.words else texts == texts
    if column.kind == "yes-no":
        return texts.str.lower().isin(YES + NO)
    if column.kind == "time":
        return _times(texts).notna()
    pattern = {
        "whole": r"[+-]?[0-9]{1,15}(\.0+)?",
        "number": r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?",
    }[column.kind]
    good = texts.str.fullmatch(pattern).astype(bool)
    values = pd.to_numeric(texts.where(good), errors="coerce").astype(float)
    least = -math.inf if column.least is None else column.least
    return good & (values >= least) & (values.abs() <= LARGEST)


def _times(texts: pd.Series) -> pd.Series:
    return pd.to_datetime(texts, utc=True, format="ISO8601", errors="coerce")


def _typed(texts: pd.Series, column: Column) -> pd.Series:
    """The values of a column, whose texts have been checked."""
    there = texts.where(texts != "")
    if column.kind == "whole":
        return pd.to_numeric(there).astype("Int64" if column.empty else "int64")
    if column.kind == "number":
        return pd.to_numeric(there).astype(float)
    if column.kind == "yes-no":
        return texts.str.lower().isin(YES)
    return _times(there) if column.kind == "time" else there


def _words(values: pd.Series, column: Column) -> pd.Series:
    """The values of a column as they are written."""
    words = [_word(value, column) for value in values]
    return pd.Series(words, dtype=str)


def _word(value: Any, column: Column) -> str:
    if isinstance(value, str):
        return value.strip()
    if pd.isna(value):
        return ""
    if isinstance(value, pd.Timestamp):
        return value.isoformat().replace("+00:00", "Z")
    if column.kind == "yes-no" and value in (True, False):
        return YES[0] if value else NO[0]
    if column.kind in ("whole", "number") and isinstance(value, Real):
        number = float(value)
        return str(int(number)) if number.is_integer() else repr(number)
    return str(value)
