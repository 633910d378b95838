"""Fits of choices in a data frame, for notebooks."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from onlooker.fitting import fit_extra
from onlooker.game import Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import OBSERVERS, Observer

if TYPE_CHECKING:
    import pandas as pd

    from onlooker.fitting.folders import Fits


def fit(
    choices: pd.DataFrame | str | os.PathLike[str],
    trials: Trial | Sequence[Trial] | None = None,
    observers: Sequence[str | Observer] = tuple(OBSERVERS),
    *,
    columns: Mapping[str, str] | None = None,
    rule: str | None = None,
    free: Sequence[str] | None = None,
    fixed: Mapping[str, float] | None = None,
    priors: Mapping[str, tuple[float, float]] | None = None,
    parameters: Parameters | None = None,
    nodes: int = 31,
    everyone: bool = False,
    simulated: bool = False,
) -> Fits:
    """Observers fitted to single people's choices; `tables` of the result are data frames.

    `choices` has a row for each choice, in the order in which they were made: `participant`,
    `level` (the trial's name), `choice` (up, down, left, right, or "observe" and an NPC's id) and,
    where several experiments have a trial of that name, `experiment`. `columns` says which have
    other names, as in {"participant": "subject"}. It may also be the name of such a CSV, or the
    folder of a dataset. DataError says which columns are missing and which choices the rules of
    the game contradict. `trials` are those that were played, by default ours.

    `tables["fits"]` has a row for each participant and observer: `participant`, `experiment`,
    `observer`, each parameter with `_low`, `_high`, `_mle` and `_se`, `log_likelihood`, `aic`,
    `bic`, `log_evidence`, `cv_trial`, `prior` and more; `decisions`, `trials` and `predictive` are
    described with `onlooker fit`, which writes the same. `fitting.compare_people` selects among the
    observers. As there, the paper's filter leaves out who did not finish, unless `everyone` is
    wanted; `about["left_out"]` names them. Priors are medians and SDs, by name or
    "observer.name".

    >>> import pandas as pd
    >>> from onlooker import load_trial
    >>> trial = load_trial("examples/two-experts.map")
    >>> made = pd.read_csv("examples/choices.csv")
    >>> found = fit(made, trial, ["rational_mentalizing", "naive_observer"], nodes=9, everyone=True)
    >>> found.tables["fits"]["observer"].unique().tolist()
    ['rational_mentalizing', 'naive_observer']
    """
    with fit_extra():
        import pandas as pd

        from onlooker.experiments.importing import read_choices
        from onlooker.experiments.psych_ds import Description, dataset_of, read_dataset
        from onlooker.experiments.stimuli import stimuli
        from onlooker.fitting.folders import Fits
        from onlooker.fitting.models import model_of
        from onlooker.fitting.plays import left_out, read_plays
        from onlooker.fitting.study import fit_study
    every = stimuli() if trials is None else [trials] if isinstance(trials, Trial) else [*trials]
    settings = [parameters or Parameters()]
    models = [model_of(each, rule, free, fixed, priors, settings) for each in observers]
    if not isinstance(choices, pd.DataFrame) and Path(choices).is_dir():
        dataset = read_dataset(choices, every)
    else:
        records, _ = read_choices(choices, every, columns)
        dataset = dataset_of(records.tables(), Description("choices", "", simulated=simulated))
    plays = read_plays(dataset, every, everyone=everyone)
    data = "simulated" if dataset.description.simulated else "human"
    found = fit_study(plays, every, models, data, nodes)
    return Fits(found.tables, {**found.about, "left_out": left_out(dataset, plays)})
