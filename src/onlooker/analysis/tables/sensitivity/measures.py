"""How predictions, and their fit to people, change with the parameters and the readings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from onlooker.analysis.data.human import KEY, HumanBehaviour
from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.data.words import Source, number
from onlooker.analysis.tables.sensitivity.design import SobolDesign, one_at_a_time, sobol_design
from onlooker.analysis.tables.sensitivity.indices import INTERVALS, METHOD, RESAMPLES, sobol_indices
from onlooker.experiments.naming import in_order
from onlooker.experiments.tables import write_frame
from onlooker.game import ExperimentName
from onlooker.inference import Parameters
from onlooker.support.arrays import BoolArray, FloatArray, pearson
from onlooker.support.files import json_text, write_file

MEASURES = ("mean_observed", "differ", "share_differ", "r_default", "r_human")
INDEXED = ("mean_observed", "share_differ", "r_human")  # what indices are given of
LABELS = ["experiment", "level", "observer", "agent", "expertise"]


@dataclass(frozen=True)
class StepCounts:
    """Steps watched under many settings, of each NPC of each trial by each observer."""

    settings: tuple[Parameters, ...]
    rows: pd.DataFrame  # LABELS of what was counted; `experiment` is a number, a name or None
    observed: NDArray[np.int32] | NDArray[np.float64]  # (settings, rows): counts, or expected ones

    @cached_property
    def places(self) -> dict[Parameters, int]:
        """Where each setting stands."""
        return {setting: place for place, setting in enumerate(self.settings)}

    def part(self, observer: str, experiment: ExperimentName) -> BoolArray:
        """Which rows are an observer's in an experiment, or in all of them together."""
        mine = self.rows["observer"] == observer
        if experiment != POOLED:
            mine &= self.rows["experiment"] == experiment
        return mine.to_numpy()

    @property
    def scopes(self) -> list[tuple[str, ExperimentName]]:
        """Observers and experiments: numbers, then names, and all together last."""
        observers = list(dict.fromkeys(self.rows["observer"]))
        named = {each for each in self.rows["experiment"] if not pd.isna(each)}
        ordered = in_order(named)
        return [(who, each) for who in observers for each in (*ordered, POOLED)]


Run = Callable[[Sequence[Parameters]], StepCounts]  # the observers under some settings


@dataclass(frozen=True)
class Sensitivity:
    """What was found."""

    base: Parameters
    source: Source | None  # whose means r is with
    curves: pd.DataFrame  # parameter × value × observer × experiment: MEASURES
    summary: pd.DataFrame  # parameter × observer: how far MEASURES move
    indices: pd.DataFrame | None = None  # measure × observer × experiment × parameter
    samples: int = 0

    @property
    def where(self) -> str:
        """The experiments that there are people's means of, in words."""
        fitted = self.curves[self.curves["n_human"] > 0]
        numbers = [each for each in dict.fromkeys(fitted["experiment"]) if each != POOLED]
        if not numbers:
            return "none"
        return f"Experiment{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"

    @property
    def others(self) -> str:
        """Where the parameters are that are not changed, in words."""
        default = asdict(type(self.base)())
        changed = [f"{name}={v}" for name, v in asdict(self.base).items() if v != default[name]]
        if not changed:
            return "at their defaults"
        return f"at the base (the defaults with {', '.join(changed)})"

    @property
    def start(self) -> str:
        """What the setting is called that the curves go out from."""
        return "default" if self.base == type(self.base)() else "base"

    @property
    def at_start(self) -> str:
        """At that setting, in words."""
        return "at the defaults" if self.base == type(self.base)() else "at the base"

    @property
    def names(self) -> list[str]:
        """The parameters that were varied."""
        return list(dict.fromkeys(self.curves["parameter"]))

    @property
    def options(self) -> list[str]:
        """Those of them that are words."""
        return [name for name in self.names if self.base.declared()[name].words]

    @property
    def observers(self) -> list[str]:
        """Whose predictions they are."""
        return list(dict.fromkeys(self.curves["observer"]))


def sensitivity(
    run: Run,
    base: Parameters,
    human: HumanBehaviour | None = None,
    samples: int = 0,
    seed: int = 0,
    more: Sequence[str] = (),
    only: Sequence[str] = (),
) -> Sensitivity:
    """The curves that go out from a setting and, with samples, the indices.

    `run` is called once, with all settings that are needed. `more` are the parameters beyond the
    paper's that are varied too; `only` names those of all of them whose curves are wanted.
    """
    points = [p for p in one_at_a_time(base, more) if not only or p.parameter in only]
    design = sobol_design(samples, seed, more, type(base)) if samples else None
    settings = [base, *(point.setting for point in points), *(design.settings if design else ())]
    counts = run(list(dict.fromkeys(settings)))
    people = _people(counts, human)
    places = [counts.places[point.setting] for point in points]
    labels = pd.DataFrame(
        {
            "parameter": [point.parameter for point in points],
            "value": [point.value for point in points],
            "default": [point.setting == base for point in points],
        }
    ).astype({"value": object})
    curves = pd.concat(
        labels.assign(observer=observer, experiment=experiment, n=int(part.sum()), **found)
        for observer, experiment, part, found in _measured(counts, base, places, people)
    ).reset_index(drop=True)
    indices = None
    if design is not None:
        names = list(dict.fromkeys(point.parameter for point in points))
        indices = pd.DataFrame(_indices(counts, base, design, names, people, seed))
    return Sensitivity(
        base=base,
        source=human.source if human else None,
        curves=curves,
        summary=_summary(curves),
        indices=indices,
        samples=samples,
    )


