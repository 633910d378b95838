"""Trials as parts of figures: their maps, where NPCs go, and examples that come with onlooker."""

from __future__ import annotations

from collections.abc import Sequence

from onlooker.drawing.artists import CellText, Group
from onlooker.drawing.figure import draw_map
from onlooker.drawing.route import Paths, States
from onlooker.experiments.stimuli import stimuli
from onlooker.game import ExperimentName, Trial
from onlooker.planning import Tables, npc_paths
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes


def maps_of(trials: Sequence[Trial]) -> dict[tuple[ExperimentName | None, str], Trial]:
    """Trials by experiment and name, without tutorials."""
    return {(trial.experiment, trial.label): trial for trial in trials if not trial.tutorial}


def example_trial(experiment: int, name: str) -> Trial:
    """A bundled trial."""
    return next(trial for trial in stimuli(experiment) if trial.name == name)


def borrowed(trial: Trial, among: Sequence[Trial] | None) -> str:
    """What a caption says of an example that is not among the trials of a report."""
    if among is None or trial in among:
        return ""
    return (
        f" The trial {trial.label} comes with onlooker; it is an illustration and is not among the"
        " trials that are analysed here."
    )


def reference_paths(trial: Trial) -> Paths:
    """What each NPC does when it is watched to its end."""
    steps = npc_paths(Tables(trial.map), trial)
    return {npc.id: path for npc, path in zip(trial.npcs, steps, strict=True)}


def draw_small_map(
    ax: Axes,
    trial: Trial,
    *,
    paths: Paths | None = None,
    states: States | None = None,
    holders: bool = True,
) -> None:
    """Draw a trial with its NPCs' paths: the reference paths, unless others are given.

    It has no ids of wizards, which would be too small to read.
    """
    shown = reference_paths(trial) if paths is None else paths
    draw_map(ax, trial, holders=holders, paths=shown, states=states)
    ids = {wizard.id for wizard in trial.map.wizards}
    for group in ax.findobj(Group):
        if "wizard:" in (group.get_gid() or ""):
            for part in group.findobj(CellText):
                part.set_visible(part.get_text() not in ids)
