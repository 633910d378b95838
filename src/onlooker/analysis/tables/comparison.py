"""People against observers: how well each prediction fits, and what the data does not show.

Every table says which data it is of, human or simulated. A value that cannot be computed stays
empty: `needs` names the data that would fill it, `reason` why a statistic has no value.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis import DataError
from onlooker.analysis.data.human import KEY, NEEDS_PARTICIPANTS, HumanBehaviour
from onlooker.analysis.data.reported import REPORTED_SAMPLES, Reported, find_reported
from onlooker.analysis.data.resampling import PeopleDraws, Resampler
from onlooker.analysis.data.scopes import MEASURES, TRIAL, Measure, Scope, one_row_per_unit, scopes
from onlooker.analysis.data.statistics import (
    CI_METHOD,
    Fit,
    Pairs,
    band,
    fit,
    interval,
)
from onlooker.analysis.data.words import Source
from onlooker.analysis.tables.reliability import (
    METHOD,
    SPLITS,
    ceiling,
    disagreeing,
    reliability_table,
)
from onlooker.experiments.archive import MAPS
from onlooker.experiments.archive.map import level_name
from onlooker.experiments.exclusion import COLUMNS as EXCLUSION_COLUMNS
from onlooker.experiments.exclusion import sample_table
from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.experiments.naming import EXPECTED, in_order, is_name
from onlooker.experiments.predictions import COLUMNS, Prediction, prediction_values
from onlooker.experiments.tables import experiment_order
from onlooker.experiments.variants import Variant
from onlooker.support.problems import Problem

RESAMPLES = 10_000
LEVELS = {  # all trials of the paper
    (number, level_name(number, name, scenario))
    for number, names in MAPS.items()
    for name in names
    for scenario in range(1, PAPER_EXPERIMENTS[number].scenarios + 1)
}
GRID = 50  # points of a band
TABLES = ("fits", "slopes", "bands", "reliability", "sample", "exclusions")  # of a Comparison
SAMPLE = ["experiment", "began", "completed", "excluded", "kept"]
SAMPLE += ["age_known", "age_mean", "age_sd", "gender"]
OBSERVER = ["observer", "variant"]  # a variant's label, and the variant itself
FIT_VALUES = [name for name in Fit.__dataclass_fields__ if name not in ("n", "maps", "reason")]


class Standing(Enum):
    """Whose trials and people data is of, so far as the paper's values are concerned."""

    PAPER = "the paper's own trials and people"
    NEW_PEOPLE = "other people, or not all of the paper's, on its trials"
    OTHER = "other trials, or no people"


@dataclass(frozen=True, slots=True)
class Comparison:
    """All tables of a comparison."""

    source: Source
    resampler: Resampler
    splits: int
    fits: pd.DataFrame  # measure × experiment × NPC × observer
    slopes: pd.DataFrame  # observation cost on execution cost: experiment × who
    bands: pd.DataFrame  # the lines of `slopes`, point by point
    reliability: pd.DataFrame  # measure × experiment × NPC
    sample: pd.DataFrame  # experiment
    exclusions: pd.DataFrame  # participant
    notes: tuple[str, ...]
    variants: Mapping[str, Variant]  # the observers, by the labels that the tables have
    trials_of_paper: bool = False
    standing: Standing = Standing.OTHER

    @property
    def seed(self) -> int:
        """The seed of the resamples and of the random splits."""
        return self.resampler.seed

    @property
    def resamples(self) -> int:
        """How many resamples intervals are made of."""
        return self.resampler.resamples

    @property
    def data(self) -> str:
        """What the tables say that they are of."""
        return self.source.data

    @property
    def people(self) -> str:
        """What those are called whose data it is."""
        return self.source.people

    def titles(self) -> dict[str, str]:
        """What pages call those whom the tables name."""
        return {label: variant.title for label, variant in self.variants.items()}

    def _repr_html_(self) -> str:
        """How well each observer fits, for notebooks; `fits` has the intervals."""
        shown = ["measure", "experiment", "npc", "role", "observer", "n", "r", "ccc", "rmse"]
        table = self.fits[shown]
        return f"<p>Observers beside {self.people}</p>{table.round(2).to_html(index=False)}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, with None for what is empty."""
        plain: dict[str, Any] = {
            "data": self.data,
            "seed": self.seed,
            "resamples": self.resamples,
            "ci_method": self.resampler.method,
            "splits": self.splits,
            "reliability_method": METHOD,
            "notes": list(self.notes),
        }
        for name in TABLES:
            frame: pd.DataFrame = getattr(self, name)
            values = frame.astype(object).where(frame.notna(), None)
            plain[name] = values.to_dict("records")
        return plain


