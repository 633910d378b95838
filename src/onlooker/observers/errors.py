"""What is refused of observers and trials, and what is warned of."""

from __future__ import annotations

import warnings

from onlooker.game import Expertise, Trial
from onlooker.inference.errors import TooLargeError
from onlooker.inference.parameters import TOLERANCE, Parameters
from onlooker.observers.kernels.search import MOST_WIZARDS


class ObserverError(ValueError):
    """An observer did what no observer can do; the text says which, in which trial, and what.

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


def pruned(trial: Trial, prune: float) -> list[str]:
    """The open colours of which a threshold prunes all wizards but the first at the start."""
    wizards_of = trial.map.wizards_of
    most = max(map(len, wizards_of.values()), default=1)
    if prune <= 1 / most + TOLERANCE:  # so that needs are not worked out in vain
        return []
    return [c for c in trial.open_colours if prune > 1 / len(wizards_of[c]) + TOLERANCE]


def warn_of_untold_pruning(trial: Trial, parameters: Parameters) -> None:
    """Say if every pair of goal and expertise would be pruned at the start."""
    pairs = len(parameters.npc_kinds) * len(trial.map.chests)
    if parameters.prune > 1 / pairs + TOLERANCE:
        warnings.warn(
            f"{trial.label}: prune={parameters.prune} is above 1/{pairs}, so at the start it would"
            f" prune all {pairs} pairs of a chest and an expertise but the first",
            stacklevel=3,
        )


def warn_of_untold_teachers(trial: Trial, parameters: Parameters) -> None:
    """Say, in the same words for every trial, if a teacher cannot be taken for one."""
    kinds = parameters.npc_kinds
    teaches = any(npc.expertise is Expertise.TEACHER for npc in trial.npcs)
    if teaches and Expertise.TEACHER not in kinds:
        warnings.warn(
            "untold_mentalizing does not consider that an NPC may be a teacher, and here one is:"
            f" kinds is {','.join(kinds)}. Set kinds=expert,teacher to let it find out who teaches",
            stacklevel=2,
        )
