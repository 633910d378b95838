"""Sweeps: they give what plain predictions give, go on where they stopped, and repeat for free."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from onlooker.experiments.predictions import COLUMNS, predict
from onlooker.game import TrialError, load_trial
from onlooker.inference import Parameters
from onlooker.observers import OBSERVERS, find_observer
from onlooker.observers.batch import Batch
from onlooker.sweep import SweepError, run
from onlooker.sweep.backends import Local, Pool, _holding_interrupts_back
from onlooker.sweep.design import Sweep
from onlooker.sweep.parts import Gap
from onlooker.sweep.run import _task_arguments, run_sweep
from onlooker.sweep.tasks import (
    Done,
    Refused,
    _ignore_warnings_of_settings,
    run_task,
    work_on_cluster,
)
from running import ROOT, made_once

NAMES = ("early-turn", "two-experts", "expert-and-novice")
TRIALS = [load_trial(ROOT / "examples" / f"{name}.map") for name in NAMES]
SETTINGS = [Parameters(beta=beta, observe=o) for beta in (0.1, 0.5, 2.0) for o in (1, 3)]
ALL = tuple(OBSERVERS)
HERE = Local(jobs=1)


def sweep(
    settings: list[Parameters] = SETTINGS, names: tuple[str, ...] = ALL, trials: Any = TRIALS
) -> Sweep:
    return Sweep.of(settings, trials, [find_observer(name) for name in names])


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole sweep, which tests only copy."""
    return made_once(tmp_path_factory, "sweep", lambda folder: run_sweep(sweep(), folder, HERE))


@pytest.fixture
def swept(complete: Path, tmp_path: Path) -> Path:
    """The folder of a whole sweep."""
    return shutil.copytree(complete, tmp_path / "swept")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Parameters, int, tuple[str, ...]]]:
    """What the engine was asked for: setting, number of trials, observers."""
    asked: list[tuple[Parameters, int, tuple[str, ...]]] = []
    run = Batch.run

    def counted(self: Batch, parameters: Any = None, observers: Any = ALL) -> Any:
        asked.append((parameters, len(self.trials), tuple(each.name for each in observers)))
        return run(self, parameters, observers)

    monkeypatch.setattr(Batch, "run", counted)
    return asked


def stopping(after: int) -> Callable[[float, int], None]:
    """Interrupts once so many tasks are done."""
    seen: Iterator[int] = iter(range(after))

    def progress(done: float, total: int) -> None:
        if next(seen, None) is None:
            raise KeyboardInterrupt

    return progress


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in ("predictions.parquet", "cells.parquet")}


def test_a_sweep_gives_the_plain_predictions(tmp_path: Path) -> None:
    ran = run_sweep(sweep(), tmp_path, HERE, about={"command": "test"})
    table = pd.read_parquet(tmp_path / "predictions.parquet")
    assert ran.rows == len(table) == len(SETTINGS) * 4 * 5
    assert list(table.columns[-len(COLUMNS) :]) == list(COLUMNS)
    for cell, setting in enumerate(SETTINGS):
        rows = predict(TRIALS, [find_observer(name) for name in ALL], setting)
        mine = table[table["cell"] == cell]
        assert set(mine["beta"]) == {setting.beta}
        assert set(mine["exploration"]) == {"worst"}
        expected = pd.DataFrame(rows)[list(COLUMNS)]
        got = mine[list(COLUMNS)].reset_index(drop=True)
        assert got.astype(str).values.tolist() == expected.astype(str).values.tolist()
    cells = pd.read_parquet(tmp_path / "cells.parquet")
    assert list(cells["observe"]) == [setting.observe for setting in SETTINGS]
    assert cells["key"].is_unique
    told = json.loads((tmp_path / "sweep.json").read_text())
    assert told["config"] == {"command": "test"}
    assert [trial["level"] for trial in told["trials"]] == [trial.label for trial in TRIALS]


