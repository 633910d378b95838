"""Acting alone: the tours of the main agent and what they cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from onlooker.game import ACTIONS, Action, Chest, Wizard
from onlooker.inference.workspace import Workspace
from onlooker.observers import kernels

INF = float("inf")


class Leg(NamedTuple):
    """A least-cost walk to a wizard, that wizard asked at its end, or to the chest."""

    cost: float
    actions: tuple[Action, ...]
    end: int  # the cell it ends on, -1 if there is no way


class Exploration:
    """The tours of the main agent; cells and sets of amulets are numbered as in `States`."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.chest = workspace.trial.map.chest(workspace.trial.main.goal)

    def leg(self, mask: int, cell: int, target: Chest | Wizard) -> Leg:
        """The walk from a cell, holding some amulets, that asks nobody but its target."""
        workspace, map = self.workspace, self.workspace.trial.map
        if isinstance(target, Chest):
            number = map.letters.index(target.letter)
        else:
            number = len(map.chests) + map.wizards.index(target)
        end = int(self._ask(kernels.LEG, number, mask, self._padded(cell)))
        if end < 0:
            return Leg(INF, (), -1)
        count = workspace.number("count")
        actions = tuple(ACTIONS[action] for action in workspace.section("route")[:count])
        costs = workspace.parameters.costs
        asks = isinstance(target, Wizard)
        cost = costs.move * (count - asks) + costs.interact * asks
        width = map.width
        return Leg(cost, actions, (end // (width + 2) - 1) * width + end % (width + 2) - 1)

    def tour(self, mask: int, cell: int, wizards: Iterable[Wizard]) -> tuple[Wizard, ...]:
        """The order in which the wizards are visited, nearest first.

        "chain" looks for the nearest from each stop, "fixed" sorts once from the first cell. An
        amulet is counted as held when all wizards of its colour have been visited.
        """
        count = int(self._ask(kernels.TOUR, mask, self._padded(cell), self.bits(wizards)))
        every = self.workspace.trial.map.wizards
        return tuple(every[wizard] for wizard in self.workspace.section("order")[:count])

    def bits(self, wizards: Iterable[Wizard]) -> int:
        """A set of wizards as bits."""
        index = self.workspace.hypotheses.wizard_index
        return sum(1 << index[wizard.id] for wizard in wizards)

    def _ask(self, what: int, a: int, b: int = 0, d: int = 0) -> float:
        return float(self.workspace.call(kernels.decide, what, a, b, d))

    def _padded(self, cell: int) -> int:
        width = self.workspace.trial.map.width
        return self.workspace.padded((cell % width, cell // width)) if cell >= 0 else -1
