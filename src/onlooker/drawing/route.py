"""Paths over the map: the cells of one, the wizards asked on it, and lanes that keep them apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from onlooker.drawing.style import MAIN
from onlooker.game import Cell, Interaction, State, Step, Trial

Paths = Mapping[str, Sequence[Step]]  # steps of each agent, by "main" or the NPC's id
States = Mapping[str, State]  # by the same keys
Point = tuple[float, float]
Leg = list[Cell]


@dataclass(frozen=True, slots=True)
class Ask:
    """An interaction on a path: where the agent stood and whom it asked."""

    agent: str
    cell: Cell
    wizard: str
    gave: bool
    moves: int  # how many it had made before


def start_of(trial: Trial, agent: str) -> Cell:
    """Where an agent starts; `agent` is "main" or an NPC's id."""
    return trial.main.at if agent == MAIN else trial.npc(agent).at


def check_agents(trial: Trial, what: str, agents: Mapping[str, object]) -> None:
    """Raise ValueError if a key is not one of the trial's agents."""
    known = [MAIN, *(npc.id for npc in trial.npcs)]
    for agent in agents:
        if agent not in known:
            raise ValueError(f"{what}: no agent {agent!r}; this trial has: {', '.join(known)}")


def cells_on(start: Cell, steps: Sequence[Step]) -> list[Cell]:
    """The cells a path leads over, the start first; an interaction adds none."""
    moved = (step.state.cell for step in steps if not isinstance(step.event, Interaction))
    return [start, *moved]


def asks_on(agent: str, steps: Sequence[Step]) -> list[Ask]:
    """The interactions of a path in their order."""
    found: list[Ask] = []
    for number, step in enumerate(steps):
        if isinstance(event := step.event, Interaction):
            moves = number - len(found)
            found.append(Ask(agent, step.state.cell, event.wizard, event.gave, moves))
    return found


def legs(cells: Sequence[Cell]) -> list[Leg]:
    """Cut a path where it would go over the same edge in the same direction again.

    >>> legs([(0, 0), (1, 0), (0, 0), (1, 0), (2, 0)])
    [[(0, 0), (1, 0), (0, 0)], [(0, 0), (1, 0), (2, 0)]]
    """
    found: list[Leg] = [[cells[0]]]
    used: set[tuple[Cell, Cell]] = set()
    for edge in pairwise(cells):
        if edge in used:
            used.clear()
            found.append([edge[0]])
        used.add(edge)
        found[-1].append(edge[1])
    return found


def lanes(parts: Mapping[str, Sequence[Leg]], widest: float = 0.36) -> dict[str, list[float]]:
    """How far to the right of the cells' middle each leg of each path is drawn.

    Paths keep to the right, so that out and back lie side by side, and legs that go the same way
    over an edge keep different distances. A leg that has its edges to itself keeps to the middle.
    """
    ways = {
        (agent, index): list(pairwise(leg))
        for agent, legs in parts.items()
        for index, leg in enumerate(legs)
    }
    traffic = Counter(frozenset(edge) for edges in ways.values() for edge in edges)
    taken: dict[tuple[Cell, Cell], set[int]] = defaultdict(set)  # lanes in use on an edge
    lane: dict[tuple[str, int], int] = {}
    for key, edges in ways.items():
        used = set().union(*(taken[edge] for edge in edges))
        lane[key] = next(number for number in range(len(ways)) if number not in used)
        for edge in edges:
            taken[edge].add(lane[key])
    spacing = min(0.18, widest / (1 + max(lane.values(), default=0)))
    alone = {key for key, edges in ways.items() if all(traffic[frozenset(e)] == 1 for e in edges)}
    return {
        agent: [
            0.0 if (agent, index) in alone else (lane[agent, index] + 0.5) * spacing
            for index in range(len(legs))
        ]
        for agent, legs in parts.items()
    }


def corners(cells: Sequence[Cell], distance: float) -> list[list[Point]]:
    """For each cell of a leg, the points of a line that keeps this far to the right.

    >>> corners([(0, 0), (1, 0), (1, 1)], 0.25)
    [[(0.0, 0.25)], [(0.75, 0.25)], [(0.75, 1.0)]]
    """
    sides = [
        (-(y1 - y0) * distance, (x1 - x0) * distance) for (x0, y0), (x1, y1) in pairwise(cells)
    ]
    points: list[list[Point]] = []
    for index, (x, y) in enumerate(cells):
        here = sides[max(0, index - 1) : index + 1]
        if len(here) == 2 and here[0][0] * here[1][0] + here[0][1] * here[1][1] < 0:
            shifts = here  # it turns back
        elif len(here) == 2 and here[0] == here[1]:
            shifts = here[:1]
        else:
            shifts = [(sum(dx for dx, _ in here), sum(dy for _, dy in here))]
        points.append([(x + dx, y + dy) for dx, dy in shifts])
    return points