@pytest.mark.server
def test_one_process_or_two_write_the_same_bytes(tmp_path: Path, complete: Path) -> None:
    run_sweep(sweep(), tmp_path, Local(jobs=2))
    assert contents(tmp_path) == contents(complete)


def test_an_interrupted_sweep_goes_on(tmp_path: Path, complete: Path, calls: list[Any]) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_sweep(sweep(), tmp_path, HERE, stopping(3))
    kept = len(list((tmp_path / "parts").iterdir()))
    assert 0 < kept < len(SETTINGS)
    assert not (tmp_path / "predictions.parquet").exists()
    calls.clear()
    ran = run_sweep(sweep(), tmp_path, HERE)
    assert ran.computed == len(calls) == len(SETTINGS) - kept
    assert contents(tmp_path) == contents(complete)


def test_a_repeated_sweep_is_free(swept: Path, calls: list[Any]) -> None:
    before = {path: path.stat().st_mtime_ns for path in swept.rglob("*")}
    assert run_sweep(sweep(), swept, HERE).computed == 0
    assert not calls
    assert before == {path: path.stat().st_mtime_ns for path in swept.rglob("*")}


def test_tables_that_were_lost_or_changed_are_made_again(
    swept: Path, complete: Path, calls: list[Any]
) -> None:
    (swept / "predictions.parquet").write_bytes(b"something else")
    (swept / "cells.parquet").unlink()
    run_sweep(sweep(), swept, HERE)
    assert contents(swept) == contents(complete)
    assert not calls


def test_only_what_is_new_is_computed(tmp_path: Path, calls: list[Any]) -> None:
    run_sweep(sweep(SETTINGS[:4], ALL[:2], TRIALS[:2]), tmp_path, HERE)
    calls.clear()
    run_sweep(sweep(SETTINGS[:5], ALL[:2], TRIALS[:2]), tmp_path, HERE)
    assert calls == [(SETTINGS[4], 2, ALL[:2])]
    calls.clear()
    changed = replace(TRIALS[1], reveals_outcomes=not TRIALS[1].reveals_outcomes)
    run_sweep(sweep(SETTINGS[:4], ALL[:2], [TRIALS[0], changed]), tmp_path, HERE)
    assert calls == [(setting, 1, ALL[:2]) for setting in SETTINGS[:4]]
    calls.clear()
    run_sweep(sweep(SETTINGS[:4], ALL[:3]), tmp_path, HERE)
    assert sorted({each[1:] for each in calls}) == [(1, ALL[:3]), (2, (ALL[2],))]
    run_sweep(sweep(SETTINGS[:4], ALL[:3]), tmp_path / "afresh", HERE)
    assert contents(tmp_path) == contents(tmp_path / "afresh")


