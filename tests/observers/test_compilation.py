"""The compiled engine under other ways of compiling: checked bounds, none, and other sources."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from running import ROOT

BATCH = """
import sys
sys.path.insert(0, {tests!r})
import numpy as np
from onlooker.observers import Batch, Engine, IdealObserver, Parameters, RationalMentalizing
from observers.ideal_reference import IdealReference
from vectors import MODEL, load

for name in {names!r}:
    vector = load(MODEL / (name + ".json"))
    parameters = Parameters(**vector.params)
    batch = Batch([vector.trial])
    for result in batch.results(parameters, trace=True)[0]:
        expected = vector.expect["observers"][result.observer]
        found = result.to_dict()
        del found["reason"]
        assert found == {{key: expected[key] for key in found}}, (name, result.observer)
        assert [decision.choice for decision in result.trace] == [*result.choices, "act"]
"""
MORE = """
    (lattice,) = batch.lattices(parameters)
    engine = Engine(vector.trial, parameters)
    decision = RationalMentalizing().decide(engine, engine.opening)
    first = lattice.values[(0,) * len(vector.trial.npcs)]
    assert -first[0] == decision.c_self
    if name == {names!r}[0]:
        ideal = IdealObserver().run(engine)
        plain = IdealReference(vector.trial, parameters).run()
        assert (ideal.choices, ideal.route) == (plain.choices, plain.route)
"""
NAMES = ["random_exp1_1", "random_exp2_2", "random_exp4_3"]


def run(code: str, tmp_path: Path, **environment: str) -> str:
    """What a program prints in a process of its own, with nothing compiled before."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **cache, **environment},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


BOUNDS = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0", "ONLOOKER_COMPILE": "always"}


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"ONLOOKER_COMPILE": "never"}, BATCH + MORE),
        # To compile with checks takes a minute, and all of it some minutes.
        pytest.param(BOUNDS, BATCH, marks=pytest.mark.slow),
        pytest.param(BOUNDS, BATCH + MORE, marks=pytest.mark.soak),
    ],
    ids=["uncompiled", "bounds of a batch", "all bounds"],
)
def test_vectors_however_compiled(how: dict[str, str], code: str, tmp_path: Path) -> None:
    code = code.format(tests=str(ROOT / "tests"), names=NAMES) + 'print("as expected")\n'
    assert run(code, tmp_path, **how) == "as expected\n"


@pytest.mark.slow
def test_all_vectors_uncompiled(tmp_path: Path) -> None:
    """The modules with the worked cases, as they are, in a process that compiles nothing."""
    modules = [str(ROOT / "tests" / "observers" / name) for name in WORKED_CASES]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *modules],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "ONLOOKER_COMPILE": "never", "HYPOTHESIS_PROFILE": "few"},
        check=False,
    )
    assert done.returncode == 0, done.stdout


WORKED_CASES = ["test_vectors.py", "test_ideal.py", "test_untold.py", "test_graded.py"]
