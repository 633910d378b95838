"""How large a trial may be for an exact search."""

from __future__ import annotations

from onlooker.game import Trial
from onlooker.inference.errors import TooLargeError
from onlooker.observers.kernels.search import MOST_WIZARDS

FINDINGS, PLANS = 64, 64  # that there is room for at first


class SearchError(TooLargeError):
    """A trial has more wizards, or more states, than can be searched exactly."""


def check_wizards(trial: Trial) -> None:
    """SearchError if the main agent needs colours of too many wizards."""
    colours = trial.needed
    count = sum(len(trial.map.wizards_of[colour]) for colour in colours)
    if count > MOST_WIZARDS:
        raise SearchError(
            f"{trial.label}: {count} wizards of the needed colours are more than {MOST_WIZARDS},"
            " too many for an exact search"
        )
