"""The plain version of the least expected cost of searching, and of the search behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from onlooker.game import (
    ACTIONS,
    Action,
    Cell,
    Costs,
    Effect,
    Map,
    State,
    Step,
    Trial,
    Wizard,
    effect,
    step,
)
from onlooker.inference.parameters import MARGIN
from onlooker.inference.reference import Assignment, assignments
from onlooker.planning import NoPathError


class Stop(NamedTuple):
    """A wizard to ask next, from a cell beside it."""

    wizard: Wizard
    cell: Cell


@dataclass(frozen=True)
class Found:
    """What a searcher's own interactions have left: where it stands, holds, and may be true."""

    cell: Cell
    amulets: frozenset[str]  # colours
    assignments: frozenset[Assignment]


class Searcher:
    """The main agent of a trial, which asks wizards of needed colours one after the other."""

    def __init__(
        self, trial: Trial, costs: Costs, needed: Iterable[str], weights: Mapping[Assignment, float]
    ) -> None:
        self.trial, self.costs, self.needed = trial, costs, tuple(needed)
        self.weights = weights
        self._costs: dict[Found, float] = {}
        self._walks: dict[tuple[Cell, frozenset[str]], dict[Cell, int]] = {}

    def start(self, main: State) -> Found:
        """What is known before the search: nobody who was asked in vain is a holder."""
        vain = {w.id for w in self.trial.map.wizards if w.id in main.checked}
        vain -= {w.id for w in self.trial.map.wizards if w.colour in main.amulets}
        possible = {held for held, weight in self.weights.items() if weight > 0}
        return Found(
            main.cell,
            main.amulets,
            frozenset(held for held in possible if not vain & set(held)),
        )

    def cost(self, found: Found) -> float:
        """The least expected points to the chest."""
        if found not in self._costs:
            if not self.lacking(found):
                chest = self.trial.map.chest(self.trial.main.goal).at
                self._costs[found] = self.walk(found).get(chest, inf)
            else:
                self._costs[found] = min(self.stops(found).values(), default=inf)
        return self._costs[found]

    def lacking(self, found: Found) -> list[str]:
        """The needed colours whose amulets are not held."""
        return [colour for colour in self.needed if colour not in found.amulets]

    def stops(self, found: Found) -> dict[Stop, float]:
        """What each next stop costs in all, in the order of preference among equals."""
        costs = {}
        walk, total = self.walk(found), self._weight(found.assignments)
        for wizard in self.trial.map.wizards:
            gave = self.after(found, Stop(wizard, found.cell), True).assignments
            if wizard.colour not in self.lacking(found) or not gave:
                continue
            for cell in self._beside(wizard):
                if cell in walk:
                    on = 0.0
                    for answer in (True, False):
                        after = self.after(found, Stop(wizard, cell), answer)
                        if after.assignments:
                            on += self._weight(after.assignments) / total * self.cost(after)
                    costs[Stop(wizard, cell)] = walk[cell] + self.costs.interact + on
        return costs

    def after(self, found: Found, stop: Stop, gave: bool) -> Found:
        """What is known after a wizard was asked."""
        wizard = stop.wizard
        left = frozenset(held for held in found.assignments if (wizard.id in held) == gave)
        amulets = found.amulets | {wizard.colour} if gave else found.amulets
        return Found(stop.cell, amulets, left)

    def next_stop(self, found: Found) -> Stop:
        """The best stop: the first wizard among equals, then the first cell."""
        costs = self.stops(found)
        least = min(costs.values(), default=inf)
        if least == inf:
            raise NoPathError(
                f"{self.trial.label}: the main agent cannot get from {found.cell} to the"
                f" {' or '.join(self.lacking(found))} wizards left"
            )
        return next(stop for stop, cost in costs.items() if cost <= least + MARGIN)

    def carry_out(self, found: Found) -> tuple[list[Step], list[str]]:
        """The search among the true holders, to the chest: its steps, and the wizards asked."""
        state, path, asked = State(found.cell, found.amulets), list[Step](), list[str]()
        while self.lacking(found):
            if not found.assignments:  # what it believed is not true: the rest is equally likely
                self.weights = dict.fromkeys(assignments(self.trial.map), 1.0)
                self._costs.clear()
                found = self._still_possible(found, asked)
            stop = self.next_stop(found)
            path += self._walk_to(state, stop.cell)
            path.append(self._step(path[-1].state if path else state, _towards(stop)))
            state = path[-1].state
            asked.append(stop.wizard.id)
            found = self.after(found, stop, stop.wizard.colour in state.amulets)
        return path + self._walk_to(state, self.trial.map.chest(self.trial.main.goal).at), asked

    def _still_possible(self, found: Found, asked: list[str]) -> Found:
        """All assignments that agree with what the wizards asked so far did."""
        held = {w for w in asked if w in self.trial.holders.values()}
        vain = set(asked) - held
        left = [w for w in self.weights if held <= set(w) and not vain & set(w)]
        return Found(found.cell, found.amulets, frozenset(left))

    def walk(self, found: Found) -> dict[Cell, int]:
        """The least points of a walk to each cell in reach that asks nobody."""
        key = found.cell, found.amulets
        if key not in self._walks:
            self._walks[key] = walks(self.trial.map, *key, self.costs.move)
        return self._walks[key]

    def _walk_to(self, state: State, cell: Cell) -> list[Step]:
        """The least-cost walk to a cell; ties up, down, left, right."""
        back = walks(self.trial.map, cell, state.amulets, self.costs.move)
        path: list[Step] = []
        while state.cell != cell:
            nearer = back[state.cell] - self.costs.move
            action = next(a for a in ACTIONS if back.get(a.from_cell(state.cell)) == nearer)
            path.append(self._step(state, action))
            state = path[-1].state
        return path

    def _step(self, state: State, action: Action) -> Step:
        # No chest ends the run before the search is over.
        goal, holders = "", self.trial.holders
        taken = step(self.trial.map, state, action, goal, holders, self.costs)
        assert isinstance(taken, Step)
        return taken

    def _beside(self, wizard: Wizard) -> list[Cell]:
        """The cells beside a wizard in reading order."""
        return sorted((a.from_cell(wizard.at) for a in ACTIONS), key=lambda cell: cell[::-1])

    def _weight(self, possible: Iterable[Assignment]) -> float:
        return sum(self.weights[held] for held in sorted(possible))


def _towards(stop: Stop) -> Action:
    return next(a for a in ACTIONS if a.from_cell(stop.cell) == stop.wizard.at)


def walks(map: Map, start: Cell, amulets: frozenset[str], move: int) -> dict[Cell, int]:
    """The least points of a walk from a cell to each cell in reach that asks nobody."""
    reached, edge = {start: 0}, [start]
    for cell in edge:
        for action in ACTIONS:
            there = action.from_cell(cell)
            if there not in reached and effect(map, there, amulets) is Effect.MOVE:
                reached[there] = reached[cell] + move
                edge.append(there)
    return reached
