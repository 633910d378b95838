"""What a player sees as arrays that have the same shapes in every trial of a set.

`encode` is the plain version: it reads nothing but the views that a player was given, so nothing
hidden can be in it. `players.quick` makes the same arrays step by step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from onlooker.drawing.style import colours_of
from onlooker.game import (
    ACTIONS,
    Act,
    Choice,
    Expertise,
    Map,
    Observe,
    PlayerView,
    Stage,
)
from onlooker.game.player_view import Outcome, VisibleTurn

Arrays = dict[str, npt.NDArray[Any]]

GROUND = ("map", "wall", "goal", "chest")  # the first planes; "goal" is the player's own chest
EXPERTISE = {None: 0, Expertise.NOVICE: 1, Expertise.EXPERT: 2, Expertise.TEACHER: 3}
ANSWERS: dict[Outcome, int] = {"hidden": 1, "nothing": 2, "given": 3}  # 0 is not asked


@dataclass(frozen=True, slots=True)
class Bounds:
    """Shape, kind and range of one array."""

    shape: tuple[int, ...]
    dtype: type[np.generic]
    low: int
    high: int

    def zeros(self) -> npt.NDArray[Any]:
        """An array of it that holds nothing."""
        return np.zeros(self.shape, self.dtype)


@dataclass(frozen=True)
class Layout:
    """The shapes that every trial of a set fits into; what a trial does not fill is 0.

    >>> from onlooker.game import load_trial
    >>> from onlooker.planning import stage
    >>> layout = layout_of([stage(load_trial("examples/early-turn.map"))], limit=500)
    >>> layout.planes
    ('map', 'wall', 'goal', 'chest', 'wizard blue', 'barrier blue', 'main', 'npc 1')
    >>> {name: bounds.shape for name, bounds in layout.bounds.items()}["grid"]
    (8, 7, 11)
    """

    width: int
    height: int
    npcs: int  # the most in a trial
    colours: tuple[str, ...]  # of all trials, so that each has the same planes everywhere
    budget: int  # the largest
    dearest: int  # points of the dearest action
    limit: int  # the most choices in a trial

    @cached_property
    def planes(self) -> tuple[str, ...]:
        """What each plane of `grid` shows."""
        things = [f"{kind} {colour}" for colour in self.colours for kind in ("wizard", "barrier")]
        return (*GROUND, *things, "main", *(f"npc {n}" for n in range(1, self.rows + 1)))

    @property
    def rows(self) -> int:
        """Rows for NPCs: one that stays 0 where no trial has any, as no array may be empty."""
        return max(1, self.npcs)

    @cached_property
    def bounds(self) -> dict[str, Bounds]:
        """Every array by its name."""
        area = self.height, self.width
        most = max(self.limit, 2)
        return {
            "grid": Bounds((len(self.planes), *area), np.uint8, 0, 1),
            "seen": Bounds((self.rows, *area), np.int32, 0, most + 1),
            "asked": Bounds((1 + self.rows, *area), np.uint8, 0, max(ANSWERS.values())),
            "amulets": Bounds((max(1, len(self.colours)),), np.uint8, 0, 1),
            "npcs": Bounds((self.rows, 3), np.int32, 0, most),
            "points": Bounds((2,), np.int32, -self.dearest * self.limit, self.budget),
            "reveals_outcomes": Bounds((1,), np.uint8, 0, 1),
        }

    @cached_property
    def main(self) -> int:
        """The plane of the main agent; those of the NPCs come after it."""
        return self.planes.index("main")


def layout_of(stages: Sequence[Stage], limit: int) -> Layout:
    """The shapes that some trials fit into; nothing in them depends on holders, goals or paths."""
    maps = [stage.trial.map for stage in stages]
    colours = {colour for map in maps for colour in colours_of(map)}
    costs = [(c.move, c.interact, c.observe) for c in (stage.costs for stage in stages)]
    return Layout(
        width=max(map.width for map in maps),
        height=max(map.height for map in maps),
        npcs=max(len(stage.trial.npcs) for stage in stages),
        colours=tuple(sorted(colours)),
        budget=max(stage.budget for stage in stages),
        dearest=max(max(each) for each in costs),
        limit=limit,
    )


def index_of(view: PlayerView, choice: Choice) -> int:
    """The number of a choice: 0 to 3 for up, down, left, right, then watching each NPC in turn."""
    if isinstance(choice, Act):
        return ACTIONS.index(choice.action)
    return len(ACTIONS) + [npc.id for npc in view.npcs].index(choice.npc)


def choice_at(npcs: Sequence[str], index: int) -> Choice | None:
    """The choice of a number among NPCs of these ids; None where the trial has too few of them."""
    if index < len(ACTIONS):
        return Act(ACTIONS[index])
    npc = index - len(ACTIONS)
    return Observe(npcs[npc]) if npc < len(npcs) else None


def mask_of(layout: Layout, view: PlayerView) -> npt.NDArray[np.int8]:
    """1 for each choice that is available now, 0 for the others."""
    mask = np.zeros(len(ACTIONS) + layout.npcs, np.int8)
    for priced in view.choices:
        mask[index_of(view, priced.choice)] = 1
    return mask


def encode(layout: Layout, views: Sequence[PlayerView]) -> Arrays:
    """What a player knows after some turns, from the views it was given since the start.

    - `grid`: 1 where something is: a plane for each name in `layout.planes`
    - `seen`: for each NPC the number of the step, from 1, after which it was last seen on a cell;
      1 is where it starts, 0 a cell on which it was never seen
    - `asked`: on the wizards' cells, the main agent's asking first and then each NPC's: 0 not seen
      to ask it, 1 asked and the answer is not shown, 2 it has no amulet, 3 it gave the amulet
    - `amulets`: 1 for each colour that the main agent holds
    - `npcs`: for each NPC whether it is nobody, a novice or an expert (0, 1, 2), whether it has
      arrived, and how many of its steps were watched
    - `points`: those that are left, and those of the start
    - `reveals_outcomes`: whether watching an interaction shows what the wizard answered
    """
    arrays = empty(layout, views[0])
    for view in views[1:]:
        assert view.last is not None
        _add(arrays, view, view.last)
    now = views[-1]
    put_agents(layout, arrays, now)
    arrays["amulets"][[layout.colours.index(colour) for colour in now.main.amulets]] = 1
    arrays["points"][:] = now.left, now.budget
    for row, npc in enumerate(now.npcs):
        arrays["npcs"][row] = EXPERTISE[npc.expertise], npc.arrived, npc.observed
    return arrays


def empty(layout: Layout, view: PlayerView) -> Arrays:
    """The arrays before anything was seen, without the agents and the points."""
    arrays = {name: bounds.zeros() for name, bounds in layout.bounds.items()}
    _put_map(layout, arrays["grid"], view.map, view.main.goal)
    for row, npc in enumerate(view.npcs):
        arrays["seen"][row, npc.at[1], npc.at[0]] = 1
    arrays["reveals_outcomes"][0] = view.reveals_outcomes
    return arrays


def put_agents(layout: Layout, arrays: Arrays, view: PlayerView) -> None:
    """Put the agents on their planes."""
    for plane, (x, y) in enumerate([view.main.at, *(npc.at for npc in view.npcs)], layout.main):
        arrays["grid"][plane, y, x] = 1


def asked_at(map: Map, turn: VisibleTurn) -> tuple[int, int, int] | None:
    """Row and column of the wizard that was asked in a turn, and its answer."""
    if turn.wizard is None or turn.outcome is None:
        return None
    x, y = map.wizard(turn.wizard).at
    return y, x, ANSWERS[turn.outcome]


def _add(arrays: Arrays, view: PlayerView, turn: VisibleTurn) -> None:
    """Add what a turn showed."""
    ids = [npc.id for npc in view.npcs]
    row = 0 if turn.who == "main" else 1 + ids.index(turn.who)
    if asked := asked_at(view.map, turn):
        y, x, answer = asked
        arrays["asked"][row, y, x] = answer
    if row:
        x, y = turn.end
        arrays["seen"][row - 1, y, x] = 1 + view.npcs[row - 1].observed


def _put_map(layout: Layout, grid: npt.NDArray[Any], map: Map, goal: str) -> None:
    grid[0, : map.height, : map.width] = 1
    cells: list[tuple[str, Iterable[tuple[int, int]]]] = [
        ("wall", map.walls),
        ("goal", (chest.at for chest in map.chests if chest.letter == goal)),
        ("chest", (chest.at for chest in map.chests if chest.letter != goal)),
        *((f"wizard {wizard.colour}", [wizard.at]) for wizard in map.wizards),
        *((f"barrier {barrier.colour}", [barrier.at]) for barrier in map.barriers),
    ]
    for name, places in cells:
        for x, y in places:
            grid[layout.planes.index(name), y, x] = 1