def predictions_frame(rows: Iterable[Prediction]) -> pd.DataFrame:
    """Predictions as a table, with `total_steps` of each trial.

    Rows that are of no experiment cannot be compared and are left out with a warning.
    """
    every = list(rows)
    named = [row for row in every if is_name(row.experiment)]
    if not named:
        reason = f"expected an experiment in some row ({EXPECTED}); no row has one"
        raise DataError([Problem("predictions, column experiment", reason)])
    if left := len(every) - len(named):
        warnings.warn(f"{left} predictions of no experiment are left out", stacklevel=2)
    frame = pd.DataFrame([prediction_values(row) for row in named], columns=COLUMNS)
    frame = frame.astype({"experiment": object})
    frame["variant"] = pd.Series([row.variant for row in named], dtype=object)
    frame["map"] = pd.Series([row.map or row.level for row in named], dtype=object)
    watched = frame.groupby([*TRIAL, "observer"])["observed"].transform("sum")
    return frame.assign(total_steps=watched + frame["moves"] + frame["interactions"])


def paired(predictions: pd.DataFrame, human: HumanBehaviour) -> pd.DataFrame:
    """A row for each observer, level and NPC: `model_…` beside `human_…` for every measure."""
    _check_coverage(predictions, human)
    names = [*(measure.name for measure in MEASURES), "cost_execution"]
    model = predictions[[*KEY, "expertise", *OBSERVER, *names]]
    people = human.means[[*KEY, "n", *names]]
    both = model.merge(people, on=KEY, suffixes=("_model", "_human"), validate="many_to_one")
    swap = {f"{name}_{side}": f"{side}_{name}" for name in names for side in ("model", "human")}
    both.insert(0, "data", human.source.data)
    return both.rename(columns=swap).sort_values(
        KEY, kind="stable", ignore_index=True, key=experiment_order
    )


def compare(
    predictions: pd.DataFrame,
    human: HumanBehaviour,
    *,
    seed: int = 1,
    resamples: int = RESAMPLES,
    splits: int = SPLITS,
) -> Comparison:
    """Every statistic of people against observers; see the documentation for their definitions."""
    for name, value in (("resamples", resamples), ("splits", splits)):
        if value < 2:
            raise ValueError(f"{name} must be a whole number from 2 up, not {value}")
    pairs = paired(predictions, human)
    if pairs.empty:
        raise DataError([Problem("", "people and predictions have no experiment in common")])
    keys = zip(predictions["experiment"], predictions["level"], strict=True)
    drawn = None if human.played is None else PeopleDraws(human.played, seed, resamples)
    maps = dict(zip(keys, predictions["map"], strict=True))
    resampler = Resampler(seed, resamples, maps, people=drawn)
    ceilings = reliability_table(pairs, human, seed, splits)
    slopes, bands = _slopes(predictions, human, resampler)
    keys = zip(predictions["experiment"], predictions["level"], strict=True)
    of_paper = set(keys) <= LEVELS
    exclusions = human.exclusions
    if exclusions is None:
        exclusions = pd.DataFrame(columns=list(EXCLUSION_COLUMNS))
    return Comparison(
        human.source,
        resampler,
        splits,
        _fits(pairs, human, ceilings, resampler),
        slopes,
        bands,
        ceilings,
        _sample(pairs, human),
        exclusions.assign(data=human.source.data),
        (*human.notes, *disagreeing(ceilings)),
        dict(zip(pairs["observer"], pairs["variant"], strict=True)),
        of_paper,
        _standing(human) if of_paper else Standing.OTHER,
    )


