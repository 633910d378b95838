"""A small simulated study on maps of the examples, for tests of fits."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from onlooker.experiments.psych_ds import Dataset, Description, dataset_of
from onlooker.experiments.records import Records
from onlooker.experiments.simulation import simulate
from onlooker.game import Trial, load_trial
from onlooker.inference import Parameters
from onlooker.observers import find_observer
from running import ROOT

NAMES = ("early-turn", "two-experts", "expert-and-novice")
SIMULATED = Description("a study", "made up for a test", simulated=True)


def trials() -> list[Trial]:
    found = [load_trial(ROOT / "examples" / f"{name}.map") for name in NAMES]
    return [
        replace(trial, experiment=3, name=name) for trial, name in zip(found, NAMES, strict=True)
    ]


@cache  # nobody changes them
def records(participants: int = 4, observer: str = "rational_mentalizing") -> Records:
    return simulate(
        3,
        trials(),
        [list(NAMES), list(reversed(NAMES))],
        find_observer(observer),
        participants,
        Parameters(temperature=2.0, lapse=0.05),
        "softmax",
        seed=5,
    )


@cache
def dataset(participants: int = 4) -> Dataset:
    return dataset_of(records(participants).tables(), SIMULATED)
