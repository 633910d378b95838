"""Sweeps on a Dask cluster of several processes, one of which is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from onlooker.game import load_trial
from onlooker.inference import Parameters
from onlooker.observers import find_observer
from onlooker.sweep import SweepError
from onlooker.sweep.backends import Dask, Local
from onlooker.sweep.design import Sweep
from onlooker.sweep.run import run_sweep
from running import ROOT
from waiting import wait_until

pytestmark = pytest.mark.slow
WORKERS = 3
TRIALS = [load_trial(ROOT / "examples" / f"{name}.map") for name in ("early-turn", "two-experts")]
SETTINGS = [Parameters(beta=0.1 + index / 20) for index in range(30)]


class Cluster:
    """A scheduler and its workers, each a process of its own on this machine."""

    def __init__(self, folder: Path, stack: ExitStack, workers: int, failures: int = 3) -> None:
        self.file = folder / "scheduler.json"
        self.folder, self.stack = folder, stack
        self.environment = os.environ | {
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(failures),
            "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__GIL__ENABLED": "false",
        }
        words = ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file)]
        self.start("scheduler", *words)
        common = ["--scheduler-file", str(self.file), "--no-nanny", "--nthreads", "1"]
        common += ["--local-directory", str(folder), "--host", "127.0.0.1"]
        self.workers = [self.start("worker", *common) for _ in range(workers)]
        wait_until(self.file.exists)
        self.address = json.loads(self.file.read_text())["address"]

    def start(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", what, "--no-dashboard", *words],
            env=self.environment,
            cwd=self.folder,
            stderr=subprocess.DEVNULL,
        )
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def ready(self) -> None:
        """Wait for all workers."""
        from distributed import Client

        with Client(self.address) as client:
            client.wait_for_workers(len(self.workers), timeout=600)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def sweep() -> Sweep:
    names = ("rational_mentalizing", "slow_observer:Slow")  # slow enough to be killed while at it
    return Sweep.of(SETTINGS, TRIALS, [find_observer(name) for name in names])


def test_a_killed_worker_changes_nothing(
    tmp_path: Path, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "tests")
    cluster = Cluster(tmp_path, stack, WORKERS)
    cluster.ready()
    seen: list[float] = []

    def progress(done: float, total: int) -> None:
        seen.append(done)
        if len(seen) == 2 * WORKERS:  # all workers are in the middle of it
            cluster.workers[0].send_signal(signal.SIGKILL)

    run_sweep(sweep(), tmp_path / "cluster", Dask(cluster.address), progress)
    assert cluster.workers[0].wait() == -signal.SIGKILL
    assert seen[2 * WORKERS - 1] < len(SETTINGS) == seen[-1]
    run_sweep(sweep(), tmp_path / "local", Local(jobs=2))
    for name in ("predictions.parquet", "cells.parquet"):
        on_cluster = (tmp_path / "cluster" / name).read_bytes()
        assert on_cluster == (tmp_path / "local" / name).read_bytes()


def test_a_cluster_that_gives_up_is_told_and_what_was_done_is_kept(
    tmp_path: Path, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "tests")
    cluster = Cluster(tmp_path, stack, 1, failures=0)
    done: list[float] = []

    def progress(share: float, total: int) -> None:
        done.append(share)
        if len(done) == 3:
            cluster.workers[0].kill()

    with pytest.raises(SweepError, match="the cluster gave up on a task"):
        run_sweep(sweep(), tmp_path / "out", Dask(cluster.address), progress)
    assert run_sweep(sweep(), tmp_path / "out", Local(jobs=1)).computed < len(SETTINGS)


def test_no_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "tests")
    monkeypatch.setattr("onlooker.sweep.backends.PATIENCE", 0.5)
    with pytest.raises(SweepError, match=r"--dask tcp://127.0.0.1:9: expected the address of"):
        run_sweep(sweep(), tmp_path / "out", Dask("tcp://127.0.0.1:9"))
    assert not (tmp_path / "out").exists()
