"""A study's tables from a plain table of choices: whatever follows from the rules is computed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

import pandas as pd

from onlooker.experiments.naming import is_name, read_name
from onlooker.experiments.records import Records, record_participant, record_trial
from onlooker.experiments.replaying import ReplayError
from onlooker.experiments.schema import ACTIONS, Column, TableSchema
from onlooker.experiments.tables import FRAME, places, read_texts
from onlooker.game import BudgetRule, Choice, LogError, Stage, Trial, parse_choice, replay, score
from onlooker.planning import NoPathError, stage
from onlooker.support.problems import DataError, Problem

NO_TRIAL = "the stimuli have no trial"  # begins the reason why a level is refused
CHOICES = TableSchema(
    "choices",
    "a choice of a participant, in the order in which they were made",
    (),
    (
        *(ACTIONS.column(name) for name in ("participant", "level", "choice")),
        replace(ACTIONS.column("experiment"), required=False),
        Column("time", "time", "When it was made.", required=False, empty=True),
    ),
)


@dataclass(slots=True)
class _Play:
    """The choices of a participant in a trial, while they are collected."""

    participant: str
    stage: Stage
    log: list[Choice] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    times: list[str | None] = field(default_factory=list)
    problem: Problem | None = None  # its first one

    @property
    def whose(self) -> str:
        """The participant and the level, for messages."""
        return f"{self.participant} in {self.stage.trial.label}"

    def check(self) -> None:
        """Find the first choice that could not be made."""
        try:
            replay(self.stage, self.log)
        except LogError as error:
            what = f"choice {error.index + 1} of {self.whose} ({error.choice})"
            reason = f"{what}: {error.reason}"
            if score(self.stage, replay(self.stage, self.log[: error.index])).finished:
                reason += f", with the choice at {self.lines[error.index - 1]}; expected no more"
            self.problem = Problem(f"{self.lines[error.index]}, column choice", reason)


def read_choices(
    path: str | os.PathLike[str] | pd.DataFrame,
    trials: Iterable[Trial],
    columns: Mapping[str, str] | None = None,
    budget: BudgetRule = "paper",
    *,
    skip_bad: bool = False,
) -> tuple[Records, list[Problem]]:
    """The tables of the people whose choices are in a CSV or data frame, and what was left out.

    It needs the columns of CHOICES; `columns` says which have other names. A participant's choices
    in a trial stand in the order in which they were made, and so do its trials. DataError lists
    everything that is wrong; with `skip_bad`, trials with choices that could not be made are left
    out instead.
    """
    table = _read(path, columns or {})
    stages: dict[Any, Stage] = {}
    known: dict[str, list[Trial]] = {}
    for trial in trials:
        if is_name(trial.experiment):
            known.setdefault(trial.label, []).append(trial)
    plays: dict[str, dict[str, _Play]] = {}
    problems: list[Problem] = []
    for place, row in zip(places(table), table.to_dict("records"), strict=True):
        found = _trial(place, {str(name): value for name, value in row.items()}, known)
        if isinstance(found, Problem):
            problems.append(found)
            continue
        key = (found.experiment, found.label)
        if key not in stages:
            try:
                stages[key] = stage(found, budget=budget)
            except NoPathError as error:
                problems.append(Problem(f"{place}, column level", f"{found.label}: {error}"))
                continue
        mine = plays.setdefault(row["participant"], {})
        others = {each.stage.trial.experiment for each in mine.values()} - {found.experiment}
        if others:
            reason = (
                f"{row['participant']} has played trials of Experiment {others.pop()} already;"
                f" expected one experiment per participant, so either another name in Experiment"
                f" {found.experiment}, or maps with the same line 'experiment:'"
            )
            problems.append(Problem(f"{place}, column level", reason))
            continue
        play = mine.setdefault(found.label, _Play(row["participant"], stages[key]))
        try:
            play.log.append(parse_choice(row["choice"]))
        except ValueError as error:
            reason = f"{play.whose}: {error}"
            play.problem = play.problem or Problem(f"{place}, column choice", reason)
            continue
        play.lines.append(place)
        play.times.append(row.get("time") or None)
    if not plays and not problems:
        file = FRAME if isinstance(path, pd.DataFrame) else os.fspath(path)
        problems = [Problem(file, "expected choices, a row each; there is none")]
    for mine in plays.values():
        for play in mine.values():
            if play.problem is None:
                play.check()
    bad = [p.problem for mine in plays.values() for p in mine.values() if p.problem is not None]
    if problems:
        raise DataError([*problems, *bad])
    if bad and not skip_bad:
        raise ReplayError(bad)
    return _records(plays), bad


def _read(path: str | os.PathLike[str] | pd.DataFrame, columns: Mapping[str, str]) -> pd.DataFrame:
    """The values of the columns, under our names."""
    renamed = tuple(
        replace(each, name=columns.get(each.name, each.name)) for each in CHOICES.columns
    )
    table = read_texts(path, replace(CHOICES, columns=renamed), more_columns=True)
    return table.rename(columns={theirs: ours for ours, theirs in columns.items()})


def _trial(place: str, row: Mapping[str, str], known: Mapping[str, list[Trial]]) -> Trial | Problem:
    """The trial that a row is of, or why there is none."""
    for name in ("participant", "level", "choice"):
        if not row[name]:
            return Problem(f"{place}, column {name}", "expected a text, not ''")
    level, experiment = row["level"], row.get("experiment", "")
    trials = known.get(level, [])
    if experiment:
        trials = [trial for trial in trials if str(trial.experiment) == experiment]
    of_it = f" of Experiment {experiment}" if experiment else ""
    if not trials:
        close = get_close_matches(level, known, n=1)
        words = f"; did you mean {close[0]!r}?" if close and close[0] != level else ""
        return Problem(f"{place}, column level", f"{NO_TRIAL} {level!r}{of_it}{words}")
    if len(trials) > 1:
        numbers = " and ".join(str(trial.experiment) for trial in trials)
        reason = f"{level!r} is a trial of Experiments {numbers}; expected a column experiment"
        return Problem(f"{place}, column level", reason)
    return trials[0]


def _records(plays: Mapping[str, Mapping[str, _Play]]) -> Records:
    """The tables, without trials that have a problem and people who have no other."""
    records = Records()
    for who, mine in plays.items():
        good = [play for play in mine.values() if play.problem is None]
        finished = []
        for position, play in enumerate(good, start=1):
            experiment = read_name(play.stage.trial.experiment)
            record_trial(records, who, experiment, position, play.stage, play.log, play.times)
            finished.append(records.trials[-1]["finished"])
        if good:
            record_participant(records, who, experiment, 1, all(finished))
    return records
