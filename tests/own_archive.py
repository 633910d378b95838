"""An archive of our own in the authors' layout, made of bundled stimuli and simulated people.

It has what the authors' archive has: maps as text under the names of the paper's inventory, goals
in `metadata.json`, `human_means.csv` with the authors' model's own count beside people's mean, the
counts of models in `model_outputs`, and logs of 24 people with their warts (`own_sessions`). The maps
are ours and the people simulated. Some of the counts differ on purpose from those of the full model
(`OTHER_COUNTS`), so that a test knows what it must find.

    python tests/own_archive.py DIR
"""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import mean

from onlooker.experiments.archive import MAPS
from onlooker.experiments.archive.map import NPCS, WITH_METADATA, level_name
from onlooker.experiments.layout import base_maps
from onlooker.experiments.predictions import predict
from onlooker.experiments.records import Records
from onlooker.experiments.simulation import simulate
from onlooker.experiments.stimuli import stimuli
from onlooker.game import Expertise, Trial
from onlooker.observers import GradedMentalizing, RationalMentalizing
from own_sessions import add_strays, their_name, write_sessions

MEANS = "human_means.csv"
PEOPLE = 24  # in each experiment; each of them plays every trial
COLUMNS = (
    "experiment", "level", "agent", "human_mean_observed", "n_participants", "published_model",
)  # fmt: skip
# Where the count of "the authors' model" is not that of the full model: the difference.
OTHER_COUNTS = {
    (1, "s211_1", "agent2"): -1,
    (2, "s311_2", "agent2"): -3,
    (4, "sm211_scenario1", "agent3"): 1,
}


def write_archive(folder: Path, experiments: Iterable[int] = MAPS) -> Path:
    """Write maps, logs, means and counts of the experiments; the folder."""
    rows: list[tuple[object, ...]] = []
    for number in experiments:
        write_maps(folder / f"problems_exp{number}", number)
        write_sessions(folder, number, trials_of(number))
        means = list(means_of(number))
        write_counts(folder / "model_outputs", number, means)
        rows += means
    if set(experiments) == set(MAPS):
        add_strays(folder)
    with (folder / MEANS).open("w", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *rows])
    return folder


# -- maps ------------------------------------------------------------------------------------------


def scenarios_of(number: int) -> dict[str, list[Trial]]:
    """The trials of each map of an experiment, by the name that a map of the paper has."""
    return dict(zip(MAPS[number], base_maps(stimuli(number)), strict=True))


def trials_of(number: int) -> list[Trial]:
    """The trials of an experiment as the import is to give them."""
    return [
        replace(trial, name=level_name(number, name, scenario), scenario=scenario)
        for name, trials in scenarios_of(number).items()
        for scenario, trial in enumerate(trials, start=1)
    ]


def write_maps(folder: Path, number: int) -> None:
    """Write the maps of an experiment and, where the authors have them, the metadata."""
    folder.mkdir(parents=True)
    metadata: dict[str, object] = {}
    for name, trials in scenarios_of(number).items():
        goals = dict(goals_of(trials))
        text = map_text(trials[0])
        if number == 3:
            text += "\n" + "".join(f"{letter}: {a}, {b}\n" for letter, (a, b) in goals.items())
        elif number == 4:
            text += "\n" + "".join(lettered(letter, goals[letter], trials) for letter in goals)
        (folder / f"{name}.txt").write_text(text)
        metadata[name] = goals["X"] if number == 2 else {NPCS[x]: goals[x] for x in goals}
    if number in WITH_METADATA:
        (folder / "metadata.json").write_text(json.dumps(metadata, indent=1))


def map_text(trial: Trial) -> str:
    """A map in the authors' characters."""
    map = trial.map
    cells = dict.fromkeys(map.walls, "W")
    cells |= {chest.at: "G" if chest.letter == trial.main.goal else "g" for chest in map.chests}
    cells |= {barrier.at: barrier.colour[0].upper() for barrier in map.barriers}
    holders = set(trial.holders.values())
    cells |= {each.at: each.colour[0] if each.id in holders else "e" for each in map.wizards}
    cells[trial.main.at] = "M"
    cells |= {npc.at: letter for letter, npc in zip(NPCS, trial.npcs, strict=False)}
    rows = ([cells.get((x, y), ".") for x in range(map.width)] for y in range(map.height))
    return "".join("".join(row) + "\n" for row in rows)


def goals_of(trials: list[Trial]) -> Iterator[tuple[str, list[int]]]:
    """The number of each NPC's chest in each scenario, by the NPC's letter."""
    for letter, npcs in zip(
        NPCS, zip(*(trial.npcs for trial in trials), strict=True), strict=False
    ):
        yield letter, [1 + "ABC".index(npc.goal or "") for npc in npcs]


def lettered(letter: str, goals: list[int], trials: list[Trial]) -> str:
    """A line of goals that also says who is an expert."""
    index = list(NPCS).index(letter)
    experts = (trial.npcs[index].expertise is Expertise.EXPERT for trial in trials)
    said = (f"{goal}{'a' if expert else 'n'}" for goal, expert in zip(goals, experts, strict=True))
    return f"{letter}: {', '.join(said)}\n"


# -- people ----------------------------------------------------------------------------------------


def people_of(number: int) -> Records:
    """Everything that the simulated people of an experiment did."""
    trials = trials_of(number)
    order = [[trial.label for trial in trials]]
    return simulate(number, trials, order, GradedMentalizing(), PEOPLE, seed=7)


def means_of(number: int) -> Iterator[tuple[object, ...]]:
    """The rows of the means of an experiment."""
    looks: Mapping[tuple[int, str, str], list[int]] = defaultdict(list)
    for row in people_of(number).observations:
        looks[row["experiment"], row["level"], row["agent"]].append(row["observed"])
    for row in predict(trials_of(number), [RationalMentalizing()]):
        key = row.experiment or 0, row.level, row.agent
        count = row.observed + OTHER_COUNTS.get(key, 0)
        yield *key, round(mean(looks[key]), 4), len(looks[key]), float(count)


def write_counts(folder: Path, number: int, means: list[tuple[object, ...]]) -> None:
    """Write the counts of "the authors' models", in the forms that they use."""
    model: dict[str, object] = {}
    naive: dict[str, object] = {}
    for _, level, agent, _, _, count in means:
        name = their_name(number, str(level), modified=False)
        if number > 2:
            counts = model.setdefault(name, {})
            assert isinstance(counts, dict)
            counts[f"{agent}_count"] = count
        else:
            model[name] = count if number == 1 else {"observations_count": count}
            naive[name] = {"t": 4}
    for place, counts in (
        (f"experiments/exp{number}/steps_dict.json", model),
        (f"baselines/exp{number}/step_dict_naive_observer.json", naive),
    ):
        if counts:
            (folder / place).parent.mkdir(parents=True)
            (folder / place).write_text(json.dumps(counts))


if __name__ == "__main__":
    write_archive(Path(sys.argv[1]))