def _standing(human: HumanBehaviour) -> Standing:
    """Whether people on the paper's trials are the paper's.

    Only the authors' own file has their model's counts beside people's means. Of an import, as many
    people must be there as the paper keeps; fewer are a sample of them at best.
    """
    if human.source is not Source.HUMAN:
        return Standing.OTHER
    if human.participants is None:
        return Standing.NEW_PEOPLE if human.published is None else Standing.PAPER
    there = human.participants["experiment"].value_counts()
    papers = [(REPORTED_SAMPLES[n], count) for n, count in there.items() if n in REPORTED_SAMPLES]
    every = all(count >= paper.participants - paper.excluded for paper, count in papers)
    return Standing.PAPER if human.imported and every else Standing.NEW_PEOPLE


def _check_coverage(predictions: pd.DataFrame, human: HumanBehaviour) -> None:
    """Each observer must predict all levels and NPCs of an experiment that it predicts at all."""
    people = list(human.means[KEY].itertuples(index=False, name=None))
    problems = []
    for observer, rows in predictions.groupby("observer", sort=True):
        there = set(rows[KEY].itertuples(index=False, name=None))
        numbers = {key[0] for key in there}
        problems += [
            Problem(
                f"predictions of {observer!r}",
                f"no row for NPC {agent!r} in level {level!r} of Experiment {number}",
            )
            for number, level, agent in people
            if number in numbers and (number, level, agent) not in there
        ]
    if problems:
        raise DataError(problems)


# -- the tables ------------------------------------------------------------------------------------


def _fits(
    pairs: pd.DataFrame, human: HumanBehaviour, ceilings: pd.DataFrame, resampler: Resampler
) -> pd.DataFrame:
    rows = []
    for measure in MEASURES:
        for scope in scopes(pairs, measure):
            [limit] = scope.rows(ceilings[ceilings["measure"] == measure.name]).to_dict("records")
            part = one_row_per_unit(scope.of(pairs), measure, "observer")
            for observer, mine in part.groupby("observer", sort=False):
                row = _fit_row(mine, measure, resampler)
                found = {
                    "data": human.source.data,
                    "measure": measure.name,
                    **scope.columns(),
                    "experiments": ", ".join(map(str, in_order(mine["experiment"]))),
                    "observer": observer,
                    **row,
                    "reliability": limit["reliability"],
                    "ceiling": ceiling(limit["reliability"]),
                    "ci_method": resampler.method,
                    "resamples": resampler.resamples,
                    "seed": resampler.seed,
                    "needs": limit["needs"],
                }
                if human.source is Source.HUMAN:
                    agreed = _paper_reliability(measure, scope)
                    found |= {"paper_reliability": agreed, "paper_ceiling": ceiling(agreed)}
                    reported = {}
                    if measure.name == "observed" and _as_in_paper(scope, mine):
                        reported = _reported(scope, mine["variant"].iloc[0].observer)
                    found |= _paper_columns(found, reported)
                rows.append(found)
    return pd.DataFrame(rows)


def _fit_row(rows: pd.DataFrame, measure: Measure, resampler: Resampler) -> dict[str, Any]:
    """The statistics of one observer; where people are given one by one, they are drawn too."""
    maps = resampler.maps_of(rows)
    x, y = rows[f"model_{measure.name}"], rows[f"human_{measure.name}"]
    if y.isna().any():
        empty: dict[str, Any] = dict.fromkeys(FIT_VALUES, np.nan)
        return {"n": len(rows), "maps": len(set(maps)), **empty, "reason": ""}
    again = resampler.again(rows, y, measure.name)
    return asdict(fit(x, y, maps, resampler.weights(rows), again))


def _paper_reliability(measure: Measure, scope: Scope) -> float:
    """The paper's reliability of an experiment's observation steps; it is of all NPCs stacked."""
    sample = REPORTED_SAMPLES.get(scope.experiment)
    return sample.reliability if sample and measure.name == "observed" else np.nan


def _as_in_paper(scope: Scope, rows: pd.DataFrame) -> bool:
    """Whether the paper's statistic is of the same experiments."""
    return scope.experiment is not None or set(rows["experiment"]) == set(PAPER_EXPERIMENTS)


def _reported(scope: Scope, observer: str) -> dict[str, Reported | None]:
    return {name: find_reported(name, scope, observer) for name in ("r", "ccc")}


