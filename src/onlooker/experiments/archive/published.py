"""What the authors published beside logs: the counts of their models, and people's means."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from statistics import mean, median, stdev
from typing import Any

from onlooker.experiments.archive.people import Note, People
from onlooker.experiments.archive.session import our_level
from onlooker.experiments.archive.tree import Tree
from onlooker.game import Trial
from onlooker.support.problems import DataError

MEANS = "human_means.csv"
MOST_BYTES = 50 << 20
NOT_READ = "predictions and means that cannot be read"
MODEL = "published_model"
COLUMNS = {  # of the means, by the authors' name of what predicts
    "": MODEL,
    "naive_observer": "published_naive_observer",
    "social_mentalizing": "published_mentalizing_observer",
    "rational_non_mentalizing": "published_rational_observer",
}
MEAN = ("human_mean_observed", "n_participants", "se_observed")
APART = 0.25  # steps, up to which means can be of the same people, whatever the exclusion

_FILES = re.compile(
    r"(?:.*/)?model_outputs/"
    r"(?:experiments/exp([1-4])/steps_dict|baselines/exp([1-4])/step_dict_(\w+))\.json"
)

Key = tuple[int, str, str]  # experiment, level, agent
Numbers = dict[Key, dict[str, float]]  # by the names of columns


@dataclass
class Published:
    """The counts of the authors' models and the means of their people, if they are there."""

    counts: Numbers = field(default_factory=dict)
    means: Numbers = field(default_factory=dict)
    files: list[str] = field(default_factory=list)  # that were read
    notes: list[Note] = field(default_factory=list)


def read_published(tree: Tree, trials: Mapping[tuple[int, str], Trial]) -> Published:
    """Read what there is; what is wrong with it is noted, and the rest goes on."""
    found = Published()
    for path in sorted(tree.files, key=lambda path: (len(path.parts), path)):
        file = tree.relative(path)
        match = _FILES.fullmatch(path.as_posix())
        if not match and path.name != MEANS:
            continue
        if path.name == MEANS and found.means:
            found.notes.append(Note(NOT_READ, file, None, "there are other means already"))
            continue
        before = len(found.notes)
        try:
            text = tree.read(path, MOST_BYTES).decode("utf-8-sig")
            if match is None:
                _means(text, file, found, trials)
            elif (column := COLUMNS.get(match[3] or "")) is None:
                found.notes.append(Note(NOT_READ, file, None, "of no observer that is known"))
            else:
                _counts(json.loads(text), int(match[1] or match[2]), column, file, found, trials)
        except (DataError, ValueError, RecursionError, csv.Error) as error:
            found.notes.append(Note(NOT_READ, file, None, str(error)[:200]))
        if len(found.notes) == before:
            found.files.append(file)
    return found


def _counts(
    levels: Any,
    experiment: int,
    column: str,
    file: str,
    found: Published,
    trials: Mapping[tuple[int, str], Trial],
) -> None:
    """The counts of one model in one experiment."""
    if not isinstance(levels, dict):
        raise ValueError("expected an object of levels and counts")
    if not any(number == experiment for number, _ in trials):
        return
    for name, value in levels.items():
        level = our_level(experiment, name)
        trial = trials.get((experiment, level or ""))
        if trial is None or level is None:
            reason = f"{name[:40]!r} is not a level of Experiment {experiment}"
            found.notes.append(Note(NOT_READ, file, None, reason))
            continue
        for npc in trial.npcs:
            count = _count(value, npc.id, len(trial.npcs))
            if count is None:
                reason = f"{name[:40]}: expected a count for {npc.id}, not {str(value)[:40]}"
                found.notes.append(Note(NOT_READ, file, None, reason))
            else:
                found.counts.setdefault((experiment, level, npc.id), {})[column] = count


def _count(value: Any, npc: str, npcs: int) -> float | None:
    """The count of an NPC in what a file says of a level."""
    if isinstance(value, dict):
        names = (f"{npc}_count", *(("t", "observations_count") if npcs == 1 else ()))
        value = next((value[name] for name in names if name in value), None)
    elif npcs > 1:
        return None
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e6
    return float(value) if good else None


