"""What a worker does: some settings over some trials, with everything it needs sent along.

The arguments are plain values, so that a cluster sends them with every task and can run a task
again elsewhere when a worker is lost; packed, a few hundred trials take some kilobytes.
"""

from __future__ import annotations

import importlib
import json
import sys
import threading
import time
import warnings
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onlooker.game import Trial
from onlooker.game.document import read_document
from onlooker.game.document_writer import to_document
from onlooker.inference import Parameters, TooLargeError, UnexplainedError
from onlooker.observers import (
    Batch,
    ChoiceRule,
    Observer,
    ObserverError,
    find_observer,
    parameters_class,
)
from onlooker.observers.registry import describe
from onlooker.planning import NoPathError
from onlooker.sweep.keys import engine_key, observer_key

# Of steps, moves or interactions: whole numbers, or means where somebody chooses by a soft rule.
Counts = NDArray[np.int32] | NDArray[np.float64]


class Found(NamedTuple):
    """What observers did in trials, under one setting or, along the first axis, under several."""

    observed: Counts  # (…, trials, observers, NPCs): steps watched; 0 beyond a trial's NPCs
    moves: Counts  # (…, trials, observers)
    interactions: Counts  # (…, trials, observers)
    observed_sd: NDArray[np.float64] | None  # like observed; NaN by the hard rule, None if all are


@dataclass(frozen=True, slots=True)
class Done:
    """What a worker found for the settings of a task."""

    number: int  # of the task
    found: Found  # the settings along the first axis
    seconds: float  # for a setting, what has to be done once left out


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a task cannot be done, in words."""

    number: int
    reason: str


def pack(trials: Iterable[Trial]) -> bytes:
    """Trials as bytes."""
    return zlib.compress(json.dumps([to_document(trial) for trial in trials]).encode())


def run_task(
    number: int,
    packed: bytes,
    settings: tuple[Mapping[str, Any], ...],
    observers: Mapping[str, tuple[str, str]],
    place: str,
    engine: str,
) -> Done | Refused:
    """Run the observers on the trials under each setting.

    `observers` are words that find them, with their keys and choice rules; `place` is the folder
    in which a user's own lie, `engine` the key of the code that is to do it.
    """
    if engine != engine_key():
        return Refused(number, "the workers have another version of onlooker than this machine")
    if place not in sys.path:
        sys.path.insert(0, place)
    try:
        asked = [
            (_observer(word, key, ChoiceRule(rule)), ChoiceRule(rule))
            for word, (key, rule) in observers.items()
        ]
    except ValueError as error:
        return Refused(number, f"on a worker, {error}")
    known = parameters_class(observer for observer, _ in asked)
    # Batches are not shared by the threads of a worker, as nobody says that they can be.
    batch = _batch(packed, threading.get_ident())
    seconds, outcomes = [], []
    for setting in settings:
        begin = time.perf_counter()
        try:
            theirs = {name: value for name, value in setting.items() if name in known.declared()}
            outcomes.append(_counts(batch, known(**theirs), asked))
        except (NoPathError, UnexplainedError, TooLargeError, ObserverError) as error:
            return Refused(number, f"{error} {_with(setting)}")
        except Exception as error:
            if not hasattr(error, "__notes__"):  # not from an observer of the user's own
                raise
            return Refused(number, f"{error.__notes__[0]}: {describe(error)} {_with(setting)}")
        seconds.append(time.perf_counter() - begin)
    return Done(number, _stacked(outcomes), min(seconds))


def _stacked(outcomes: Sequence[Found]) -> Found:
    """What was found under each setting, the settings along the first axis."""
    columns: list[Any] = [
        None if each[0] is None else np.stack(each) for each in zip(*outcomes, strict=True)
    ]
    return Found(*columns)


def _counts(
    batch: Batch, parameters: Parameters, observers: Sequence[tuple[Observer, ChoiceRule]]
) -> Found:
    """Steps watched, moves and interactions in all trials."""
    hard = [column for column, (_, rule) in enumerate(observers) if rule is ChoiceRule.HARD]
    ran = batch.run(parameters, [observers[column][0] for column in hard])
    if len(hard) == len(observers):
        whole = np.dtype(np.int32)
        return Found(
            ran.observed.astype(whole),
            ran.moves.astype(whole),
            ran.interactions.astype(whole),
            None,
        )
    shape = len(batch.trials), len(observers)
    observed, moves, interactions = (
        np.zeros(size) for size in ((*shape, ran.observed.shape[-1]), shape, shape)
    )
    spread = np.full(observed.shape, np.nan)
    observed[:, hard], moves[:, hard], interactions[:, hard] = (
        ran.observed,
        ran.moves,
        ran.interactions,
    )
    for column, (observer, rule) in enumerate(observers):
        if rule is ChoiceRule.HARD:
            continue
        for row, expected in enumerate(batch.expect(parameters, observer, rule)):
            observed[row, column, : len(expected.observed)] = expected.observed
            spread[row, column, : len(expected.observed)] = expected.observed_sd
            moves[row, column] = expected.moves
            interactions[row, column] = expected.interactions
    return Found(observed, moves, interactions, spread)


def work_on_cluster(work: Callable[..., Any], *task: Any) -> Any:
    """Do a task on a worker of a cluster, which may do others in other threads."""
    _ignore_warnings_of_settings()
    return work(*task)


@cache
def _ignore_warnings_of_settings() -> None:
    """Ignore what an unusual setting is warned of, which a sweep tries out on purpose.

    This is for the whole process and for good: filters are shared by all threads, so a thread
    that put them back would do so in the middle of another one's task.
    """
    warnings.filterwarnings("ignore", message=r".*\bprune=")


_importing = threading.Lock()


def _observer(word: str, key: str, rule: ChoiceRule) -> Observer:
    """An observer of that key; a module that has changed since it was imported is read again."""
    with _importing:
        found = find_observer(word)
        if observer_key(found, rule) != key:
            importlib.invalidate_caches()
            importlib.reload(sys.modules[type(found).__module__])
            found = find_observer(word)
    if observer_key(found, rule) != key:
        raise ValueError(f"{word} is another one than on this machine, or has just been changed")
    return found


def _with(setting: Mapping[str, Any]) -> str:
    return f"(with {', '.join(f'{name}={value}' for name, value in setting.items())})"


@lru_cache(maxsize=8)
def _batch(packed: bytes, _thread: int) -> Batch:
    return Batch([read_document(each) for each in json.loads(zlib.decompress(packed))])
