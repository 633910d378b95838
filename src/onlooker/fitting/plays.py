"""The choices that count: what people watched in each trial before they first acted.

Of each trial that is no tutorial these are the choices up to and including the first action of
the main agent. A trial that breaks off while watching has no choice to act. Whom people watch after
they acted is counted as late, and not scored: the models never go back to watching.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pandas as pd

from onlooker.experiments.exclusion import exclude
from onlooker.experiments.psych_ds import Dataset
from onlooker.experiments.tables import places
from onlooker.game import Observe, Trial, parse_choice
from onlooker.inference.parameters import Parameters
from onlooker.observers import Engine
from onlooker.support.problems import DataError, Problem

NEEDS_ACTIONS = (
    "there is no table actions: single decisions cannot be fitted without the choices that were"
    " made; expected study-expN_desc-actions_data.csv"
)


@dataclass(frozen=True, slots=True)
class Play:
    """What one person did in one trial, up to its first action."""

    participant: str
    experiment: int
    level: str
    position: int  # of the trial in the ordering, from 1
    watched: tuple[int, ...]  # NPCs in the order in which they were watched, the first is 0
    acted: bool = True  # it acted then; else the trial broke off
    late: int = 0  # NPCs watched after that

    @property
    def trial(self) -> tuple[int, str]:
        """The experiment and name of its trial."""
        return self.experiment, self.level


def trials_by_name(trials: Iterable[Trial]) -> dict[tuple[int, str], Trial]:
    """The trials that count, by experiment and name."""
    return {
        (trial.experiment, trial.label): trial
        for trial in trials
        if isinstance(trial.experiment, int) and not trial.tutorial
    }


def as_seen(trials: Iterable[Trial], parameters: Parameters) -> list[Trial]:
    """The trials with the NPCs' actions as people saw them, where other costs would change them."""
    trials = list(trials)
    if parameters.costs == Parameters().costs:
        return trials
    return [
        replace(
            trial,
            npcs=tuple(
                replace(npc, actions=script)
                for npc, script in zip(
                    trial.npcs, Engine(trial, warn=False).stage.scripts, strict=True
                )
            ),
        )
        for trial in trials
    ]


def read_plays(
    dataset: Dataset, trials: Iterable[Trial], experiment: int | None = None, everyone: bool = False
) -> list[Play]:
    """The plays of a study's participants, in the order of participants and positions.

    Who the paper's filter excludes is left out unless `everyone` is wanted, and so are trials whose
    logs could not be replayed, with a warning. DataError lists choices
    that a trial did not offer, trials that are unknown, and actions that are missing.
    """
    if "actions" not in dataset.tables:
        raise DataError([Problem("", NEEDS_ACTIONS)])
    known = trials_by_name(trials)
    people = dataset.tables["participants"]
    kept = people if everyone else exclude(people, dataset.tables["trials"]).kept
    played = dataset.tables["trials"]
    counted = ~played["tutorial"] & played["participant"].isin(set(kept["participant"]))
    if experiment is not None:
        counted &= played["experiment"] == experiment
    if "replayed" in played and (lost := int((counted & ~played["replayed"]).sum())):
        warnings.warn(f"trials left out, as their logs cannot be replayed: {lost}", stacklevel=2)
        counted &= played["replayed"]
    played = played[counted]
    if played.empty:
        what = (
            "no participant is left"
            if experiment is None
            else f"no data of Experiment {experiment}"
        )
        raise DataError([Problem("table trials", f"{what}, so there is nothing to fit")])
    problems: list[Problem] = []
    found: list[Play] = []
    actions = _actions(dataset.tables["actions"])
    for place, row in zip(places(played, "table trials"), played.to_dict("records"), strict=True):
        play = _play({str(name): value for name, value in row.items()}, place, known, actions)
        if isinstance(play, Play):
            found += [play] if play.watched or play.acted else []  # some broke off before
        else:
            problems += play
    if problems:
        raise DataError(problems)
    return sorted(found, key=lambda play: (play.experiment, play.participant, play.position))


def _actions(table: pd.DataFrame) -> dict[tuple[str, str], list[tuple[int, str, str]]]:
    """The number, choice and place of each action of a trial, in order."""
    found: dict[tuple[str, str], list[tuple[int, str, str]]] = {}
    columns = (table[name] for name in ("participant", "level", "number", "choice"))
    for place, who, level, number, choice in zip(
        places(table, "table actions"), *columns, strict=True
    ):
        found.setdefault((who, level), []).append((int(number), choice, place))
    return {key: sorted(rows) for key, rows in found.items()}


def _play(
    row: dict[str, Any],
    place: str,
    known: dict[tuple[int, str], Trial],
    actions: dict[tuple[str, str], list[tuple[int, str, str]]],
) -> Play | list[Problem]:
    """One row of the trials with its actions, or what is wrong with them."""
    experiment, level = int(row["experiment"]), row["level"]
    trial = known.get((experiment, level))
    if trial is None:
        reason = f"the stimuli have no trial {level!r} of Experiment {experiment}"
        return [Problem(f"{place}, column level", reason)]
    rows = actions.get((row["participant"], level), [])
    made = int(row["observed"] + row["moves"] + row["interactions"])
    if len(rows) != made:
        reason = f"expected {made} actions of this trial in table actions, not {len(rows)}"
        return [Problem(place, reason)]
    problems = list(_not_offered(trial, rows))
    if problems:
        return problems
    choices = [parse_choice(choice) for _, choice, _ in rows]
    watching = [isinstance(choice, Observe) for choice in choices]
    first = watching.index(False) if False in watching else len(watching)
    return Play(
        row["participant"],
        experiment,
        level,
        int(row["position"]),
        tuple(
            trial.npc_index(choice.npc) for choice in choices[:first] if isinstance(choice, Observe)
        ),
        first < len(choices),
        sum(watching[first:]),
    )


def _not_offered(trial: Trial, rows: Sequence[tuple[int, str, str]]) -> Iterator[Problem]:
    """Choices of a trial that it did not offer."""
    left = dict(zip((npc.id for npc in trial.npcs), path_lengths(trial), strict=True))
    for expected, (number, text, place) in enumerate(rows, start=1):
        if number != expected:
            yield Problem(f"{place}, column number", f"expected {expected}, not {number}")
            return
        try:
            choice = parse_choice(text)
        except ValueError as error:
            yield Problem(f"{place}, column choice", str(error))
            continue
        if not isinstance(choice, Observe):
            continue
        if choice.npc not in left:
            ids = " or ".join(map(repr, left))
            reason = f"{trial.label} has no NPC {choice.npc!r}; expected {ids}"
            yield Problem(f"{place}, column choice", reason)
        elif not left[choice.npc]:
            reason = f"{choice.npc} has arrived, so {trial.label} did not offer to watch it"
            yield Problem(f"{place}, column choice", reason)
        else:
            left[choice.npc] -= 1


@cache
def path_lengths(trial: Trial) -> tuple[int, ...]:
    """How many steps each NPC of a trial takes."""
    return tuple(map(len, Engine(trial, warn=False).stage.scripts))
