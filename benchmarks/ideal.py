"""The ideal observer against its plain version, and the regret of observers."""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchmarks.measuring import best, machine, number
from benchmarks.sheets import Sheet
from observers.ideal_reference import IdealReference
from onlooker.experiments.regret import regrets
from onlooker.game import Trial
from onlooker.observers import (
    OBSERVERS,
    Engine,
    GradedMentalizing,
    IdealObserver,
    Observer,
    Parameters,
)

SAMPLE = 30  # every so manieth trial goes through the plain version


def all_runs(trials: Sequence[Trial]) -> list[float | None]:
    """The ideal observer on each trial, with its trace; its expected costs."""
    return [IdealObserver().run(Engine(trial)).expected_cost for trial in trials]


def plain_seconds(trials: Sequence[Trial]) -> float:
    """Seconds of the plain version, which must expect the same costs."""
    begin = time.perf_counter()
    found = [IdealReference(trial, Parameters()).run().expected_cost for trial in trials]
    took = time.perf_counter() - begin
    for trial, plain, compiled in zip(trials, found, all_runs(trials), strict=True):
        if abs((plain or 0) - (compiled or 0)) > 1e-9:
            raise AssertionError(f"{trial.label}: the plain ideal observer expects another cost")
    return took


def ideal(sets: dict[str, list[Trial]]) -> Sheet:
    """The ideal observer on all trials, and regret over all their worlds."""
    sheet = Sheet(
        "ideal",
        "The ideal observer, and regret over all worlds",
        ("trials and work", "s", "µs each", "times the plain version"),
        note=(
            f"One core. The plain version ran once on every {SAMPLE}th trial. Regret is that over"
            " every goal of every NPC with every assignment of holders, and takes in the ideal"
            f" observer. {machine()}"
        ),
    )
    observers: list[Observer] = [observer() for observer in OBSERVERS.values()]
    more = [*observers, GradedMentalizing()]
    for name, trials in sets.items():
        some = [trial for trial in trials if trial.open_colours]
        rows = regrets(some, observers)
        worlds = sum(row.worlds for row in rows) // len(observers)
        sample = trials[::SAMPLE]
        plainly = plain_seconds(sample) / len(sample)
        works = {
            "ideal": lambda trials=trials: all_runs(trials),
            "regret": lambda some=some: regrets(some, observers),
            "more regret": lambda some=some: regrets(some, more),
        }
        times = best(works, 5, f"ideal, {name}")
        each = times["ideal"] / len(trials)
        row = f"{len(sample)} {name}: plain ideal observer"
        sheet.add(row, number(plainly * len(sample)), number(1e6 * plainly), "1.00")
        row = f"{len(trials)} {name}: ideal observer"
        sheet.add(row, number(times["ideal"]), number(1e6 * each), number(plainly / each))
        for work, words in (
            ("regret", "regret of the four observers"),
            ("more regret", "the same and of Graded Mentalizing"),
        ):
            row = f"{worlds:,} worlds of {len(some)} {name}: {words}"
            sheet.add(row, number(times[work]), number(1e6 * times[work] / worlds), "")
    return sheet
