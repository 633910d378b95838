"""What observers see and give: views of a trial, decisions, and results with their traces."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from onlooker.game import Action, Costs, Expertise, Holders, State, Trial
from onlooker.inference.parameters import MARGIN
from onlooker.support.arrays import FloatArray
from onlooker.support.extras import html_table

Belief = Mapping[str, Mapping[str, float]]  # colour -> wizard -> probability that it is the holder
Goals = Mapping[str, float]  # chest -> probability that it is the NPC's
Candidates = Mapping[str, tuple[str, ...]]  # colour -> wizards, in reading order

ACT = "act"  # the choice that is not an NPC's id


class History(NamedTuple):
    """What has been seen of one NPC."""

    node: int  # in the engine's tree
    steps: int  # how many actions were seen
    action: Action | None  # the last of them
    arrived: bool  # it was seen to take its chest


@dataclass(frozen=True, eq=False)  # arrays need an equality of their own
class View:
    """What the observer has seen so far, and where its own agent stands.

    >>> from onlooker.game import load_trial
    >>> from onlooker.observers import Engine
    >>> engine = Engine(load_trial("examples/early-turn.map"))
    >>> engine.observe(engine.opening, 0).histories[0].steps
    1
    """

    histories: tuple[History, ...]  # per NPC
    main: State
    own_evidence: FloatArray  # (holders): log evidence from its own interactions

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, View)
            and (self.histories, self.main) == (other.histories, other.main)
            and np.array_equal(self.own_evidence, other.own_evidence)
        )

    __hash__ = None  # type: ignore[assignment] # of arrays there is none


class Values(NamedTuple):
    """What acting and watching each NPC are worth; higher is better."""

    act: float
    watch: tuple[float | None, ...]  # per NPC, None once it has arrived

    @property
    def array(self) -> FloatArray:
        """The same as an array: acting, then watching each NPC, −inf once it has arrived."""
        return np.array([self.act, *(-np.inf if v is None else v for v in self.watch)], float)


class Leg(NamedTuple):
    """A least-cost walk to a wizard, that wizard asked at its end, or to the chest."""

    cost: float
    actions: tuple[Action, ...]
    end: State | None  # where it ends, None if there is no way


class Reason(StrEnum):
    """Why an observer acts; `stopping` says what each means.

    >>> Reason.SETTLED.text
    'it has learnt enough; the holder is settled'
    """

    CERTAIN = "certain"
    PLANNED = "planned"
    NOBODY = "nobody"
    SETTLED = "settled"
    FINISHED = "finished"
    UNINFORMATIVE = "uninformative"
    AS_CHEAP = "as_cheap"

    @property
    def text(self) -> str:
        """The reason in words, after "It acts:"."""
        return _TEXTS[self]


_TEXTS = {
    Reason.CERTAIN: "there is nothing to find out",
    Reason.PLANNED: "it has watched as long as it planned",
    Reason.NOBODY: "there is nobody whom it would watch",
    Reason.SETTLED: "it has learnt enough; the holder is settled",
    Reason.FINISHED: "every NPC has finished",
    Reason.UNINFORMATIVE: "nothing that it could still see would tell it more",
    Reason.AS_CHEAP: "acting is as cheap as watching on",
}


class Particle(NamedTuple):
    """A hypothesis about an NPC that the observer imagines to its end.

    >>> import onlooker
    >>> result = onlooker.run(onlooker.load_trial("examples/early-turn.map"))
    >>> result.trace[0].particles[0][0]
    Particle(goal='A', holders={'blue': 'w1'}, p=0.5, steps=3, residual=74.0, expertise=None)
    """

    goal: str
    holders: Holders
    p: float
    steps: int  # T: how many steps it would have to watch
    residual: float  # what acting alone would then cost
    expertise: Expertise | None = None  # where the observer is not told


@dataclass(frozen=True)
class Sight:
    """A node of the tree of what could be seen of an NPC, to somebody who looks ahead."""

    action: Action | None  # what is seen there, None at the root
    gave: bool | None  # whether the wizard that is asked gives its amulet, None if that is not seen
    arrived: bool  # whether the NPC takes its chest
    p: float  # m: how likely the NPC comes by, as things stand now
    acting: float  # C: of acting there
    on: float | None  # of one more look there and then doing what is best; None at its end
    children: tuple[Sight, ...]

    @property
    def value(self) -> float:
        """V: of the better of both."""
        return self.acting if self.on is None else min(self.acting, self.on)

    @property
    def stops(self) -> bool:
        """Whether watching on would not pay there."""
        return self.on is None or self.acting <= self.on + MARGIN


class Decision(NamedTuple):
    """One step of the trace: what the observer believed, compared and chose.

    What an observer does not compute is None.

    >>> import onlooker
    >>> decision = onlooker.run(onlooker.load_trial("examples/early-turn.map")).trace[-1]
    >>> decision.choice, decision.c_self, round(decision.belief["blue"]["w1"], 3)
    ('act', 74.0, 0.953)
    """

    choice: str  # an NPC's id, or "act"
    belief: Belief | None = None
    goals: tuple[Goals, ...] | None = None  # per NPC
    c_self: float | None = None
    q_obs: tuple[float | None, ...] | None = None  # per NPC, None once it has arrived
    particles: tuple[tuple[Particle, ...], ...] | None = None  # per NPC
    distances: tuple[float | None, ...] | None = None  # per NPC: how far watching could move belief
    probabilities: Mapping[str, float] | None = None  # of each choice there is, by a soft rule
    act: float | None = None  # Ideal Observer: the expected cost of acting now
    watch: tuple[float | None, ...] | None = None  # per NPC: of watching it, None if it cannot
    novices: Mapping[str, float] | None = None  # NPC -> how likely it is a novice, if not told
    kinds: Mapping[str, Mapping[Expertise, float]] | None = None  # NPC -> how likely each, if so
    more: Mapping[str, tuple[float | None, ...]] | None = None  # per NPC: what has no field here
    reason: Reason | None = None  # why it acts, if known

    def to_dict(self) -> dict[str, Any]:
        """As plain data, without what was not computed; an infinite cost is None."""
        plain: dict[str, Any] = {}
        if self.belief is not None:
            plain["belief"] = {colour: dict(ps) for colour, ps in self.belief.items()}
        if self.goals is not None:
            plain["goals"] = [dict(goals) for goals in self.goals]
        if self.novices is not None:
            plain["novices"] = dict(self.novices)
        if self.kinds is not None:
            plain["kinds"] = {
                npc: {str(k): p for k, p in ps.items()} for npc, ps in self.kinds.items()
            }
        if self.c_self is not None:
            plain["c_self"] = _finite(self.c_self)
        if self.q_obs is not None:
            plain["q_obs"] = [_finite(q) for q in self.q_obs]
        if self.distances is not None:
            plain["distances"] = list(self.distances)
        plain |= {name: list(values) for name, values in (self.more or {}).items()}
        if self.act is not None:
            plain["act"] = _finite(self.act)
        if self.watch is not None:
            plain["watch"] = [_finite(cost) for cost in self.watch]
        plain["choice"] = self.choice
        if self.reason is not None:
            plain["reason"] = str(self.reason)
        if self.probabilities is not None:
            plain["probabilities"] = dict(self.probabilities)
        if self.particles is not None:
            plain["particles"] = [
                [
                    {
                        "goal": particle.goal,
                        "holders": dict(particle.holders),
                        "p": particle.p,
                        "T": particle.steps,
                        "residual": _finite(particle.residual),
                        **({"expertise": str(particle.expertise)} if particle.expertise else {}),
                    }
                    for particle in of_npc
                ]
                for of_npc in self.particles
            ]
        return plain


@dataclass(frozen=True, slots=True)
class Result:
    """What an observer did in a trial.

    >>> import onlooker
    >>> result = onlooker.run(onlooker.load_trial("examples/early-turn.map"), "naive_observer")
    >>> result.observed, result.candidates, result.cost
    ((7,), {'blue': ('w1',)}, 81)
    >>> result.reason.text
    'it has watched as long as it planned'
    """

    observer: str
    observed: tuple[int, ...]  # steps watched of each NPC
    choices: tuple[str, ...]  # NPC ids, one for each observation
    candidates: Candidates  # what it acted on
    route: tuple[Action, ...]  # the main agent's actions
    moves: int
    interactions: int
    cost: int  # observing, moving and interacting
    trace: Sequence[Decision] = ()
    asked: tuple[str, ...] | None = None  # Ideal Observer: the wizards asked, one after the other
    expected_cost: float | None = None  # Ideal Observer: over everything that could be true

    @classmethod
    def of(
        cls,
        observer: str,
        trial: Trial,
        costs: Costs,
        choices: Iterable[str],
        candidates: Candidates,
        route: tuple[Action, ...],
        interactions: int,
        trace: Sequence[Decision] = (),
        **more: Any,
    ) -> Result:
        """What an observer did that watched some NPCs and then took a route."""
        looks, moves = tuple(choices), len(route) - interactions
        return cls(
            observer,
            tuple(looks.count(npc.id) for npc in trial.npcs),
            looks,
            candidates,
            route,
            moves,
            interactions,
            costs.total(len(looks), moves, interactions),
            trace,
            **more,
        )

    @property
    def reason(self) -> Reason | None:
        """Why it stopped watching, or did not begin; None without a trace, or if not known."""
        return self.trace[-1].reason if self.trace else None

    def _repr_html_(self) -> str:
        """The timeline, for notebooks: what was compared and chosen at each step."""
        watched = ", ".join(map(str, self.observed))
        caption = f"{self.observer}: {watched} steps watched, {self.cost} points"
        if self.reason is not None:
            caption += f"; it acts: {self.reason.text}"
        rows = [_timeline_row(decision) for decision in self.trace]
        head = list(dict.fromkeys(name for row in rows for name in row))
        cells = ([step, *(row.get(name, "") for name in head)] for step, row in enumerate(rows))
        return html_table(caption, ["step", *head], cells)

    def to_dict(self, trace: bool = False) -> dict[str, Any]:
        """As plain data, with the trace if it is wanted."""
        plain: dict[str, Any] = {
            "observed": list(self.observed),
            "choices": list(self.choices),
            "candidates": {colour: list(ids) for colour, ids in self.candidates.items()},
            "route": [str(action) for action in self.route],
            "moves": self.moves,
            "interactions": self.interactions,
            "cost": self.cost,
        }
        if self.reason is not None:
            plain["reason"] = str(self.reason)
        if self.asked is not None:
            plain["asked"] = list(self.asked)
        if self.expected_cost is not None:
            plain["expected_cost"] = _finite(self.expected_cost)
        if trace:
            plain["trace"] = [decision.to_dict() for decision in self.trace]
        return plain


def _timeline_row(decision: Decision) -> dict[str, str]:
    """A decision as the cells of a table, by their columns."""
    row = {"choice": decision.choice}
    for name, cost in (("C_self", decision.c_self), ("acting", decision.act)):
        if cost is not None:
            row[name] = f"{cost:.1f}"
    for name, costs in (
        ("Q_obs", decision.q_obs),
        ("watching", decision.watch),
        ("distance", decision.distances),
        *(decision.more or {}).items(),
    ):
        for number, value in enumerate(costs or (), start=1):
            row[f"{name} {number}"] = "–" if value is None else f"{value:.2f}"
    for chances in (decision.belief or {}).values():
        row |= {f"P({wizard})": f"{p:.3f}" for wizard, p in chances.items()}
    return row


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
