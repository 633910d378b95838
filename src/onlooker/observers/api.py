"""Running an observer on a trial, and asking for advice in the middle of one."""

from __future__ import annotations

from collections.abc import Iterable

from onlooker.game import Choice, Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers.compositions import RationalMentalizing
from onlooker.observers.engine import Engine
from onlooker.observers.observer import Observer
from onlooker.observers.registry import observer_of
from onlooker.observers.results import Decision, Result


def run(
    trial: Trial,
    observer: str | Observer = RationalMentalizing.name,
    parameters: Parameters | None = None,
) -> Result:
    """What an observer does in a trial, with the trace of its decisions.

    >>> from onlooker.game import load_trial
    >>> result = run(load_trial("examples/early-turn.map"))
    >>> result.choices
    ('agent2', 'agent2', 'agent2')
    >>> [round(decision.c_self) for decision in result.trace]
    [103, 103, 103, 74]
    """
    return observer_of(observer).run(Engine(trial, parameters))


def advise(
    trial: Trial, log: Iterable[Choice | str], parameters: Parameters | None = None
) -> Decision:
    """What Rational Mentalizing would do next if it had lived through a player's log.

    >>> from onlooker.game import load_trial
    >>> trial = load_trial("examples/early-turn.map")
    >>> advise(trial, ["observe agent2"]).choice
    'agent2'
    """
    engine = Engine(trial, parameters)
    view = engine.view_after(log)
    if view.main.arrived:
        raise ValueError(
            f"{trial.label}: the main agent has arrived, so there is nothing to advise"
        )
    return RationalMentalizing().decide(engine, view)
