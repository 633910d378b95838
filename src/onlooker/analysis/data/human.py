"""What people did, in one form: from our own experiment's data, or from means for each level."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis import DataError
from onlooker.analysis.data.scopes import TRIAL
from onlooker.analysis.data.words import Source
from onlooker.experiments.dataset import DESCRIPTION
from onlooker.experiments.exclusion import exclude
from onlooker.experiments.naming import in_order
from onlooker.experiments.psych_ds import Dataset, read_dataset
from onlooker.experiments.schema import OBSERVATIONS, Column, TableSchema
from onlooker.experiments.tables import FRAME, places, read_table
from onlooker.game import Trial
from onlooker.support.problems import Problem, first_names

KEY = [*TRIAL, "agent"]
PER_NPC = ["observed", "cost_observation"]
PER_TRIAL = ["moves", "interactions", "cost_execution", "total_steps", "cost_total"]
MEASURED = PER_NPC + PER_TRIAL
MOST_NAMES = 8  # trials that a note names
PUBLISHED = "published_model"
IMPORTED = "importedFrom"  # in the description of a dataset that is an import of an archive

NEEDS_PARTICIPANTS = "data of each participant (a Psych-DS folder)"

MEANS = TableSchema(
    "means",
    "an NPC of a level",
    tuple(KEY),
    (
        *(OBSERVATIONS.column(name) for name in KEY),
        Column("human_mean_observed", "number", "Mean steps watched of this NPC.", least=0),
        Column("n_participants", "whole", "How many people the mean is of.", least=1),
        Column(PUBLISHED, "number", "The authors' own full model's count.", False, True, least=0),
    ),
)


@dataclass(frozen=True, slots=True)
class HumanBehaviour:
    """What people did on average, and what is known of each of them.

    `means` has a row for each experiment, level and NPC: `n`, the mean of each column of MEASURED
    and its standard error (`se_…`); what the data does not have is empty. What is of the
    trial as a whole is the same in the row of each NPC.
    """

    means: pd.DataFrame
    source: Source
    notes: tuple[str, ...] = ()  # what the data lacks
    # Only where there is a row for each participant:
    played: pd.DataFrame | None = None  # participant × level × NPC, of those kept
    participants: pd.DataFrame | None = None  # all of them
    exclusions: pd.DataFrame | None = None
    dataset: Dataset | None = None  # what they did one by one, if it is one dataset
    # Only where the file has it: experiment, level, NPC and the authors' own model's count.
    published: pd.DataFrame | None = None
    imported: bool = False  # from the authors' archive


def read_human(
    path: str | os.PathLike[str],
    predictions: pd.DataFrame,
    trials: Iterable[Trial] | None = None,
    *,
    skip_bad: bool = False,
    complete: bool = False,
) -> HumanBehaviour:
    """What people did: from a Psych-DS folder or from a CSV of means.

    `predictions` (see `predictions_frame`) say which levels and NPCs there are. The choices in a
    folder are replayed on the `trials`, as `read_dataset` says.
    """
    if not Path(path).is_dir():
        return read_means(path, predictions)
    dataset = read_dataset(path, trials, skip_bad=skip_bad, complete=complete)
    return summarize(dataset, predictions)


def read_people(
    paths: Sequence[Path], predictions: pd.DataFrame, trials: Sequence[Trial] | None = None
) -> HumanBehaviour:
    """The data of several files as one; what only some of them have is left out.

    An experiment may be in one of them only, as exclusions are made within each file.
    """
    several = [read_human(path, predictions, trials) for path in paths]
    if len(several) == 1:
        return several[0]
    if problems := list(_twice(paths, several)):
        raise DataError(problems)
    means = pd.concat([each.means for each in several], ignore_index=True)
    of_one = {note for each in several for note in absent(each.means, predictions)}
    notes = [note for each in several for note in each.notes if note not in of_one]

    def joined(name: str) -> pd.DataFrame | None:
        frames = [getattr(each, name) for each in several]
        return None if any(f is None for f in frames) else pd.concat(frames, ignore_index=True)

    published = [each.published for each in several if each.published is not None]
    datasets = [each.dataset for each in several if each.dataset is not None]
    return HumanBehaviour(
        means,
        max((each.source for each in several), key=list(Source).index),
        (*absent(means, predictions), *notes),
        joined("played"),
        joined("participants"),
        joined("exclusions"),
        datasets[0] if len(datasets) == 1 else None,
        published=pd.concat(published, ignore_index=True) if published else None,
        imported=all(each.imported for each in several),
    )


def _twice(paths: Sequence[Path], several: Sequence[HumanBehaviour]) -> Iterator[Problem]:
    """Experiments that are in more than one file."""
    first: dict[int, Path] = {}
    for path, each in zip(paths, several, strict=True):
        for number in in_order(each.means["experiment"]):
            if number in first:
                reason = f"Experiment {number} is in {first[number]} too; expected it in one"
                yield Problem(str(path), reason)
            else:
                first[number] = path


def read_means(
    path: str | os.PathLike[str] | pd.DataFrame, predictions: pd.DataFrame
) -> HumanBehaviour:
    """Means for each level, as in MEANS; columns beside those are not read.

    An experiment may be absent; a gap within one that is there is refused. What watching cost is
    the mean count times the cost of a step, which the predictions have.
    """
    file = FRAME if isinstance(path, pd.DataFrame) else os.fspath(path)
    if Path(file).name == DESCRIPTION:
        raise DataError([Problem(file, "expected the dataset's folder, not its description")])
    table = read_table(path, MEANS, more_columns=True)
    problems = list(_unknown(table, predictions)) + list(_gaps(file, table, predictions))
    if table.empty:
        problems = [Problem(file, "expected a row for each level and NPC; there is none")]
    if problems:
        raise DataError(problems)
    means = table.rename(columns={"human_mean_observed": "observed", "n_participants": "n"})
    means = means.reset_index(drop=True)
    published = None
    if PUBLISHED in means and means[PUBLISHED].notna().any():
        published = means.dropna(subset=[PUBLISHED])[[*KEY, PUBLISHED]].reset_index(drop=True)
    means = means.reindex(columns=_mean_columns())
    means["cost_observation"] = means["observed"] * step_cost(predictions)
    notes = tuple(absent(means, predictions))
    return HumanBehaviour(_floats(means), Source.HUMAN, notes, published=published)


def step_cost(predictions: pd.DataFrame) -> float:
    """What watching a step costs in the predictions; NaN if they have no cost, or several.

    >>> step_cost(pd.DataFrame({"observed": [0, 2, 3], "cost_observation": [0, 4, 6]}))
    2.0
    """
    if "observed" not in predictions:  # only which levels there are
        return np.nan
    watched = predictions[predictions["observed"] > 0]
    costs = set((watched["cost_observation"] / watched["observed"]).round(9))
    return float(costs.pop()) if len(costs) == 1 else np.nan


def summarize(dataset: Dataset, predictions: pd.DataFrame) -> HumanBehaviour:
    """The means of a dataset over the participants who are kept.

    A level that none of them has played is left out with a note, as people play a few each.
    """
    tables = dataset.tables
    trials = tables["trials"][~tables["trials"]["tutorial"]]
    played = ["participant", "level"]
    watched = pd.MultiIndex.from_frame(tables["observations"][played])
    counted = tables["observations"][watched.isin(pd.MultiIndex.from_frame(trials[played]))]
    problems = [*_unknown(trials, predictions), *_unknown(counted, predictions)]
    if problems:
        raise DataError(problems)
    exclusion = exclude(tables["participants"], tables["trials"])
    if exclusion.kept.empty:
        reason = "no participant is left: none has completed all trials"
        raise DataError([Problem("table participants", reason)])
    mine = _played(counted, trials, set(exclusion.kept["participant"]))
    groups = mine.groupby(KEY, sort=True)[MEASURED]
    means = groups.mean().join(groups.sem().add_prefix("se_"))
    means.insert(0, "n", groups.size())
    means = means.reset_index()[_mean_columns()]
    players = dataset.description.players
    notes = (
        *dataset.notes,
        *_played_by(players),
        *absent(means, predictions),
        *_unplayed(means, predictions),
    )
    return HumanBehaviour(
        _floats(means),
        Source.of(simulated=dataset.description.simulated, players=bool(players)),
        notes,
        mine,
        tables["participants"].reset_index(drop=True),
        exclusion.table,
        dataset,
        published=_published(counted),
        imported=IMPORTED in dataset.description.more,
    )


def _published(observations: pd.DataFrame) -> pd.DataFrame | None:
    """The authors' own model's counts, which only an import of their archive has."""
    if PUBLISHED not in observations or observations[PUBLISHED].isna().all():
        return None
    known = observations.dropna(subset=[PUBLISHED]).drop_duplicates(KEY)
    return known[[*KEY, PUBLISHED]].reset_index(drop=True)


def _played(counted: pd.DataFrame, trials: pd.DataFrame, kept: set[str]) -> pd.DataFrame:
    """What each participant who is kept did about each NPC, with the trial's own columns."""
    steps = trials["observed"] + trials["moves"] + trials["interactions"]
    whole = trials.assign(total_steps=steps)[["participant", "level", *PER_TRIAL]]
    mine = counted[counted["participant"].isin(kept)]
    return mine.merge(whole, on=["participant", "level"], validate="many_to_one")


