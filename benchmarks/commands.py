"""The command line as its users meet it: whole processes, start-up and memory included."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import ROOT, fresh, machine, number, peak_megabytes, seconds, with_bar
from benchmarks.sheets import Sheet
from onlooker.experiments.stimuli import stimuli
from onlooker.game import Trial, save_trial

COPIES = 10
RUNS = 5


def commands() -> Sheet:
    """How long `onlooker predict` and `onlooker run` take, and how much memory a batch."""
    sheet = Sheet(
        "commands",
        "Whole processes",
        ("what", "measured"),
        note=f"Medians of {RUNS}, the compiled engine on disk. {machine()}",
    )
    with TemporaryDirectory() as folder:
        _predict(sheet, Path(folder), stimuli())
        file = save_one(Path(folder))
        cold = _median(["onlooker.cli.main", "run", str(file)])
        sheet.add("`onlooker run FILE`, cold", f"{number(cold)} s")
    for module in ("numpy", "numba", "onlooker.observers"):
        took = _median([], f"import {module}") - _median([], "pass")
        sheet.add(f"of which `import {module}`", f"{number(took)} s")
    sheet.add("compiling a batch and an engine, the first time ever", f"{number(_compiling())} s")
    peak = fresh("benchmarks.commands")
    sheet.add("peak memory: imports", f"{number(peak['imports'])} MB")
    sheet.add("peak memory: a batch of 148 trials", f"{number(peak['batch'])} MB")
    return sheet


def save_one(folder: Path) -> Path:
    """One trial as a document."""
    file = folder / "one" / "trial.json"
    save_trial(replace(stimuli()[-1], name="one"), file)
    return file


def _predict(sheet: Sheet, folder: Path, trials: list[Trial]) -> None:
    """Time `onlooker predict` on many trial files, and apart from that on a single one."""
    for copy in range(COPIES):
        for trial in trials:
            again = replace(trial, name=f"{trial.name}-{copy}")
            save_trial(again, folder / "many" / f"{trial.experiment}-{again.name}.json")
    one, out = save_one(folder), str(folder / "out" / "predictions.csv")
    start = _median(["onlooker.cli.main", "predict", str(one), "-o", out])
    whole = _median(["onlooker.cli.main", "predict", str(folder / "many"), "-o", out])
    count = COPIES * len(trials)
    each = (whole - start) / (count - 1)
    sheet.add(f"`onlooker predict` on {count:,} files", f"{number(whole)} s")
    sheet.add("the same on one file: start-up", f"{number(start)} s")
    sheet.add("so, start-up apart, µs a trial", number(1e6 * each))
    sheet.add("so, start-up apart, trials/s", number(1 / each))


def _median(words: list[str], code: str = "") -> float:
    """The median seconds of a process."""
    if words:
        code = f"import sys; sys.argv = {['onlooker', *words[1:]]!r}\n"
        code += f"from {words[0]} import main; main()"
    command = [sys.executable, "-c", code]

    # Python keeps what it compiles unless it is told not to; users do not tell it.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def run() -> None:
        subprocess.run(command, capture_output=True, check=True, env=environment)

    run()  # so that every file it needs is in memory
    shown = " ".join(words[1:2]) or code
    return statistics.median([seconds(run) for _ in with_bar(range(RUNS), shown)])


def _compiling() -> float:
    """How much longer the first calls take where nothing is kept on disk yet; once."""
    command = [sys.executable, "-m", "benchmarks.commands"]

    def run(folder: str) -> None:
        places = {**os.environ, "NUMBA_CACHE_DIR": folder}
        subprocess.run(command, capture_output=True, check=True, cwd=ROOT, env=places)

    with TemporaryDirectory() as folder:
        first, then = (seconds(lambda: run(folder)) for _ in with_bar(range(2), "compiling"))
    return first - then


def main() -> None:
    """In a process of its own: run a batch and an engine, and say what memory the batch takes."""
    trials = stimuli()
    from onlooker.observers import Batch, Engine, RationalMentalizing

    imports = peak_megabytes()
    Batch(trials).run()
    batch = peak_megabytes()
    RationalMentalizing().run(Engine(trials[0]))
    print(json.dumps({"imports": imports, "batch": batch}))


if __name__ == "__main__":
    main()
