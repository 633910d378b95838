"""This version against 0.1.0, whose sources come out of the history, both in one run.

Run as `python -m benchmarks.versions WORK FOLDER` it does one piece of work on the trial files of
a folder with whatever onlooker is imported, and prints the CPU seconds a trial as JSON.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measuring import ROOT, machine, number, peak_megabytes, with_bar
from benchmarks.sheets import Sheet

COMMIT = "0f26feda790f619b206e0c47af10acd9ae8a9ef9"  # version 0.1.0; clones may lack its tag
ROUNDS = 4  # of both versions in turn
REPEAT = 7  # of a work in one process
OLD, NEW = "0.1.0", "now"


def against_release() -> Sheet:
    """What takes how long in 0.1.0 and now, and the ratio."""
    sheet = Sheet(
        "versions",
        "Against version 0.1.0",
        ("what", OLD, NEW, "times as fast"),
        note=(
            f"CPU time on one core, the least of {ROUNDS} processes in turn; {OLD} is commit"
            f" {COMMIT[:7]}. {machine()}"
        ),
    )
    with TemporaryDirectory() as folder:
        sources = {OLD: old_sources(Path(folder)), NEW: ROOT / "src"}
        for name, trials in _trial_files(Path(folder)).items():
            for work, (words, unit, scale, known) in WORKS.items():
                times = _in_turn(sources if known else {NEW: sources[NEW]}, work, trials)
                row = [number(scale * times[v]) if v in times else "–" for v in (OLD, NEW)]
                ratio = number(times[OLD] / times[NEW]) if known else "–"
                sheet.add(f"{name}: {words}, {unit}", *row, ratio)
        for words, times, unit in _whole_processes(sources, Path(folder)):
            ratio = number(times[OLD] / times[NEW])
            sheet.add(f"{words}, {unit}", number(times[OLD]), number(times[NEW]), ratio)
    return sheet


def old_sources(folder: Path) -> Path:
    """The sources of version 0.1.0, from the repository's history."""
    archive = subprocess.run(
        ["git", "archive", COMMIT, "src"], cwd=ROOT, capture_output=True, check=False
    )
    if archive.returncode:
        sys.exit(f"the history lacks commit {COMMIT[:7]}: fetch it whole (git fetch --unshallow)")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extractall(folder / "old", filter="data")
    return folder / "old" / "src"


def _trial_files(folder: Path) -> dict[str, Path]:
    """The trial documents of each set in a folder of its own."""
    from benchmarks.trialsets import trial_sets
    from onlooker.game import save_trial

    places = {}
    for number_of_set, (name, trials) in enumerate(trial_sets().items()):
        places[name] = folder / f"set{number_of_set}"
        for index, trial in enumerate(trials):
            file = places[name] / f"{trial.experiment}-{index:03}.json"
            save_trial(replace(trial, name=f"{trial.name} {index}"), file)
    return places


def _in_turn(sources: dict[str, Path], work: str, trials: Path) -> dict[str, float]:
    times = dict.fromkeys(sources, float("inf"))
    for _ in with_bar(range(ROUNDS), work):
        for version, source in sources.items():
            measured = _process(source, ["-m", "benchmarks.versions", work, str(trials)])
            times[version] = min(times[version], json.loads(measured))
    return times


def _process(source: Path, words: Sequence[str], **more: str) -> str:
    """What a process prints that imports onlooker from somewhere."""
    # Python keeps what it compiles unless it is told not to; users do not tell it.
    users = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment = {**users, "PYTHONPATH": str(source), **more}
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=ROOT, env=environment,
        check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{done.stderr}")
    return done.stdout


def _whole_processes(
    sources: dict[str, Path], folder: Path
) -> list[tuple[str, dict[str, float], str]]:
    """Commands and compilation, start-up included."""
    trials, many, out = folder / "set0", folder / "many", str(folder / "predictions.csv")
    file = next(iter(sorted(trials.glob("*.json"))))
    few, all_of_them = _copies(trials, many), len(list(many.glob("*.json")))
    commands = {
        "`onlooker run FILE`, cold": ["run", str(file)],
        f"`onlooker predict` on {few:,} files": ["predict", str(trials), "-o", out],
        f"`onlooker predict` on {all_of_them:,} files": ["predict", str(many), "-o", out],
    }
    found = []
    for words, command in commands.items():
        times = dict.fromkeys(sources, float("inf"))
        for _ in with_bar(range(ROUNDS), words):
            for version, source in sources.items():
                begin = _spent()
                _process(source, ["-m", "onlooker", *command])
                times[version] = min(times[version], _spent() - begin)
        found.append((words, times, "s"))
    (_, less, _), (_, more, _) = found[1:]
    each = {v: 1e6 * (more[v] - less[v]) / (all_of_them - few) for v in sources}
    found.append(("so, start-up apart, `onlooker predict`", each, "µs a file"))
    compiling, memory = {}, {}
    for version, source in sources.items():
        with TemporaryDirectory() as cache:
            words = ["-m", "benchmarks.versions", "compile", str(trials)]
            compiling[version] = json.loads(_process(source, words, NUMBA_CACHE_DIR=cache))
        memory[version] = json.loads(
            _process(source, ["-m", "benchmarks.versions", "memory", str(trials)])
        )
    found.append(("compiling the batch, the first time ever", compiling, "s"))
    found.append(("peak memory of a batch", memory, "MB"))
    return found