def _mean_columns() -> list[str]:
    return [*KEY, "n", *MEASURED, *(f"se_{name}" for name in MEASURED)]


def _floats(means: pd.DataFrame) -> pd.DataFrame:
    numbers = [name for name in means if name not in (*KEY, "n")]
    return means.astype(dict.fromkeys(numbers, float))


# -- against the predictions -----------------------------------------------------------------------


def _unknown(table: pd.DataFrame, predictions: pd.DataFrame) -> Iterator[Problem]:
    """Levels and NPCs that the predictions do not have, in the experiments that they have."""
    known = set(zip(predictions["experiment"], predictions["level"], strict=True))
    roles = dict(zip(_keys(predictions), predictions["expertise"], strict=True))
    numbers = {experiment for experiment, _ in known}
    for place, row in zip(places(table), table.to_dict("records"), strict=True):
        number, level, agent = row["experiment"], row["level"], row.get("agent")
        if number not in numbers:
            continue
        what = f"level {level!r} of Experiment {number}"
        role = roles.get((number, level, agent))
        if (number, level) not in known:
            yield Problem(f"{place}, column level", f"there are no predictions for {what}")
        elif agent is not None and role is None:
            reason = f"there are no predictions for NPC {agent!r} in {what}"
            yield Problem(f"{place}, column agent", reason)
        elif (given := row.get("expertise", role)) != role and agent is not None:
            reason = f"expected {role} as in the predictions, not {given!r}"
            yield Problem(f"{place}, column expertise", reason)


