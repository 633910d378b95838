"""Compiled observers on packed trials: what they did, as arrays and as results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from onlooker.game import ACTIONS, Action, Trial
from onlooker.inference.failures import failure
from onlooker.inference.parameters import Parameters
from onlooker.observers.decoding import Decoder, Ingredients, LazyTrace, cell_of, colours_of
from onlooker.observers.kernels import runs
from onlooker.observers.kernels.parts import Appraisal, Rule, Trust
from onlooker.observers.results import Result
from onlooker.planning.packing import Packed
from onlooker.support.arrays import IntArray

# Room for a run at first: choices, actions and decisions. More is made when it is used up.
ROOM = (16, 64, 16)
ACTS = -1  # the choice to act
EVERY_ACTION = np.array(ACTIONS, dtype=object)
NODES = 256  # of the tree of histories at first; it doubles when it is used up


class Parts(NamedTuple):
    """What an observer is made of."""

    appraisal: Appraisal
    rule: Rule
    trust: Trust


def check_parts(parts: object) -> Parts:
    """The parts, if they are three of the right kinds; TypeError otherwise.

    >>> check_parts((0, 0))
    Traceback (most recent call last):
    TypeError: expected Parts(Appraisal, Rule, Trust), such as RationalMentalizing.parts, not (0, 0)
    """
    kinds = (Appraisal, Rule, Trust)
    if isinstance(parts, Parts) and all(map(isinstance, parts, kinds)):
        return parts
    raise TypeError(
        f"expected Parts(Appraisal, Rule, Trust), such as RationalMentalizing.parts, not {parts!r}"
    )


class Runs(NamedTuple):
    """What compiled observers did in some trials."""

    numbers: IntArray  # (trials, observers, numbers): see `kernels.runs`
    choices: list[int]  # of all runs, one after the other: NPCs
    routes: list[Action]  # of all runs
    rows: Ingredients  # of all decisions; of those planned at the start, only of the first


def run_packed(
    trials: Sequence[Trial],
    packed: Packed,
    parameters: Parameters,
    parts: Sequence[Parts],
    runs_kept: bool = False,
    traces_kept: bool = False,
) -> Runs:
    """Run observers on trials; the first trial that fails is raised."""
    count = len(trials) * len(parts)
    room = np.zeros(3, np.int64)
    if runs_kept:
        room[:2] = count * ROOM[0], count * ROOM[1]
    if traces_kept:
        room[2] = max(count * ROOM[2], 1)
    numbers, used, kept = _call(packed, parameters, parts, room)
    wanted = room > 0
    if (np.array(used)[wanted] > room[wanted]).any():
        numbers, used, kept = _call(packed, parameters, parts, np.where(wanted, used, 0))
    errors = numbers[:, :, runs.ERROR]
    for row in np.flatnonzero(errors.any(axis=1))[:1]:
        column = int(np.flatnonzero(errors[row])[0])
        raise run_failure(trials[row], parameters, numbers[row, column])
    choices, routes, *rows = kept
    taken = EVERY_ACTION[routes[: used[1]]].tolist() if runs_kept else []
    return Runs(numbers, choices[: used[0]].tolist(), taken, Ingredients(*rows))


def _call(packed: Packed, parameters: Parameters, parts: Sequence[Parts], room: IntArray) -> Any:
    composed = np.array([tuple(map(int, each)) for each in parts], dtype=np.int64).reshape(-1, 3)
    return runs.run_batch(packed, parameters.settings, composed, room, NODES)


def run_failure(trial: Trial, parameters: Parameters, numbers: IntArray) -> Exception:
    """Why a run could not go on."""
    n = numbers.tolist()
    lacking = n[runs.NEEDED] & ~n[runs.ERROR_AMULETS]
    return failure(
        trial,
        parameters,
        n[runs.ERROR],
        n[runs.ERROR_NPC],
        n[runs.ERROR_STEP],
        cell_of(trial, n[runs.ERROR_SQUARE]),
        colours_of(trial, lacking),
    )


def result_of(
    decoder: Decoder, observer: str, parts: Parts, parameters: Parameters, found: Runs,
    row: int, column: int,
) -> Result:  # fmt: skip
    """One run as a result, with its trace where traces were kept."""
    npcs = decoder.npcs
    n = found.numbers[row, column].tolist()
    watched, actions, asks = n[runs.WATCHED], n[runs.ACTIONS], n[runs.INTERACTIONS]
    choices = found.choices[n[runs.CHOICES_FROM] : n[runs.CHOICES_FROM] + watched]
    route = found.routes[n[runs.ROUTE_FROM] : n[runs.ROUTE_FROM] + actions]
    candidates = decoder.candidates(n[runs.WIZARDS], n[runs.NEEDED])
    trace: Any = ()
    if len(found.rows.value):
        start, chosen = n[runs.ROWS_FROM], (*choices, ACTS)
        trace = LazyTrace(decoder, parts.appraisal, chosen, found.rows, start, tuple(candidates))
    return Result(
        observer=observer,
        observed=tuple(n[runs.OBSERVED : runs.OBSERVED + len(npcs)]),
        choices=tuple(map(npcs.__getitem__, choices)),
        candidates=candidates,
        route=tuple(route),
        moves=actions - asks,
        interactions=asks,
        cost=parameters.observe * watched
        + parameters.move * (actions - asks)
        + parameters.interact * asks,
        trace=trace,
    )
