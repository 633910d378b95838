"""Every choice in a dataset, made again on the game: its tables must say what the rules say.

A trial is judged by the first row that is wrong, as what comes after depends on it. Practice never
counts, and is not replayed; nor are trials of an import whose logs could not be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import product
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd

from onlooker.experiments.records import Records, Row, record_trial
from onlooker.experiments.tables import places
from onlooker.game import (
    BudgetRule,
    Costs,
    ExperimentName,
    LogError,
    Stage,
    Trial,
    choices,
    opening,
    parse_choice,
    replay,
)
from onlooker.game.play import OnEmpty
from onlooker.observers.teaching import with_lessons
from onlooker.planning import NoPathError, stage
from onlooker.support.problems import DataError, Problem

Key = tuple[ExperimentName, str]  # experiment and name of a trial
Placed = tuple[str, Row]  # a row and where it stands

ACTION = ("event", "cost", "points_left")  # what follows from the rules, by table
OBSERVATION = ("expertise", "observed", "cost_observation")
TRIAL = (
    "observed",
    "moves",
    "interactions",
    "cost_observation",
    "cost_execution",
    "cost_total",
    "unspent",
    "finished",
)


@dataclass(frozen=True, slots=True)
class GameRules:
    """The rules that a dataset was played by, as far as its description says."""

    costs: Costs = field(default_factory=Costs)
    budget: BudgetRule | None = None  # None: any
    on_empty: OnEmpty | None = None

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> GameRules:
        """The rules in the fields of a description; ValueError if there are no such rules.

        >>> GameRules.read({"budgetRule": "map", "costs": {"move": 4}})
        GameRules(costs=Costs(move=4, interact=5, observe=1), budget='map', on_empty=None)
        """
        costs, budget, on_empty = map(fields.get, ("costs", "budgetRule", "onEmpty"))
        for name, value, words in (
            ("budgetRule", budget, get_args(BudgetRule)),
            ("onEmpty", on_empty, get_args(OnEmpty)),
        ):
            if value is not None and value not in words:
                raise ValueError(f"{name}: expected {' or '.join(words)}, not {value!r}")
        try:
            return cls(Costs(**(costs or {})), budget, on_empty)
        except (TypeError, ValueError):
            names = ", ".join(asdict(Costs()))
            raise ValueError(f"costs: expected numbers for {names}, not {costs!r}") from None


class ReplayError(DataError):
    """Trials in a dataset contradict the rules of the game."""


class BadTrial(NamedTuple):
    """A trial of somebody that contradicts the rules of the game."""

    participant: str
    experiment: ExperimentName
    level: str
    problem: Problem


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of replaying a dataset."""

    bad: tuple[BadTrial, ...]
    unknown: tuple[BadTrial, ...]  # trials that are not at hand


def replay_tables(
    tables: Mapping[str, pd.DataFrame], trials: Iterable[Trial], rules: GameRules
) -> Replayed:
    """Make every choice in a dataset's tables again on the trials that were played."""
    games = _Games({(trial.experiment, trial.label): trial for trial in trials}, rules)
    actions = _by_trial(tables["actions"], "actions")
    watched = _by_trial(tables["observations"], "observations")
    bad: list[BadTrial] = []
    unknown: list[BadTrial] = []
    for place, row in _rows(tables["trials"], "trials"):
        who, experiment, level = row["participant"], row["experiment"], str(row["level"])
        if row["tutorial"] or not row.get("replayed", True):
            continue
        if (experiment, level) not in games.trials:
            reason = f"the stimuli have no trial {level!r} of Experiment {experiment}"
            unknown.append(
                BadTrial(who, experiment, level, Problem(f"{place}, column level", reason))
            )
            continue
        played = _Played(place, row, actions.get((who, level), []), watched.get((who, level), []))
        if wrong := games.problem((experiment, level), played):
            bad.append(BadTrial(who, experiment, level, wrong))
    return Replayed(tuple(bad), tuple(unknown))


class _Played(NamedTuple):
    """The rows of a trial that somebody played."""

    place: str
    trial: Row
    actions: list[Placed]  # in order
    observations: list[Placed]


class _Games:
    """Trials ready to be played, each made so when it is first asked for."""

    def __init__(self, trials: Mapping[Any, Trial], rules: GameRules) -> None:
        self.trials, self.rules = trials, rules
        self.stage = cache(self._stage)

    def problem(self, key: Key, played: _Played) -> Problem | None:
        """What is wrong with a trial, by every rule that it can have been played by."""
        rules = self.rules
        budgets: Sequence[BudgetRule] = [rules.budget] if rules.budget else get_args(BudgetRule)
        ends: Sequence[OnEmpty] = [rules.on_empty] if rules.on_empty else get_args(OnEmpty)
        found: list[tuple[bool, Problem]] = []
        for end, budget in product(ends, budgets):
            try:
                game = self.stage(key, budget, end)
            except NoPathError as error:
                return Problem(played.place, f"trial {key[1]} cannot be played: {error}")
            problem = _wrong(game, played)
            if problem is None:
                return None
            found.append((game.budget != played.trial["budget"], problem))
        return min(found, key=lambda each: each[0])[1]  # by the rule that gives its budget

    def _stage(self, key: Key, budget: BudgetRule, end: OnEmpty) -> Stage:
        return stage(with_lessons(self.trials[key]), self.rules.costs, end, budget)