def _gaps(file: str, table: pd.DataFrame, predictions: pd.DataFrame) -> Iterator[Problem]:
    """Levels and NPCs of the predictions that a table of means should have and does not."""
    there = set(_keys(table))
    numbers = set(table["experiment"])
    for experiment, level, agent in dict.fromkeys(_keys(predictions)):
        if experiment in numbers and (experiment, level, agent) not in there:
            reason = f"no row for NPC {agent!r} in level {level!r} of Experiment {experiment}"
            yield Problem(file, reason)


def absent(means: pd.DataFrame, predictions: pd.DataFrame) -> Iterator[str]:
    """Notes on the experiments that only people or only the predictions have."""
    ours, theirs = set(means["experiment"]), set(predictions["experiment"])
    for number in sorted(theirs - ours):
        yield f"Experiment {number}: no human data"
    for number in sorted(ours - theirs):
        yield f"Experiment {number}: no predictions, so it is left out"


def _played_by(players: Sequence[str]) -> Iterator[str]:
    if players:
        yield f"artificial players, not people: {first_names(players)}"


def _unplayed(means: pd.DataFrame, predictions: pd.DataFrame) -> Iterator[str]:
    there = set(_keys(means))
    for number in in_order(set(means["experiment"]) & set(predictions["experiment"])):
        rows = predictions[predictions["experiment"] == number]
        lacking = sorted({key[1] for key in _keys(rows) if key not in there})
        if lacking:
            names = ", ".join(lacking[:MOST_NAMES]) + (", …" if len(lacking) > MOST_NAMES else "")
            count = len(lacking)
            yield f"Experiment {number}: {count} trials that nobody who is kept played: {names}"


def _keys(frame: pd.DataFrame) -> Iterable[tuple[Any, ...]]:
    return zip(*(frame[name] for name in KEY), strict=True)