def _people(counts: StepCounts, human: HumanBehaviour | None) -> FloatArray:
    """People's mean for each row; NaN where there is none."""
    if human is None:
        return np.full(len(counts.rows), np.nan)
    means = human.means.set_index(KEY)["observed"].to_dict()
    keys = counts.rows[KEY].itertuples(index=False, name=None)
    return np.array([means.get(key, np.nan) for key in keys], dtype=float)


def _measured(
    counts: StepCounts, base: Parameters, places: Sequence[int], people: FloatArray
) -> Iterator[tuple[str, int | str, BoolArray, dict[str, FloatArray]]]:
    """MEASURES under some settings, for each observer and experiment."""
    base_place = counts.places[base]
    for observer, experiment in counts.scopes:
        part = counts.part(observer, experiment)
        steps = counts.observed[np.ix_(np.asarray(places), np.flatnonzero(part))].astype(float)
        default = counts.observed[base_place, part].astype(float)
        known = ~np.isnan(people[part])
        differ = (steps != default).sum(axis=1)
        yield (
            observer,
            experiment,
            part,
            {
                "mean_observed": steps.mean(axis=1),
                "differ": differ,
                "share_differ": differ / part.sum(),
                "r_default": pearson(steps, default),
                "n_human": np.full(len(places), known.sum()),
                "r_human": pearson(steps[:, known], people[part][known]),
            },
        )


def _summary(curves: pd.DataFrame) -> pd.DataFrame:
    """How far each parameter alone moves each observer, over all experiments."""
    rows = []
    pooled = curves[curves["experiment"] == POOLED]
    for (parameter, observer), mine in pooled.groupby(["parameter", "observer"], sort=False):
        at_base = mine[mine["default"]].iloc[0]
        values = mine["value"].tolist()
        words = ", ".join(values) if isinstance(values[0], str) else ""
        row: dict[str, Any] = {
            "parameter": parameter,
            "tried": words or f"{values[0]:g} to {values[-1]:g}",
            "observer": observer,
            "n": at_base["n"],
            "differ_most": mine["differ"].max(),
        }
        for name in ("mean_observed", "r_default", "r_human"):
            row |= {f"{name}_low": mine[name].min(), f"{name}_high": mine[name].max()}
        rows.append(row | {name: at_base[name] for name in ("mean_observed", "r_human")})
    return pd.DataFrame(rows)


def _indices(
    counts: StepCounts,
    base: Parameters,
    design: SobolDesign,
    names: Sequence[str],
    people: FloatArray,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """The indices of each parameter for each measure, observer and experiment."""
    places = [counts.places[setting] for setting in design.settings]
    samples = len(design.a)
    for observer, experiment, _, found in _measured(counts, base, places, people):
        for measure in INDEXED:
            if measure == "r_human" and not found["n_human"].any():
                continue
            lacking = int(np.isnan(found[measure]).sum())
            # Where an observer does the same everywhere, its counts say nothing about people's.
            values = np.nan_to_num(found[measure], nan=0.0)
            label = {"measure": measure, "observer": observer, "experiment": experiment}
            a, b, *mixed = values.reshape(len(names) + 2, samples)
            still = np.ptp(values[: 2 * samples]) == 0
            reason = f"it is always {number(values[0])}" if still else ""
            for name, each in zip(names, sobol_indices(a, b, mixed, seed=seed), strict=True):
                shares = asdict(each) if not reason else dict.fromkeys(asdict(each), np.nan)
                row: dict[str, Any] = label | {"parameter": name} | shares
                row |= {"samples": samples, "method": METHOD, "intervals": INTERVALS}
                row |= {"resamples": RESAMPLES, "seed": seed}
                yield row | {"r_taken_as_0": lacking, "reason": reason}


def write_sensitivity(found: Sensitivity, folder: Path) -> None:
    """Write the tables as CSV, and the setting that the curves go out from."""
    tables = {"curves": found.curves, "summary": found.summary, "indices": found.indices}
    for name, table in tables.items():
        if table is not None:
            write_frame(folder / f"sensitivity-{name}.csv", table)
    write_file(folder / "sensitivity-base.json", json_text(asdict(found.base)))
