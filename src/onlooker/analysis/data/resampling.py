"""Resamples of maps: the same for the same maps, whatever is computed from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from onlooker.analysis.data.scopes import TRIAL
from onlooker.analysis.data.statistics import (
    CI_METHOD,
    CI_WITH_PEOPLE,
    LEAST_MAPS,
    Interval,
    Pairs,
    interval,
    seed_sequence,
    stimulus_weights,
)
from onlooker.experiments.naming import in_order
from onlooker.support.arrays import FloatArray

STATISTICS: dict[str, Callable[[Pairs], FloatArray]] = {
    "r": Pairs.pearson,
    "ccc": Pairs.ccc,
    "rmse": Pairs.rmse,
}


@dataclass(frozen=True)
class Resampler:
    """Draws base maps with all their trials and NPCs, as scenarios of a map are not independent.

    The random numbers depend on the seed and the maps only. So the same data has the same interval
    under any name, and models of the same maps can be compared resample by resample.
    """

    seed: int
    resamples: int
    # The base map of a trial, by experiment and level; one that is not here is a map of its own.
    maps: Mapping[tuple[int, str], str] = field(default_factory=dict)
    least: int = LEAST_MAPS  # maps of which there are resamples
    people: PeopleDraws | None = None  # where participants are given one by one

    @property
    def method(self) -> str:
        """What is drawn."""
        return CI_METHOD if self.people is None else CI_WITH_PEOPLE

    def maps_of(self, rows: pd.DataFrame) -> list[str]:
        """Which base map each row is of."""
        trials = zip(rows["experiment"], rows["level"], strict=True)
        return [f"{number}/{self.maps.get((number, level), level)}" for number, level in trials]

    def too_few(self, rows: pd.DataFrame) -> bool:
        """Whether rows are of too few maps for an interval."""
        return len(set(self.maps_of(rows))) < self.least

    def weights(self, rows: pd.DataFrame) -> FloatArray:
        """How often each row counts in each resample; none of too few maps.

        Intervals of fewer maps would be too short: a 95 % interval of a mean holds it in 90 % of
        cases with ten maps, in 82 % with five and in 74 % with three.
        """
        if self.too_few(rows):
            return np.empty((0, len(rows)))
        maps = self.maps_of(rows)
        names = sorted(set(maps))
        place = {name: index for index, name in enumerate(names)}
        counts = _counts(tuple(names), self.seed, self.resamples)
        return counts[:, [place[name] for name in maps]].astype(float)

    def again(
        self, rows: pd.DataFrame, values: pd.Series, measure: str = "observed"
    ) -> FloatArray | pd.Series:
        """People's values of a measure in rows of NPCs; drawn again in each resample if possible.

        Else intervals of means would be too short, as people differ in how much they watch.
        """
        if self.people is None or self.too_few(rows):
            return values
        return self.people.means(rows, measure)

    def again_in_trials(
        self, trials: pd.DataFrame, rows: pd.DataFrame, measure: str = "observed"
    ) -> FloatArray:
        """The same, summed over the rows of each trial."""
        mine = rows.merge(trials[TRIAL], on=TRIAL)
        keys = list(trials[TRIAL].itertuples(index=False, name=None))
        place = {key: index for index, key in enumerate(keys)}
        member = np.zeros((len(mine), len(keys)))
        of = [place[key] for key in mine[TRIAL].itertuples(index=False, name=None)]
        member[range(len(mine)), of] = 1
        return np.asarray(self.again(mine, mine[f"human_{measure}"], measure)) @ member

    def mean(
        self, rows: pd.DataFrame, values: pd.Series, again: ArrayLike | None = None
    ) -> tuple[float, Interval]:
        """The mean of values of rows of trials, and its interval; `again` has them as redrawn."""
        drawn = Pairs.of(
            np.zeros(len(values)), values if again is None else again, self.weights(rows)
        )
        return float(values.mean()), interval(-drawn.mean_difference())


@lru_cache(maxsize=32)  # many statistics are of the same trials
def _counts(names: tuple[str, ...], seed: int, resamples: int) -> NDArray[np.uint16]:
    """How often each stimulus is drawn in each resample."""
    seeds = seed_sequence(seed, "bootstrap", *names)
    return stimulus_weights(names, resamples, seeds).astype(np.uint16)


class PeopleDraws:
    """People's means when participants are drawn again, for as many resamples as maps are."""

    def __init__(self, played: pd.DataFrame, seed: int, resamples: int) -> None:
        self.played, self.seed, self.resamples = played, seed, resamples
        self.known: dict[tuple[int, str], tuple[FloatArray, dict[tuple[str, str], int]]] = {}

    def means(self, rows: pd.DataFrame, measure: str) -> FloatArray:
        """The mean of each row's level and NPC in each resample: (resamples, rows)."""
        found = np.empty((self.resamples, len(rows)))
        cells = list(zip(rows["experiment"], rows["level"], rows["agent"], strict=True))
        for number in in_order(rows["experiment"]):
            here = [index for index, cell in enumerate(cells) if cell[0] == number]
            values, places = self._experiment(number, measure)
            found[:, here] = values[:, [places[cells[index][1:]] for index in here]]
        return found

    def _experiment(
        self, number: int, measure: str
    ) -> tuple[FloatArray, dict[tuple[str, str], int]]:
        """The means of all cells of an experiment; one that nobody drawn has seen keeps its own."""
        if (number, measure) not in self.known:
            played = self.played[self.played["experiment"] == number]
            table = played.pivot_table(
                index="participant", columns=["level", "agent"], values=measure, sort=True
            )
            seeds = seed_sequence(self.seed, "people", *map(str, table.index))
            shares = np.full(len(table), 1 / len(table))
            rng = np.random.default_rng(seeds)
            times = rng.multinomial(len(table), shares, size=self.resamples).astype(float)
            seen = table.notna().to_numpy(dtype=float)
            count = times @ seen
            means = np.tile(table.mean().to_numpy(dtype=float), (self.resamples, 1))
            np.divide(times @ table.fillna(0).to_numpy(float), count, out=means, where=count > 0)
            names: list[Any] = table.columns.tolist()
            places = {cell: index for index, cell in enumerate(names)}
            self.known[number, measure] = means, places
        return self.known[number, measure]


def bootstrap_statistics(
    x: ArrayLike, y: ArrayLike, weights: FloatArray, again: ArrayLike | None = None
) -> dict[str, FloatArray]:
    """Each statistic of predictions x against y: of the data as it is, then of each resample.

    `again` has y as it is drawn again in each resample, if it is.
    """
    whole, parts = Pairs.of(x, y), Pairs.of(x, y if again is None else again, weights)
    return {
        name: np.concatenate([compute(whole), compute(parts)])
        for name, compute in STATISTICS.items()
    }


def with_intervals(found: Mapping[str, FloatArray], *names: str) -> dict[str, float]:
    """Statistics that were drawn, with their intervals; all of them if none is named."""
    values: dict[str, float] = {}
    for name in names or found:
        ends = interval(found[name][1:])
        values |= {name: float(found[name][0]), f"{name}_low": ends.low, f"{name}_high": ends.high}
    return values


def paired_difference(one: FloatArray, other: FloatArray) -> dict[str, float]:
    """The difference of two statistics that were drawn in the same way, with its interval."""
    here, *_ = gaps = one - other
    ends = interval(gaps[1:])
    values = {"difference": float(here), "low": ends.low, "high": ends.high}
    return {name: round(value, 12) + 0.0 for name, value in values.items()}  # no rounding noise
