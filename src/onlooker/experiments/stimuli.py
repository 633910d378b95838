"""The stimuli that come with the package: trials, tutorials and orderings of experiments.

An experiment is a folder of maps, `exp1` and so on. The paper's four have 148 trials on 84 maps.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable

from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.experiments.naming import from_slug, in_order, slug
from onlooker.experiments.orderings import load_orderings
from onlooker.game import ExperimentName, Interaction, Trial, dump_map_text, parse_trial
from onlooker.planning import Tables, npc_paths

SEED = 1  # of the design that made them


@cache
def bundled() -> tuple[ExperimentName, ...]:
    """The bundled experiments."""
    return tuple(in_order(from_slug(each.name) for each in folder().iterdir() if each.is_dir()))


def stimuli(experiment: ExperimentName | None = None) -> list[Trial]:
    """The trials of an experiment, or of the paper's four, in the order of their names.

    >>> len(stimuli()), [trial.name for trial in stimuli(2)[:2]]
    (148, ['m201_1', 'm201_2'])
    """
    names = PAPER_EXPERIMENTS if experiment is None else [experiment]
    return [trial for name in names for trial in _read(_known(name))]


def tutorials(experiment: ExperimentName) -> list[Trial]:
    """The practice trials of an experiment, first to last; they never count.

    >>> [trial.tutorial for trial in tutorials(4)]
    [True, True]
    """
    return sorted(_read(_known(experiment), "tutorial"), key=lambda trial: trial.name or "")


def orderings(experiment: ExperimentName) -> list[list[str]]:
    """The pre-randomised orderings of an experiment's trials.

    >>> len(orderings(1)[0])
    10
    """
    with as_file(folder(_known(experiment), "orderings.json")) as path:
        return [list(names) for names in load_orderings(path, stimuli(experiment)).orderings]


def stimulus_text(trial: Trial) -> str:
    """A trial as its map file: the reference paths as comments, then the map text."""
    lines = ["; Reference paths; * marks an interaction."]
    paths = npc_paths(Tables(trial.map), trial)
    for npc, path in zip(trial.npcs, paths, strict=True):
        words = (
            f"{taken.action}{'*' if isinstance(taken.event, Interaction) else ''}" for taken in path
        )
        lines.append(f"; {npc.id}, {npc.expertise}, to {npc.goal}: {' '.join(words)}")
    return "\n".join(lines) + "\n" + dump_map_text(trial)


def folder(*parts: str) -> Traversable:
    """A folder of the package's maps."""
    return files("onlooker.experiments").joinpath("maps", *parts)


@cache
def _read(*parts: str) -> tuple[Trial, ...]:
    texts = {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in folder(*parts).iterdir()
        if entry.name.endswith(".map")
    }
    return tuple(parse_trial(texts[name]) for name in sorted(texts))


def _known(experiment: ExperimentName) -> str:
    """The folder of a bundled experiment; ValueError if it is not one."""
    if experiment not in bundled():
        known = ", ".join(map(str, bundled()))
        raise ValueError(f"there is no experiment {experiment!r}; expected one of {known}")
    return slug(experiment)
