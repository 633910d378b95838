"""Acting alone: the tour through the candidates and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from onlooker.game import ACTIONS, Action, Chest, Wizard
from onlooker.inference.parameters import Parameters
from onlooker.planning import Tables

INF = float("inf")


class Leg(NamedTuple):
    """A least-cost walk to a wizard, that wizard asked at its end, or to the chest."""

    cost: float
    actions: tuple[Action, ...]
    end: int  # the cell it ends on


class Exploration:
    """The tours of the main agent; every leg and tour is remembered."""

    def __init__(self, tables: Tables, goal: str, parameters: Parameters) -> None:
        self.tables = tables
        self.chest = tables.map.chest(goal)
        self.parameters = parameters
        self._legs: dict[tuple[int, int, Chest | Wizard], Leg] = {}
        self._tours: dict[tuple[int, int, tuple[Wizard, ...]], tuple[Wizard, ...]] = {}
        self._worst: dict[tuple[int, int, tuple[Wizard, ...], int], float] = {}

    def leg(self, mask: int, cell: int, target: Chest | Wizard) -> Leg:
        """The walk from a cell, holding some amulets, that asks nobody but its target."""
        key = (mask, cell, target)
        if key not in self._legs:
            self._legs[key] = self._walk(mask, cell, target)
        return self._legs[key]

    def tour(self, mask: int, cell: int, wizards: Iterable[Wizard]) -> tuple[Wizard, ...]:
        """The order in which the wizards are visited, nearest first.

        "chain" looks for the nearest from each stop, "fixed" sorts once from the first cell. An
        amulet is counted as held when all wizards of its colour have been visited.
        """
        key = (mask, cell, tuple(wizards))
        if key not in self._tours:
            make = self._chain if self.parameters.order == "chain" else self._sorted
            self._tours[key] = make(*key)
        return self._tours[key]

    def worst(self, mask: int, cell: int, wizards: tuple[Wizard, ...], needed: int) -> float:
        """What the tour through all wizards and on to the chest costs, as if the last one gave."""
        key = (mask, cell, wizards, needed)
        if key not in self._worst:
            total, left = 0.0, list(wizards)
            for wizard in self.tour(mask, cell, wizards):
                leg = self.leg(self._held(mask, wizards, left), cell, wizard)
                total += leg.cost
                cell = leg.end
                left.remove(wizard)
            self._worst[key] = total + self._to_chest(mask | needed, cell)
        return self._worst[key]

    def expected(
        self,
        mask: int,
        cell: int,
        wizards: tuple[Wizard, ...],
        needed: int,
        belief: Mapping[str, float],
    ) -> float:
        """What the same tour costs on average, the rest of a colour skipped once it is held."""
        tour = self.tour(mask, cell, wizards)
        colours = list(dict.fromkeys(wizard.colour for wizard in wizards))
        of_colour = [[w for w in wizards if w.colour == colour] for colour in colours]
        totals = [sum(belief[wizard.id] for wizard in group) for group in of_colour]
        average = 0.0
        for holders in product(*of_colour):
            weight = 1.0
            for wizard, total in zip(holders, totals, strict=True):
                weight *= belief[wizard.id] / total
            if weight > 0:
                average += weight * self._lucky(mask, cell, tour, holders, needed)
        return average

    def _lucky(
        self,
        mask: int,
        cell: int,
        tour: Sequence[Wizard],
        holders: Sequence[Wizard],
        needed: int,
    ) -> float:
        """What the tour costs when those wizards are the holders."""
        total = 0.0
        for wizard in tour:
            bit = self._bit(wizard)
            if mask & bit:
                continue
            leg = self.leg(mask, cell, wizard)
            total += leg.cost
            cell = leg.end
            if wizard in holders:
                mask |= bit
        return total + self._to_chest(mask | needed, cell)

    def _chain(self, mask: int, cell: int, wizards: tuple[Wizard, ...]) -> tuple[Wizard, ...]:
        order: list[Wizard] = []
        left = list(wizards)  # reading order, so that min takes the first of equals
        while left:
            held = self._held(mask, wizards, left)
            nearest = min(left, key=lambda wizard: self.leg(held, cell, wizard).cost)
            cell = self.leg(held, cell, nearest).end
            left.remove(nearest)
            order.append(nearest)
        return tuple(order)

    def _sorted(self, mask: int, cell: int, wizards: tuple[Wizard, ...]) -> tuple[Wizard, ...]:
        return tuple(sorted(wizards, key=lambda wizard: self.leg(mask, cell, wizard).cost))

    def _held(self, mask: int, wizards: Iterable[Wizard], left: Iterable[Wizard]) -> int:
        """The amulets held when only some of the wizards are left to visit."""
        for wizard in wizards:
            mask |= self._bit(wizard)
        for wizard in left:
            mask &= ~self._bit(wizard)
        return mask

    def _bit(self, wizard: Wizard) -> int:
        return self.tables.states.mask([wizard.colour])

    def _to_chest(self, mask: int, cell: int) -> float:
        return float(self.tables.walk(self.chest)[mask, cell]) if cell >= 0 else INF

    def _walk(self, mask: int, cell: int, target: Chest | Wizard) -> Leg:
        """Follow the table downhill, up before down before left before right."""
        states, costs = self.tables.states, self.parameters.costs
        if cell < 0:
            return Leg(INF, (), -1)
        table = self.tables.walk(target)[mask]
        cost = float(table[cell])
        if cost == INF:
            return Leg(INF, (), -1)
        asks = isinstance(target, Wizard)
        end = states.cell(target.at)
        actions: list[Action] = []
        width = self.tables.map.width
        while True:
            if cell == end and not asks:
                return Leg(cost, tuple(actions), cell)
            left = float(table[cell])
            for action in ACTIONS:
                there = action.from_cell((cell % width, cell // width))
                if not self.tables.map.contains(there):
                    continue
                ahead = states.cell(there)
                if asks and ahead == end and left == costs.interact:
                    return Leg(cost, (*actions, action), cell)
                if table[ahead] + costs.move == left:
                    actions.append(action)
                    cell = ahead
                    break
