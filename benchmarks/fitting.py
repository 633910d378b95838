"""Fits of single people and selection among observers, on one core."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.measuring import machine, number
from benchmarks.sheets import Sheet
from onlooker.experiments.stimuli import stimuli
from onlooker.fitting import bms
from onlooker.fitting.models import fit_models, model_of
from onlooker.fitting.recovery import make_people
from onlooker.observers import OBSERVERS

PEOPLE, TRIALS = 80, 10
FREE = ["temperature", "lapse", "bias"]


def fitting() -> Sheet:
    """Everybody's evidence and cross-validation on the full grid, and exact selection."""
    sheet = Sheet(
        "fitting",
        "Fits of single people",
        ("work", "s"),
        note=(
            f"One core. {PEOPLE} simulated participants, {TRIALS} trials each, {len(OBSERVERS)}"
            f" observers, 31 nodes for each of the free parameters. {machine()}"
        ),
    )
    for experiment in (1, 3):
        trials = stimuli(experiment)
        made = make_people(model_of("rational_mentalizing", free=FREE), trials, PEOPLE, TRIALS, 1)
        for free in (FREE[:2], FREE):
            models = [model_of(name, free=free) for name in OBSERVERS]
            begin = time.perf_counter()
            fitted = fit_models(made.plays, trials, models)
            took = time.perf_counter() - begin
            names = ", ".join(free)
            sheet.add(f"Experiment {experiment}, free: {names}", number(took))
    evidence = np.array([[fit.log_evidence for fit in one.fits] for one in fitted]).T
    for models_count, values in ((4, evidence), (2, evidence[:, :2])):
        begin = time.perf_counter()
        bms(values)
        took = time.perf_counter() - begin
        sheet.add(f"exact selection, {PEOPLE} people, {models_count} models", number(took))
    begin = time.perf_counter()
    bms(np.random.default_rng(1).normal(-40, 3, (PEOPLE, 4)))
    took = time.perf_counter() - begin
    sheet.add(f"the same for evidence that decides little, {PEOPLE} people, 4 models", number(took))
    return sheet
