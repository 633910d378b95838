"""Taking times and memory: the best of several runs, in turn, so that ratios stay fair."""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import track

T = TypeVar("T")

ROOT = Path(__file__).parents[1]
CONSOLE = Console(width=110)
QUIET = Console(stderr=True)


def with_bar(items: Iterable[T], what: str) -> Iterable[T]:
    """The items one by one, with a passing bar where standard error is a terminal."""
    quiet = not QUIET.is_terminal
    return track(list(items), what, console=QUIET, transient=True, disable=quiet)


def seconds(work: Callable[[], object]) -> float:
    """How long some work takes once."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def best(
    works: Mapping[str, Callable[[], object]], repeat: int = 7, what: str = ""
) -> dict[str, float]:
    """The least seconds of each work, all done in turn so that a busy moment hits all alike."""
    times = dict.fromkeys(works, float("inf"))
    for _ in with_bar(range(repeat), what):
        for name, work in works.items():
            times[name] = min(times[name], seconds(work))
    return times


def fresh(*words: str) -> Any:
    """What a module of ours prints as JSON when it is run in a process of its own."""
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=ROOT)
    return json.loads(done.stdout)


def peak_megabytes() -> float:
    """The most memory that this process has had.

    Linux hands `ru_maxrss` on from the process that started this one, so its own record is read.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    unit = 1024**2 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def machine() -> str:
    """What the numbers were measured on."""
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()},"
        f" load {load:.1f}."
    )


def number(value: float) -> str:
    """A number with about three digits that count.

    >>> [number(value) for value in (0.1234, 12.34, 1234.5, 1234567)]
    ['0.123', '12.3', '1,230', '1,230,000']
    """
    if value <= 0:
        return "0"
    digits = 2 - int(f"{value:e}".split("e")[1])
    return f"{round(value, digits):,.{max(digits, 0)}f}"
