"""The ideal observer: the least expected cost that anyone can have who knows no more."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from onlooker.game import Action
from onlooker.observers.engine import Engine
from onlooker.observers.foresight import Outlook
from onlooker.observers.observer import Observer
from onlooker.observers.results import ACT, Belief, Candidates, Decision, Result, Values, View
from onlooker.observers.stopping import with_reason
from onlooker.planning import NoPathError


class IdealObserver(Observer):
    """The best that anyone can do who knows no more and does not watch again.

    >>> from onlooker.game import load_trial
    >>> result = IdealObserver()(load_trial("examples/two-experts.map"))
    >>> result.observed, result.asked, result.expected_cost
    ((0, 1), ('w2',), 65.0)
    """

    name = "ideal_observer"
    title = "Ideal Observer"

    def decide(self, engine: Engine, view: View, choices: Sequence[str] = ()) -> Decision:
        """Watch if that is cheaper in the end; only before the main agent acts."""
        began = any(history.steps for history in view.histories)
        return decision_from(outlook_at(engine, view), engine, began)

    def candidates(self, engine: Engine, view: View) -> Candidates:
        """Every wizard that can be a holder."""
        return possible(outlook_at(engine, view).belief)

    def act(self, engine: Engine, view: View) -> tuple[tuple[Action, ...], int]:
        """The search behind the cost of acting."""
        outlook = outlook_at(engine, view)
        if outlook.act == inf:
            raise NoPathError(f"{engine.trial.label}: the search of the main agent has no end")
        return outlook.route, len(outlook.asked)

    def values(self, engine: Engine, view: View, choices: Sequence[str] = ()) -> Values:
        """What acting and watching cost in the end; one look in vain where nothing is open."""
        outlook = outlook_at(engine, view)
        in_vain = -(outlook.act + engine.parameters.observe)
        watch = (
            None if engine.arrived(view, npc) else in_vain if cost is None else -cost
            for npc, cost in enumerate(outlook.watch)
        )
        return Values(-outlook.act, tuple(watch))

    def run(self, engine: Engine) -> Result:
        """Watch and act through a whole trial."""
        foresight, trial = engine.foresight, engine.trial
        steps, choices, trace = [0] * len(trial.npcs), list[str](), list[Decision]()
        while True:
            outlook = foresight.outlook(steps)
            trace.append(decision_from(outlook, engine, any(steps)))
            if outlook.choice == ACT:
                break
            choices.append(outlook.choice)
            steps[trial.npc_index(outlook.choice)] += 1
        return Result.of(
            self.name,
            trial,
            engine.parameters.costs,
            choices,
            possible(outlook.belief),
            outlook.route,
            len(outlook.asked),
            tuple(trace),
            asked=outlook.asked,
            expected_cost=foresight.expected_cost,
        )


def outlook_at(engine: Engine, view: View) -> Outlook:
    """What it thinks at a view."""
    return engine.foresight.outlook([history.steps for history in view.histories])


def decision_from(outlook: Outlook, engine: Engine, began: bool) -> Decision:
    """What it chooses, and why."""
    found = Decision(outlook.choice, outlook.belief, act=outlook.act, watch=outlook.watch)
    return with_reason(found, engine.trial, engine.parameters, began)


def possible(belief: Belief) -> Candidates:
    """The wizards of each colour that can be its holder."""
    return {
        colour: tuple(wizard for wizard, p in ps.items() if p > 0) for colour, ps in belief.items()
    }
