"""The same settings on one core and on all of them."""

from __future__ import annotations

import os
import pickle
from functools import lru_cache

import joblib
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


def sweep(packed: bytes, workers: int) -> list[int]:
    """All settings, shared out among so many workers."""
    shares = [SETTINGS[start::TASKS] for start in range(TASKS)]
    done = joblib.Parallel(n_jobs=workers, batch_size=1)(
        joblib.delayed(task)(packed, share) for share in shares
    )
    return [count for counts in done for count in counts]


def over_cores() -> Sheet:
    """60 settings over all trials, on one core and on all."""
    cores, trials = os.cpu_count() or 1, stimuli()
    packed = pickle.dumps(trials)
    if sweep(packed, 1) != sweep(packed, cores):
        raise AssertionError("the workers count something else")
    works = {str(n): (lambda n=n: sweep(packed, n)) for n in dict.fromkeys((1, cores))}
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
