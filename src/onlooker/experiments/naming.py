"""The names of experiments: a number, such as those of the paper's four, or a word like "pilot"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from numbers import Integral
from typing import TypeGuard, TypeVar

from onlooker.game import ExperimentName, Trial

Name = TypeVar("Name", ExperimentName, ExperimentName | None)
WORD = re.compile("[A-Za-z][A-Za-z0-9]{0,29}")
TAKEN = re.compile("exp[0-9]*|pooled|total|none|nan|all", re.IGNORECASE)  # mean something in tables
EXPECTED = "a whole number from 1 up or a name such as pilot, of letters and digits"


def is_name(value: object) -> TypeGuard[ExperimentName]:
    """Whether a study can be called so.

    >>> [is_name(value) for value in (1, "pilot", 0, "1", "two words", "pooled", None)]
    [True, True, False, False, False, False, False]
    """
    if isinstance(value, str):
        return bool(WORD.fullmatch(value)) and not TAKEN.fullmatch(value)
    if isinstance(value, bool) or not isinstance(value, Integral):
        return False
    return 1 <= int(value) < 10**9


def read_name(value: object) -> ExperimentName:
    """The experiment's name that a text or a number is; ValueError if it is none.

    >>> read_name(" 2"), read_name("pilot")
    (2, 'pilot')
    """
    text = value.strip() if isinstance(value, str) else ""
    name = int(text) if re.fullmatch("[0-9]{1,9}", text) else text or value
    if not is_name(name):
        raise ValueError(f"expected {EXPECTED}, not {str(value)[:40]!r}")
    return name if isinstance(name, str) else int(name)


def in_order(names: Iterable[Name]) -> list[Name]:
    """Different names in the order of tables and figures: numbers, words, and None.

    >>> in_order([3, "pilot", None, 1, "Again", 3])
    [1, 3, 'Again', 'pilot', None]
    """
    return sorted(dict.fromkeys(names), key=rank)


def rank(name: ExperimentName | None) -> tuple[int, int, str]:
    """Sorts names as `in_order` does."""
    if isinstance(name, str):
        return 1, 0, name
    return (2, 0, "") if name is None else (0, int(name), "")


def slug(name: ExperimentName | None) -> str:
    """What files and folders of an experiment are called.

    >>> slug(1), slug("pilot")
    ('exp1', 'pilot')
    """
    return name if isinstance(name, str) else f"exp{name}"


def from_slug(text: str) -> ExperimentName:
    """The experiment that files and folders are called after; ValueError if it is none."""
    return read_name(text.removeprefix("exp") if re.fullmatch("exp[0-9]+", text) else text)


def seed_of(name: ExperimentName) -> int:
    """A number to begin random draws with."""
    return int.from_bytes(name.encode()) if isinstance(name, str) else name


def by_experiment(trials: Iterable[Trial]) -> dict[ExperimentName, list[Trial]]:
    """The trials of each experiment that they name, tutorials left out."""
    counted = [(trial.experiment, trial) for trial in trials if not trial.tutorial]
    groups: dict[ExperimentName, list[Trial]] = {
        name: [] for name in in_order(name for name, _ in counted if is_name(name))
    }
    for name, trial in counted:
        if is_name(name):
            groups[name].append(trial)
    return groups
