"""The choices that count: what people watched in each trial before they first acted.

Of each trial that is not a tutorial these are the choices up to and including the first action of
the main agent. A trial that breaks off while watching has no choice to act. Whom people watch after
they acted is counted as late, and not scored, as the models never go back to watching; unless the
choices after the first action are wanted, too.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace

import pandas as pd

from onlooker.experiments.exclusion import OUTLIER, exclude
from onlooker.experiments.naming import is_name, rank
from onlooker.experiments.psych_ds import Dataset
from onlooker.experiments.tables import places
from onlooker.game import Choice, ExperimentName, Observe, Trial, parse_choice
from onlooker.inference.parameters import Parameters
from onlooker.observers import Engine
from onlooker.planning import as_played
from onlooker.support.problems import DataError, Problem

NEEDS_ACTIONS = (
    "there is no table actions: single decisions cannot be fitted without the choices that were"
    " made; expected study-expN_desc-actions_data.csv"
)
LATE = "choices after the first action of a trial count, too"


@dataclass(frozen=True, slots=True)
class Play:
    """What one person did in one trial, up to its first action."""

    participant: str
    experiment: ExperimentName
    level: str
    position: int  # of the trial in the ordering, from 1
    watched: tuple[int, ...]  # NPCs in the order in which they were watched, the first is 0
    acted: bool = True  # it acted then; else the trial broke off
    late: int = 0  # NPCs watched after that
    after: tuple[str, ...] = ()  # the choices from the first action on, where the later ones count

    @property
    def trial(self) -> tuple[ExperimentName, str]:
        """The experiment and name of its trial."""
        return self.experiment, self.level


def trials_by_name(trials: Iterable[Trial]) -> dict[tuple[ExperimentName, str], Trial]:
    """The trials that count, as people played them, by experiment and name."""
    return {
        (trial.experiment, trial.label): as_played(trial)
        for trial in trials
        if is_name(trial.experiment) and not trial.tutorial
    }


def as_seen(trial: Trial, parameters: Parameters) -> Trial:
    """The trial with the NPCs' actions as people saw them, where other costs would change them."""
    if parameters.costs == Parameters().costs:
        return trial
    scripts = Engine(trial, warn=False).stage.scripts
    npcs = zip(trial.npcs, scripts, strict=True)
    return replace(trial, npcs=tuple(replace(npc, actions=script) for npc, script in npcs))


def read_plays(
    dataset: Dataset,
    trials: Iterable[Trial],
    experiment: ExperimentName | None = None,
    everyone: bool = False,
    late: bool = False,
) -> list[Play]:
    """The plays of a study's participants, in the order of participants and positions.

    Participants whom the paper's filter excludes are left out unless `everyone` is wanted, and so
    are trials whose logs could not be replayed, with a warning. Choices that were not replayed on
    the game yet are replayed now; DataError lists what is wrong with them, and trials that are
    unknown. With `late` the choices after the first action count, too.
    """
    if "actions" not in dataset.tables:
        raise DataError([Problem("", NEEDS_ACTIONS)])
    trials = list(trials)
    if not dataset.checked:
        dataset = dataset.replayed(trials, complete=False)
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
    choices = _choices(dataset.tables["actions"])
    for place, row in zip(places(played, "table trials"), played.to_dict("records"), strict=True):
        experiment, level = row["experiment"], row["level"]
        if (experiment, level) not in known:
            reason = f"the stimuli have no trial {level!r} of Experiment {experiment}"
            problems.append(Problem(f"{place}, column level", reason))
            continue
        made = choices.get((row["participant"], level), [])
        watching = [isinstance(choice, Observe) for choice in made]
        first = watching.index(False) if False in watching else len(made)
        if not made:  # it broke off before
            continue
        found.append(
            Play(
                row["participant"],
                experiment,
                level,
                int(row["position"]),
                tuple(
                    known[experiment, level].npc_index(choice.npc)
                    for choice in made[:first]
                    if isinstance(choice, Observe)
                ),
                first < len(made),
                sum(watching[first:]),
                tuple(map(str, made[first:])) if late else (),
            )
        )
    if problems:
        raise DataError(problems)
    return sorted(found, key=lambda play: (rank(play.experiment), play.participant, play.position))


def left_out(
    dataset: Dataset, plays: Iterable[Play], experiment: ExperimentName | None = None
) -> dict[str, str]:
    """Everybody of a study (or of one of its experiments) who has no play, and why."""
    people = dataset.tables["participants"]
    if experiment is not None:
        people = people[people["experiment"] == experiment]
    fitted = {play.participant for play in plays}
    excluded = exclude(people, dataset.tables["trials"]).table.set_index("participant")
    found = {}
    for name in people["participant"]:
        if name in fitted:
            continue
        reason = "made no choice in any trial"
        if name in excluded.index:
            row = excluded.loc[name]
            reason = str(row["reason"])
            if reason == OUTLIER:
                reason += f" ({row['score']:g} points, the cut is {row['cut']:g})"
        found[str(name)] = reason
    return found


def _choices(table: pd.DataFrame) -> dict[tuple[str, str], list[Choice]]:
    """The choices of each participant and trial, in order."""
    found: dict[tuple[str, str], list[Choice]] = {}
    columns = (table.sort_values("number")[name] for name in ("participant", "level", "choice"))
    for who, level, choice in zip(*columns, strict=True):
        found.setdefault((who, level), []).append(parse_choice(choice))
    return found
