"""Run an observer on a trial or on a sequence of trials, and ask for advice in a trial."""

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
    """What Rational Mentalizing would do next if a player's log were its own.

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
    """Each trial's result, with the observer as it was when the trial began.

    An observer is its own state: `Observer.carry` returns the observer for the next trial.

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
        present = present.carry(engine, engine.view_at(result.observed))
