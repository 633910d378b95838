"""What players are measured by in each trial: the ideal observer and Rational Mentalizing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from onlooker.experiments.regret import REFUSED
from onlooker.game import Trial
from onlooker.inference import Parameters
from onlooker.observers import Batch, Engine, IdealObserver

MODEL = "rational_mentalizing"
KEY = ["experiment", "level"]


def marks_of(
    trials: Sequence[Trial], parameters: Parameters, progress: Iterable[Trial] | None = None
) -> pd.DataFrame:
    """A row per trial and NPC: `model`, the steps that Rational Mentalizing watches of it.

    `ideal_cost` and `ideal_observed` are of the trial as a whole; they are empty where the ideal
    observer refused it, and `reason` says why.
    """
    counts = Batch(trials).run(parameters, [MODEL]).observed[:, 0].tolist()
    rows = []
    for trial, observed in zip(progress or trials, counts, strict=True):
        try:
            ideal = IdealObserver().run(Engine(trial, parameters, warn=False))
            of_ideal: tuple[object, ...] = (ideal.cost, sum(ideal.observed), "")
        except REFUSED as error:
            of_ideal = (None, None, str(error))
        for npc, steps in zip(trial.npcs, observed, strict=False):
            label = (trial.experiment, trial.label, npc.id, str(npc.expertise))
            rows.append((*label, steps, *of_ideal))
    columns = [*KEY, "agent", "expertise", "model", "ideal_cost", "ideal_observed", "reason"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.astype({"model": float, "ideal_cost": float, "ideal_observed": float})
