"""The engine against the plain reference, and what its time is made of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import best, machine, number
from benchmarks.sheets import Sheet
from onlooker.experiments.trialset import load_trials
from onlooker.game import Trial, save_trial
from onlooker.observers import OBSERVERS, Batch, Engine, Parameters
from onlooker.observers.reference import run_reference
from onlooker.observers.running import run_packed
from onlooker.planning import Tables

SAMPLE = 6  # every so manieth trial goes through the plain reference


def plainly(trials: Sequence[Trial]) -> None:
    """All four observers by the plain reference, which share its tables."""
    for trial in trials:
        tables = Tables(trial.map, Parameters().costs)
        for name in OBSERVERS:
            run_reference(trial, name, Parameters(), tables)


def with_trace(trials: Sequence[Trial]) -> None:
    """All four observers with their traces."""
    for trial in trials:
        engine = Engine(trial, Parameters())
        for observer in OBSERVERS.values():
            observer().run(engine)


def check(trials: Sequence[Trial]) -> None:
    """See that what is compared does the same."""
    for trial, results in zip(trials, Batch(trials).results(), strict=True):
        for result in results:
            plain = run_reference(trial, result.observer, Parameters())
            if (result.choices, result.route) != (plain.choices, plain.route):
                raise AssertionError(f"{trial.label}: {result.observer} does something else")


def against_reference(sets: dict[str, list[Trial]]) -> Sheet:
    """The batch, the engine with trace and the plain reference on the same trials."""
    note = f"One core. The plain reference ran on every {SAMPLE}th trial. {machine()}"
    sheet = Sheet(
        "engine",
        "Four observers on a trial",
        ("trials and engine", "µs a trial", "trials/s", "times the plain reference"),
        note=note,
    )
    for name, trials in sets.items():
        sample = trials[::SAMPLE]
        check(sample)
        batch = Batch(trials)
        works = {
            "plain reference": (lambda sample=sample: plainly(sample), len(sample)),
            "engine with trace": (lambda trials=trials: with_trace(trials), len(trials)),
            "one batch call, no trace": (batch.run, len(trials)),
        }
        times = best({key: work for key, (work, _) in works.items()}, 5, f"engine, {name}")
        each = {key: times[key] / count for key, (_, count) in works.items()}
        for key, value in each.items():
            ratio = number(each["plain reference"] / value)
            row = f"{len(trials)} {name}: {key}"
            sheet.add(row, number(1e6 * value), number(1 / value), ratio)
    return sheet


def parts(sets: dict[str, list[Trial]]) -> Sheet:
    """What the time from trial files to observers' choices is made of."""
    sheet = Sheet(
        "parts",
        "What the time is made of",
        ("µs a trial", *sets),
        note=(
            "An observer's own time is that of a call with it alone, less the call without any."
            " What observers imagine they share, so that all four take less than their sum."
        ),
    )
    columns = [_parts_of(name, trials) for name, trials in sets.items()]
    for row in columns[0]:
        sheet.add(row, *(number(1e6 * column[row]) for column in columns))
    return sheet


def _parts_of(name: str, trials: list[Trial]) -> dict[str, float]:
    """The seconds a trial of each part."""
    batch = Batch(trials)
    with TemporaryDirectory() as folder:
        for kind in ("json", "map"):
            for index, trial in enumerate(trials):
                save_trial(trial, Path(folder, kind, f"{index}.{kind}"))
        works = {
            "reading and checking trial documents": lambda: load_trials([f"{folder}/json"]),
            "reading and checking map texts": lambda: load_trials([f"{folder}/map"]),
            "packing trials into numbers": lambda: Batch(trials),
            "one call, no observer: needs, regions, NPCs' real paths": lambda: run_packed(
                batch.trials, batch.packed, Parameters(), []
            ),
            **{key: (lambda key=key: batch.run(None, [key])) for key in OBSERVERS},
            "one call, all four": batch.run,
        }
        times = best(works, 15, f"parts, {name}")
    nobody = times["one call, no observer: needs, regions, NPCs' real paths"]
    for key in OBSERVERS:
        times[key] = max(times[key] - nobody, 0.0)
    shown = {key: f"{key}, its own time" for key in OBSERVERS}
    return {shown.get(key, key): value / len(trials) for key, value in times.items()}
