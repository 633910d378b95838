"""People made up: they choose by a model's rule at parameters of their own.

For recovery only what they watch is played, as nothing else is scored. All of them take their steps
at the same time, with the probabilities that the likelihood has too. Those who play a study again
as fitted then act as their observer would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from onlooker.experiments.records import Records, record_participant, record_trial
from onlooker.experiments.simulation import TrialPlayer
from onlooker.fitting.choices import Appraiser, Key
from onlooker.fitting.folders import Fits
from onlooker.fitting.parameters import ModelError
from onlooker.fitting.plays import Play, trials_by_name
from onlooker.fitting.rules import RULES, DecisionPoints
from onlooker.game import BudgetRule, Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import Engine, Observer
from onlooker.support.arrays import FloatArray, IntArray
from onlooker.support.problems import DataError, Problem


@dataclass(frozen=True)
class Assignment:
    """Who plays which trial, and when."""

    participant: str
    trial: Key
    position: int


def play(
    appraiser: Appraiser,
    assignments: Sequence[Assignment],
    theta: Mapping[str, FloatArray],
    rng: np.random.Generator,
) -> list[Play]:
    """What is watched in each assignment; parameters are arrays over the assignments."""
    table, rule = _LatticeTable.of(appraiser), appraiser.rule
    theta = dict(theta, charged=np.full(len(assignments), float(appraiser.parameters.observe)))
    trial = np.array([table.keys[each.trial] for each in assignments], dtype=np.int64)
    cell = table.offset[trial].copy()
    last = np.full(len(assignments), -1)
    watched: list[list[int]] = [[] for _ in assignments]
    active = np.arange(len(assignments))
    if rule.mixing == "skip":
        active = active[rng.random(len(assignments)) >= theta["skip"]]
    while len(active):
        here = {name: values[active] for name, values in theta.items()}
        stand, before = cell[active], last[active]
        points = DecisionPoints(
            table.values[stand, before + 1], table.expected_steps[stand], before
        )
        summed = np.cumsum(np.exp(rule.log_options(points, here)), axis=1)
        drawn = rng.random(len(active)) * summed[:, -1]
        option = (summed <= drawn[:, None]).sum(axis=1)
        active, option = active[option > 0], option[option > 0]
        for index, npc in zip(active.tolist(), option.tolist(), strict=True):
            watched[index].append(npc - 1)
        last[active] = option - 1
        cell[active] += table.stride[trial[active], option - 1]
    return [
        Play(each.participant, *each.trial, each.position, tuple(npcs))
        for each, npcs in zip(assignments, watched, strict=True)
    ]


@dataclass(frozen=True)
class _LatticeTable:
    """The lattices of trials as one table."""

    keys: Mapping[Key, int]  # number of each trial
    values: FloatArray  # (cells, lasts, options)
    expected_steps: FloatArray  # (cells, options)
    offset: IntArray  # (trials): the first cell
    stride: IntArray  # (trials, NPCs): cells from one step to the next

    @classmethod
    def of(cls, appraiser: Appraiser) -> _LatticeTable:
        """The table of an observer's trials."""
        most = max(len(trial.npcs) for trial in appraiser.trials.values())
        values, expected, offset, strides = [], [], [0], []
        for key in appraiser.trials:
            here = appraiser.values(key)
            npcs = here.shape[-1] - 1
            shape = here.shape[:npcs]
            cells = int(np.prod(shape))
            # the values for each NPC watched last, where they are the same for all or for few
            lasts = np.minimum(np.arange(most + 1), here.shape[-2] - 1)
            table = np.full((cells, most + 1, most + 1), -np.inf)
            table[:, :, : npcs + 1] = here.reshape(cells, -1, npcs + 1)[:, lasts]
            values.append(table)
            steps = np.zeros((cells, most + 1))
            steps[:, 1 : npcs + 1] = appraiser.expected_steps(key).reshape(cells, npcs)
            expected.append(steps)
            offset.append(offset[-1] + cells)
            stride = [int(np.prod(shape[npc + 1 :])) for npc in range(npcs)]
            strides.append(stride + [0] * (most - npcs))
        return cls(
            {key: index for index, key in enumerate(appraiser.trials)},
            np.concatenate(values),
            np.concatenate(expected),
            np.array(offset[:-1], dtype=np.int64),
            np.array(strides, dtype=np.int64),
        )


