"""Predictions and comparisons from data frames and to data frames, for notebooks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from onlooker.analysis import analysis_extra
from onlooker.experiments import predictions as predicting
from onlooker.game import Trial
from onlooker.inference import Parameters
from onlooker.observers import OBSERVERS, Observer

if TYPE_CHECKING:
    import pandas as pd

    from onlooker.analysis.tables.comparison import Comparison


def predict(
    trials: Trial | Sequence[Trial],
    observers: Sequence[str | Observer] = tuple(OBSERVERS),
    parameters: Parameters | None = None,
    *,
    reasons: bool = False,
) -> pd.DataFrame:
    """What observers do in trials: a row for each trial, NPC and observer.

    The columns are `experiment`, `level` (the trial's name), `observer`, `agent`, `expertise`,
    `observed` (steps watched of this NPC), `cost_observation` and, of the trial as a whole,
    `moves`, `interactions`, `cost_execution` and `cost_total`. Numbers are expectations if an
    observer chooses by chance. With `reasons` the last column says why it stopped watching.

    >>> from onlooker import load_trial
    >>> found = predict(load_trial("examples/two-experts.map"), ["rational_mentalizing"])
    >>> found[["agent", "observed", "cost_total"]].to_dict("records")[1]
    {'agent': 'agent3', 'observed': 2, 'cost_total': 58}
    """
    with analysis_extra():
        import pandas as pd
    every = [trials] if isinstance(trials, Trial) else list(trials)
    rows = predicting.predict(every, observers, parameters, reasons=reasons)
    values = [predicting.prediction_values(row) for row in rows]
    found = pd.DataFrame(values, columns=list(predicting.COLUMNS))
    if reasons:
        found[predicting.REASON] = pd.Series([row.reason for row in rows], dtype=object)
    return found


def compare(
    predictions: pd.DataFrame | str | os.PathLike[str],
    human: pd.DataFrame | str | os.PathLike[str],
    *,
    seed: int = 1,
) -> Comparison:
    """Observers beside people: `fits`, `slopes`, `reliability` and `sample` are data frames.

    `predictions` has the columns that `predict` gives. `human` has a row for each trial and NPC:
    `experiment`, `level`, `agent`, `human_mean_observed` and `n_participants`. Either may be the
    name of a CSV, and `human` the folder of a dataset. DataError says which columns are missing.

    >>> from onlooker.experiments.stimuli import stimuli
    >>> found = predict(stimuli(1), ["rational_mentalizing", "naive_observer"])
    >>> people = found[found["observer"] == "naive_observer"][["experiment", "level", "agent"]]
    >>> people = people.assign(human_mean_observed=range(20), n_participants=10)
    >>> compare(found, people).fits["observer"].unique().tolist()
    ['rational_mentalizing', 'naive_observer']
    """
    with analysis_extra():
        import pandas as pd

        from onlooker.analysis.data.human import read_human, read_means
        from onlooker.analysis.data.predictions import read_predictions
        from onlooker.analysis.tables import comparison
    levels = comparison.predictions_frame(read_predictions(predictions))
    if isinstance(human, pd.DataFrame):
        people = read_means(human, levels)
    else:
        people = read_human(human, levels)
    return comparison.compare(levels, people, seed=seed)