def _means(text: str, file: str, found: Published, trials: Mapping[tuple[int, str], Trial]) -> None:
    """The means of people, as the authors worked them out."""
    table = csv.DictReader(io.StringIO(text))
    needed = {"experiment", "level", "agent", *MEAN[:2]}
    if missing := needed - set(table.fieldnames or ()):
        raise ValueError(f"missing columns: {', '.join(sorted(missing))}")
    for row in table:
        place = table.line_num
        try:
            key = int(row["experiment"]), row["level"], row["agent"]
            numbers = {
                name: float(row[name]) for name in (*MEAN, *COLUMNS.values()) if row.get(name)
            }
            if not all(0 <= value < 1e6 for value in numbers.values()) or len(numbers) < 2:
                raise ValueError
        except (TypeError, ValueError):
            found.notes.append(Note(NOT_READ, file, place, "expected numbers"))
            continue
        if not any(number == key[0] for number, _ in trials):
            continue
        trial = trials.get(key[:2])
        if trial is None or key[2] not in {npc.id for npc in trial.npcs}:
            reason = f"{key[1][:40]!r}, {key[2][:20]!r}: no NPC of Experiment {key[0]}"
            found.notes.append(Note(NOT_READ, file, place, reason))
            continue
        found.means[key] = {name: numbers[name] for name in MEAN if name in numbers}
        counts = {name: value for name, value in numbers.items() if name not in MEAN}
        found.counts[key] = counts | found.counts.get(key, {})


# -- the table of means ----------------------------------------------------------------------------


def means_of(people: People) -> Numbers:
    """People's mean looks as the paper counts them, of those whom its rule keeps."""
    looks: dict[Key, list[float]] = {}
    for person in people.persons:
        if not person.excluded:
            for played in person.played:
                for agent, count in played.looks.items():
                    looks.setdefault((person.experiment, played.level, agent), []).append(count)
    found: Numbers = {}
    for key, counts in sorted(looks.items()):
        found[key] = {MEAN[0]: mean(counts), MEAN[1]: len(counts)}
        if len(counts) > 1:
            found[key][MEAN[2]] = stdev(counts) / len(counts) ** 0.5
    return found


def means_csv(means: Numbers, counts: Numbers) -> str:
    """The means, and beside them the counts of the authors' models where these are known."""
    there = [name for name in COLUMNS.values() if any(name in each for each in counts.values())]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["experiment", "level", "agent", *MEAN, *there])
    for key, numbers in sorted(means.items()):
        row = numbers | counts.get(key, {})
        writer.writerow([*key, *(_written(row.get(name)) for name in (*MEAN, *there))])
    return text.getvalue()


@dataclass(frozen=True)
class Agreement:
    """People's means beside those that the archive gives."""

    compared: int = 0
    agree: int = 0  # up to how the given ones are rounded, and of as many people
    apart: float = 0.0  # the median difference in steps

    @property
    def same_people(self) -> bool:
        """Whether the means can be of the people whose logs are there."""
        return self.apart <= APART


def agreement_of(means: Numbers, given: Numbers) -> Agreement:
    """How people's means agree with those that the archive gives; all is well if it gives none."""
    apart, agree = [], 0
    for key in means.keys() & given.keys():
        mine, theirs = means[key], given[key]
        apart.append(abs(mine[MEAN[0]] - theirs[MEAN[0]]))
        exponent = Decimal(repr(theirs[MEAN[0]])).as_tuple().exponent
        rounded = 0.5 * 10.0 ** min(int(exponent), -1) + 1e-9
        agree += apart[-1] <= rounded and mine[MEAN[1]] == theirs[MEAN[1]]
    return Agreement(len(apart), agree, median(apart)) if apart else Agreement()


def _written(value: float | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if float(value).is_integer() else str(round(value, 6))
