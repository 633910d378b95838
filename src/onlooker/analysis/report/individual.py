"""Single people in a reproduction: fits, selection, and whether made-up people are recognised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pandas as pd

from onlooker.analysis.data.words import Source
from onlooker.analysis.figures.fitting import fitting_plates
from onlooker.analysis.figures.logs import parameters_plate
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.recovery import recovery_plates
from onlooker.experiments.naming import by_experiment, in_order
from onlooker.experiments.psych_ds import Dataset
from onlooker.fitting.comparing import IndividualComparison, compare_people
from onlooker.fitting.folders import Fits
from onlooker.fitting.heterogeneity import heterogeneity, person_rows
from onlooker.fitting.models import Model, fit_models, model_of
from onlooker.fitting.plays import Play, read_plays
from onlooker.fitting.recovery import Recovery, make_people, recover
from onlooker.fitting.study import fit_study
from onlooker.game import ExperimentName, Trial
from onlooker.inference.errors import TooLargeError
from onlooker.inference.parameters import Parameters
from onlooker.observers import OBSERVERS

MIXED = {  # people of a made-up study by the observer that made them
    "rational_mentalizing": 8,
    "mentalizing_observer": 4,
    "rational_observer": 4,
    "naive_observer": 4,
}
EXPERIMENT = 3  # where they play, if there are trials of it
RECOVERED = 20  # people made by each observer for a small recovery
MORE_RECOVERED = 100
GRADED_NODES = 21  # of the grid for each of its three parameters


@dataclass(frozen=True)
class Individual:
    """What fits of single people found."""

    fits: Fits
    compared: IndividualComparison
    recovery: Recovery
    recognised: pd.DataFrame | None  # made by × taken for, where people were made up
    plates: Sequence[Plate]
    lead: str
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    late: bool = False  # choices after the first action count, too
    spread: pd.DataFrame | None = None  # how much people differ in the parameters of graded choices


def fit_mixture(trials: Sequence[Trial], parameters: Parameters, seed: int) -> Individual:
    """Make people by several observers, fit all observers to them, and see who is recognised."""
    number, group = _chosen(trials)
    models = _models(parameters)
    length = 10
    plays: list[Play] = []
    for model in models:
        count = MIXED[model.observer.name]
        plays += make_people(model, group, count, length, seed).plays
    fits = fit_study(plays, group, models, "simulated")
    lead = (
        f"{sum(MIXED.values())} simulated participants of Experiment {number},"
        f" {length} trials each, some of them made by an ablation. Their parameters are drawn from"
        " the priors below."
    )
    return _individual(fits, group, models, seed, False, lead, recognised(fits))


def fit_dataset(
    dataset: Dataset,
    trials: Sequence[Trial],
    parameters: Parameters,
    seed: int,
    full: bool = False,
    late: bool = False,
) -> Individual:
    """Fit all observers to the participants of a study; with `late`, to their later choices too."""
    models = _models(parameters)
    known = {trial.experiment for trial in trials}
    there = set(dataset.tables["trials"]["experiment"]) & known
    plays = [
        play for name in in_order(there) for play in read_plays(dataset, trials, name, late=late)
    ]
    word = "simulated" if dataset.description.simulated else "human"
    fits = fit_study(plays, trials, models, word)
    fits = replace(fits, about={**fits.about, "players": dataset.description.players, "late": late})
    people = len({play.participant for play in plays})
    lead = f"{people} participants, {len(plays)} trials."
    lead += " Choices after the first action of a trial count, too." * late
    _, group = _chosen(trials)
    found = replace(_individual(fits, group, models, seed, full, lead, None), late=late)
    return _with_spread(found, plays, trials, parameters, fits)


def _with_spread(
    found: Individual,
    plays: Sequence[Play],
    trials: Sequence[Trial],
    parameters: Parameters,
    fits: Fits,
) -> Individual:
    """The same with everybody's parameters of Graded Mentalizing, where it can be fitted."""
    model = model_of("graded_mentalizing", settings=[parameters])
    try:
        [fitted] = fit_models(plays, trials, [model], GRADED_NODES)
    except TooLargeError:
        return found
    people, spread = person_rows(fitted), heterogeneity(fitted)
    players = bool(fits.about.get("players"))
    source = Source.of(simulated=fits.data == "simulated", players=players)
    return replace(
        found,
        spread=spread,
        plates=[*found.plates, parameters_plate(people, spread, source)],
        tables={**found.tables, "graded": people, "graded-spread": spread},
    )


def _models(parameters: Parameters) -> list[Model]:
    return [model_of(name, settings=[parameters]) for name in OBSERVERS]


def _chosen(trials: Sequence[Trial]) -> tuple[ExperimentName, list[Trial]]:
    """The trials of the experiment on which people are made up."""
    groups = by_experiment(trials)
    number = EXPERIMENT if EXPERIMENT in groups else next(iter(groups))
    return number, groups[number]


def _individual(
    fits: Fits,
    group: Sequence[Trial],
    models: Sequence[Model],
    seed: int,
    full: bool,
    lead: str,
    recognised_as: pd.DataFrame | None,
) -> Individual:
    compared = compare_people(fits)
    count = MORE_RECOVERED if full else RECOVERED
    recovery = recover(models, group, count, seed=seed + 1, confuse=True)
    plates = [*fitting_plates(fits, compared), *recovery_plates(recovery.tables)]
    tables = {**fits.tables, **compared.tables, **recovery.tables}
    if recognised_as is not None:
        tables["recognised"] = recognised_as
    return Individual(fits, compared, recovery, recognised_as, plates, lead, tables)


def recognised(fits: Fits) -> pd.DataFrame:
    """How many people made by each observer are best fitted by each; names say who made them."""
    table = fits.tables["fits"]
    best = table.loc[table.groupby("participant")["log_evidence"].idxmax()]
    made = best["participant"].str.rsplit("-", n=1).str[0]
    counts = pd.crosstab(made, best["observer"])
    names = [name for name in OBSERVERS if name in set(made)]
    counts = counts.reindex(index=names, columns=list(OBSERVERS), fill_value=0)
    return counts.rename_axis("made_by").reset_index()
