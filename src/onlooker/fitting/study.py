"""Fitting a whole study: every model to everybody, and to each experiment's group if wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

from onlooker.experiments.naming import in_order
from onlooker.fitting.folders import Fits
from onlooker.fitting.group import GroupFit, fit_group, prior_words
from onlooker.fitting.individual import NODES
from onlooker.fitting.models import Fitted, Model, Run, fit_models, run_here
from onlooker.fitting.parameters import ModelError
from onlooker.fitting.plays import Play
from onlooker.fitting.results import result_tables
from onlooker.game import Trial


def fit_study(
    plays: Sequence[Play],
    trials: Sequence[Trial],
    models: Sequence[Model],
    data: str,
    nodes: int = NODES,
    group: bool = False,
    seed: int = 1,
    run: Run = run_here,
    progress: Callable[[float, int], None] = lambda done, total: None,
) -> Fits:
    """Fit models to a study's plays; `data` says whether they are of humans or simulated."""
    if group and any(model.varied for model in models):
        one = next(model for model in models if model.varied)
        raise ModelError(
            f"{one.observer.name}: a group cannot be fitted over values of {', '.join(one.varied)};"
            " expected them fixed"
        )
    fitted = fit_models(plays, trials, models, nodes, group, run, progress)
    tables = result_tables(fitted, plays, trials, data)
    if group:
        tables |= _group_tables(fitted, plays, data, nodes, seed)
    about = {
        "data": data,
        "nodes": nodes,
        "models": {
            model.observer.name: {
                "title": model.observer.title,
                "rule": model.rule,
                "unit": model.unit,
                "free": list(model.space.names),
                "varied": list(model.varied),
                "prior": model.words(),
            }
            for model in models
        },
    }
    return Fits(tables, about)


def _group_tables(
    fitted: Sequence[Fitted], plays: Sequence[Play], data: str, nodes: int, seed: int
) -> dict[str, pd.DataFrame]:
    """The means and SDs of each experiment's people, and each person as one of them."""
    experiment = {play.participant: play.experiment for play in plays}
    group: list[dict[str, Any]] = []
    people: list[dict[str, Any]] = []
    for one in fitted:
        for number in in_order(experiment.values()):
            mine = [i for i, name in enumerate(one.people) if experiment[name] == number]
            common = {"data": data, "experiment": number, "observer": one.model.observer.name}
            found = fit_group(one.model.space, one.totals[mine], nodes, seed)
            group += ({**common, **row} for row in _group_rows(found, len(mine)))
            people += (
                {**common, "participant": one.people[index], **row}
                for place, index in enumerate(mine)
                for row in _person_rows(found, place, one, index)
            )
    return {"group": pd.DataFrame(group), "group_people": pd.DataFrame(people)}


def _group_rows(found: GroupFit, people: int) -> Iterator[dict[str, Any]]:
    d = len(found.space.free)
    for index, parameter in enumerate(found.space.free):
        for quantity, column in (("mean", index), ("sd", d + index)):
            mean, sd, low, high = found.summary(column)
            middle = float(parameter.natural(mean)) if quantity == "mean" else None
            yield {
                "parameter": parameter.name,
                "scale": parameter.scale,
                "quantity": quantity,
                "participants": people,
                "mean": mean,
                "sd": sd,
                "low": low,
                "high": high,
                "natural": middle,
                "ess": found.ess,
                "k_hat": found.k_hat,
                "reliable": found.reliable,
                "prior": prior_words(found.space),
            }


def _person_rows(found: GroupFit, place: int, one: Fitted, index: int) -> Iterator[dict[str, Any]]:
    for column, parameter in enumerate(found.space.free):
        yield {
            "parameter": parameter.name,
            "estimate": float(parameter.natural(found.individual[place, column])),
            "alone": float(parameter.natural(one.fits[index].map[column])),
            "mle": float(parameter.natural(one.fits[index].mle[column])),
            "elpd": float(found.elpd[place]),
            "k_hat": float(found.elpd_k[place]),
        }
