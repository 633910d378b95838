"""Errors that list problems: the first ten, and how many more."""

from __future__ import annotations

from onlooker.analysis import DataError
from onlooker.game import Problem, TrialError
from onlooker.support.problems import MOST_LISTED, ProblemsError


def test_a_thousand_problems_are_ten_and_a_count() -> None:
    problems = [Problem(f"file{index}.map", "there is no such file") for index in range(1000)]
    error = ProblemsError(problems)
    assert error.problems == tuple(problems)
    assert error.lines()[:2] == [f"file{index}.map: there is no such file" for index in (0, 1)]
    assert error.lines()[MOST_LISTED:] == ["and 990 more problems"]
    assert str(error).count("\n") == MOST_LISTED == 10


def test_errors_of_trials_and_of_data_are_of_one_kind() -> None:
    for kind in (TrialError, DataError):
        error = kind([Problem("line 1", "wrong")], source="a.csv")
        assert isinstance(error, ProblemsError)
        assert str(error) == "a.csv: line 1: wrong"