def _wrong(game: Stage, played: _Played) -> Problem | None:
    """The first row of a trial that contradicts the rules."""
    row = played.trial
    who, level = row["participant"], row["level"]
    if row["budget"] != game.budget:
        reason = f"expected {game.budget}, as the rules give for {level}, not {row['budget']}"
        return Problem(f"{played.place}, column budget", reason)
    log, refusal = _readable(played)
    expected = Records()
    try:
        record_trial(expected, who, row["experiment"], row["position"], game, log)
    except LogError as error:
        refusal = _unavailable(game, log, error, played)
        record_trial(expected, who, row["experiment"], row["position"], game, log[: error.index])
    for (place, given), right in zip(played.actions, expected.actions, strict=False):
        what = f"choice {right['number']} of {who} in {level} ({right['choice']})"
        if problem := _differs(place, what, given, right, ACTION):
            return problem
    if refusal:
        return refusal
    there = {given["agent"]: (place, given) for place, given in played.observations}
    for right in expected.observations:
        if right["agent"] not in there:
            reason = f"expected a row for {right['agent']} in table observations"
            return Problem(played.place, f"{who} in {level}: {reason}")
        place, given = there.pop(right["agent"])
        what = f"{right['agent']}, watched by {who} in {level}"
        if problem := _differs(place, what, given, right, OBSERVATION):
            return problem
    for agent, (place, _) in there.items():
        return Problem(f"{place}, column agent", f"{level} has no NPC {agent!r}")
    made = f"{who} in {level}, by the {len(log)} choices in table actions"
    return _differs(played.place, made, row, expected.trials[0], TRIAL)


def _readable(played: _Played) -> tuple[list[str], Problem | None]:
    """The choices of a trial up to the first that is out of its order or no choice."""
    log: list[str] = []
    for number, (place, action) in enumerate(played.actions, start=1):
        if action["number"] != number:
            who, level = action["participant"], action["level"]
            reason = f"expected {number}, the next choice of {who} in {level}"
            return log, Problem(f"{place}, column number", f"{reason}, not {action['number']}")
        try:
            parse_choice(action["choice"])
        except ValueError as error:
            return log, Problem(f"{place}, column choice", str(error))
        log.append(action["choice"])
    return log, None


def _unavailable(game: Stage, log: Sequence[str], error: LogError, played: _Played) -> Problem:
    """That a choice could not be made, and which could."""
    before = replay(game, log[: error.index])
    possible = choices(game, before[-1].situation if before else opening(game))
    offered = f"expected {' or '.join(map(str, possible))}" if possible else "expected no more"
    row = played.trial
    what = f"choice {error.index + 1} of {row['participant']} in {row['level']} ({error.choice})"
    place = f"{played.actions[error.index][0]}, column choice"
    return Problem(place, f"{what}: {error.reason}; {offered}")


def _differs(
    place: str, what: str, given: Row, right: Row, columns: Sequence[str]
) -> Problem | None:
    """What stands in a row instead of what follows from the rules; None if all is right."""
    wrong = [name for name in columns if given[name] != right[name]]
    if not wrong:
        return None
    expected = ", ".join(f"{name} {_shown(right[name])}" for name in wrong)
    found = ", ".join(_shown(given[name]) for name in wrong)
    column = f"column {wrong[0]}" if len(wrong) == 1 else f"columns {', '.join(wrong)}"
    return Problem(f"{place}, {column}", f"{what}: expected {expected}, not {found}")


def _shown(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _rows(table: pd.DataFrame, name: str) -> Iterator[Placed]:
    """The rows of a table and where each stands."""
    columns = [str(column) for column in table]
    values = zip(*(table[column].tolist() for column in columns), strict=True)
    for place, row in zip(places(table, f"table {name}"), values, strict=True):
        yield place, dict(zip(columns, row, strict=True))


def _by_trial(table: pd.DataFrame, name: str) -> dict[tuple[str, str], list[Placed]]:
    """The rows of each participant and trial; choices by their numbers."""
    found: dict[tuple[str, str], list[Placed]] = {}
    for place, row in _rows(table, name):
        found.setdefault((row["participant"], row["level"]), []).append((place, row))
    if "number" in table:
        for rows in found.values():
            rows.sort(key=lambda each: each[1]["number"])
    return found
