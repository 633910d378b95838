"""Many trials at once: what the observers do, without the trace of their decisions."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onlooker.game import ACTIONS, Trial
from onlooker.inference.kernels.codes import FULL, TOO_LONG
from onlooker.inference.parameters import Parameters, set_parameters
from onlooker.inference.workspace import NODES, STEPS, failure
from onlooker.observers.engine import Engine, pruned
from onlooker.observers.errors import ObserverError
from onlooker.observers.kernels import runs
from onlooker.observers.observer import Observer
from onlooker.observers.registry import OBSERVERS, find_observer
from onlooker.observers.results import Result
from onlooker.planning.memory import lay_out, pack
from onlooker.support.arrays import IntArray

# The numbers of the compiled observers, in the order of `kernels.runs`.
COMPILED = {observer: number for number, observer in enumerate(OBSERVERS.values())}


@dataclass(frozen=True)
class Outcomes:
    """What observers did in trials."""

    trials: tuple[Trial, ...]
    observers: tuple[str, ...]  # names
    observed: IntArray  # (trials, observers, NPCs): steps watched; 0 beyond a trial's NPCs
    moves: IntArray  # (trials, observers)
    interactions: IntArray  # (trials, observers)
    cost: IntArray  # (trials, observers): observing, moving and interacting


class _Run(NamedTuple):
    """What the compiled observers leave."""

    numbers: IntArray  # (trials, observers, numbers): see `kernels.runs`
    choices: NDArray[np.int16]  # (trials, observers, observations): NPCs
    routes: NDArray[np.int8]  # (trials, observers, actions)


class Batch:
    """Trials made ready once, to be run under many parameters.

    >>> from onlooker.game import load_trial
    >>> batch = Batch([load_trial("examples/early-turn.map")])
    >>> batch.run(Parameters(), ["rational_mentalizing", "naive_observer"]).observed.tolist()
    [[[3], [7]]]
    """

    def __init__(self, trials: Sequence[Trial]) -> None:
        self.trials = tuple(trials)
        self._records, self._packed = pack(self.trials)
        self._memory = lay_out(self._records, NODES, STEPS)
        self._most_npcs = max((len(trial.npcs) for trial in trials), default=0)
        wizards = (ws for trial in trials for ws in trial.map.wizards_of.values())
        self._most_wizards = max(map(len, wizards), default=1)  # of a colour

    def run(
        self,
        parameters: Parameters | None = None,
        observers: Sequence[str | Observer] = tuple(OBSERVERS),
    ) -> Outcomes:
        """What each observer does in each trial; one that is not compiled takes its time."""
        parameters = parameters or Parameters()
        found = [find_observer(o) if isinstance(o, str) else o for o in observers]
        most = self._most_npcs
        shape = (len(self.trials), len(found))
        observed = np.zeros((*shape, most), dtype=np.int64)
        moves, interactions = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        fast = [column for column, observer in enumerate(found) if type(observer) in COMPILED]
        slow = [column for column in range(len(found)) if column not in fast]
        if fast and self.trials:
            numbers = self._compiled([COMPILED[type(found[k])] for k in fast], parameters).numbers
            observed[:, fast] = numbers[:, :, runs.OBSERVED : runs.OBSERVED + most]
            interactions[:, fast] = numbers[:, :, runs.INTERACTIONS]
            moves[:, fast] = numbers[:, :, runs.TAKEN] - interactions[:, fast]
            self._warn_of_pruning(parameters)
        for row, trial in enumerate(self.trials if slow else ()):
            engine = Engine(trial, parameters)
            for column in slow:
                result = _own_result(found[column], engine)
                observed[row, column, : len(result.observed)] = result.observed
                moves[row, column] = result.moves
                interactions[row, column] = result.interactions
        costs = parameters.costs
        cost = costs.move * moves + costs.interact * interactions
        cost += costs.observe * observed.sum(axis=2)
        names = tuple(observer.name for observer in found)
        return Outcomes(self.trials, names, observed, moves, interactions, cost)

    def results(
        self,
        parameters: Parameters | None = None,
        observers: Sequence[str] = tuple(OBSERVERS),
    ) -> list[list[Result]]:
        """The whole results of the four observers, without traces: a list for each trial."""
        parameters = parameters or Parameters()
        if unknown := [name for name in observers if name not in OBSERVERS]:
            raise ValueError(f"expected some of {', '.join(OBSERVERS)}, not {unknown[0]!r}")
        if not self.trials:
            return []
        run = self._compiled([COMPILED[OBSERVERS[name]] for name in observers], parameters)
        return [
            [
                _result(trial, name, parameters, record, _Run(*(part[row, column] for part in run)))
                for column, name in enumerate(observers)
            ]
            for row, (trial, record) in enumerate(zip(self.trials, self._records, strict=True))
        ]

    def _compiled(self, observers: Sequence[int], parameters: Parameters) -> _Run:
        """Run compiled observers, with more memory as long as some trial needs more."""
        while True:
            records, i, f, c = self._memory
            set_parameters(records, parameters)
            shape = (len(records), len(observers))
            room = int(records["moves"][0])
            numbers = np.zeros((*shape, runs.OBSERVED + int(records["npcs"].max())), np.int64)
            run = _Run(
                numbers, np.zeros((*shape, room), np.int16), np.zeros((*shape, room), np.int8)
            )
            runs.run_all(records, self._packed, i, f, c, np.array(observers, dtype=np.int64), *run)
            errors = numbers[:, :, runs.ERROR]
            if not np.isin(errors, (FULL, TOO_LONG)).any():
                break
            nodes, steps = int(records["nodes"][0]), int(records["steps"][0])
            self._memory = lay_out(self._records, 2 * nodes, 2 * steps)
        for row in np.flatnonzero(errors.any(axis=1))[:1]:
            raise failure(self.trials[row], parameters, records[row])
        return run

    def _warn_of_pruning(self, parameters: Parameters) -> None:
        """Say in how many trials everything would be pruned."""
        if parameters.prune <= 1 / self._most_wizards:
            return
        found = 0
        for trial, opened in zip(self.trials, self._records["open"].tolist(), strict=True):
            colours = [c for bit, c in enumerate(trial.map.colours) if opened >> bit & 1]
            found += bool(pruned(trial, parameters.prune, colours))
        if found:
            warnings.warn(
                f"prune={parameters.prune} prunes all wizards of an open colour but the first"
                f" before the first step in {found} of {len(self.trials)} trials",
                stacklevel=3,
            )


def _own_result(observer: Observer, engine: Engine) -> Result:
    """What an observer of a user's own does; an error in its code says in which trial it was."""
    try:
        result: object = observer.run(engine)
    except Exception as error:
        error.add_note(f"observer {observer.name!r}, {engine.trial.label}")
        raise
    if not isinstance(result, Result):
        raise ObserverError(observer.name, engine.trial, f"expected a Result, not {result!r}")
    return result


def _result(trial: Trial, observer: str, parameters: Parameters, record: Any, run: _Run) -> Result:
    """One run of a compiled observer as a result."""
    numbers = run.numbers.tolist()
    interactions = numbers[runs.INTERACTIONS]
    moves, watched = numbers[runs.TAKEN] - interactions, numbers[runs.WATCHED]
    candidates: dict[str, tuple[str, ...]] = {}
    for bit, colour in enumerate(trial.map.colours):
        if int(record["needed"]) >> bit & 1:
            candidates[colour] = tuple(
                wizard.id
                for index, wizard in enumerate(trial.map.wizards)
                if wizard.colour == colour and numbers[runs.CANDIDATES] >> index & 1
            )
    costs = parameters.costs
    return Result(
        observer=observer,
        observed=tuple(numbers[runs.OBSERVED : runs.OBSERVED + len(trial.npcs)]),
        choices=tuple(trial.npcs[npc].id for npc in run.choices[:watched].tolist()),
        candidates=candidates,
        route=tuple(ACTIONS[a] for a in run.routes[: numbers[runs.TAKEN]].tolist()),
        moves=moves,
        interactions=interactions,
        cost=costs.observe * watched + costs.move * moves + costs.interact * interactions,
    )
