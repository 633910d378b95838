"""The values that the paper reports, to stand beside ours: facts, not parameters.

They are of the paper's people on the paper's maps, so they never stand beside simulated data.
"""

from __future__ import annotations

from dataclasses import dataclass

from onlooker.analysis.data.scopes import Scope
from onlooker.game import ExperimentName


@dataclass(frozen=True, slots=True)
class Reported:
    """A statistic of observation steps, human against model."""

    statistic: str  # r or ccc
    scope: Scope
    observer: str
    value: float
    low: float | None = None
    high: float | None = None
    at_most: bool = False  # the paper gives a bound only


@dataclass(frozen=True, slots=True)
class ReportedSample:
    """An experiment's people and how well they agree."""

    experiment: ExperimentName
    participants: int  # before the outlier filter
    excluded: int
    age_mean: float
    age_sd: float
    gender: dict[str, int]
    reliability: float  # split half, Spearman–Brown, NPCs stacked


# A row for each observer; r in Exp. 1, Exp. 2, Exp. 3 (agent2, agent3), Exp. 4 (expert, novice).
_SCOPES = (
    Scope(1),
    Scope(2),
    Scope(3, npc="agent2"),
    Scope(3, npc="agent3"),
    Scope(4, role="expert"),
    Scope(4, role="novice"),
)
_R = {
    "rational_mentalizing": (0.94, 0.91, 0.90, 0.93, 0.90, 0.95),
    "rational_observer": (0.66, 0.67, 0.61, 0.36, 0.57, 0.33),
    "mentalizing_observer": (0.06, 0.41, 0.47, 0.27, 0.25, 0.23),
    "naive_observer": (0.16, 0.37, 0.40, 0.25, 0.24, -0.41),
}
_INTERVALS = {
    ("rational_mentalizing", Scope(1)): (0.86, 0.98),
    ("rational_mentalizing", Scope(2)): (0.81, 0.96),
    ("rational_mentalizing", Scope(3, npc="agent2")): (0.86, 0.96),
    ("rational_mentalizing", Scope(3, npc="agent3")): (0.87, 0.96),
    ("rational_mentalizing", Scope(4, role="expert")): (0.72, 0.96),
    ("rational_mentalizing", Scope(4, role="novice")): (0.91, 0.97),
    ("mentalizing_observer", Scope(2)): (0.10, 0.73),
}

REPORTED: tuple[Reported, ...] = (
    *(
        Reported("r", scope, observer, r, *_INTERVALS.get((observer, scope), (None, None)))
        for observer, row in _R.items()
        for scope, r in zip(_SCOPES, row, strict=True)
    ),
    Reported("ccc", Scope(), "rational_mentalizing", 0.89, 0.84, 0.92),
    *(
        Reported("ccc", Scope(), observer, 0.21, at_most=True)
        for observer in _R
        if observer != "rational_mentalizing"
    ),
)

REPORTED_SAMPLES: dict[ExperimentName | None, ReportedSample] = {
    sample.experiment: sample
    for sample in (
        ReportedSample(1, 57, 4, 44.7, 12.2, {"female": 23, "male": 34}, 0.92),
        ReportedSample(2, 104, 10, 41.2, 11.9, {"female": 41, "male": 61, "non-binary": 2}, 0.83),
        ReportedSample(3, 80, 2, 42.6, 13.3, {"female": 37, "male": 43}, 0.85),
        ReportedSample(4, 80, 7, 42.4, 12.0, {"female": 49, "male": 31}, 0.86),
    )
}


def find_reported(statistic: str, scope: Scope, observer: str) -> Reported | None:
    """What the paper reports of a statistic of observation steps, if it does.

    >>> find_reported("r", Scope(4, role="novice"), "naive_observer").value
    -0.41
    """
    wanted = (statistic, scope, observer)
    found = (each for each in REPORTED if (each.statistic, each.scope, each.observer) == wanted)
    return next(found, None)
