"""Which trials are shown as examples."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from onlooker.analysis.figures.plate import Study
from onlooker.analysis.scopes import TRIAL
from onlooker.experiments.layout import too_alike
from onlooker.game import Trial

COLUMNS = [*TRIAL, "spread"]


def choose_trials(study: Study, trials: Sequence[Trial], each: int = 2) -> pd.DataFrame:
    """The trials of each experiment about which the observers disagree most, a row each.

    A trial's spread is the standard deviation (1/n) of the observers' predicted observation steps,
    summed over its NPCs. Only complete trials count: their map is given, every observer of the
    experiment predicts them, and people's mean is known for every NPC. A trial whose map is too
    alike one already taken is passed over; among equals the first by name is taken.
    """
    known = maps_of(trials)
    ranked = spreads(study).sort_values(["spread", "level"], ascending=[False, True])
    chosen: list[dict[str, object]] = []
    for number in study.experiments:
        taken: list[Trial] = []
        for row in ranked[ranked["experiment"] == number].to_dict("records"):
            trial = known.get((number, row["level"]))
            if trial is None or any(too_alike(trial.map, other.map) for other in taken):
                continue
            taken.append(trial)
            chosen.append({str(name): value for name, value in row.items()})
            if len(taken) == each:
                break
    return pd.DataFrame(chosen, columns=COLUMNS)


def maps_of(trials: Sequence[Trial]) -> dict[tuple[int | str | None, str], Trial]:
    """Trials by experiment and name, without tutorials."""
    return {(trial.experiment, trial.label): trial for trial in trials if not trial.tutorial}


def spreads(study: Study) -> pd.DataFrame:
    """How far the observers' predictions lie apart, for each complete trial."""
    pairs = study.pairs
    observers = pairs.groupby("experiment")["observer"].transform("nunique")
    there = pairs.groupby(TRIAL)["observer"].transform("nunique")
    gaps = pairs["human_observed"].isna().groupby([pairs[name] for name in TRIAL]).transform("any")
    complete = pairs[(there == observers) & ~gaps]
    of_npc = complete.groupby([*TRIAL, "agent"])["model_observed"].std(ddof=0)
    return of_npc.groupby(level=TRIAL).sum().rename("spread").reset_index()
