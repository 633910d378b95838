"""The figure of a benchmark: its scale shows the observers, however few trials there are."""

from __future__ import annotations

import pytest

from drawings import texts, texts_that_meet
from onlooker.analysis.figures.benchmark import Entry, benchmark_plate
from onlooker.analysis.tables.benchmark.scoring import NONE, Estimate, Score, Share

REGRETS = {"rational_mentalizing": 0.5, "naive_observer": 21.0, "hasty": 40.0, "random": 900.0}


def entry(player: str, regret: Estimate) -> Entry:
    agreement, share = Estimate(0.5), Share(0.5, 2)
    figures = {"regret": regret, "ccc_model": agreement, "ccc_people": Estimate()}
    marks = dict.fromkeys(("skips", "looks", "whom", "experts"), share)
    rest = {
        "finished": 1.0,
        "cost": 60.0,
        "observed": 3.0,
        "r_model": agreement,
        "r_people": Estimate(),
    }
    return Entry(player, Score(player, 3, 6, **rest, **figures, **marks))


@pytest.mark.parametrize("spread", [NONE, 4.0])
def test_the_scale_shows_the_observers_with_or_without_intervals(spread: float) -> None:
    entries = [entry(name, Estimate(x, x - spread, x + spread)) for name, x in REGRETS.items()]
    figure = benchmark_plate(entries).figure
    low, high = figure.axes[0].get_xlim()
    assert low <= 0
    assert 40 < high < 900
    assert {"0.5", "21.0", "40.0", "900"} <= set(texts(figure))
    assert not texts_that_meet(figure)
