"""Running an observer on a trial or on a sequence of trials, and asking for advice in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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


def run_sequence(
    trials: Iterable[Trial], observer: str | Observer, parameters: Parameters | None = None
) -> Iterator[tuple[Observer, Result]]:
    """What an observer does in each trial, with the observer that it was when that began.

    An observer is its own state: `Observer.carry` gives the one that goes into the next trial.

    >>> from onlooker.game import load_trial
    >>> trials = [load_trial(f"examples/who-knows/{number}.map") for number in (1, 2)]
    >>> for _, result in run_sequence(trials, "untold_mentalizing"):
    ...     print(result.observed)
    (10, 11)
    (0, 7)
    """
    present = observer_of(observer)
    for trial in trials:
        engine = Engine(trial, parameters)
        result = present.run(engine)
        yield present, result
        present = carried(present, engine, result)


def carried(observer: Observer, engine: Engine, result: Result) -> Observer:
    """The observer that goes into the next trial after what it did in one."""
    return observer.carry(engine, engine.view_at(result.observed))
