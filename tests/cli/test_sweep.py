"""`onlooker sweep` and `onlooker sensitivity` as a user runs them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from onlooker.experiments.stimuli import stimuli
from onlooker.game import save_trial
from onlooker.sweep.backends import BREAKING_OFF
from running import ROOT, onlooker
from waiting import wait_until

EXAMPLES = ROOT / "examples"


def words(output: Path, *more: str | Path) -> tuple[str | Path, ...]:
    return ("sweep", "--stimuli", EXAMPLES / "early-turn.map", "-o", output, "--jobs", "1", *more)


def test_a_grid(tmp_path: Path) -> None:
    grid = ("--grid", "beta=0.1:2:log3", "--grid", "order=chain,fixed", "--set", "observe=2")
    printed, complaints = onlooker(*words(tmp_path, *grid))
    assert not complaints
    first, *files = printed.splitlines()
    assert re.match(
        r"settings 6, computed 6, trials 1, observers 4, rows 24, seconds [0-9.]+", first
    )
    assert files == [
        str(tmp_path / n) for n in ("predictions.parquet", "cells.parquet", "sweep.json")
    ]
    cells = pd.read_parquet(tmp_path / "cells.parquet")
    assert cells["order"].tolist() == ["chain", "fixed"] * 3
    assert set(cells["observe"]) == {2}
    told = json.loads((tmp_path / "sweep.json").read_text())
    assert told["config"]["design"]["axes"][0]["name"] == "beta"
    printed, _ = onlooker(*words(tmp_path, *grid))
    assert printed.startswith("settings 6, computed 0,")


def test_a_design(tmp_path: Path) -> None:
    design = ("--sobol", "16", "--range", "beta=0.1:2:log", "--range", "observe=1:4", "--seed", "3")
    onlooker(*words(tmp_path / "a", *design))
    onlooker(*words(tmp_path / "b", *design))
    assert len(pd.read_parquet(tmp_path / "a" / "cells.parquet")) == 16
    a, b = ((tmp_path / name / "predictions.parquet").read_bytes() for name in "ab")
    assert a == b
    _, complaints = onlooker(*words(tmp_path / "c", "--latin", "9", "--range", "observe=1:3"))
    assert complaints == "6 settings are the same as others and run once\n"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ((), "nothing to vary: expected --grid"),
        (("--grid", "bata=1"), "--grid: there is no parameter 'bata'; did you mean beta?"),
        (("--grid", "beta=1:2"), "--grid beta=1:2: expected LO:HI:N or LO:HI:logN"),
        (("--range", "beta=1:2"), "a design needs both a number of points and ranges"),
        (("--sobol", "8"), "a design needs both a number of points and ranges"),
        (("--sobol", "8", "--latin", "8"), "--sobol and --latin: one of them, not both"),
        (("--sobol", "9", "--range", "beta=1:2"), "--sobol 9: expected a power of two, such as 8 or 16"),
        (("--grid", "beta=1,2", "--set", "beta=1"), "--set beta: also given in --grid or --range"),
        (("--grid", "beta=0:1:2000", "--grid", "prune=0:1:2000"), "4,000,000 settings: that is more"),
        (("--grid", "beta=1,2", "--dask", "tcp://127.0.0.1:1"), "--jobs and --dask: one of them"),
        (("--grid", "beta=1,2", "--observer", "guru"), "--observer: there is no observer 'guru'"),
        (("--grid", "beta=1,2", "--experiment", "7"), "--experiment 7: there are no trials of it"),
        (("--grid", "beta=1,2", "--stimuli", "none.map"), "none.map: there is no such file"),
    ],
)  # fmt: skip
def test_sweep_refuses(tmp_path: Path, more: tuple[str, ...], expected: str) -> None:
    _, complaints = onlooker(*words(tmp_path / "out", *more), status=2)
    assert expected in complaints
    assert "Traceback" not in complaints
    assert not (tmp_path / "out").exists()


def test_an_output_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    _, complaints = onlooker(*words(tmp_path / "out", "--grid", "beta=1,2"), status=2)
    assert complaints == f"{tmp_path / 'out'}: expected the name of a folder, not a file\n"


@contextmanager
def started(command: list[str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A command in a group of processes of its own, none of which outlives the block."""
    with subprocess.Popen(
        command, cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        try:
            yield running
        finally:
            if left_in_group(running.pid):
                os.killpg(running.pid, signal.SIGKILL)


@pytest.mark.slow
def test_ctrl_c_leaves_a_folder_that_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "onlooker", "sweep", "--grid", "beta=0.1:2:80"]
    command += ["--stimuli", str(EXAMPLES / "two-experts.map"), "--observer", "slow_observer:Slow"]
    command += ["--jobs", "2", "-o", str(tmp_path)]
    with started(command, ROOT / "tests") as running:
        wait_until(lambda: any(tmp_path.glob("parts/*.parquet")))
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does, workers and all
        _, complaints = running.communicate()
    assert running.returncode == 130
    assert complaints.splitlines() == [
        BREAKING_OFF,
        f"interrupted: what was done is kept in {tmp_path}; the same command continues from there",
    ]
    again = subprocess.run(command, cwd=ROOT / "tests", capture_output=True, text=True, check=True)
    computed = int(re.findall("computed ([0-9]+)", again.stdout)[0])
    assert 0 < computed < 80