def test_the_order_of_trials_and_observers_is_the_users(
    tmp_path: Path, swept: Path, calls: list[Any]
) -> None:
    turned = sweep(SETTINGS[:2][::-1], ALL[::-1], TRIALS[::-1])
    run_sweep(turned, swept, HERE)
    assert not calls
    run_sweep(turned, tmp_path / "afresh", HERE)
    assert contents(swept) == contents(tmp_path / "afresh")


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty"])
def test_a_damaged_part_is_computed_again(
    swept: Path, complete: Path, calls: list[Any], damage: str
) -> None:
    part = sorted((swept / "parts").iterdir())[0]
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes({"cut": data[: len(data) // 2], "flipped": data, "empty": b""}[damage])
    (swept / "parts" / ".half-written.parquet.tmp").write_bytes(b"PAR1")
    ran = run_sweep(sweep(), swept, HERE)
    assert ran.damaged == 1
    assert 0 < ran.computed == len(calls) < len(SETTINGS)
    assert contents(swept) == contents(complete)


def test_a_damaged_part_of_another_sweep_is_told_once(swept: Path, calls: list[Any]) -> None:
    (swept / "parts" / "0123.parquet").write_bytes(b"PAR1")
    assert [run_sweep(sweep(), swept, HERE).damaged for _ in range(2)] == [1, 0]
    assert not calls


def test_an_engine_of_another_kind_is_not_mistaken_for_ours(
    swept: Path, calls: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("keys", "run", "tasks", "tables"):
        monkeypatch.setattr(f"onlooker.sweep.{module}.engine_key", lambda: "other")
    assert run_sweep(sweep(), swept, HERE).computed == len(SETTINGS) == len(calls)


@pytest.mark.server
def test_observers_of_ones_own_run_in_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "tests")
    names = ("naive_observer", "slow_observer:Slow")
    run_sweep(sweep(SETTINGS[:3], names, TRIALS[:1]), tmp_path, Local(jobs=2))
    table = pd.read_parquet(tmp_path / "predictions.parquet")
    steps = table.pivot_table(index="cell", columns="observer", values="observed", observed=True)
    assert (steps["slow"] == steps["naive_observer"]).all()


def test_what_no_hypothesis_explains_is_told(tmp_path: Path) -> None:
    from maps import STUCK_BUT_MOVING
    from onlooker.game import parse_trial

    odd = sweep(trials=[*TRIALS, parse_trial(STUCK_BUT_MOVING)])
    with pytest.raises(SweepError, match=r"stuck: .* \(with move=3, "):
        run_sweep(odd, tmp_path, HERE)


def test_what_cannot_be_told_apart_is_refused() -> None:
    with pytest.raises(TrialError, match="the name of two trials"):
        sweep(trials=[TRIALS[0], TRIALS[0]])
    with pytest.raises(SweepError, match="two of them have the same name"):
        sweep(names=("naive_observer", "onlooker.observers:NaiveObserver"))
    with (
        pytest.warns(UserWarning, match="tutorials and trials without NPCs are left out: early"),
        pytest.raises(SweepError, match="nothing to run"),
    ):
        sweep(trials=[replace(TRIALS[0], tutorial=True)])


def test_an_observer_that_no_worker_could_find_is_refused(tmp_path: Path) -> None:
    kind = type("Made", (OBSERVERS["naive_observer"],), {"name": "made", "__module__": "nowhere"})
    with pytest.raises(SweepError, match="observer 'made': expected one in a module of its own"):
        run_sweep(Sweep.of(SETTINGS, TRIALS, [kind()]), tmp_path, HERE)


# -- observers of one's own ------------------------------------------------------------------------

OWN = """
from onlooker.observers import ACT, Decision, Observer

class Own(Observer):
    name, title = "own", "Own"
    def decide(self, engine, view, choices):
        {}
"""
LOOKS = "return Decision(ACT if len(choices) == {} else 'agent2')"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Write what an observer decides; the word that finds it."""
    (tmp_path / "code").mkdir()
    monkeypatch.chdir(tmp_path / "code")
    monkeypatch.syspath_prepend(tmp_path / "code")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # sources change within a second
    name = f"own_{tmp_path.name}"

    def write(decides: str) -> str:
        (tmp_path / "code" / f"{name}.py").write_text(OWN.format(decides))
        monkeypatch.delitem(sys.modules, name, raising=False)
        return f"{name}:Own"

    return write


@pytest.mark.slow
def test_workers_use_the_code_as_it_is_now(tmp_path: Path, own: Callable[[str], str]) -> None:
    for steps in (1, 4):  # the same workers, which have imported the module before
        word = own(LOOKS.format(steps))
        ran = run_sweep(sweep(SETTINGS[:2], (word,), TRIALS[:1]), tmp_path, Local(jobs=2))
        table = pd.read_parquet(tmp_path / "predictions.parquet")
        assert set(table["observed"]) == {steps}
        assert ran.computed == 2
    assert run_sweep(sweep(SETTINGS[:2], (word,), TRIALS[:1]), tmp_path, HERE).computed == 0


def test_code_that_differs_from_ours_is_refused(own: Callable[[str], str]) -> None:
    what = sweep(SETTINGS[:1], (own(LOOKS.format(1)),), TRIALS[:1])
    [[number, packed, settings, observers, *rest]] = run._task_arguments(
        what, [Gap((0,), (0,), (0,))]
    )
    other = dict.fromkeys(observers, ("other", "hard"))
    refused = run_task(number, packed, settings, other, *rest)
    assert isinstance(refused, Refused)
    assert "is another one than on this machine" in refused.reason


def test_an_observer_with_values_of_its_own_is_refused(own: Callable[[str], str]) -> None:
    observer = find_observer(own(LOOKS.format(1)))
    observer.patience = 2  # type: ignore[attr-defined]
    with pytest.raises(SweepError, match="observer 'own': expected one as its class makes it"):
        Sweep.of(SETTINGS, TRIALS, [observer]).keys  # noqa: B018


def test_soft_rules_give_what_is_expected(tmp_path: Path) -> None:
    names = ("rational_mentalizing", "graded_mentalizing", "ideal_observer")
    settings = [Parameters(), Parameters(curiosity=0.5, caution=1.0)]
    run_sweep(sweep(settings, names), tmp_path, HERE)
    table = pd.read_parquet(tmp_path / "predictions.parquet")
    assert table["observed"].dtype == float
    for cell, setting in enumerate(settings):
        rows = predict(TRIALS, [find_observer(name) for name in names], setting)
        mine = table[table["cell"] == cell]
        assert set(mine["curiosity"]) == {setting.curiosity}
        for name in ("observed", "moves", "interactions", "cost_total"):
            assert mine[name].tolist() == pytest.approx([getattr(row, name) for row in rows])
        spreads = [np.nan if row.observed_sd is None else row.observed_sd for row in rows]
        assert mine["observed_sd"].tolist() == pytest.approx(spreads, nan_ok=True)
    graded = table[table["observer"] == "graded_mentalizing"]
    assert (graded["observed"] % 1 > 0).any()
    assert (graded["observed_sd"] > 0).any()
    assert table[table["observer"] == "rational_mentalizing"]["observed_sd"].isna().all()
    assert graded[graded["cell"] == 0]["observed"].sum() > graded["observed"].sum() / 2


def test_another_rule_is_computed_anew_and_the_hard_one_is_kept(tmp_path: Path) -> None:
    def by(rule: str | None) -> Sweep:
        observers = [find_observer("rational_mentalizing")]
        return Sweep.of(SETTINGS[:1], TRIALS, observers, rule)

    assert len({by(rule).keys.observers for rule in ("hard", "softmax", "graded")}) == 3
    assert by(None).keys == by("hard").keys
    assert run_sweep(by("hard"), tmp_path, HERE).computed == 1
    table = pd.read_parquet(tmp_path / "predictions.parquet")
    assert "observed_sd" not in table
    whole = table["observed"]
    assert run_sweep(by("softmax"), tmp_path, HERE).computed == 1
    assert (pd.read_parquet(tmp_path / "predictions.parquet")["observed"] % 1 > 0).any()
    assert run_sweep(by(None), tmp_path, HERE).computed == 0
    again = pd.read_parquet(tmp_path / "predictions.parquet")["observed"]
    assert (again.dtype, again.tolist()) == ("int32", whole.tolist())


def test_deviations_are_kept_beside_hard_observers_of_another_sweep(tmp_path: Path) -> None:
    """Parts without deviations and parts with them make one table."""
    run_sweep(sweep(SETTINGS[:1], ("rational_mentalizing",)), tmp_path, HERE)
    both = ("rational_mentalizing", "graded_mentalizing")
    assert run_sweep(sweep(SETTINGS[:1], both), tmp_path, HERE).computed == 1
    table = pd.read_parquet(tmp_path / "predictions.parquet").set_index("observer")
    assert table.loc["rational_mentalizing", "observed_sd"].isna().all()
    assert table.loc["graded_mentalizing", "observed_sd"].notna().all()


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_an_error_in_its_code_is_told(tmp_path: Path, own: Callable[[str], str], jobs: int) -> None:
    what = sweep(SETTINGS, (own("return 1 / 0"),), TRIALS[:1])
    told = r"observer 'own', early turn: ZeroDivisionError: .*own_.*py, line 7\) \(with move=3"
    with pytest.raises(SweepError, match=told):
        run_sweep(what, tmp_path / "out", Local(jobs=jobs))
    what = sweep(SETTINGS, (own("return None"),), TRIALS[:1])
    with pytest.raises(SweepError, match="observer 'own', early turn: decision 1: expected a Dec"):
        run_sweep(what, tmp_path / "out", Local(jobs=jobs))


@pytest.mark.slow
def test_a_worker_that_dies_is_told(tmp_path: Path, own: Callable[[str], str]) -> None:
    what = sweep(SETTINGS, (own("import os; os._exit(1)"),), TRIALS[:1])
    with pytest.raises(SweepError, match="a worker process died"):
        run_sweep(what, tmp_path / "out", Local(jobs=2))


# -- Ctrl-C ----------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="there, a process cannot inherit that")
def test_a_process_that_starts_as_a_worker_does_not_get_ctrl_c_from_the_first() -> None:
    echo = [sys.executable, "-c", "print('up', flush=True); print(input(), flush=True)"]
    with _holding_interrupts_back():
        child = subprocess.Popen(echo, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert child.stdout is not None
    assert child.stdout.readline() == b"up\n"
    child.send_signal(signal.SIGINT)
    assert child.communicate(b"still here\n") == (b"still here\n", None)
    assert child.returncode == 0


def test_ctrl_c_while_a_worker_starts_is_not_lost() -> None:
    ended = False

    def start() -> None:
        nonlocal ended
        with _holding_interrupts_back():
            signal.raise_signal(signal.SIGINT)  # to this thread
            ended = True

    with pytest.raises(KeyboardInterrupt):
        start()
    assert ended


def interrupting(tasks: int, log: list[str], signals: int) -> Pool:
    """A pool whose first task interrupts this process as it runs."""

    def submit(task: tuple[Any, ...]) -> Future[Any]:
        log.append(f"begun {task[0]}")
        future: Future[Any] = Future()

        def work() -> None:
            if task[0] == 0:
                for _ in range(signals):
                    signal.raise_signal(signal.SIGINT)
            future.set_result(Refused(task[0], ""))

        work() if task[0] == 0 else threading.Timer(0.05, work).start()
        return future

    return Pool(submit, workers=tasks, waiting=0)


def test_after_ctrl_c_what_is_begun_is_finished_and_given() -> None:
    log: list[str] = []
    found: list[int] = []

    results = interrupting(3, log, signals=1).run((number,) for number in range(100))
    with pytest.raises(KeyboardInterrupt):
        found.extend(each.number for each in results)
    assert log == ["begun 0", "begun 1", "begun 2"]
    assert sorted(found) == [0, 1, 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_breaks_off() -> None:
    log: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        list(interrupting(3, log, signals=2).run((number,) for number in range(100)))
    assert log == ["begun 0"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# -- warnings --------------------------------------------------------------------------------------


def test_tasks_on_a_cluster_leave_the_filters_of_other_threads_alone() -> None:
    """Two threads of a worker end in another order than they began; no filter is put back."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _ignore_warnings_of_settings.cache_clear()
        arguments = list(
            _task_arguments(sweep([Parameters(prune=0.9)] * 2), [Gap((0,), (0,), (0,))] * 4)
        )
        with ThreadPoolExecutor(2) as executor:
            done = list(executor.map(lambda task: work_on_cluster(run_task, *task), arguments))
        assert all(isinstance(each, Done) for each in done)
        with pytest.raises(UserWarning, match="something else"):
            warnings.warn("something else", stacklevel=1)
    _ignore_warnings_of_settings.cache_clear()
