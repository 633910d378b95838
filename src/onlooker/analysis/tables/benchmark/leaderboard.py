"""A leaderboard: a CSV of players that each run of the benchmark adds to.

Only rows of the same `set` can be compared: the same trials, parameters and rule of the budget.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from onlooker.analysis import DataError
from onlooker.analysis.tables.benchmark.scoring import Score
from onlooker.game import Trial, dump_trial
from onlooker.support.files import json_text, write_file
from onlooker.support.problems import Problem

COLUMNS = (
    "set", "trials", "player", "title", "knows_hidden_facts", "plays", "finished", "cost",
    "regret", "regret_low", "regret_high", "observed", "ccc_model",
)  # fmt: skip
WORDS = ("set", "player", "title")


def set_of(trials: Sequence[Trial], settings: Mapping[str, Any]) -> str:
    """A short name of what was played; another trial or setting gives another name."""
    text = "".join(dump_trial(trial, "json") for trial in trials) + json_text(dict(settings))
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def leaderboard_row(name: str, title: str, told: bool, score: Score) -> dict[str, Any]:
    """A player's line."""
    plain = score.to_dict()
    ends = {f"regret_{end}": plain["regret"][end] for end in ("low", "high")}
    shown = plain | ends | {"regret": plain["regret"]["value"]}
    shown |= {"ccc_model": plain["ccc_model"]["value"], "set": name, "title": title}
    shown["knows_hidden_facts"] = told
    return {column: shown[column] for column in COLUMNS}


def read_leaderboard(path: str | os.PathLike[str]) -> pd.DataFrame:
    """The rows of a file, none if there is no such file; DataError if it is no leaderboard."""
    if not Path(path).exists():
        return pd.DataFrame(columns=list(COLUMNS))
    try:
        found = pd.read_csv(path, dtype=dict.fromkeys(WORDS, str))
    except (OSError, UnicodeError, ValueError) as error:
        problem = Problem("", f"expected a leaderboard, a CSV: {error}")
        raise DataError([problem], source=os.fspath(path)) from None
    if missing := [name for name in COLUMNS if name not in found]:
        problem = Problem("header", f"expected the columns of a leaderboard; missing: {missing[0]}")
        raise DataError([problem], source=os.fspath(path))
    return found[list(COLUMNS)]


def write_leaderboard(
    path: str | os.PathLike[str], known: pd.DataFrame, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Write what was known and new rows, the best of each set first.

    A player that is there already, with the same set, gets its new row.
    """
    new = pd.DataFrame(rows, columns=list(COLUMNS))
    every = pd.concat([known, new], ignore_index=True) if len(known) else new
    every = every.drop_duplicates(["set", "player"], keep="last")
    every = every.sort_values(["set", "regret", "player"], kind="stable")
    write_file(path, every.to_csv(index=False, float_format="%.6g"))