SLEEPY = """
import time
from pathlib import Path
from onlooker.observers import NaiveObserver

class Sleepy(NaiveObserver):
    name, title = "sleepy", "Sleepy"

    def run(self, engine):
        Path("asleep").touch()
        time.sleep(3600)
"""


@pytest.mark.slow
def test_a_second_ctrl_c_does_not_wait_for_the_workers(tmp_path: Path) -> None:
    (tmp_path / "sleepy.py").write_text(SLEEPY)
    command = [sys.executable, "-m", "onlooker", "sweep", "--grid", "beta=0.1:2:9", "--jobs", "2"]
    command += ["--stimuli", str(EXAMPLES / "early-turn.map"), "--observer", "sleepy:Sleepy"]
    with started([*command, "-o", "out"], tmp_path) as running:
        wait_until((tmp_path / "asleep").exists)
        os.killpg(running.pid, signal.SIGINT)
        assert running.stderr is not None
        assert running.stderr.readline() == f"{BREAKING_OFF}\n"  # it waits for the workers
        os.killpg(running.pid, signal.SIGINT)
        _, complaints = running.communicate()
        assert running.returncode == 130
        assert complaints.startswith("interrupted: what was done is kept in out")
        wait_until(lambda: not left_in_group(running.pid))


def left_in_group(group: int) -> bool:
    """Whether a group of processes has any left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


# -- sensitivity -----------------------------------------------------------------------------------


@pytest.fixture
def few(tmp_path: Path) -> Path:
    for trial in [*stimuli(1)[:2], *stimuli(3)[:1]]:
        save_trial(trial, tmp_path / "few" / f"{trial.name}.json")
    return tmp_path / "few"


def test_sensitivity(tmp_path: Path, few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onlooker.drawing.figure.DPI", 40)  # nobody looks at the dots
    means = tmp_path / "means.csv"
    rows = [f"1,{trial.name},agent2,{index + 1},20" for index, trial in enumerate(stimuli(1)[:2])]
    means.write_text(
        "\n".join(["experiment,level,agent,human_mean_observed,n_participants", *rows, ""])
    )
    save_trial(replace(stimuli(3)[1], experiment=None), few / "of no experiment.json")
    out = tmp_path / "out"
    what = ("sensitivity", "--stimuli", few, "--human", means, "-o", out, "--jobs", "1")
    printed, complaints = onlooker(*what, "--full", "--samples", "2")
    assert complaints == "Experiment 3: no human data\n"
    assert printed == f"{out / 'sensitivity.html'}\n"
    curves = pd.read_csv(out / "tables" / "sensitivity-curves.csv")
    assert curves["r_human"].notna().any()
    assert (out / "figures" / "sensitivity-fit.svg").is_file()
    told = json.loads((out / "provenance.json").read_text())
    assert told["config"]["samples"] == 2
    assert len(pd.read_csv(out / "tables" / "sensitivity-indices.csv"))


def test_sensitivity_of_one_parameter_is_one_figure(tmp_path: Path, few: Path) -> None:
    out = tmp_path / "out"
    what = ("sensitivity", "--stimuli", few, "-o", out, "--jobs", "1")
    onlooker(*what, "--only", "beta", "--only", "order")
    drawn = [path.name for path in (out / "figures").glob("*.png")]
    assert drawn == ["sensitivity-only.png"]
    curves = pd.read_csv(out / "tables" / "sensitivity-curves.csv")
    assert set(curves["parameter"]) == {"beta", "order"}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (("--only", "betta"), "did you mean beta?"),
        (("--only", "caution"), "--only caution: none of these observers depends on it"),
        (("--only", "care"), "--only care: expected one of beta, "),
        (("--only", "beta", "--full"), "one of them, not both"),
        (("--full", "--samples", "12"), "--samples 12: expected a power of two, such as 256"),
        (("--human", "none.csv"), "none.csv"),
        (("--set", "beta=-1"), "--set: beta must be at least 0"),
        (("--archive", "none"), "--archive and --stimuli: one of them, not both"),
    ],
)
def test_sensitivity_refuses(
    tmp_path: Path, few: Path, more: tuple[str, ...], expected: str
) -> None:
    what = ("sensitivity", "--stimuli", few, "-o", tmp_path / "out", *more)
    _, complaints = onlooker(*what, status=2)
    assert expected in complaints
    assert not (tmp_path / "out").exists()


def test_people_of_another_experiment(tmp_path: Path, few: Path) -> None:
    means = tmp_path / "means.csv"
    means.write_text(
        "experiment,level,agent,human_mean_observed,n_participants\n7,m1,agent2,1,20\n"
    )
    what = ("sensitivity", "--stimuli", few, "--human", means, "-o", tmp_path / "out")
    _, complaints = onlooker(*what, status=2)
    assert complaints == f"--human {means}: people and trials have no experiment in common\n"
    assert not (tmp_path / "out").exists()


def test_reproduce_says_why_it_does_not_try_other_parameters(tmp_path: Path) -> None:
    from onlooker.cli.reproduce import QUICK, _other_settings

    run, why = _other_settings([stimuli(1)[0]] * (QUICK + 1), tmp_path, full=False)
    assert run is None
    assert why.startswith(f"there are more than {QUICK} trials")
    assert _other_settings([stimuli(1)[0]], tmp_path, full=False)[0] is not None