def _paper_columns(row: dict[str, Any], reported: Mapping[str, Reported | None]) -> dict[str, Any]:
    """What the paper reports of a row, and how far we are from it."""
    values: dict[str, Any] = {}
    for name in ("r", "ccc"):
        paper = reported.get(name)
        value, bound = (paper.value, paper.at_most) if paper else (np.nan, False)
        values |= {
            f"paper_{name}": value,
            f"paper_{name}_low": paper.low if paper and paper.low is not None else np.nan,
            f"paper_{name}_high": paper.high if paper and paper.high is not None else np.nan,
            f"paper_{name}_at_most": bound,
            f"difference_{name}": np.nan if bound else row[name] - value,
        }
    return values


def _sample(pairs: pd.DataFrame, human: HumanBehaviour) -> pd.DataFrame:
    """The participants of each experiment that is compared."""
    numbers = in_order(pairs["experiment"])
    table, needs = pd.DataFrame({"experiment": numbers}), NEEDS_PARTICIPANTS
    if human.participants is not None and human.exclusions is not None:
        table, needs = sample_table(human.participants, human.exclusions), ""
    table = table[table["experiment"].isin(numbers)].reindex(columns=SAMPLE)
    table = table.assign(needs=needs, data=human.source.data)
    if human.source is Source.HUMAN:
        reported = [REPORTED_SAMPLES.get(number) for number in table["experiment"]]
        for name in ("participants", "excluded", "age_mean", "age_sd"):
            table[f"paper_{name}"] = [getattr(each, name) if each else np.nan for each in reported]
    return table.reset_index(drop=True)


# -- observation cost on execution cost ------------------------------------------------------------


def _slopes(
    predictions: pd.DataFrame, human: HumanBehaviour, resampler: Resampler
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The slope of observation cost (y) on execution cost (x) over trials, and its line's band.

    People's are over the trials that they played, the observers' over all that they predict.
    """
    rows, lines = [], []
    numbers = in_order(predictions["experiment"])
    known = human.means[human.means["experiment"].isin(numbers)]
    for scope in [*map(Scope, numbers), Scope()]:
        for who, x, y, trials in _series(scope.of(predictions), scope.of(known), human.source.data):
            label = {"data": human.source.data, "experiment": scope.columns()["experiment"]}
            label |= {"who": who, "n": len(x)}
            row = label | {"slope": np.nan, "low": np.nan, "high": np.nan, "dropped": np.nan}
            row |= {"ci_method": CI_METHOD}
            row |= {"resamples": resampler.resamples, "seed": resampler.seed}
            if x.isna().any():
                rows.append(row | {"needs": NEEDS_PARTICIPANTS, "reason": ""})
                continue
            drawn = Pairs.of(x, y, resampler.weights(trials))
            slope = float(Pairs.of(x, y).slope()[0])
            reason = f"the execution costs are all {x.iloc[0]:g}" if x.nunique() == 1 else ""
            ends = asdict(interval(drawn.slope()))
            rows.append(row | ends | {"slope": slope, "needs": "", "reason": reason})
            lines.append(_line(label, x, y, drawn))
    return pd.DataFrame(rows), pd.concat(lines, ignore_index=True)


def _series(
    predictions: pd.DataFrame, people: pd.DataFrame, word: str
) -> Iterator[tuple[str, pd.Series, pd.Series, pd.DataFrame]]:
    """Who, their execution costs, their observation costs, and the trials: people come first."""
    every = [(word, people)] if len(people) else []
    every += [(str(name), rows) for name, rows in predictions.groupby("observer", sort=False)]
    for who, rows in every:
        trials = rows.drop_duplicates(TRIAL)
        execution = trials["cost_execution"]
        yield who, execution, trials["cost_total"] - execution, trials


def _line(label: dict[str, Any], x: pd.Series, y: pd.Series, drawn: Pairs) -> pd.DataFrame:
    """The fitted line and its band over the range of x."""
    grid = np.linspace(x.min(), x.max(), GRID)
    low, high = band(drawn.line(grid))
    points = {"x": grid, "y": Pairs.of(x, y).line(grid)[0], "low": low, "high": high}
    return pd.DataFrame(points).assign(**label)[[*label, *points]]
