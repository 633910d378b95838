"""Maps as parts of a figure: without the wizards' ids, which would be too small to read."""

from __future__ import annotations

from onlooker.drawing.artists import CellText, Group
from onlooker.drawing.figure import draw_map
from onlooker.drawing.route import Paths, States
from onlooker.game import Trial
from onlooker.planning import Tables, npc_paths
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes


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
    """Draw a trial with its NPCs' paths: the reference paths, unless others are given."""
    shown = reference_paths(trial) if paths is None else paths
    draw_map(ax, trial, holders=holders, paths=shown, states=states)
    ids = {wizard.id for wizard in trial.map.wizards}
    for group in ax.findobj(Group):
        if "wizard:" in (group.get_gid() or ""):
            for part in group.findobj(CellText):
                part.set_visible(part.get_text() not in ids)
