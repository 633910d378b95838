"""The plain version of acting alone: candidates, the tour through them, its cost, its actions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import inf

from onlooker.game import Cell, Chest, Interaction, Map, State, Step, Trial, Wizard
from onlooker.inference.parameters import TOLERANCE, Parameters
from onlooker.observers.results import Belief, Candidates
from onlooker.planning import NoPathError, Tables, Target, best_step, steps


def at_least(p: float, threshold: float) -> bool:
    """Whether a probability reaches a threshold; what is impossible reaches none."""
    return p > 0 and p >= threshold - TOLERANCE


def most_likely(ps: Mapping[str, float]) -> str:
    """The first among the most likely."""
    top = max(ps.values())
    return next(name for name, p in ps.items() if at_least(p, top))


def kept(ps: Mapping[str, float], prune: float) -> list[str]:
    """Those that are likely enough, or the most likely one if none is."""
    return [name for name, p in ps.items() if at_least(p, prune)] or [most_likely(ps)]


def is_settled(belief: Belief, converge: float) -> bool:
    """Whether every colour has a wizard that is almost surely its holder."""
    return all(at_least(max(ps.values()), converge) for ps in belief.values())


def candidates_of(belief: Belief, parameters: Parameters) -> dict[str, tuple[str, ...]]:
    """The wizards of each colour that are worth asking, in reading order."""
    found = {}
    for colour, ps in belief.items():
        first = most_likely(ps)
        settled = at_least(ps[first], parameters.converge)
        found[colour] = (first,) if settled else tuple(kept(ps, parameters.prune))
    return found


def everyone(map: Map, colours: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """All the wizards of the colours as candidates."""
    return {colour: tuple(w.id for w in map.wizards_of[colour]) for colour in colours}


@dataclass(frozen=True)
class Tour:
    """An order in which to visit all the candidates, and what it costs in the worst case."""

    order: tuple[Wizard, ...]
    worst: float  # points to the chest, +inf if some leg cannot be walked


@dataclass(frozen=True)
class Walker:
    """The main agent of a trial, and what going places costs it."""

    trial: Trial
    tables: Tables
    parameters: Parameters
    needed: tuple[str, ...]  # colours
    _legs: dict[tuple[State, Target], tuple[float, Cell]] = field(default_factory=dict)

    @property
    def chest(self) -> Chest:
        """Where it wants to go."""
        return self.trial.map.chest(self.trial.main.goal)

    def distance(self, state: State, target: Target) -> float:
        """The least points to the chest, or to asking the wizard, asking nobody else."""
        return self.tables.walk(target)[state.cell, state.amulets]

    def path(self, start: State, target: Target) -> list[Step]:
        """The walk to the chest, or to asking the wizard; it must be in reach."""
        # Only on the way to the chest does reaching it end the run.
        goal, asks = (target.letter, "") if isinstance(target, Chest) else ("", target.id)

        def to_go(after: Step) -> float:
            asked = isinstance(after.event, Interaction)  # then that was the target
            return 0.0 if asked else self.distance(after.state, target)

        state, path = start, list[Step]()
        while not (state.arrived or (path and isinstance(path[-1].event, Interaction))):
            possible = [
                option
                for option in steps(self.tables, state, goal, self.trial.holders)
                if not isinstance(option.event, Interaction) or option.event.wizard == asks
            ]
            best = best_step(possible, to_go)
            assert best is not None, f"{target} is out of reach"
            path.append(best)
            state = best.state
        return path

    def leg(self, state: State, target: Target) -> tuple[float, Cell]:
        """The cost of a walk and the cell where it ends; (inf, its start) if there is no way."""
        key = State(state.cell, state.amulets), target
        if key not in self._legs:
            cost, cell = self.distance(state, target), state.cell
            if 0 < cost < inf:
                cell = self.path(key[0], target)[-1].state.cell
            self._legs[key] = cost, cell
        return self._legs[key]

    def tour(self, start: State, candidates: Candidates) -> Tour:
        """The nearest candidate, then the nearest to that one, and so on, then the chest."""
        left = [w for w in self.trial.map.wizards if w.id in candidates.get(w.colour, ())]
        if self.parameters.order == "fixed":
            left = self._nearest_first(start, left)
        state, spent, order = start, 0.0, list[Wizard]()
        while left:
            chain = self.parameters.order == "chain"
            wizard = self._nearest_first(state, left)[0] if chain else left[0]
            cost, cell = self.leg(state, wizard)
            if cost == inf:  # all that are left are out of reach and keep their order
                return Tour((*order, *left), inf)
            left.remove(wizard)
            order.append(wizard)
            spent += cost
            done = all(other.colour != wizard.colour for other in left)
            state = State(cell, state.amulets | {wizard.colour} if done else state.amulets)
        cost, _ = self.leg(State(state.cell, state.amulets | set(self.needed)), self.chest)
        return Tour(tuple(order), spent + cost)

    def _nearest_first(self, state: State, wizards: Sequence[Wizard]) -> list[Wizard]:
        """The wizards by their distance, equally distant ones in the order they had."""
        return sorted(wizards, key=lambda wizard: self.distance(state, wizard))

    def c_self(self, start: State, candidates: Candidates, belief: Belief | None = None) -> float:
        """What acting alone on the candidates costs."""
        tour = self.tour(start, candidates)
        if self.parameters.exploration == "worst":
            return tour.worst
        total = 0.0
        for holders in product(*candidates.values()):
            p = math.prod(
                _share(holder, others, belief[colour] if belief else None)
                for holder, (colour, others) in zip(holders, candidates.items(), strict=True)
            )
            if p > 0:
                total += p * self._cost_if(start, tour, holders)
        return total

    def _cost_if(self, start: State, tour: Tour, holders: tuple[str, ...]) -> float:
        """The cost of a tour if these are the holders; wizards that are not needed are skipped."""
        state, spent = start, 0.0
        for wizard in tour.order:
            if wizard.colour in state.amulets:
                continue
            cost, cell = self.leg(state, wizard)
            spent += cost
            gave = wizard.id in holders
            state = State(cell, state.amulets | {wizard.colour} if gave else state.amulets)
        return spent + self.leg(state, self.chest)[0]

    def act(self, start: State, candidates: Candidates) -> list[Step]:
        """Everything the main agent does when it stops watching and goes for the candidates."""
        state, path, retried = start, list[Step](), False
        order = list(self.tour(start, candidates).order)
        while lacking := [c for c in self.needed if c not in state.amulets]:
            in_reach = [w for w in order if w.colour in lacking and self.distance(state, w) < inf]
            if in_reach:
                order.remove(in_reach[0])
                path += self.path(state, in_reach[0])
                state, retried = path[-1].state, False
                continue
            if retried:
                names = " or ".join(lacking)
                raise NoPathError(
                    f"{self.trial.label}: the main agent cannot get from {state.cell}"
                    f" to the {names} wizards left"
                )
            untried = {
                colour: tuple(wizard for wizard in ids if wizard not in state.checked)
                for colour, ids in everyone(self.trial.map, lacking).items()
            }
            order, retried = list(self.tour(state, untried).order), True
        return path + self.path(state, self.chest)


def _share(holder: str, candidates: Sequence[str], ps: Mapping[str, float] | None) -> float:
    """The probability of a holder among the candidates of its colour."""
    if ps is None:
        return 1 / len(candidates)
    return ps[holder] / math.fsum(ps[wizard] for wizard in candidates)
