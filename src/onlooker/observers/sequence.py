"""Observers over a sequence of trials: what one carries from each to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from onlooker.game import Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers.engine import Engine
from onlooker.observers.observer import Observer
from onlooker.observers.registry import observer_of
from onlooker.observers.results import Result


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
