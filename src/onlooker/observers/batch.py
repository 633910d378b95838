"""Many trials at the same time: what the observers do."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from onlooker.game import Trial, check_trial
from onlooker.inference.parameters import Parameters, check_parameters
from onlooker.observers.choice_rules import rule_for
from onlooker.observers.choosing import ChoiceRule
from onlooker.observers.compositions import ComposedObserver, has_parts, is_composed
from onlooker.observers.decoding import Decoder
from onlooker.observers.engine import Engine, pruned
from onlooker.observers.errors import ObserverError
from onlooker.observers.expectations import Expectation
from onlooker.observers.kernels import runs
from onlooker.observers.lattice import Lattice, lattices
from onlooker.observers.observer import Observer
from onlooker.observers.registry import OBSERVERS, observer_of, observers_of
from onlooker.observers.results import Result
from onlooker.observers.running import result_of, run_packed
from onlooker.planning.packing import pack
from onlooker.support.arrays import IntArray


@dataclass(frozen=True)
class Outcomes:
    """What observers did in trials."""

    trials: tuple[Trial, ...]
    observers: tuple[str, ...]  # names
    observed: IntArray  # (trials, observers, NPCs): steps watched; 0 beyond a trial's NPCs
    moves: IntArray  # (trials, observers)
    interactions: IntArray  # (trials, observers)
    cost: IntArray  # (trials, observers): observing, moving and interacting


class Batch:
    """Trials made ready once, to be run under many parameters.

    >>> from onlooker.game import load_trial
    >>> batch = Batch([load_trial("examples/early-turn.map")])
    >>> batch.run(Parameters(), ["rational_mentalizing", "naive_observer"]).observed.tolist()
    [[[3], [7]]]
    """

    def __init__(self, trials: Sequence[Trial]) -> None:
        self.trials = tuple(check_trial(trial) for trial in trials)
        self.packed = pack(self.trials)
        self._most_npcs = max((len(trial.npcs) for trial in self.trials), default=0)
        self._most_wizards = max(  # of a colour
            (len(w) for trial in self.trials for w in trial.map.wizards_of.values()), default=1
        )

    def run(
        self,
        parameters: Parameters | None = None,
        observers: Sequence[str | Observer] = tuple(OBSERVERS),
    ) -> Outcomes:
        """What each observer does in each trial; one that is not compiled takes its time."""
        parameters = check_parameters(parameters)
        found = observers_of(observers)
        most = self._most_npcs
        shape = (len(self.trials), len(found))
        observed = np.zeros((*shape, most), dtype=np.int64)
        moves, interactions = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        parts = {column: o.parts for column, o in enumerate(found) if is_composed(o)}
        fast = list(parts)
        slow = [column for column in range(len(found)) if column not in parts]
        if fast and self.trials:
            every = [*parts.values()]
            numbers = run_packed(self.trials, self.packed, parameters, every).numbers
            observed[:, fast] = numbers[:, :, runs.OBSERVED : runs.OBSERVED + most]
            interactions[:, fast] = numbers[:, :, runs.INTERACTIONS]
            moves[:, fast] = numbers[:, :, runs.ACTIONS] - interactions[:, fast]
            if parameters.prune > 1 / self._most_wizards:
                self._warn_of_pruning(parameters)
        for row, trial in enumerate(self.trials if slow else ()):
            engine = Engine(trial, parameters)
            for column in slow:
                result = _own_result(found[column], engine)
                observed[row, column, : len(result.observed)] = result.observed
                moves[row, column] = result.moves
                interactions[row, column] = result.interactions
        cost = parameters.costs.total(observed.sum(axis=2), moves, interactions)
        names = tuple(observer.name for observer in found)
        return Outcomes(self.trials, names, observed, moves, interactions, cost)

    def results(
        self,
        parameters: Parameters | None = None,
        observers: Sequence[str | ComposedObserver] = tuple(OBSERVERS),
        trace: bool = False,
    ) -> list[list[Result]]:
        """The whole results of composed observers: a list for each trial.

        Traces are kept as arrays; their decisions are made when they are read.
        """
        parameters = check_parameters(parameters)
        found = observers_of(observers)
        composed = [observer for observer in found if is_composed(observer)]
        if len(composed) < len(found):
            other = next(o.name for o in found if not is_composed(o))
            raise ValueError(f"expected observers composed of parts, not {other!r}")
        if not self.trials:
            return []
        parts = [observer.parts for observer in composed]
        kept = run_packed(self.trials, self.packed, parameters, parts, True, trace)
        results = []
        for row, trial in enumerate(self.trials):
            decoder = Decoder(trial)
            results.append(
                [
                    result_of(decoder, observer.name, observer.parts, parameters, kept, row, column)
                    for column, observer in enumerate(composed)
                ]
            )
        return results

    def lattices(
        self,
        parameters: Parameters | None = None,
        observer: str | Observer = "rational_mentalizing",
    ) -> list[Lattice]:
        """Each trial's lattice: values and choices at every combination of steps seen."""
        parameters = check_parameters(parameters)
        found = observer_of(observer)
        if has_parts(found):
            return lattices(self.trials, self.packed, parameters, found.parts)
        return [found.lattice(Engine(trial, parameters)) for trial in self.trials]

    def expect(
        self,
        parameters: Parameters | None = None,
        observer: str | Observer = "rational_mentalizing",
        rule: ChoiceRule | str | None = None,
    ) -> list[Expectation]:
        """What an observer is expected to do in each trial if it chooses by a rule, or its own."""
        parameters = check_parameters(parameters)
        found = observer_of(observer)
        by = rule_for(found, rule)
        return [Expectation.of(each, by, parameters) for each in self.lattices(parameters, found)]

    def _warn_of_pruning(self, parameters: Parameters) -> None:
        """Say in how many trials everything would be pruned."""
        found = sum(bool(pruned(trial, parameters.prune)) for trial in self.trials)
        if found:
            warnings.warn(
                f"prune={parameters.prune} prunes all wizards of an open colour but the first"
                f" before the first step in {found} of {len(self.trials)} trials",
                stacklevel=3,
            )


def results_of(observer: Observer, trials: Sequence[Trial], parameters: Parameters) -> list[Result]:
    """The whole results of any observer, with traces."""
    if is_composed(observer):
        return [result for [result] in Batch(trials).results(parameters, [observer], trace=True)]
    return [_own_result(observer, Engine(trial, parameters, warn=False)) for trial in trials]


def _own_result(observer: Observer, engine: Engine) -> Result:
    """What a user's observer does; an error in its code says in which trial it was."""
    try:
        result: object = observer.run(engine)
    except Exception as error:
        error.add_note(f"observer {observer.name!r}, {engine.trial.label}")
        raise
    if not isinstance(result, Result):
        raise ObserverError(observer.name, engine.trial, f"expected a Result, not {result!r}")
    return result
