"""The table that `onlooker benchmark` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from onlooker.cli.printing import print_table, wide_console
from onlooker.support.problems import first_lines
from onlooker.support.rounding import counted, rounded

if TYPE_CHECKING:
    import pandas as pd

    from onlooker.analysis.tables.benchmark.scoring import Estimate, Means, Score, Share
    from onlooker.players.playing import Failure, Playing


class Entered(NamedTuple):
    """A player of the benchmark, with what it did."""

    name: str
    title: str
    means: Means
    artificial: bool = True
    sees_hidden: bool = False  # it knows what is hidden from players
    playing: Playing | None = None  # where it played now

    @property
    def failures(self) -> Sequence[Failure]:
        """Where it failed."""
        return self.playing.failures if self.playing else ()


def print_scores(entered: Sequence[Entered], scores: Sequence[Score], marks: pd.DataFrame) -> None:
    """Print the players, a row each, and what could not be measured."""
    trials = len(marks.drop_duplicates(["experiment", "level"]))
    columns = {
        "player": [each.title + " *" * each.sees_hidden for each in entered],
        "done": [_percent(score.finished) for score in scores],
        "cost": [_plain(score.cost) for score in scores],
        "regret": [_ranged(score.regret) for score in scores],
        "watched": [_plain(score.observed) for score in scores],
        "CCC\nmodel": [_short(score.ccc_model) for score in scores],
        "r\nmodel": [_short(score.r_model) for score in scores],
    }
    if any(score.ccc_people.value == score.ccc_people.value for score in scores):
        columns["CCC\npeople"] = [_short(score.ccc_people) for score in scores]
        columns["r\npeople"] = [_short(score.r_people) for score in scores]
    columns |= {
        "skips": [_of(score.skips) for score in scores],
        "looks": [_of(score.looks) for score in scores],
        "whom": [_of(score.whom) for score in scores],
        "experts": [_of(score.experts) for score in scores],
    }
    console = wide_console()
    print_table(console, counted(trials, "trial"), columns, ["player"])
    for line in EXPLAINED:
        console.print(line)
    if any(each.sees_hidden for each in entered):
        console.print(
            "*        knows what is hidden from players: their real paths and the holders"
        )
    refused = marks.loc[marks["reason"] != "", "reason"].drop_duplicates().tolist()
    for line in first_lines([f"no ideal observer: {reason}" for reason in refused]):
        console.print(line)
    failed = Counter((each.title, failure.reason) for each in entered for failure in each.failures)
    lines = [
        f"{title}: {reason}" + (f" ({count} plays)" if count > 1 else "")
        for (title, reason), count in failed.most_common()
    ]
    for line in first_lines(lines):
        console.print(line)


EXPLAINED = (
    "done     plays that came to the chest; others cost what was spent and the budget once more",
    "regret   points a trial more than the ideal observer on the actual trial; 95% interval",
    "skips    watches nobody, of the trials in which the ideal observer watches nobody",
    "looks    watches somebody, of those in which it does",
    "whom     watches most whom Rational Mentalizing watches most, where there is a choice",
    "experts  share of looks at experts where there are experts and novices",
)


def _ranged(value: Estimate) -> str:
    if value.value != value.value:
        return "–"
    ends = "" if value.low != value.low else f" [{rounded(value.low, 1)}, {rounded(value.high, 1)}]"
    return rounded(value.value, 1) + ends


def _plain(value: float) -> str:
    return "–" if value != value else rounded(value, 1)


def _short(value: Estimate) -> str:
    return "–" if value.value != value.value else rounded(value.value, 2)


def _percent(value: float) -> str:
    return f"{rounded(100 * value, 0)}%"


def _of(share: Share) -> str:
    return "–" if share.value != share.value else f"{_percent(share.value)} of {share.of}"
