"""Is the model off by a scale only? The model, a straight line on it, and graded choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.human import KEY, HumanBehaviour
from onlooker.analysis.data.resampling import (
    STATISTICS,
    Resampler,
    bootstrap_statistics,
    paired_difference,
    with_intervals,
)
from onlooker.analysis.data.scopes import experiment_scopes
from onlooker.analysis.data.statistics import Pairs
from onlooker.analysis.data.words import MODEL, Source
from onlooker.analysis.tables.comparison import paired
from onlooker.experiments.naming import in_order
from onlooker.experiments.variants import Variant
from onlooker.game import ExperimentName
from onlooker.inference import Parameters
from onlooker.observers import GradedMentalizing, RationalMentalizing
from onlooker.support.arrays import FloatArray

GRADED = GradedMentalizing.name
LINE, HELD_OUT = "straight line", "straight line, held out"
FITTED = ("temperature", "curiosity", "skip", "caution")  # of Graded Mentalizing
CONTRASTS = ((LINE, MODEL), (HELD_OUT, MODEL), (GRADED, MODEL), (GRADED, LINE), (GRADED, HELD_OUT))
TITLES = {
    MODEL: RationalMentalizing.title,
    LINE: "… recalibrated by a straight line",
    HELD_OUT: "… by a line of the other experiments",
    GRADED: GradedMentalizing.title,
}


@dataclass(frozen=True)
class Calibration:
    """How each prediction fits, the paired differences, and the lines; or why there is none."""

    fits: pd.DataFrame  # experiment × model
    differences: pd.DataFrame  # experiment × contrast × statistic
    lines: pd.DataFrame  # the experiment that it is for × intercept and slope
    points: pd.DataFrame  # level × NPC: people beside each prediction
    fitted_on: dict[str, str]  # by model, in words
    left_out: str = ""


def calibrate(
    predictions: pd.DataFrame,
    human: HumanBehaviour,
    parameters: Parameters,
    resampler: Resampler,
) -> Calibration:
    """The three accounts of how long people watch, on the same trials."""
    mine = predictions[predictions["variant"].isin([Variant(MODEL), Variant(GRADED)])]
    if GRADED not in set(mine["observer"]):
        empty = pd.DataFrame()
        reason = f"{GradedMentalizing.title} cannot be computed: too much could be seen in a trial"
        return Calibration(empty, empty, empty, empty, {}, reason)
    points = _points(paired(mine, human))
    points, lines = with_lines(points)
    models = [name for name in TITLES if name in points]
    fits, differences = [], []
    for scope in experiment_scopes(points):
        rows = scope.of(points)
        weights = resampler.weights(rows)
        label = {"data": human.source.data, "experiment": scope.columns()["experiment"]}
        again = resampler.again(rows, rows["people"])
        found = {
            model: bootstrap_statistics(rows[model], rows["people"], weights, again)
            for model in models
        }
        counts = {"n": len(rows), "maps": len(set(resampler.maps_of(rows)))}
        fits += [label | counts | _fit(rows, model, found[model]) for model in models]
        differences += [
            label | {"model": one, "than": other, "statistic": name}
            | paired_difference(found[one][name], found[other][name])
            for one, other in CONTRASTS
            if one in models and other in models
            for name in STATISTICS
        ]  # fmt: skip
    numbers = in_order(points["experiment"])
    words = fitted_on(numbers, parameters, simulated=human.source is not Source.HUMAN)
    return Calibration(
        pd.DataFrame(fits),
        pd.DataFrame(differences),
        lines.assign(data=human.source.data),
        points,
        {model: words[model] for model in models},
    )


def with_lines(points: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The points with the lines' predictions, and the lines themselves.

    One line is fitted to all points. Where there are several experiments, each also has a line of
    the others.
    """
    numbers = in_order(points["experiment"])
    used: dict[str, list[tuple[ExperimentName, pd.Series]]] = {
        LINE: [(number, points["experiment"].notna()) for number in numbers]
    }
    if len(numbers) > 1:
        used[HELD_OUT] = [(number, points["experiment"] != number) for number in numbers]
    found, rows = points.copy(), []
    for name, (number, on) in chain.from_iterable(
        [(name, each) for each in parts] for name, parts in used.items()
    ):
        intercept, slope = straight_line(points.loc[on, MODEL], points.loc[on, "people"])
        mine = points["experiment"] == number
        found.loc[mine, name] = intercept + slope * points.loc[mine, MODEL]
        fitted = ", ".join(map(str, in_order(points.loc[on, "experiment"])))
        values = {"model": name, "experiment": number, "fitted_on": fitted}
        rows.append(values | {"intercept": intercept, "slope": slope})
    return found, pd.DataFrame(rows)


def straight_line(x: pd.Series, y: pd.Series) -> tuple[float, float]:
    """Intercept and slope of the least-squares line of y on x; flat where x is constant.

    >>> straight_line(pd.Series([0.0, 2.0]), pd.Series([1.0, 5.0]))
    (1.0, 2.0)
    """
    slope = float(np.nan_to_num(Pairs.of(x, y).slope()[0]))
    return float(np.mean(y) - slope * np.mean(x)), slope


def fitted_on(
    experiments: Sequence[ExperimentName], parameters: Parameters, *, simulated: bool
) -> dict[str, str]:
    """Which parameters of each prediction were fitted, and on what."""
    numbers = ", ".join(map(str, experiments))
    values = ", ".join(f"{name} {getattr(parameters, name):g}" for name in FITTED)
    default = all(getattr(parameters, name) == getattr(Parameters(), name) for name in FITTED)
    graded = f"{values}: as set with --set; nothing was fitted here"
    if default:
        shown = "other data than the simulated data here"
        if not simulated:
            inside = [str(number) for number in experiments if number in (1, 2)]
            outside = [str(number) for number in experiments if number not in (1, 2)]
            shown = "; ".join(
                [f"in Exp. {' and '.join(inside)} that is the data shown, if it is the paper's"]
                * bool(inside)
                + [f"Exp. {' and '.join(outside)} had no part in it"] * bool(outside)
            )
        graded = (
            f"{values}: the defaults, three of them rounded from a fit to the paper's people in"
            f" Exp. 1 and 2 (temperature was held at 1); {shown}"
        )
    return {
        MODEL: "nothing: the paper set all parameters in advance",
        LINE: f"intercept and slope, fitted on the data shown (Exp. {numbers} together)",
        HELD_OUT: "intercept and slope, fitted on the experiments shown other than the row's own",
        GRADED: graded,
    }


def _points(pairs: pd.DataFrame) -> pd.DataFrame:
    """People's means beside the two observers', a row for each level and NPC."""
    wide = pairs.pivot(index=KEY, columns="observer", values="model_observed")
    people = pairs.drop_duplicates(KEY).set_index(KEY)[["expertise", "human_observed"]]
    return people.rename(columns={"human_observed": "people"}).join(wide).reset_index()


def _fit(rows: pd.DataFrame, model: str, found: Mapping[str, FloatArray]) -> dict[str, Any]:
    gap = float((rows[model] - rows["people"]).mean())
    return {"model": model} | with_intervals(found) | {"mean_difference": gap}
