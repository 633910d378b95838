"""When kernels are compiled: never by themselves where little is to be done."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from onlooker.observers.kernels.runs import run_batch
from onlooker.planning import compiling
from onlooker.planning.compiling import CompilingError, Entry, choose, compiled
from onlooker.planning.structures import Ints1
from running import ROOT


@compiled
def total(cells: Ints1) -> int:
    found = 0
    for index in range(len(cells)):
        found += cells[index]
    return found


def _sum_up(cells: Ints1) -> int:
    return total(cells) + len(cells)


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Entry:
    """An entry that was never compiled, in a process that has done nothing yet."""
    # numba keeps what the environment says when it is imported: later tests need the usual place.
    monkeypatch.setattr(compiling.load_numba().config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv(compiling.VARIABLE, raising=False)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setattr(compiling, "_entries", [])
    monkeypatch.setattr(compiling._Process, "plain_seconds", 0.0)
    monkeypatch.setattr(compiling._Process, "may_compile", True)
    return Entry(_sum_up)


def chosen(entry: Entry, seconds: float = 0.0) -> str:
    [call] = choose(entry, seconds=seconds)
    return call.__name__


def test_little_work_is_not_compiled_and_much_is(entry: Entry) -> None:
    assert chosen(entry) == "plain"
    assert chosen(entry, seconds=compiling.PATIENCE / 2) == "plain"
    assert chosen(entry, seconds=compiling.PATIENCE * 2) == "compiled"


def test_what_was_done_so_far_counts(entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((0.0, compiling.PATIENCE * 0.7, 100.0, 100.0 + compiling.PATIENCE * 0.7))
    monkeypatch.setattr(compiling, "perf_counter", lambda: next(clock))
    entry.plain([1, 2])
    assert chosen(entry) == "plain"
    entry.plain([1, 2])
    assert chosen(entry) == "compiled"
    compiling.leave_compiling()
    assert chosen(entry) == "plain"


def test_the_environment_decides_if_it_says_so(
    entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(compiling.VARIABLE, "always")
    assert chosen(entry) == "compiled"
    monkeypatch.setenv(compiling.VARIABLE, "never")
    compiling.expect_much()
    assert chosen(entry) == "plain"
    monkeypatch.setenv(compiling.VARIABLE, "")
    assert chosen(entry) == "compiled"
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert chosen(entry) == "plain"
    monkeypatch.setenv(compiling.VARIABLE, "perhaps")
    with pytest.raises(CompilingError, match="ONLOOKER_COMPILE=perhaps: expected always or never"):
        chosen(entry)


TWINS = """
import sys
sys.path[:0] = sys.argv[1:]
import numpy as np
from planning.test_compiling import Entry, _sum_up, chosen

cells = np.arange(5)
for _ in range(2):
    entry = Entry(_sum_up)
    print(chosen(entry), chosen(entry, 1.0), entry.plain(cells), "numba" in sys.modules)
print(entry.compiled(cells), chosen(entry), entry.plain(cells), "numba" in sys.modules)
"""


@pytest.mark.slow
def test_twins_give_the_same_and_are_found_again(tmp_path: Path) -> None:
    def run() -> tuple[list[str], str]:
        done = subprocess.run(
            [sys.executable, "-c", TWINS, str(ROOT / "tests")],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), compiling.VARIABLE: ""},
        )
        return done.stdout.splitlines(), done.stderr

    fresh = ["plain plain 15 False"] * 2 + ["15 compiled 15 True"]
    printed, announced = run()
    assert printed == fresh
    assert announced.startswith("Compiling the engine")
    # To load it takes longer than a little work.
    assert run() == (["plain compiled 15 False"] * 2 + ["15 compiled 15 True"], "")
    # What is not complete counts as nothing.
    [index] = tmp_path.rglob("*.nbi")
    index.unlink()
    assert run()[0] == fresh
    [marker] = tmp_path.glob("*.compiled")
    *name, machine, end = marker.name.split(".")
    other = marker.rename(tmp_path / ".".join([*name, machine[::-1], end]))
    assert run()[0] == fresh
    assert set(tmp_path.glob("*.compiled")) == {marker, other}  # each machine has its own


def test_what_is_kept_does_not_depend_on_words_and_lines(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the digest does, and the digest's tests say on what."""
    file = tmp_path / "kernels_of_a_test.py"
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    kernel = "def half(number):\n    {}\n    return number // 2\n"
    hits = []
    for before, words in (("", '"""Half of it."""'), ("import os\n\n", "# A half.")):
        file.write_text(before + kernel.format(words))
        sys.modules.pop(file.stem, None)
        fresh = Entry(importlib.import_module(file.stem).half)
        assert fresh.compiled(9) == 4
        hits.append(sum(fresh._dispatcher.stats.cache_hits.values()))
    assert hits == [0, 1]


def test_one_thread_compiles_while_others_wait(entry: Entry) -> None:
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(entry.compiled(compiling.np.arange(4))))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [10, 10, 10]


@pytest.mark.skipif(compiling.compiles_nothing(), reason="nothing is to be compiled")
def test_the_tests_use_what_is_compiled() -> None:
    assert chosen(run_batch, seconds=1.0) == "compiled"


SCIPY = (
    "from onlooker.planning.compiling import load_numba; load_numba();"
    "import scipy.linalg.cython_blas, scipy.linalg, numba; print(scipy.linalg.det([[0.5]]))"
)


@pytest.mark.server
def test_loading_numba_quickly_leaves_scipy_whole() -> None:
    done = subprocess.run([sys.executable, "-c", SCIPY], capture_output=True, text=True, check=True)
    assert done.stdout == "0.5\n"


RUN = (
    "import sys; from onlooker import load_trial, run; run(load_trial(sys.argv[1]));"
    "print('numba' in sys.modules, 'scipy.linalg' in sys.modules)"
)


@pytest.mark.server
@pytest.mark.skipif(compiling.compiles_nothing(), reason="nothing is to be compiled")
def test_a_compiled_run_imports_no_scipy() -> None:
    command = [sys.executable, "-c", RUN, "examples/two-experts.map"]
    compiled = {**os.environ, "ONLOOKER_COMPILE": "always"}
    done = subprocess.run(command, env=compiled, capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"
