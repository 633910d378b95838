"""Running a sweep: what is missing is computed and kept as it comes, then the tables are made."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path

from onlooker.observers import OBSERVERS, ChoiceRule, Observer
from onlooker.observers.registry import observer_word
from onlooker.sweep import SweepError
from onlooker.sweep.backends import Backend, Local, Pool, TaskArguments
from onlooker.sweep.design import Sweep
from onlooker.sweep.keys import engine_key, plain_setting
from onlooker.sweep.parts import Extent, Gap, Parts
from onlooker.sweep.tables import RowLayout, write_tables
from onlooker.sweep.tasks import Counts, Refused, pack, run_task

TASK_SECONDS = 1.0  # that a task should take
MOST_IN_TASK = 1000  # settings
SHARES = 4  # tasks that each worker gets at least, so that none waits long for the last one

Progress = Callable[[float, int], None]  # settings that are there, of how many


@dataclass(frozen=True, slots=True)
class SweepResult:
    """What a sweep did."""

    settings: int
    computed: int  # settings for which something was missing
    damaged: int  # files that were not whole and were removed
    rows: int  # of the table of predictions
    files: tuple[Path, ...]
    sweep: Sweep
    parts: Parts

    def observed(self) -> Counts:
        """Steps watched, (settings, rows), with the rows as `Sweep.labels` has them."""
        return RowLayout.of(self.sweep).observed(self.parts)


def run_sweep(
    sweep: Sweep,
    folder: Path,
    backend: Backend | None = None,
    progress: Progress = lambda done, total: None,
    about: dict[str, object] | None = None,
) -> SweepResult:
    """Compute what is missing in a folder and write the tables; `about` goes into sweep.json."""
    parts = Parts(folder)
    parts.discard_damaged()
    gaps = parts.gaps(sweep.keys)
    if gaps:
        _fill(sweep, parts, gaps, backend or Local(), progress)
    rows, files = write_tables(sweep, parts, folder, about or {})
    missing = {setting for gap in gaps for setting in gap.settings}
    damaged = len(parts.damaged)
    return SweepResult(len(sweep.settings), len(missing), damaged, rows, files, sweep, parts)


def _fill(
    sweep: Sweep, parts: Parts, gaps: list[Gap], backend: Backend, progress: Progress
) -> None:
    """Compute the gaps: first a little of each worker's share, to see how long a setting takes."""
    total = len(sweep.settings)
    whole = total * len(sweep.trials) * len(sweep.observers)
    left = sum(gap.size for gap in gaps)
    progress(total * (whole - left) / whole, total)
    with backend.open() as pool:
        if isinstance(backend, Local) and pool.workers > 1:
            _compile(sweep)
        first, rest = _parted(gaps, 2 * pool.workers)
        speed: list[float] = []  # seconds for an observer on a trial
        for some in (first, rest):
            done = _computed(sweep, parts, _tasks(some, pool, speed), pool)
            with closing(done):  # not later: until then Ctrl-C is only noted
                for gap, seconds in done:
                    speed.append(seconds / (len(gap.trials) * len(gap.observers)))
                    left -= gap.size
                    progress(total * (whole - left) / whole, total)


def _compile(sweep: Sweep) -> None:
    """Have the engine compiled once and kept, before each of several processes compiles it."""
    ours = [
        (observer, rule)
        for observer, rule in zip(sweep.observers, sweep.rules, strict=True)
        if observer_word(observer) == observer.name
    ]
    first: dict[object, tuple[Observer, ChoiceRule]] = {}  # of those that share compiled functions
    for observer, rule in ours:
        kind = observer.name if observer.name not in OBSERVERS else rule is ChoiceRule.HARD
        first.setdefault(kind, (observer, rule))
    if first:
        observers, rules = zip(*first.values(), strict=True)
        some = replace(sweep, observers=observers, rules=rules)
        [words] = _task_arguments(some, [Gap((0,), (0,), tuple(range(len(observers))))])
        run_task(*words)


def _parted(gaps: list[Gap], count: int) -> tuple[list[Gap], list[Gap]]:
    """So many settings of the first gap, and all the rest."""
    gap, *others = gaps
    first = Gap(gap.settings[:count], gap.trials, gap.observers)
    rest = Gap(gap.settings[count:], gap.trials, gap.observers)
    return [first], [each for each in (rest, *others) if each.settings]


def _tasks(gaps: list[Gap], pool: Pool, speed: Sequence[float]) -> Iterator[Gap]:
    """The gaps in pieces of about a second each; of one setting, while nothing is known yet."""
    for gap in gaps:
        size = 1
        if speed:
            # The least: what is slower had to get ready, or to share the core.
            each = min(speed) * len(gap.trials) * len(gap.observers)
            fair = ceil(len(gap.settings) / (SHARES * pool.workers))
            size = max(1, min(int(TASK_SECONDS / max(each, 1e-9)), fair, MOST_IN_TASK))
        for begin in range(0, len(gap.settings), size):
            yield Gap(gap.settings[begin : begin + size], gap.trials, gap.observers)


def _computed(
    sweep: Sweep, parts: Parts, tasks: Iterator[Gap], pool: Pool
) -> Generator[tuple[Gap, float], None, None]:
    """Each task once it is done and kept, with the seconds that a setting took."""
    pieces = list(tasks)
    keys = sweep.keys
    with closing(pool.run(_task_arguments(sweep, pieces))) as results:
        for found in results:
            gap = pieces[found.number]
            if isinstance(found, Refused):
                raise SweepError(found.reason)
            extent = Extent(
                tuple(keys.trials[each] for each in gap.trials),
                tuple(keys.observers[each] for each in gap.observers),
            )
            parts.write([keys.settings[each] for each in gap.settings], extent, found)
            yield gap, found.seconds


def _task_arguments(sweep: Sweep, pieces: Sequence[Gap]) -> Iterator[TaskArguments]:
    """The tasks as they are sent to workers."""
    packed: dict[tuple[int, ...], bytes] = {}
    words = [observer_word(each) for each in sweep.observers]
    for number, gap in enumerate(pieces):
        if gap.trials not in packed:
            packed[gap.trials] = pack(sweep.trials[each] for each in gap.trials)
        yield (
            number,
            packed[gap.trials],
            tuple(plain_setting(sweep.settings[each]) for each in gap.settings),
            {
                words[each]: (sweep.keys.observers[each], str(sweep.rules[each]))
                for each in gap.observers
            },
            os.getcwd(),
            engine_key(),
        )
