"""Expected counts of Graded Mentalizing, and its values against the plain version."""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchmarks.measuring import best, machine, number
from benchmarks.sheets import Sheet
from observers.lookahead_reference import Lookahead
from onlooker.game import Trial
from onlooker.observers import Batch, GradedMentalizing, Lattice, Parameters

SAMPLE = 30  # every so manieth trial goes through the plain version, at its start


def expected_counts(batch: Batch, observer: str) -> list[tuple[float, ...]]:
    """What is expected of an observer by the graded rule in each trial."""
    return [found.observed for found in batch.expect(None, observer, "graded")]


def plain_seconds(trials: Sequence[Trial], lattices: Sequence[Lattice]) -> float:
    """Seconds of the plain version at the start of each trial, which must have the same values."""
    begin = time.perf_counter()
    found = []
    for trial in trials:
        plain = Lookahead.at_start(trial, Parameters())
        mind = plain.mind_after([0] * len(trial.npcs))
        watching = [plain.watching(mind, npc) for npc in range(len(trial.npcs))]
        found.append([plain.acting(mind), *watching])
    took = time.perf_counter() - begin
    for trial, costs, lattice in zip(trials, found, lattices, strict=True):
        compiled = lattice.values[(0,) * len(trial.npcs)]
        if any(abs(a + b) > 1e-9 for a, b in zip(costs, compiled.tolist(), strict=True)):
            raise AssertionError(f"{trial.label}: the plain version has other values")
    return took


def graded(sets: dict[str, list[Trial]]) -> Sheet:
    """Expected counts on all trials, and single appraisals against the plain version."""
    sheet = Sheet(
        "graded",
        "Expected counts by the graded rule",
        ("trials and work", "s", "µs a combination", "times the plain version"),
        note=(
            "One core. A combination is one of steps seen of the NPCs; all of a trial are"
            f" appraised. The plain version ran once, at the start of every {SAMPLE}th trial."
            f" {machine()}"
        ),
    )
    for name, trials in sets.items():
        batch = Batch(trials)
        lattices = batch.lattices(None, GradedMentalizing())
        cells = sum(lattice.actions.size for lattice in lattices)
        plainly = plain_seconds(trials[::SAMPLE], lattices[::SAMPLE]) / len(trials[::SAMPLE])
        works = {
            observer: lambda observer=observer, batch=batch: expected_counts(batch, observer)
            for observer in ("graded_mentalizing", "rational_mentalizing")
        }
        times = best(works, 3, f"graded, {name}")
        row = f"{len(trials[::SAMPLE])} {name}: plain Graded Mentalizing"
        sheet.add(row, number(plainly * len(trials[::SAMPLE])), number(1e6 * plainly), "1.00")
        for observer, title in (
            ("graded_mentalizing", "Graded Mentalizing"),
            ("rational_mentalizing", "Rational Mentalizing"),
        ):
            each = times[observer] / cells
            ratio = number(plainly / each) if observer == "graded_mentalizing" else ""
            row = f"{len(trials)} {name}, {cells:,} combinations: {title}"
            sheet.add(row, number(times[observer]), number(1e6 * each), ratio)
    return sheet
