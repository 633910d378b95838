"""What happens in a run, step by step: numbers, paths seen and words, not yet drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import nan

from onlooker.drawing.route import Paths, States
from onlooker.drawing.style import MAIN
from onlooker.game import Interaction, State, Step, Trial, Unavailable, step
from onlooker.inference.parameters import MARGIN
from onlooker.observers import ACT, KNOWN_OBSERVERS, Candidates, Decision, Engine, Result
from onlooker.support import rounding
from onlooker.support.rounding import counted

points = partial(rounding.points, digits=1)  # as costs are written on figures


@dataclass(frozen=True)
class Story:
    """A run with the trial it was in. Steps are counted from 0; what is not known is nan."""

    engine: Engine
    result: Result

    @property
    def trial(self) -> Trial:
        """The trial that the observer was in."""
        return self.engine.trial

    @property
    def trace(self) -> Sequence[Decision]:
        """The decisions."""
        return self.result.trace

    @property
    def last(self) -> int:
        """The last step."""
        return len(self.trace) - 1

    # -- the numbers ---------------------------------------------------------------------------

    @cached_property
    def colours(self) -> list[str]:
        """The colours that there is a belief about and something to find out, in order."""
        known = {colour for decision in self.trace for colour in decision.belief or {}}
        wizards = self.trial.map.wizards_of
        return [colour for colour in wizards if colour in known and len(wizards[colour]) > 1]

    def belief(self, colour: str, wizard: str) -> list[float]:
        """At each step, how likely a wizard is the holder."""
        beliefs = [(decision.belief or {}).get(colour, {}) for decision in self.trace]
        return [belief.get(wizard, nan) for belief in beliefs]

    def is_candidate(self, colour: str, wizard: str) -> list[bool]:
        """At each step, whether the observer would go to a wizard."""
        return [wizard in found.get(colour, ()) for found in self._candidates]

    @cached_property
    def _candidates(self) -> list[Candidates]:
        wizards = self.trial.map.wizards_of
        found = []
        for decision in self.trace:
            given = {c: ps for c, ps in (decision.belief or {}).items() if wizards.get(c)}
            belief = {c: {w.id: ps.get(w.id, 0.0) for w in wizards[c]} for c, ps in given.items()}
            found.append(self.engine.candidates(belief))
        return found

    @property
    def has_goals(self) -> bool:
        """Whether there are goal posteriors worth showing: there are several chests."""
        return len(self.trial.map.chests) > 1 and any(decision.goals for decision in self.trace)

    def goal(self, npc: int, chest: str) -> list[float]:
        """At each step, how likely a chest is an NPC's."""
        return [
            decision.goals[npc].get(chest, nan) if decision.goals else nan
            for decision in self.trace
        ]

    @cached_property
    def c_self(self) -> list[float]:
        """At each step, what acting alone would cost."""
        return [_number(decision.c_self) for decision in self.trace]

    def q_obs(self, npc: int) -> list[float]:
        """At each step, what watching an NPC and then acting would cost."""
        return [_number(decision.q_obs[npc]) if decision.q_obs else nan for decision in self.trace]

    @cached_property
    def cheapest(self) -> list[float]:
        """At each step, the least cost of watching somebody first."""
        values = [self.q_obs(npc) for npc in range(len(self.trial.npcs))]
        steps = ([q[k] for q in values if q[k] == q[k]] for k in range(len(self.trace)))
        return [min(costs, default=nan) for costs in steps]

    @cached_property
    def ideal_act(self) -> list[float]:
        """At each step, what the ideal observer expects acting to cost."""
        return [_number(decision.act) for decision in self.trace]

    @cached_property
    def ideal_watch(self) -> list[list[float]]:
        """For each NPC, what the ideal observer expects watching it to cost, at each step."""
        return [
            [_number(decision.watch[npc]) if decision.watch else nan for decision in self.trace]
            for npc in range(len(self.trial.npcs))
        ]

    @property
    def ideal_cheapest(self) -> list[float]:
        """At each step, the least that the ideal observer expects if it watches somebody."""
        return [
            min((cost for cost in costs if cost == cost), default=nan)
            for costs in zip(*self.ideal_watch, strict=True)
        ]

    @property
    def compares_once(self) -> bool:
        """Whether costs are compared at the start alone, though there are more decisions."""
        return self.last > 0 and not any(cost == cost for cost in self.c_self[1:])

    def distance(self, npc: int) -> list[float]:
        """At each step, how far watching an NPC could move the belief."""
        values = (decision.distances for decision in self.trace)
        return [_number(distances[npc]) if distances else nan for distances in values]

    # -- what was seen -------------------------------------------------------------------------

    def seen(self, step: int) -> list[int]:
        """How many steps of each NPC have been watched before a decision."""
        before = [decision.choice for decision in self.trace[:step]]
        return [before.count(npc.id) for npc in self.trial.npcs]

    def paths(self, step: int) -> Paths:
        """The NPCs' paths as far as seen before a decision; at the last, the main agent's too."""
        paths: dict[str, Sequence[Step]] = {}
        for npc, path, count in zip(
            self.trial.npcs, self.engine.paths, self.seen(step), strict=True
        ):
            if count:
                paths[npc.id] = path[:count]
        if step == self.last and self.result.route:
            paths[MAIN] = self.route
        return paths

    def states(self, step: int) -> States:
        """Where the NPCs stand at a decision."""
        return {npc: steps[-1].state for npc, steps in self.paths(step).items() if npc != MAIN}

    @cached_property
    def route(self) -> tuple[Step, ...]:
        """What the main agent does once it acts."""
        trial, costs = self.trial, self.engine.parameters.costs
        state, taken = State(trial.main.at), []
        for action in self.result.route:
            done = step(trial.map, state, action, trial.main.goal, trial.holders, costs)
            if isinstance(done, Unavailable):
                raise ValueError(f"{trial.label}: the result's route: {done.reason}")
            taken.append(done)
            state = done.state
        return tuple(taken)

    def shown(self, limit: int) -> list[int]:
        """The steps whose maps are shown if there is room for so many.

        The last, the first, then those where belief or choice changes most; among equals, those
        far from the ones already taken.
        """
        steps = range(len(self.trace))
        if len(steps) <= limit:
            return list(steps)
        chosen = [self.last, 0][:limit]
        while len(chosen) < limit:
            rest = (k for k in steps if k not in chosen)
            chosen.append(max(rest, key=lambda k: self._interest(k, chosen)))
        return sorted(chosen)

    def _interest(self, step: int, chosen: Sequence[int]) -> tuple[float, int, int]:
        """How much a step's map would add to those chosen already."""
        distance = min(abs(step - other) for other in chosen)
        return round(self._change(step) * (0.5 if distance == 1 else 1.0), 6), distance, -step

    def _change(self, step: int) -> float:
        """How much is new at a step: in belief, goals and choice, or that a wizard was asked."""
        before, now = self.trace[step - 1], self.trace[step]
        parts = [(before.belief or {}).get(c, {}) for c in self.colours]
        change = sum(
            abs((now.belief or {}).get(colour, {}).get(wizard, 0.0) - p)
            for colour, part in zip(self.colours, parts, strict=True)
            for wizard, p in part.items()
        )
        for old, new in zip(before.goals or (), now.goals or (), strict=False):
            change += sum(abs(new.get(chest, 0.0) - p) for chest, p in old.items())
        taken = self.before(step)
        asked = taken is not None and isinstance(taken[1].event, Interaction)
        return change + 0.25 * (now.choice != before.choice) + asked

    def before(self, step: int) -> tuple[str, Step] | None:
        """What was seen just before a decision: whose step, and which; None before the first."""
        if step == 0 or (npc := self.trace[step - 1].choice) == ACT:
            return None
        index = self.trial.npc_index(npc)
        return npc, self.engine.paths[index][self.seen(step)[index] - 1]

    # -- the words -----------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What the observer is called."""
        name = self.result.observer
        return KNOWN_OBSERVERS[name].title if name in KNOWN_OBSERVERS else name

    @property
    def outcome(self) -> str:
        """What it did and what that cost, in one sentence."""
        counts = zip(self.trial.npcs, self.seen(len(self.trace)), strict=True)
        watched = [f"{npc.id} for {counted(count, 'step')}" for npc, count in counts if count]
        start = f"watches {listed(watched)}, then acts" if watched else "acts immediately"
        cost, budget = self.result.cost, self.engine.budget
        over = f"{cost - budget} more than" if cost > budget else "of"
        return f"{start}: {counted(cost, 'point')}, {over} a budget of {budget}"

    @property
    def bill(self) -> str:
        """What the points went to."""
        observed = sum(self.result.observed)
        parts = [
            counted(observed, "observation"),
            counted(self.result.moves, "move"),
            counted(self.result.interactions, "interaction"),
        ]
        return ", ".join(parts)

    def choice(self, step: int) -> str:
        """A step's choice in words."""
        choice = self.trace[step].choice
        return choice if choice == ACT else f"observe {choice}"

    def sight(self, step: int) -> str:
        """What was seen just before a decision, in a few words."""
        found = self.before(step)
        if found is None:
            return ""
        npc, taken = found
        if isinstance(taken.event, Interaction):
            return f"{npc} asked {taken.event.wizard}"
        return f"{npc} went {taken.action}"

    @property
    def why_act(self) -> str:
        """Why the costs of the last decision lead to acting."""
        c_self, least = self.c_self[-1], self.cheapest[-1]
        if not self.engine.trial.open_colours:
            return "nothing to find out: act"
        if c_self != c_self:
            return "as decided at the start: act" if self.compares_once else "act"
        if least != least:
            return "nobody left to watch: act"
        if least < c_self - MARGIN:
            return "act, though watching looks cheaper"
        still = "does not pay" if self.last == 0 else "no longer pays"
        return f"watching {still}: {points(c_self)} ≤ {points(least)}"

    @property
    def why_ideal(self) -> str:
        """Why the ideal observer acts."""
        act, least = self.ideal_act[-1], min(self.ideal_cheapest[-1:], default=nan)
        if not self.engine.trial.open_colours:
            return "nothing to find out: act"
        if least != least:
            return "nobody left to watch: act"
        return f"no look is worth its price: {points(act)} ≤ {points(least)}"

    @property
    def why_stop(self) -> str:
        """Why an observer that does not weigh costs acts."""
        belief = self.trace[-1].belief
        if not self.engine.trial.open_colours:
            return "nothing to find out: act"
        if belief and self.engine.settled(belief):
            return "belief settled: act"
        if all(
            self.distance(npc)[-1] != self.distance(npc)[-1] for npc in range(len(self.trial.npcs))
        ):
            return "nobody left to watch: act"
        return "nobody could change its mind: act"


def listed(words: Sequence[str]) -> str:
    """Words in a row.

    >>> listed(["one", "two", "three"])
    'one, two and three'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _number(value: float | None) -> float:
    return nan if value is None else value
