"""What all observers share: watch while that is the choice, then act on the candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import product
from math import prod
from typing import Any, ClassVar

import numpy as np

from onlooker.game import Action, Trial
from onlooker.inference.declaring import POINTS, Parameter, Unit
from onlooker.inference.parameters import Parameters
from onlooker.observers.choosing import ChoiceRule
from onlooker.observers.engine import Engine
from onlooker.observers.errors import ObserverError
from onlooker.observers.lattice import MOST_COMBINATIONS, Lattice, LatticeError
from onlooker.observers.results import ACT, Candidates, Decision, Result, Values, View
from onlooker.observers.stopping import with_reason
from onlooker.planning import NoPathError
from onlooker.support.arrays import FloatArray


class Observer(ABC):
    """A player that watches NPCs for a while and then acts.

    A subclass says what it chooses at a view and, unless it goes for the likely holders, which
    wizards it goes for once it acts. For soft choice rules it needs one more method,
    `values(engine, view, choices) -> Values`: what acting and watching each NPC are worth, in its
    `unit`. Parameters of its own are attributes of the class, each a `Parameter`.

    >>> class Glance(Observer):
    ...     name, title = "glance", "One glance"
    ...     def decide(self, engine, view, choices):
    ...         return Decision(ACT if choices else engine.trial.npcs[0].id)
    >>> from onlooker.game import load_trial
    >>> Glance()(load_trial("examples/early-turn.map")).observed
    (1,)
    """

    name: ClassVar[str]  # in files and on the command line
    title: ClassVar[str]  # in tables and figures
    rule: ClassVar[ChoiceRule] = ChoiceRule.HARD  # how it chooses unless another rule is asked for
    unit: ClassVar[Unit] = POINTS  # of its values
    looks_ahead: ClassVar[bool] = False  # it searches what could be seen, with some caution
    uses_truth: ClassVar[bool] = False  # it uses what no player is shown

    @abstractmethod
    def decide(self, engine: Engine, view: View, choices: Sequence[str]) -> Decision:
        """What to do next: observe an NPC (the decision's choice is its id), or act.

        `choices` are the NPCs observed so far, in order.
        """

    def candidates(self, engine: Engine, view: View) -> Candidates:
        """The wizards to go for once it acts: the likely holders."""
        return engine.candidates(engine.belief(view))

    def act(self, engine: Engine, view: View) -> tuple[tuple[Action, ...], int]:
        """What the main agent does once it acts, and how many of these are interactions."""
        return engine.act(candidates_of(self, engine, view))

    def run(self, engine: Engine) -> Result:
        """Watch and act through a whole trial."""
        view = engine.opening
        choices: list[str] = []
        trace: list[Decision] = []
        while True:
            trace.append(decision_of(self, engine, view, choices))
            if trace[-1].choice == ACT:
                break
            choices.append(trace[-1].choice)
            view = engine.observe(view, engine.trial.npc_index(choices[-1]))
        candidates = candidates_of(self, engine, view)
        route, interactions = self.act(engine, view)
        costs = engine.parameters.costs
        return Result.of(
            self.name, engine.trial, costs, choices, candidates, route, interactions, tuple(trace)
        )

    def lattice(self, engine: Engine) -> Lattice:
        """Its values and choices at every combination of steps seen, asked one by one.

        It is asked with the NPC that was watched last at the end; the others come before it, in
        their order. The values of an observer without the method `values` are nan.
        """
        shape = tuple(len(path) + 1 for path in engine.paths)
        npcs, combinations = len(shape), prod(shape)
        if combinations > MOST_COMBINATIONS:
            raise LatticeError(engine.trial, combinations)
        values = np.full((*shape, npcs + 1), np.nan)
        chosen = np.zeros((*shape, npcs + 1), np.int64)
        actions, interactions = np.full((2, *shape), -1)  # stays so where acting gets stuck
        for steps in product(*map(range, shape)):
            view = engine.view_at(steps)
            for last in range(npcs + 1):
                watched = _some_order(engine, steps, last)
                chosen[(*steps, last)] = option_of(self, engine, view, watched)
            if has_values(self):
                values[steps] = values_of(self, engine, view, _some_order(engine, steps, npcs))
            with suppress(NoPathError):
                route, asked = self.act(engine, view)
                actions[steps], interactions[steps] = len(route), asked
        looks = np.full((*shape, npcs), np.nan)
        return Lattice(engine.trial, values, looks, chosen, actions, interactions)

    @classmethod
    def own_parameters(cls) -> dict[str, Parameter[Any]]:
        """The parameters that it declares in addition to those of all observers, by name."""
        names = dict.fromkeys(name for base in reversed(cls.__mro__) for name in vars(base))
        found = {name: getattr(cls, name) for name in names}
        return {name: each for name, each in found.items() if isinstance(each, Parameter)}

    def state(self) -> dict[str, Any]:
        """What it has learned in earlier trials, as plain data; most observers learn nothing."""
        return {}

    def carry(self, engine: Engine, view: View) -> Observer:
        """The observer for the next trial of a sequence, after it acted at a view."""
        return self

    def __call__(self, trial: Trial, parameters: Parameters | None = None) -> Result:
        """Run on a trial."""
        return self.run(Engine(trial, parameters))


def decision_of(observer: Observer, engine: Engine, view: View, choices: Sequence[str]) -> Decision:
    """What an observer decides; ObserverError if it is not a valid decision."""
    decision: object = observer.decide(engine, view, choices)
    place = f"decision {len(choices) + 1}"
    npcs = [npc.id for npc in engine.trial.npcs]
    if not isinstance(decision, Decision):
        reason = f"{place}: expected a Decision, not {decision!r}"
    elif decision.choice == ACT:
        return with_reason(decision, engine.trial, engine.parameters, bool(choices))
    elif decision.choice not in npcs:
        expected = ", ".join(map(repr, [*npcs, ACT]))
        reason = f"{place}: expected one of {expected}, not {decision.choice!r}"
    elif engine.arrived(view, npcs.index(decision.choice)):
        reason = f"{place}: {decision.choice} has arrived and cannot be observed any more"
    else:
        return decision
    raise ObserverError(observer.name, engine.trial, reason)


def option_of(observer: Observer, engine: Engine, view: View, choices: Sequence[str]) -> int:
    """What an observer decides, as a number: 0 is acting, `1 + n` watching NPC n."""
    choice = decision_of(observer, engine, view, choices).choice
    return 0 if choice == ACT else 1 + engine.trial.npc_index(choice)


def candidates_of(observer: Observer, engine: Engine, view: View) -> Candidates:
    """The wizards that an observer goes for; ObserverError if they are not on the map."""
    candidates: object = observer.candidates(engine, view)
    if not isinstance(candidates, Mapping):
        reason = f"expected candidates by colour, not {candidates!r}"
        raise ObserverError(observer.name, engine.trial, reason)
    wizards_of = engine.trial.map.wizards_of
    for colour, ids in candidates.items():
        known = [wizard.id for wizard in wizards_of.get(colour, ())]
        if not set(ids) <= set(known):
            expected = ", ".join(known) or "none, as there are no such wizards"
            reason = f"{colour} candidates: expected some of {expected}, not {ids!r}"
            raise ObserverError(observer.name, engine.trial, reason)
    return candidates


def has_values(observer: Observer) -> bool:
    """Whether an observer says what acting and watching are worth."""
    return callable(getattr(observer, "values", None))


def values_of(observer: Observer, engine: Engine, view: View, choices: Sequence[str]) -> FloatArray:
    """What acting and watching are worth to an observer; ObserverError if these are not valid."""
    values: object = observer.values(engine, view, choices)  # type: ignore[attr-defined]
    npcs = len(engine.trial.npcs)
    if not isinstance(values, Values):
        reason = f"expected Values, not {values!r}"
    elif len(values.watch) != npcs:
        reason = f"expected {npcs} values of watching, not {len(values.watch)}"
    elif any(
        (value is None) != engine.arrived(view, npc) for npc, value in enumerate(values.watch)
    ):
        reason = "expected a value of watching for each NPC that has not arrived, None for others"
    elif np.isnan(values.array).any():
        reason = f"expected numbers, not {values!r}"
    else:
        return values.array
    raise ObserverError(observer.name, engine.trial, f"values: {reason}")


def _some_order(engine: Engine, steps: Sequence[int], last: int) -> list[str]:
    """The NPCs watched, in an order that ends with NPC `last - 1` if steps of it were watched."""
    order = sorted(range(len(steps)), key=lambda npc: (npc == last - 1, npc))
    return [engine.trial.npcs[npc].id for npc in order for _ in range(steps[npc])]
