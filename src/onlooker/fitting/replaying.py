"""Participants who play a study again as fitted: the same trials, everybody's own parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from onlooker.experiments.records import Records, record_participant, record_trial
from onlooker.fitting.choices import Appraiser, Key
from onlooker.fitting.folders import Fits
from onlooker.fitting.parameters import PRIORS, RULES, ModelError
from onlooker.fitting.playing import Board, Seat, play
from onlooker.fitting.plays import Play, trials_by_name
from onlooker.game import Act, BudgetRule, Choice, Observe, Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import Engine, Observer
from onlooker.support.arrays import FloatArray
from onlooker.support.problems import DataError, Problem


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
    rule = str(people["rule"].iloc[0])
    known_trials = trials_by_name(trials)
    seats = _seats(fits, observer, known_trials)
    rows = people.set_index("participant")
    theta = {
        name: _values(rows, name, seats) for name in RULES[rule] if name in rows or name in PRIORS
    }
    used = {seat.trial: known_trials[seat.trial] for seat in seats}
    board = Board.of(Appraiser(observer, used, setting, rule))
    rng = np.random.default_rng(seed)
    plays = play(board, rule, seats, theta, float(setting.observe), rng)
    return records_of(plays, used, observer, setting, budget)


def _seats(fits: Fits, observer: Observer, known: Mapping[Key, Trial]) -> list[Seat]:
    table = fits.tables["trials"]
    table = table[table["observer"] == observer.name]
    seats = [
        Seat(str(row["participant"]), (int(row["experiment"]), str(row["level"])), row["position"])
        for row in table.to_dict("records")
    ]
    if unknown := [seat.trial for seat in seats if seat.trial not in known]:
        number, level = unknown[0]
        reason = f"the stimuli have no trial {level!r} of Experiment {number}"
        raise DataError([Problem("table trials of the fits", reason)])
    return seats


def _values(rows: pd.DataFrame, name: str, seats: Sequence[Seat]) -> FloatArray:
    """The parameter of whoever sits in each seat."""
    if name not in rows:
        return np.zeros(len(seats))  # a bias that was not fitted
    return np.array([float(rows.loc[seat.participant, name]) for seat in seats])  # type: ignore[arg-type]


def records_of(
    plays: Sequence[Play],
    trials: Mapping[Key, Trial],
    observer: Observer,
    setting: Parameters,
    budget: BudgetRule = "paper",
) -> Records:
    """The tables of plays, who then act as the observer would."""
    records = Records()
    actors = {key: _Actor(trial, observer, setting, budget) for key, trial in trials.items()}
    for each in plays:
        actor = actors[each.trial]
        log = list(actor.log(each.watched))
        stage = actor.engine.stage
        record_trial(records, each.participant, each.experiment, each.position, stage, log)
    for who, experiment in dict.fromkeys((each.participant, each.experiment) for each in plays):
        record_participant(records, who, experiment, ordering=1, completed=True)
    return records


class _Actor:
    """How one trial is played to its end after some watching."""

    def __init__(
        self, trial: Trial, observer: Observer, setting: Parameters, budget: BudgetRule
    ) -> None:
        self.engine, self.observer = Engine(trial, setting, False, budget), observer
        self.routes: dict[tuple[int, ...], tuple[Choice, ...]] = {}

    def log(self, watched: tuple[int, ...]) -> Iterator[Choice]:
        """The choices from start to chest."""
        yield from (Observe(self.engine.trial.npcs[npc].id) for npc in watched)
        steps = tuple(watched.count(npc) for npc in range(len(self.engine.trial.npcs)))
        if steps not in self.routes:
            route, _ = self.observer.act(self.engine, self.engine.view_at(steps))
            self.routes[steps] = tuple(Act(action) for action in route)
        yield from self.routes[steps]