def _copies(trials: Path, many: Path) -> int:
    """Write ten copies of each document of a folder into another; how many there were."""
    from onlooker.game import load_trial, save_trial

    files = sorted(trials.glob("*.json"))
    for file in files:
        trial = load_trial(file)
        for copy in range(10):
            save_trial(
                replace(trial, name=f"{trial.name}-{copy}"), many / f"{file.stem}-{copy}.json"
            )
    return len(files)


def _spent() -> float:
    """The CPU seconds of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# -- in a process with one of the versions -----------------------------------------------------


def _load(folder: Path) -> list[Any]:
    from onlooker.game import load_trial

    return [load_trial(file) for file in sorted(folder.glob("*.json"))]


def _least(work: Callable[[], object], repeat: int = REPEAT) -> float:
    work()
    times = []
    for _ in range(repeat):
        gc.collect()  # else that of earlier repeats falls into one of them
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def _batch(trials: list[Any]) -> Callable[[], object]:
    from onlooker.observers import Batch

    return Batch(trials).run


def _trace_arrays(trials: list[Any]) -> Callable[[], object]:
    from onlooker.observers import Batch

    batch = Batch(trials)
    return lambda: batch.results(trace=True)  # type: ignore[call-arg,unused-ignore]


def _trace_objects(trials: list[Any]) -> Callable[[], object]:
    """Every decision of all four observers as an object."""
    from onlooker.observers import OBSERVERS, Batch, Engine

    if hasattr(Batch, "lattices"):
        batch = Batch(trials)
        return lambda: [[list(r.trace) for r in row] for row in batch.results(trace=True)]

    def with_engine() -> None:
        for trial in trials:
            engine = Engine(trial)
            for observer in OBSERVERS.values():
                observer().run(engine)

    return with_engine


def _lattices(trials: list[Any]) -> Callable[[], object]:
    from onlooker.observers import Batch

    return Batch(trials).lattices


def _question(trials: list[Any]) -> Callable[[], object]:
    from onlooker.observers import Engine

    def ask() -> None:
        for trial in trials:
            engine = Engine(trial)
            engine.c_self(engine.opening)

    return ask


def _run(trials: list[Any]) -> Callable[[], object]:
    from onlooker.observers import run

    return lambda: [run(trial) for trial in trials]


def _graded(trials: list[Any]) -> Callable[[], object]:
    from onlooker.observers import Batch

    batch = Batch(trials)
    return lambda: batch.expect(None, "graded_mentalizing")


def _ideal(trials: list[Any]) -> Callable[[], object]:
    from onlooker.observers import Engine, IdealObserver

    return lambda: [IdealObserver().run(Engine(trial)) for trial in trials]


def _regret(trials: list[Any]) -> Callable[[], object]:
    """That of the four observers over all worlds of trials in which something is to be learnt."""
    from onlooker.experiments.regret import regrets
    from onlooker.observers import OBSERVERS, Engine

    # Once the engine knew which colours are open, now the trial does.
    knows: list[Any] = [t if hasattr(t, "open_colours") else Engine(t) for t in trials]
    some = [trial for trial, known in zip(trials, knows, strict=True) if known.open_colours]
    return lambda: regrets(some, list(OBSERVERS))


def _reading(trials: list[Any], folder: Path) -> Callable[[], object]:
    return lambda: _load(folder)


# words, unit, what a second is in that unit, whether 0.1.0 can do it too
WORKS: dict[str, tuple[str, str, float, bool]] = {
    "batch": ("four observers in one batch", "µs a trial", 1e6, True),
    "arrays": ("with traces as arrays", "µs a trial", 1e6, False),
    "objects": ("with traces as objects", "µs a trial", 1e6, True),
    "lattices": ("lattices of the full model", "ms a trial", 1e3, False),
    "question": ("an engine made and asked one question", "µs a trial", 1e6, False),
    "run": ("one run of the full model", "µs a trial", 1e6, False),
    "graded": ("expected counts of Graded Mentalizing", "ms a trial", 1e3, False),
    "ideal": ("the ideal observer", "ms a trial", 1e3, False),
    "regret": ("regret of four observers over all worlds", "ms a trial", 1e3, False),
    "reading": ("reading and checking a document", "µs a trial", 1e6, True),
}
MAKE: dict[str, Callable[[list[Any]], Callable[[], object]]] = {
    "batch": _batch,
    "arrays": _trace_arrays,
    "objects": _trace_objects,
    "lattices": _lattices,
    "question": _question,
    "run": _run,
    "graded": _graded,
    "ideal": _ideal,
    "regret": _regret,
}
FEW = {"objects", "graded", "ideal", "regret"}  # works that take long, and are repeated less


def main() -> None:
    """Do one work with the version at hand."""
    work, folder = sys.argv[1], Path(sys.argv[2])
    trials = _load(folder)
    if work == "reading":
        print(json.dumps(_least(_reading(trials, folder)) / len(trials)))
    elif work == "compile":
        run = _batch(trials)
        begin = time.process_time()
        run()
        print(json.dumps(time.process_time() - begin))
    elif work == "memory":
        _batch(trials)()
        print(json.dumps(peak_megabytes()))
    else:
        repeat = 3 if work in FEW else REPEAT
        print(json.dumps(_least(MAKE[work](trials), repeat) / len(trials)))


if __name__ == "__main__":
    main()
