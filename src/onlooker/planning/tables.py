"""Exact costs-to-go by array sweeps: many hypotheses and targets at once, side by side.

`reference` holds the plain version of the same tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from onlooker.game import Chest, Costs, Holders, Map, Wizard
from onlooker.planning.states import States
from onlooker.support.arrays import FloatArray

Target = Chest | Wizard


class Tables:
    """The costs-to-go on one map, each table made when first asked for and then kept.

    A table is an array (masks, cells): the least points from every set of amulets and cell, +inf
    where there is no way.

    >>> from onlooker.game import Wizard
    >>> hall = Map(3, 1, wizards=(Wizard("w1", (1, 0), "blue"),), chests=(Chest("A", (2, 0)),))
    >>> Tables(hall).expert("A", {"blue": "w1"}).tolist()
    [[11.0, inf, 0.0], [6.0, 3.0, 0.0]]
    """

    def __init__(self, map: Map, costs: Costs | None = None) -> None:
        self.map = map
        self.costs = costs or Costs()
        self.states = States(map)
        self._experts: dict[tuple[str, tuple[str, ...]], FloatArray] = {}

    def expert(self, goal: str, holders: Holders) -> FloatArray:
        """The least points to a chest for an agent that knows the holders."""
        table: FloatArray = self.experts([(goal, holders)])[0]
        return table

    def experts(self, hypotheses: Sequence[tuple[str, Holders]]) -> FloatArray:
        """The expert's table under each hypothesis, as (hypotheses, masks, cells)."""
        keys = [(goal, tuple(holders[c] for c in self.map.colours)) for goal, holders in hypotheses]
        new = [key for key in dict.fromkeys(keys) if key not in self._experts]
        if new:
            self._experts |= dict(zip(new, self._expert_lanes(new), strict=True))
        return np.stack([self._experts[key] for key in keys])

    def walk(self, target: Target) -> FloatArray:
        """The least points to a chest, or to asking a wizard, on a walk that asks nobody else."""
        return self._walks[target]

    def _expert_lanes(self, keys: Sequence[tuple[str, tuple[str, ...]]]) -> FloatArray:
        states, map = self.states, self.map
        values = np.full((len(keys), states.masks, states.cells), np.inf)
        goals = [states.cell(map.chest(goal).at) for goal, _ in keys]
        # With more amulets first: asking a holder leads from a set of amulets to a larger one.
        for mask in reversed(range(states.masks)):
            seeds = values[:, mask]
            seeds[np.arange(len(keys)), goals] = 0.0
            for bit, _ in enumerate(map.colours):
                if mask >> bit & 1:
                    continue
                for lane, (_, holders) in enumerate(keys):
                    ask = states.beside(map.wizard(holders[bit]).at)
                    after = self.costs.interact + values[lane, mask | 1 << bit, ask]
                    seeds[lane, ask] = np.minimum(seeds[lane, ask], after)
            values[:, mask] = self._sweep(seeds, mask)
        return values

    @cached_property
    def _walks(self) -> dict[Target, FloatArray]:
        states, map = self.states, self.map
        targets: list[Target] = [*map.chests, *map.wizards]
        values = np.full((len(targets), states.masks, states.cells), np.inf)
        for mask in range(states.masks):
            held = states.amulets(mask)
            for lane, target in enumerate(targets):
                if isinstance(target, Chest):
                    values[lane, mask, states.cell(target.at)] = 0.0
                elif target.colour not in held:
                    values[lane, mask, states.beside(target.at)] = self.costs.interact
            values[:, mask] = self._sweep(values[:, mask], mask)
        return dict(zip(targets, values, strict=True))

    def _sweep(self, seeds: FloatArray, mask: int) -> FloatArray:
        """Let the values of some cells spread over the walkable ones, a move at a time."""
        width, height = self.map.width, self.map.height
        blocked = np.where(self.states.walkable[mask], 0.0, np.inf).reshape(height, width)
        # A border of +inf saves every special case at the edge of the grid.
        grid = np.full((len(seeds), height + 2, width + 2), np.inf)
        inner = grid[:, 1:-1, 1:-1]
        inner[:] = seeds.reshape(-1, height, width) + blocked
        penalty = blocked + self.costs.move
        while True:
            near = np.minimum(grid[:, :-2, 1:-1], grid[:, 2:, 1:-1])
            np.minimum(near, grid[:, 1:-1, :-2], out=near)
            np.minimum(near, grid[:, 1:-1, 2:], out=near)
            near += penalty
            if not (near < inner).any():
                return inner.reshape(seeds.shape)
            np.minimum(inner, near, out=inner)
