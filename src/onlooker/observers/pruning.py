"""Where the threshold of pruning would leave out nearly everything before anything was seen."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable

from onlooker.game import Trial
from onlooker.inference.parameters import TOLERANCE, Parameters


def pruned(trial: Trial, prune: float, colours: Callable[[], Iterable[str]]) -> list[str]:
    """The open colours of which a threshold prunes all wizards but the first at the start.

    `colours` gives the open colours, and is only asked where there can be some.
    """
    wizards_of = trial.map.wizards_of
    most = max(map(len, wizards_of.values()), default=1)
    if prune <= 1 / most + TOLERANCE:
        return []
    return [c for c in colours() if prune > 1 / len(wizards_of[c]) + TOLERANCE]


def warn_of_untold_pruning(trial: Trial, parameters: Parameters) -> None:
    """Say if every pair of goal and expertise would be pruned at the start."""
    pairs = 2 * len(trial.map.chests)
    if parameters.prune > 1 / pairs + TOLERANCE:
        warnings.warn(
            f"{trial.label}: prune={parameters.prune} is above 1/{pairs}, so at the start it would"
            f" prune all {pairs} pairs of a chest and an expertise but the first",
            stacklevel=3,
        )
