"""Recovery: whether fits find what simulated people were made with.

People are made up from a model with parameters of their own, play the orderings of a study, and are
fitted like anybody. Parameters are recovered if estimates agree with what they were; models are
recovered if each person's best model is the one it was made by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd

from onlooker.experiments.naming import by_experiment, seed_of
from onlooker.experiments.studies import orderings_for
from onlooker.fitting.choices import Appraiser
from onlooker.fitting.individual import NODES
from onlooker.fitting.models import Fitted, Model, Run, fit_models, run_here
from onlooker.fitting.parameters import Space
from onlooker.fitting.playing import Assignment, play
from onlooker.fitting.plays import Play, trials_by_name
from onlooker.game import ExperimentName, Trial
from onlooker.support.arrays import FloatArray, IntArray, pearson

ENOUGH_R = 0.5  # correlation below which a parameter is not recovered
ENOUGH_SHARE = 0.7  # share below which a model is not
Z95 = 1.959963984540054
Z90 = 1.6448536269514722  # SDs of the prior's central 90 %, which parameters are drawn from


@dataclass(frozen=True)
class Made:
    """People made up from a model."""

    model: Model
    people: tuple[str, ...]
    x: FloatArray  # (people, parameters): on the unbounded scale
    setting: IntArray  # (people): of the model's settings
    plays: tuple[Play, ...]


@dataclass(frozen=True)
class Recovery:
    """What recovery found, as tables: `recovery`, `summary`, `confusion`."""

    tables: Mapping[str, pd.DataFrame]
    words: tuple[str, ...]  # what was drawn, in words

    def failures(self) -> list[str]:
        """What was not recovered, in words."""
        parameters = [
            f"Experiment {row['experiment']}, {row['observer']}: {row['parameter']} is not"
            f" recovered with {row['trials']} trials (r = {row['r']:.2f} < {ENOUGH_R})"
            for row in _records(self.tables.get("recovery-summary"))
            if not row["r"] >= ENOUGH_R
        ]
        return parameters + [
            f"Experiment {row['experiment']}: people made by {row['simulated']} are recognised in"
            f" {row['share']:.0%} by {row['criterion']} (< {ENOUGH_SHARE:.0%})"
            for row in _records(self.tables.get("confusion"))
            if row["simulated"] == row["fitted"] and not row["share"] >= ENOUGH_SHARE
        ]


def make_people(
    model: Model,
    trials: Sequence[Trial],
    participants: int,
    length: int,
    seed: int,
    drawn: FloatArray | None = None,
    prefix: str = "",
) -> Made:
    """People who play the orderings of an experiment's trials, `length` trials each.

    Their parameters are drawn from the central 90 % of the priors, or are rows of `drawn`.
    """
    (experiment,) = by_experiment(trials)
    known = trials_by_name(trials)
    rng = np.random.default_rng([seed, seed_of(experiment), *map(ord, model.observer.name)])
    space = model.space
    if drawn is None:
        x = draw_parameters(space, participants, rng)
    else:
        x = drawn[rng.integers(0, len(drawn), participants)]
    setting = _settings_within(rng, model, participants)
    orders = orderings_for(experiment, trials)
    people = tuple(f"{prefix}{model.observer.name}-{index + 1:04}" for index in range(participants))
    assignments = [
        Assignment(who, (experiment, level), position)
        for index, who in enumerate(people)
        for position, level in enumerate(_longer(orders, index, length), start=1)
    ]
    theta = {name: np.repeat(values, length) for name, values in space.natural(x).items()}
    plays: dict[int, Play] = {}
    for index in np.unique(setting):
        mine = np.flatnonzero(np.repeat(setting == index, length))
        appraiser = Appraiser(model.observer, known, model.settings[index], space.rule)
        here = {name: values[mine] for name, values in theta.items()}
        played = play(appraiser, [assignments[each] for each in mine], here, rng)
        plays |= dict(zip(mine.tolist(), played, strict=True))
    return Made(model, people, x, setting, tuple(plays[each] for each in sorted(plays)))


def _settings_within(rng: np.random.Generator, model: Model, count: int) -> IntArray:
    """A setting for each person, drawn from those within the central 90 % of the priors."""
    if len(model.settings) == 1:
        return np.zeros(count, dtype=np.int64)
    weight = np.array(model.weights)
    for each in model.own:
        x = each.free([getattr(setting, each.name) for setting in model.settings])
        weight = np.where(np.abs(x - each.mean) < Z90 * each.sd, weight, 0.0)
    return rng.choice(len(weight), count, p=weight / weight.sum())


def draw_parameters(space: Space, count: int, rng: np.random.Generator) -> FloatArray:
    """Parameters of people, drawn from the central 90 % of the priors: (people, parameters)."""
    drawn = [_within(rng, p.mean, p.sd, count) for p in space.free]
    return np.column_stack(drawn) if drawn else np.zeros((count, 0))


def _within(rng: np.random.Generator, mean: float, sd: float, count: int) -> FloatArray:
    """Draws of a normal distribution cut to its central 90 %."""
    z = rng.standard_normal(20 * count + 100)
    return mean + sd * z[np.abs(z) < Z90][:count]


def _longer(orders: Sequence[Sequence[str]], index: int, length: int) -> list[str]:
    """The trials of a person: its ordering, and those after it if that is too short."""
    found: list[str] = []
    while len(found) < length:
        found += orders[index % len(orders)]
        index += 1
    return found[:length]


def recover(
    models: Sequence[Model],
    trials: Iterable[Trial],
    participants: int = 200,
    length: int = 10,
    seed: int = 1,
    nodes: int = NODES,
    confuse: bool = False,
    drawn: Mapping[str, FloatArray] | None = None,
    run: Run = run_here,
    progress: Callable[[float, int], None] = lambda done, total: None,
) -> Recovery:
    """Make people by each model in each experiment, fit them, and compare.

    With `confuse` all models are fitted to everybody, which gives the confusion of models.
    """
    rows: dict[str, list[dict[str, Any]]] = {"recovery": [], "confusion": []}
    groups = by_experiment(list(trials))
    total = len(groups) * len(models) ** (2 if confuse else 1)
    done = 0
    for experiment, group in groups.items():
        made = [
            make_people(
                model, group, participants, length, seed, (drawn or {}).get(model.observer.name)
            )
            for model in models
        ]
        for one in made:
            fitted = fit_models(
                one.plays, group, models if confuse else [one.model], nodes, run=run
            )
            done += len(fitted)
            progress(done, total)
            own = next(f for f in fitted if f.model is one.model)
            rows["recovery"] += _recovered(experiment, one, own, length)
            if confuse:
                rows["confusion"] += _confused(experiment, one, fitted)
    tables = {"recovery": pd.DataFrame(rows["recovery"])}
    tables["recovery-summary"] = summary(tables["recovery"])
    if confuse:
        tables["confusion"] = with_inversion(pd.DataFrame(rows["confusion"]))
    for frame in tables.values():
        frame.insert(0, "data", "simulated")
    how = "resampled from fits" if drawn else "drawn from the central 90 % of the priors"
    words = tuple(f"{m.observer.name} ({m.rule}), {how}: {m.words()}" for m in models)
    return Recovery(tables, words)


def _recovered(
    experiment: ExperimentName, made: Made, fitted: Fitted, length: int
) -> Iterator[dict[str, Any]]:
    decisions: dict[str, int] = {}
    for each in made.plays:
        decisions[each.participant] = decisions.get(each.participant, 0) + len(each.watched) + 1
    for person, fit in enumerate(fitted.fits):
        common = {
            "experiment": experiment,
            "observer": made.model.observer.name,
            "rule": made.model.rule,
            "trials": length,
            "participant": made.people[person],
            "decisions": decisions[made.people[person]],
        }
        for index, parameter in enumerate(made.model.space.free):
            yield {
                **common,
                "parameter": parameter.name,
                "scale": parameter.scale,
                "true": float(made.x[person, index]),
                "estimate": float(fit.map[index]),
                "mle": float(fit.mle[index]),
                "low": float(fit.low[index]),
                "high": float(fit.high[index]),
            }
        for parameter in made.model.own:
            setting, own = made.model.settings[made.setting[person]], fitted.own(person, parameter)
            yield {
                **common,
                "parameter": parameter.name,
                "scale": parameter.scale,
                "true": float(parameter.free(getattr(setting, parameter.name))),
                "estimate": own.mode,
                "mle": own.mle,
                "low": own.low,
                "high": own.high,
            }


def summary(recovery: pd.DataFrame) -> pd.DataFrame:
    """How well each parameter was recovered, on the unbounded scale."""
    rows = []
    keys = ["experiment", "observer", "rule", "trials"]
    for key, people in recovery.groupby(keys, sort=False):
        errors = (people["estimate"] - people["true"]).groupby(people["parameter"], sort=False)
        wide = {str(name): each.to_numpy() for name, each in errors}
        for name, each in people.groupby("parameter", sort=False):
            true, estimate = each["true"].to_numpy(), each["estimate"].to_numpy()
            error = estimate - true
            inside = (each["low"] <= each["true"]) & (each["true"] <= each["high"])
            others = {
                f"error_r_{other}": float(pearson(error, wide[other]))
                for other in wide
                if other != name
            }
            rows.append(
                {
                    **dict(zip(keys, key, strict=True)),
                    "parameter": name,
                    "scale": each["scale"].iloc[0],
                    "participants": len(each),
                    "decisions": float(each["decisions"].mean()),
                    "r": float(pearson(true, estimate)),
                    "slope": float(np.polyfit(true, estimate, 1)[0]),
                    "bias": float(error.mean()),
                    "rmse": float(np.sqrt((error**2).mean())),
                    "r_mle": float(pearson(true, each["mle"].to_numpy())),
                    "coverage": float(inside.mean()),
                    "recovered": bool(pearson(true, estimate) >= ENOUGH_R),
                    **others,
                }
            )
    return pd.DataFrame(rows)


def _confused(
    experiment: ExperimentName, made: Made, fitted: Sequence[Fitted]
) -> Iterator[dict[str, Any]]:
    """How often people made by one model are taken for each."""
    scores = criteria(fitted)
    names = [one.model.observer.name for one in fitted]
    for criterion, values in scores.items():
        best = values.argmax(axis=1)
        for index, name in enumerate(names):
            count, n = int((best == index).sum()), len(best)
            low, high = wilson(count, n)
            yield {
                "experiment": experiment,
                "criterion": criterion,
                "simulated": made.model.observer.name,
                "fitted": name,
                "n": n,
                "count": count,
                "share": count / n,
                "low": low,
                "high": high,
            }


def criteria(fitted: Sequence[Fitted]) -> dict[str, FloatArray]:
    """What each criterion says of each person and model, higher being better."""
    n = np.array([[fit.scored for fit in one.fits] for one in fitted]).T
    evidence = np.array([[fit.log_evidence for fit in one.fits] for one in fitted]).T
    value = np.array([[fit.log_likelihood for fit in one.fits] for one in fitted]).T
    left_out = np.array([[fit.cv.sum() for fit in one.fits] for one in fitted]).T
    k = np.array([one.model.free for one in fitted])
    return {
        "evidence": evidence,
        "bic": value - k * np.log(np.maximum(n, 1)) / 2,
        "aic": value - k,
        "cv": left_out,
    }


def with_inversion(confusion: pd.DataFrame) -> pd.DataFrame:
    """The confusion, with the probability that people taken for a model were made by each."""
    columns = confusion.groupby(["experiment", "criterion", "fitted"])["share"].transform("sum")
    inversion = (confusion["share"] / columns).where(columns > 0)
    return confusion.assign(inversion=inversion)


def wilson(count: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's 95 % interval of a share.

    >>> low, high = wilson(9, 10)
    >>> round(low, 3), round(high, 3)
    (0.596, 0.982)
    """
    if not n:
        return np.nan, np.nan
    p = count / n
    middle = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half))


def _records(frame: pd.DataFrame | None) -> list[dict[str, Any]]:
    return [] if frame is None else frame.to_dict("records")  # type: ignore[return-value]
