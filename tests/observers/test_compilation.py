"""The compiled engine under other ways of compiling: checked bounds, none, and other sources."""

from __future__ import annotations

import os
import shutil
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
from onlooker.observers.reference.ideal import IdealReference
from vectors import GOLDEN, load

for name in {names!r}:
    vector = load(GOLDEN / (name + ".json"))
    parameters = Parameters(**vector.params)
    batch = Batch([vector.trial])
    for result in batch.results(parameters, trace=True)[0]:
        expected = vector.expect["observers"][result.observer]
        found = result.to_dict()
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


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("NUMBA_DISABLE_JIT", BATCH + MORE),
        ("NUMBA_BOUNDSCHECK", BATCH),
        # To compile everything takes minutes.
        pytest.param("NUMBA_BOUNDSCHECK", BATCH + MORE, marks=pytest.mark.soak),
    ],
    ids=["uncompiled", "bounds of a batch", "all bounds"],
)
def test_vectors_however_compiled(how: str, code: str, tmp_path: Path) -> None:
    code = code.format(tests=str(ROOT / "tests"), names=NAMES) + 'print("as expected")\n'
    quickly = {"NUMBA_OPT": "0"}  # nothing is run often enough to be worth optimizing
    assert run(code, tmp_path, **{how: "1"}, **quickly) == "as expected\n"


DIGEST = """
from onlooker.planning.digest import source_digest
from onlooker.planning.compiling import Entry
from onlooker.planning.world import FAR
from onlooker.sweep.keys import engine_key

def far():
    return FAR

print(Entry(far)(), source_digest() == engine_key(), source_digest())
"""


def test_a_changed_constant_takes_effect(tmp_path: Path) -> None:
    package = tmp_path / "source" / "onlooker"
    shutil.copytree(ROOT / "src" / "onlooker", package, ignore=shutil.ignore_patterns("*.pyc"))
    script = tmp_path / "digest.py"
    script.write_text(DIGEST)
    source = {"PYTHONPATH": str(package.parent)}
    code = f"import runpy; runpy.run_path({str(script)!r}, run_name='digest')"
    before = run(code, tmp_path, **source).split()
    world = package / "planning" / "world.py"
    world.write_text(world.read_text().replace("FAR = 1 << 30", "FAR = 1 << 29"))
    after = run(code, tmp_path, **source).split()
    assert before[:2] == [str(1 << 30), "True"]
    assert after[:2] == [str(1 << 29), "True"]
    assert before[2] != after[2]
