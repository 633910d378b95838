"""The parameters of all observers as a table: for a screen, a data file or a paper."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path

import pandas as pd

from onlooker.inference.parameters import Parameters
from onlooker.support.files import write_file

COLUMNS = ["parameter", "symbol", "name", "value", "unit"]
FILE = "parameters"


@dataclass(frozen=True, slots=True)
class Words:
    """What a parameter is called in a table."""

    meaning: str
    symbol: str = ""
    latex: str = ""  # the symbol as LaTeX
    unit: str = ""


WORDS: dict[str, Words] = {
    "move": Words("cost of a move", "c_move", r"$c_{\mathrm{move}}$", "points"),
    "interact": Words("cost of asking a wizard", "c_int", r"$c_{\mathrm{int}}$", "points"),
    "observe": Words("cost of watching one step", "c_obs", r"$c_{\mathrm{obs}}$", "points"),
    "beta": Words("how surely agents take the better action", "β", r"$\beta$", "per point"),
    "converge": Words("a holder is settled from this probability on"),
    "prune": Words("hypotheses below this probability are left out"),
    "epsilon": Words(
        "Mentalizing Observer: least change of belief that counts", "ε", r"$\epsilon$"
    ),
    "exploration": Words("what acting alone is assumed to cost"),
    "order": Words("in which order wizards are asked"),
    "meeting": Words("Naive Observer: which interactions it waits for"),
}


def parameters_rows(parameters: Parameters | None = None) -> list[list[str]]:
    """The head of the table, then a row for each parameter.

    >>> head, first, *_ = parameters_rows()
    >>> dict(zip(head, first, strict=True))["value"]
    '3'
    """
    frame = parameters_frame(parameters)
    return [COLUMNS, *([str(cell) for cell in row] for row in frame.itertuples(index=False))]


def parameters_frame(parameters: Parameters | None = None) -> pd.DataFrame:
    """A row for each parameter: what it is, its symbol, its name in code, its value and unit."""
    given = parameters or Parameters()
    rows = []
    for field in fields(Parameters):
        words = WORDS[field.name]
        value = getattr(given, field.name)
        written = f"{value:g}" if isinstance(value, (int, float)) else str(value)
        rows.append((words.meaning, words.symbol, field.name, written, words.unit))
    return pd.DataFrame(rows, columns=COLUMNS)


def parameters_markdown(parameters: Parameters | None = None) -> str:
    """The table as Markdown."""
    head, *rows = parameters_rows(parameters)
    rows = [[*row[:2], f"`{row[2]}`", *row[3:]] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, ["---"] * len(head), *rows])


def parameters_latex(parameters: Parameters | None = None) -> str:
    """The table as LaTeX, with the rules of booktabs."""
    lines = [r"\begin{tabular}{lll}", r"\toprule", r"Parameter & Symbol & Value \\", r"\midrule"]
    for row in parameters_frame(parameters).to_dict("records"):
        value = f"{row['value']} {row['unit']}".strip()
        meaning = row["parameter"][0].upper() + row["parameter"][1:]
        lines.append(rf"{meaning} & {WORDS[row['name']].latex} & {value} \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def save_parameters(
    folder: str | os.PathLike[str], parameters: Parameters | None = None
) -> list[Path]:
    """Write the table into a folder as CSV, Markdown and LaTeX."""
    texts = {
        ".csv": parameters_frame(parameters).to_csv(index=False, lineterminator="\n"),
        ".md": parameters_markdown(parameters),
        ".tex": parameters_latex(parameters),
    }
    paths = [Path(folder) / f"{FILE}{suffix}" for suffix in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_file(path, text)
    return paths
