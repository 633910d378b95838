"""The errors of observers, and of trials that are too large to search."""

from __future__ import annotations

from collections.abc import Iterable

from onlooker.game import Trial
from onlooker.inference.errors import TooLargeError
from onlooker.inference.parameters import Parameters
from onlooker.observers.kernels.search import MOST_WIZARDS


class ObserverError(ValueError):
    """An observer did what no observer can do; the text names it, the trial and the reason.

    >>> from onlooker.game import load_trial
    >>> print(ObserverError("glance", load_trial("examples/early-turn.map"), "it never acts"))
    observer 'glance', early turn: it never acts
    """

    def __init__(self, observer: str, trial: Trial, reason: str) -> None:
        super().__init__(f"observer {observer!r}, {trial.label}: {reason}")


class SearchError(TooLargeError):
    """A trial has more wizards, or more states, than can be searched exactly."""


def check_wizards(trial: Trial) -> None:
    """SearchError if the main agent needs colours of too many wizards."""
    count = sum(len(trial.map.wizards_of[colour]) for colour in trial.needed)
    if count > MOST_WIZARDS:
        raise SearchError(
            f"{trial.label}: {count} wizards of the needed colours are more than {MOST_WIZARDS},"
            " too many for an exact search"
        )


def check_searchable(trials: Iterable[Trial], parameters: Parameters) -> None:
    """SearchError if looking ahead would search among too many wizards."""
    if parameters.caution < 1:
        for trial in trials:
            check_wizards(trial)
