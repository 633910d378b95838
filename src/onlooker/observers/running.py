"""Compiled observers on packed trials: what they did, as arrays and as results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from onlooker.game import ACTIONS, Action, Trial
from onlooker.inference.kernels.tree import Tree
from onlooker.inference.parameters import Parameters
from onlooker.inference.room import room_for
from onlooker.observers.decoding import (
    Decoder,
    Ingredients,
    LazyTrace,
    failure_in,
)
from onlooker.observers.kernels import runs
from onlooker.observers.kernels.parts import Appraisal, Rule, Trust
from onlooker.observers.kernels.runs import Record
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.results import Result
from onlooker.observers.teaching import with_real_paths
from onlooker.planning.compiling import choose, is_compiled
from onlooker.planning.packing import Packed
from onlooker.planning.world import World
from onlooker.support.arrays import IntArray

# Room at first for looks, actions and decisions: of a run, and at least, as one run may be long.
ROOM = (16, 64, 8)
LEAST = (64, 256, 64)
ACTS = -1  # the choice to act
EVERY_ACTION = np.array(ACTIONS, dtype=object)
PLAIN_RUN = 0.01  # seconds that a run takes that is not compiled, about


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
    rows: Ingredients | None  # of all decisions; of those planned at the start, only of the first


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
    [run_batch] = choose(runs.run_batch, seconds=PLAIN_RUN * count)
    settings = parameters.settings
    packed = with_real_paths(packed, settings)
    room = room_for(
        packed,
        settings,
        is_compiled(run_batch),
        Thoughts,
        Record,
        looks=max(ROOM[0] * count, LEAST[0]) if runs_kept else 0,
        actions=max(ROOM[1] * count, LEAST[1]) if runs_kept else 0,
        rows=max(ROOM[2] * count, LEAST[2]) if traces_kept else 0,
    )
    room[Record].keeps_runs, room[Record].keeps_rows = runs_kept, traces_kept
    composed = np.array(parts, np.int64).reshape(-1, 3)
    most = packed.npc.shape[1]
    numbers = np.zeros((len(trials), len(parts), runs.OBSERVED + most), np.int64)
    room.call(run_batch, World, Tree, Thoughts, Record, packed, composed, numbers)
    if room[Tree].error:
        raise failure_in(trials[room[Record].trial], parameters, room)
    record = room[Record]
    looks = record.look[: record.looks].tolist()
    routes = EVERY_ACTION[record.route[: record.actions]].tolist()
    # A copy, so that a trace keeps no more than its rows of the room.
    rows = Ingredients(record.row[: record.rows].copy(), room.lengths) if traces_kept else None
    return Runs(numbers, looks, routes, rows)


def result_of(
    decoder: Decoder, observer: str, parts: Parts, parameters: Parameters, found: Runs,
    row: int, column: int,
) -> Result:  # fmt: skip
    """One run as a result, with its trace where traces were kept."""
    n = found.numbers[row, column].tolist()
    watched, actions, asks = n[runs.WATCHED], n[runs.ACTIONS], n[runs.INTERACTIONS]
    choices = found.choices[n[runs.CHOICES_FROM] : n[runs.CHOICES_FROM] + watched]
    route = found.routes[n[runs.ROUTE_FROM] : n[runs.ROUTE_FROM] + actions]
    candidates = decoder.candidates(n[runs.WIZARDS], n[runs.NEEDED])
    trace: Any = ()
    if found.rows is not None:
        start, chosen = n[runs.ROWS_FROM], (*choices, ACTS)
        colours = tuple(candidates)
        trace = LazyTrace(decoder, parts.appraisal, chosen, found.rows, start, colours, parameters)
    looks = map(decoder.npcs.__getitem__, choices)
    return Result.of(
        observer, decoder.trial, parameters.costs, looks, candidates, tuple(route), asks, trace
    )
