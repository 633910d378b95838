"""What the observers predict for trials: a row per trial, observer and NPC, and their CSV."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import Any

from onlooker.experiments.layout import base_maps
from onlooker.experiments.variants import Changes, Variant
from onlooker.game import ExperimentName, Trial, TrialError
from onlooker.inference import Parameters, TooLargeError, UnexplainedError
from onlooker.inference.parameters import check_parameters
from onlooker.observers import (
    Batch,
    ChoiceRule,
    Expectation,
    Observer,
    Outcomes,
    rule_for,
)
from onlooker.observers.batch import results_of
from onlooker.observers.registry import observers_of
from onlooker.planning import NoPathError
from onlooker.support.problems import Problem, first_names

BATCH_SIZE = 256  # trials that are run in one call


@dataclass(frozen=True, slots=True)
class Prediction:
    """What an observer does about one NPC of a trial; the fields are the columns of the CSV.

    There, the column `observer` has the label of the variant.

    The numbers of an observer that chooses by a hard rule are whole. Those of one that chooses by a
    soft rule are expectations, and other people's tables may have means.
    """

    experiment: ExperimentName | None  # None if the trial is of none
    level: str
    observer: str
    agent: str
    expertise: str
    observed: float  # steps watched of this NPC
    cost_observation: float  # points for watching this NPC
    moves: float  # from here on of the trial as a whole, the same in the row of each NPC
    interactions: float
    cost_execution: float  # moves and interactions
    cost_total: float  # execution, and watching all NPCs
    observed_sd: float | None = None  # of the steps watched, where they are an expectation
    parameters: Changes = ()  # in which this variant of the observer differs from the others
    map: str | None = None  # the first trial on the same base map, where that is another one
    reason: str | None = None  # why it stopped watching, if that is asked for: a `Reason`

    @property
    def variant(self) -> Variant:
        """The observer with its parameters."""
        return Variant(self.observer, self.parameters)

    @property
    def key(self) -> tuple[int | str | None, str, Variant, str]:
        """What no two rows of a table have in common."""
        return self.experiment, self.level, self.variant, self.agent


# experiment and label of a trial -> label of the first one on the same base map
Originals = Mapping[tuple[ExperimentName | None, str], str]

SPREAD, MAP, REASON = "observed_sd", "map", "reason"
MORE = (SPREAD, MAP, REASON)  # columns that are only there where some row has them
COLUMNS = tuple(
    field.name for field in fields(Prediction) if field.name not in ("parameters", *MORE)
)
LABELS, NUMBERS = COLUMNS[:5], COLUMNS[5:]
_OBSERVER = COLUMNS.index("observer")
_values = attrgetter(*COLUMNS)


def predict(
    trials: Sequence[Trial],
    observers: Sequence[str | Observer],
    parameters: Parameters | None = None,
    progress: Callable[[Trial], object] | None = None,
    rule: ChoiceRule | str | None = None,
    refused: Callable[[Trial, Observer, str], object] | None = None,
    reasons: bool = False,
) -> list[Prediction]:
    """Run observers on trials; `progress` is called with each trial once it is done.

    `refused` is called with each trial that is too large for an observer, which then has no row of
    it; without `refused`, that is a TrialError.

    Each observer chooses by a rule, or by its own if none is given; what is predicted for a soft
    rule is exact, not sampled.

    With `reasons`, rows say why an observer stopped watching, unless it chooses by a soft rule;
    that takes about as long again.

    Tutorial trials and trials without NPCs are left out; a warning names them.

    >>> from onlooker import load_trial
    >>> trial = load_trial("examples/early-turn.map")
    >>> [row] = predict([trial], ["rational_mentalizing"])
    >>> row.level, row.agent, row.observed, row.cost_execution, row.cost_total
    ('early turn', 'agent2', 3, 74, 77)
    """
    parameters, found = check_parameters(parameters), observers_of(observers)
    rules = [rule_for(observer, rule) for observer in found]
    _refuse_doubles(trials, found)
    if tutorials := [trial.label for trial in trials if trial.tutorial]:
        warnings.warn(f"tutorial trials are left out: {first_names(tutorials)}", stacklevel=2)
    if lonely := [trial.label for trial in trials if not trial.tutorial and not trial.npcs]:
        warnings.warn(f"trials without an NPC are left out: {first_names(lonely)}", stacklevel=2)
    originals = _originals(trials)
    rows: list[Prediction] = []
    for start in range(0, len(trials), BATCH_SIZE):
        some = trials[start : start + BATCH_SIZE]
        try:
            rows += _predict(some, found, rules, parameters, originals)
        except TrialError:  # find out in which one
            for trial in some:
                able = list(range(len(found)))
                if refused is not None:
                    able = [
                        i
                        for i in able
                        if not _refuses(trial, found[i], rules[i], parameters, refused)
                    ]
                mine, by = [found[i] for i in able], [rules[i] for i in able]
                rows += _predict([trial], mine, by, parameters, originals)
                if progress:
                    progress(trial)
            continue
        if progress:
            for trial in some:
                progress(trial)
    if reasons:
        rows = _with_reasons(rows, trials, found, rules, parameters)
    return rows


def _refuses(
    trial: Trial,
    observer: Observer,
    rule: ChoiceRule,
    parameters: Parameters,
    tell: Callable[[Trial, Observer, str], object],
) -> bool:
    """Whether a trial is too large for an observer; the reason is told."""
    try:
        _predict([trial], [observer], [rule], parameters, {})
    except TrialError as error:
        if not isinstance(error.__context__, TooLargeError):
            raise
        tell(trial, observer, str(error.__context__))
        return True
    return False


def _with_reasons(
    rows: list[Prediction],
    trials: Sequence[Trial],
    observers: Sequence[Observer],
    rules: Sequence[ChoiceRule],
    parameters: Parameters,
) -> list[Prediction]:
    """The rows with the reasons of those who choose by the hard rule."""
    there = {(row.experiment, row.level, row.observer) for row in rows}
    found: dict[tuple[Any, str, str], str | None] = {}
    for observer, rule in zip(observers, rules, strict=True):
        name = observer.name
        mine = [t for t in trials if (t.experiment, t.label, name) in there]
        if rule is not ChoiceRule.HARD:
            continue
        for trial, result in zip(mine, results_of(observer, mine, parameters), strict=True):
            found[trial.experiment, trial.label, name] = result.reason and str(result.reason)
    keys = ((row.experiment, row.level, row.observer) for row in rows)
    return [replace(row, reason=found.get(key)) for row, key in zip(rows, keys, strict=True)]


def _originals(trials: Sequence[Trial]) -> Originals:
    """The first trial on the same base map, of trials that are not that themselves."""
    return {
        (trial.experiment, trial.label): scenarios[0].label
        for scenarios in base_maps(trials)
        for trial in scenarios[1:]
    }


def _predict(
    trials: Sequence[Trial],
    observers: Sequence[Observer],
    rules: Sequence[ChoiceRule],
    parameters: Parameters,
    originals: Originals,
) -> list[Prediction]:
    """The rows of some trials; TrialError if one cannot be run."""
    batch = Batch([trial for trial in trials if trial.npcs and not trial.tutorial])
    hard = [o for o, rule in zip(observers, rules, strict=True) if rule is ChoiceRule.HARD]
    rows: dict[str, list[list[Prediction]]] = {}
    try:
        if hard:
            rows |= _rows(batch.run(parameters, hard), parameters, originals)
        for observer, rule in zip(observers, rules, strict=True):
            if rule is not ChoiceRule.HARD:
                expected = batch.expect(parameters, observer, rule)
                rows[observer.name] = [
                    _expected_rows(observer.name, each, originals) for each in expected
                ]
    except (NoPathError, UnexplainedError) as error:
        raise TrialError([Problem("npcs", str(error))], source=trials[0].label) from None
    except TooLargeError as error:
        raise TrialError([Problem("map", str(error))], source=trials[0].label) from None
    return [
        row
        for trial in range(len(batch.trials))
        for observer in observers
        for row in rows[observer.name][trial]
    ]


def _rows(
    outcomes: Outcomes, parameters: Parameters, originals: Originals
) -> dict[str, list[list[Prediction]]]:
    """For each observer and trial a row per NPC."""
    costs = parameters.costs
    observed, moves, interactions, total = (
        values.tolist()
        for values in (outcomes.observed, outcomes.moves, outcomes.interactions, outcomes.cost)
    )
    rows: dict[str, list[list[Prediction]]] = {name: [] for name in outcomes.observers}
    for row, trial in enumerate(outcomes.trials):
        experiment, level = trial.experiment, trial.label
        original = originals.get((experiment, level))
        agents = [(npc.id, npc.expertise.value) for npc in trial.npcs]
        for column, observer in enumerate(outcomes.observers):
            moved, asked, spent = moves[row][column], interactions[row][column], total[row][column]
            acting = costs.move * moved + costs.interact * asked
            rows[observer].append(
                [
                    Prediction(  # in the order of its fields: there are many rows
                        experiment,
                        level,
                        observer,
                        agent,
                        expertise,
                        steps,
                        costs.observe * steps,
                        moved,
                        asked,
                        acting,
                        spent,
                        map=original,
                    )
                    for (agent, expertise), steps in zip(
                        agents, observed[row][column], strict=False
                    )
                ]
            )
    return rows


def _expected_rows(observer: str, found: Expectation, originals: Originals) -> list[Prediction]:
    """What is expected in a trial, a row per NPC."""
    trial, costs = found.lattice.trial, found.costs
    moves, interactions, total = found.moves, found.interactions, found.cost
    return [
        Prediction(
            experiment=trial.experiment,
            level=trial.label,
            observer=observer,
            agent=npc.id,
            expertise=npc.expertise.value,
            observed=steps,
            cost_observation=costs.observe * steps,
            moves=moves,
            interactions=interactions,
            cost_execution=costs.move * moves + costs.interact * interactions,
            cost_total=total,
            observed_sd=spread,
            map=originals.get((trial.experiment, trial.label)),
        )
        for npc, steps, spread in zip(trial.npcs, found.observed, found.observed_sd, strict=True)
    ]


def repeated_trials(trials: Iterable[Trial]) -> list[tuple[int, int]]:
    """Which trials, by their places, have experiment and name in common with an earlier one."""
    first: dict[tuple[str, str], int] = {}
    return [
        (found, index)
        for index, trial in enumerate(trials)
        if not trial.tutorial
        and (found := first.setdefault((_experiment(trial), trial.label), index)) != index
    ]


def _experiment(trial: Trial) -> str:
    return "" if trial.experiment is None else str(trial.experiment)


def _refuse_doubles(trials: Sequence[Trial], observers: Sequence[Observer]) -> None:
    """Experiment, trial and observer identify a row, so none may come twice."""
    if twice := _repeated([observer.name for observer in observers]):
        raise ValueError(f"two observers are called {', '.join(map(repr, twice))}")
    if doubles := repeated_trials(trials):
        labels = [trials[index].label for _, index in doubles]
        reason = "the name of two trials of the same experiment"
        raise TrialError([Problem(label, reason) for label in labels])


def _repeated(words: Sequence[str]) -> list[str]:
    return [word for index, word in enumerate(words) if word in words[:index]]


# -- the CSV -----------------------------------------------------------------------------------


def dump_predictions(rows: Iterable[Prediction]) -> str:
    """The rows as CSV text with a header; the columns `MORE` only where some row has them."""
    rows = list(rows)
    more = [name for name in MORE if any(getattr(row, name) is not None for row in rows)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, *more])
    for row in rows:
        writer.writerow([*prediction_values(row), *(getattr(row, name) for name in more)])
    return text.getvalue()


def prediction_values(row: Prediction) -> list[Any]:
    """The values of a row, in the order of the columns that every table has."""
    values = list(_values(row))
    if row.parameters:
        values[_OBSERVER] = row.variant.label
    return values