# -- playing a study again -------------------------------------------------------------------------


def play_fits(
    fits: Fits,
    observer: Observer,
    trials: Iterable[Trial],
    setting: Parameters,
    seed: int = 1,
    budget: BudgetRule = "paper",
) -> Records:
    """The tables of a study in which each fitted participant plays its trials again."""
    people = fits.tables["fits"]
    people = people[people["observer"] == observer.name]
    if people.empty:
        known = ", ".join(dict.fromkeys(fits.tables["fits"]["observer"]))
        raise ModelError(f"there are no fits of {observer.name}; there are fits of {known}")
    rule = RULES[str(people["rule"].iloc[0])]
    known_trials = trials_by_name(trials)
    assignments = _assignments(fits, observer, known_trials)
    rows = people.set_index("participant")
    theta = {name: _values(rows, name, assignments) for name in rule.parameters}
    used = {each.trial: known_trials[each.trial] for each in assignments}
    varied = fits.about["models"][observer.name]["varied"] if "models" in fits.about else []
    own = {who: tuple(each) for who, each in rows[varied].iterrows()}
    rng, records = np.random.default_rng(seed), Records()
    for values in dict.fromkeys(own.values()):
        mine = [i for i, each in enumerate(assignments) if own[each.participant] == values]
        here = {name: each[mine] for name, each in theta.items()}
        appraiser = Appraiser(observer, used, _own_setting(setting, varied, values), rule)
        _record(
            records, play(appraiser, [assignments[i] for i in mine], here, rng), appraiser, budget
        )
    return records


def _own_setting(setting: Parameters, varied: Sequence[str], values: Sequence[Any]) -> Parameters:
    """A setting with the values that somebody was fitted best with."""
    known = setting.declared()
    changed: dict[str, Any] = {}
    for name, value in zip(varied, values, strict=True):
        if name not in known:
            raise ModelError(f"the fits vary {name}, which the observer does not declare")
        changed[name] = known[name].parse(str(int(value) if known[name].whole else value))
    return replace(setting, **changed)


def _assignments(fits: Fits, observer: Observer, known: Mapping[Key, Trial]) -> list[Assignment]:
    table = fits.tables["trials"]
    table = table[table["observer"] == observer.name]
    assignments = [
        Assignment(str(row["participant"]), (row["experiment"], str(row["level"])), row["position"])
        for row in table.to_dict("records")
    ]
    if unknown := [each.trial for each in assignments if each.trial not in known]:
        number, level = unknown[0]
        reason = f"the stimuli have no trial {level!r} of Experiment {number}"
        raise DataError([Problem("table trials of the fits", reason)])
    return assignments


def _values(rows: pd.DataFrame, name: str, assignments: Sequence[Assignment]) -> FloatArray:
    """A parameter of the participant of each assignment."""
    if name not in rows:
        return np.zeros(len(assignments))  # a bias that was not fitted
    return np.array([float(rows.loc[each.participant, name]) for each in assignments])  # type: ignore[arg-type]


def _record(
    records: Records, plays: Sequence[Play], appraiser: Appraiser, budget: BudgetRule
) -> None:
    """Add plays to the tables of a study; who played then acts as the observer would."""
    players = {
        key: TrialPlayer(Engine(trial, appraiser.parameters, False, budget), appraiser.observer)
        for key, trial in appraiser.trials.items()
    }
    for each in plays:
        player = players[each.trial]
        stage, log = player.engine.stage, player.log(each.watched)
        record_trial(records, each.participant, each.experiment, each.position, stage, log)
    for who, experiment in dict.fromkeys((each.participant, each.experiment) for each in plays):
        record_participant(records, who, experiment, ordering=1, completed=True)
