"""Compile the engine before anybody waits for it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from onlooker.game import Expertise, read_map_text
from onlooker.observers.api import run
from onlooker.observers.batch import Batch
from onlooker.observers.compositions import GradedMentalizing, RationalMentalizing
from onlooker.observers.engine import Engine
from onlooker.observers.ideal import IdealObserver
from onlooker.observers.lessons import plans
from onlooker.planning.compiling import compiles_nothing, expect_much, leave_compiling, on_disk

SMALLEST = """
map:
b2h
#@A

legend:
@ = main agent, goal A
2 = expert agent2, goal A
b = blue wizard
h = blue wizard, holder
"""
MODULE = "onlooker.observers.warm"


def compile_engine() -> None:
    """Compile the engine, about a minute the first time; later it is read from disk."""
    expect_much()
    trial = read_map_text(SMALLEST)
    engine = Engine(trial)
    RationalMentalizing().decide(engine, engine.opening)
    batch = Batch([trial])
    batch.run()
    batch.expect(rule="softmax")
    batch.expect(observer="graded_mentalizing")
    GradedMentalizing().decide(engine, engine.opening)
    IdealObserver().run(engine)
    plans(trial, trial.npcs[0].id)
    run(replace(trial, npcs=(replace(trial.npcs[0], expertise=Expertise.TEACHER),)))


@contextmanager
def compiling_beside() -> Iterator[subprocess.Popen[bytes] | None]:
    """Within this block another process compiles the engine, with a low priority.

    This process compiles nothing. It uses what the other one compiles once that is on disk, and at
    the next start. There is no other process if nothing is to be compiled.
    """
    leave_compiling()
    # Every kernel is imported with the engine, so it is known what is to be on disk.
    if compiles_nothing() or on_disk():
        yield None
        return
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-m", MODULE], stdin=quiet, stdout=quiet, stderr=quiet
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(19)
    compile_engine()
