"""The same settings on one core and on all of them."""

from __future__ import annotations

import os
import pickle
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context

import numpy as np

from benchmarks.measuring import best, machine, number
from benchmarks.sheets import Sheet
from onlooker.experiments.stimuli import stimuli
from onlooker.observers import Batch, Parameters

SETTINGS = [
    Parameters(beta=beta, converge=converge)
    for beta in np.geomspace(0.1, 2, 15).tolist()
    for converge in (0.8, 0.9, 0.95, 0.99)
]
TASKS = 12


@lru_cache(maxsize=1)
def _batch(packed: bytes) -> Batch:
    """The trials of a worker, made ready once."""
    return Batch(pickle.loads(packed))


def task(packed: bytes, settings: list[Parameters]) -> list[int]:
    """What one worker does: some settings over all trials, which are sent along."""
    return [int(_batch(packed).run(each).observed.sum()) for each in settings]


def sweep(packed: bytes, executor: Executor | None) -> list[int]:
    """All settings, shared out among the workers of an executor, or in this process."""
    shares = [SETTINGS[start::TASKS] for start in range(TASKS)]
    done = (executor.map if executor else map)(task, [packed] * TASKS, shares)
    return [count for counts in done for count in counts]


def over_cores() -> Sheet:
    """60 settings over all trials, on one core and on all."""
    cores, trials = os.cpu_count() or 1, stimuli()
    packed = pickle.dumps(trials)
    with ProcessPoolExecutor(cores, get_context("spawn")) as executor:
        if sweep(packed, None) != sweep(packed, executor):
            raise AssertionError("the workers count something else")
        works = {"1": lambda: sweep(packed, None)}
        if cores > 1:
            works[str(cores)] = lambda: sweep(packed, executor)
        times = best(works, 5, "cores")
    runs = len(SETTINGS) * len(trials)
    sheet = Sheet(
        "cores",
        f"{len(SETTINGS)} settings × {len(trials)} trials × 4 observers",
        ("workers", "s", "trials/s", "times one worker"),
        note=f"Workers that run already; their results are the same. {machine()}",
    )
    for workers, took in times.items():
        sheet.add(workers, number(took), number(runs / took), number(times["1"] / took))
    return sheet
