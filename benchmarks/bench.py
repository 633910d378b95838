"""Ratios measured in one run on one machine. `make bench` runs it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from onlooker.inference import Hypotheses, Parameters
from onlooker.observers import OBSERVERS, Engine
from onlooker.observers.reference import run_reference
from onlooker.planning import ReferenceTables, Tables
from vectors import VECTORS, Vector


def seconds(work: Callable[[Vector], object], vectors: list[Vector], repeat: int) -> float:
    """The mean time of some work on a trial, the best of some runs of it."""
    total = 0.0
    for vector in track(vectors, transient=True):
        times = []
        for _ in range(repeat):
            start = time.perf_counter()
            work(vector)
            times.append(time.perf_counter() - start)
        total += min(times)
    return total / len(vectors)


def all_tables(vector: Vector) -> None:
    """Every expert's and every walk's table."""
    tables = Tables(vector.trial.map, vector.costs)
    tables.experts(_lanes(vector))
    tables.walk(vector.trial.map.chests[0])


def all_tables_plainly(vector: Vector) -> None:
    """The same, one by one."""
    tables = ReferenceTables(vector.trial.map, vector.costs)
    for goal, holders in _lanes(vector):
        tables.expert(goal, holders)
    for target in (*vector.trial.map.chests, *vector.trial.map.wizards):
        tables.walk(target)


def _lanes(vector: Vector) -> list[tuple[str, object]]:
    hypotheses = Hypotheses(vector.trial.map)
    return [(goal, holders) for goal in hypotheses.goals for holders in hypotheses.holders]


def all_observers(vector: Vector) -> None:
    """The four observers with their traces."""
    engine = Engine(vector.trial, Parameters(**vector.params))
    for observer in OBSERVERS.values():
        observer().run(engine)


def all_observers_plainly(vector: Vector) -> None:
    """The same by the plain reference."""
    for name in OBSERVERS:
        run_reference(vector.trial, name, Parameters(**vector.params))


def main() -> None:
    """Measure and print."""
    two_npcs = [vector for vector in VECTORS if len(vector.trial.npcs) == 2]
    table = Table(title=f"Mean of {len(two_npcs)} two-NPC trials, one core")
    for heading in ("work", "plain, ms a trial", "fast, ms a trial", "ratio"):
        table.add_column(heading, justify="left" if heading == "work" else "right")
    for title, fast, plain in (
        ("cost-to-go of all hypotheses", all_tables, all_tables_plainly),
        ("four observers with trace", all_observers, all_observers_plainly),
    ):
        slow, quick = seconds(plain, two_npcs, 1), seconds(fast, two_npcs, 3)
        table.add_row(title, f"{1000 * slow:.1f}", f"{1000 * quick:.2f}", f"{slow / quick:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
