"""The commands that run and explain observers."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from comparing import in_order, same
from maps import STUCK_BUT_MOVING
from onlooker.cli.options import OBSERVER_NAMES, RuleName
from onlooker.game import dump_document
from onlooker.observers import KNOWN_OBSERVERS, ChoiceRule
from running import ROOT, onlooker
from vectors import MODEL, load

EXAMPLE = ROOT / "examples" / "two-experts.map"
NOVICE = ROOT / "examples" / "expert-and-novice.map"


def test_run_json_is_what_the_vectors_say(tmp_path: Path) -> None:
    vector = load(MODEL / "random_exp4_2.json")
    trial = tmp_path / "trial.json"
    trial.write_text(dump_document(vector.trial))
    printed, _ = onlooker("run", trial, EXAMPLE, "--json", "--trace")
    found, other = json.loads(printed)
    assert (found["file"], other["file"]) == (str(trial), str(EXAMPLE))
    assert found["budget"] == vector.expect["budget"]
    assert found["paths"] == vector.expect["paths"]
    expected = vector.expect["observers"]
    assert found["observers"].keys() == expected.keys()
    full = "rational_mentalizing"
    assert same(in_order(found["observers"][full]), in_order(expected[full]))
    for name in set(expected) - {full}:
        assert expected[name].items() <= found["observers"][name].items()


def test_run_without_trace_has_none() -> None:
    [found] = json.loads(onlooker("run", EXAMPLE, "--json", "--observer", "naive_observer")[0])
    assert list(found["observers"]) == ["naive_observer"]
    assert "trace" not in found["observers"]["naive_observer"]


def test_run_with_parameters() -> None:
    words = ("run", EXAMPLE, "--json", "--observer", "rational_mentalizing")
    [usual] = json.loads(onlooker(*words)[0])
    [dear] = json.loads(onlooker(*words, "--set", "observe=50", "--set", "beta=0.2")[0])
    assert sum(usual["observers"]["rational_mentalizing"]["observed"]) > 0
    assert sum(dear["observers"]["rational_mentalizing"]["observed"]) == 0


def test_run_as_a_table() -> None:
    printed, _ = onlooker("run", EXAMPLE, "--trace")
    assert "Rational Mentalizing" in printed
    assert "Q_obs" in printed


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--set", "beta"], "--set beta: expected NAME=VALUE, such as beta=0.2"),
        (
            ["--set", "beta=1", "--set", "beta=2"],
            "--set beta=2: beta is set twice; expected it once",
        ),
        (["--set", "beta=warm"], "--set: beta must be a number, not 'warm'"),
        (["--set", "beta=-1"], "--set: beta must be at least 0, not -1.0"),
        (["--set", "beta=nan"], "--set: beta must be at least 0, not nan"),
        (["--set", "move=1.5"], "--set: move must be a whole number, not '1.5'"),
        (["--set", "move=1001"], "--set: move must be a whole number of points from 1 to 1000"),
        (["--set", "gamma=1"], "--set: there is no parameter 'gamma'; the parameters are move"),
        (["--set", "order=any"], "--set: order must be 'chain' or 'fixed', not 'any'"),
        (["--observer", "guru"], "--observer: there is no observer 'guru'; there are rational_"),
        (["--observer", "no.such:Guru"], "cannot be imported: No module named 'no'"),
        (["--observer", "json:Guru"], "the module 'json' has no class 'Guru'"),
        (["--observer", "json:JSONDecoder"], "is not a subclass of onlooker.observers.Observer"),
    ],
)
def test_run_refuses(words: list[str], expected: str) -> None:
    _, complaints = onlooker("run", EXAMPLE, *words, status=2)
    assert expected in complaints


def test_an_observer_of_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rival.py").write_text(
        "from onlooker.observers import ACT, Decision, Observer\n"
        "class Impatient(Observer):\n"
        "    name, title = 'impatient', 'Impatient'\n"
        "    def decide(self, engine, view, choices):\n"
        "        return Decision('agent2' if len(choices) < 2 else ACT)\n"
    )
    monkeypatch.chdir(tmp_path)
    words = (EXAMPLE, "--observer", "rival:Impatient")
    [found] = json.loads(onlooker("run", *words, "--json")[0])
    assert found["observers"]["impatient"]["observed"] == [2, 0]
    assert "Impatient on two experts" in onlooker("explain", *words)[0]


def test_what_is_wrong_with_an_observer_of_the_users_own_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rival.py").write_text(
        "from onlooker.observers import Decision, Observer, RationalMentalizing\n"
        "class Endless(Observer):\n"
        "    name, title = 'endless', 'Endless'\n"
        "    def decide(self, engine, view, choices):\n"
        "        return Decision('agent2')\n"
        "class Same(RationalMentalizing):\n"
        "    pass\n"
    )
    monkeypatch.chdir(tmp_path)
    for words in (("run",), ("explain",), ("predict", "-o", "out.csv")):
        _, complaints = onlooker(*words, EXAMPLE, "--observer", "rival:Endless", status=2)
        assert complaints.startswith("observer 'endless', two experts: decision ")
        assert complaints.endswith(": agent2 has arrived and cannot be observed any more\n")
    twice = ("--observer", "all", "--observer", "rival:Same")
    for words in (("run",), ("predict", "-o", "out.csv")):
        _, complaints = onlooker(*words, EXAMPLE, *twice, status=2)
        assert complaints == "--observer: two of them have the same name\n"
    assert not (tmp_path / "out.csv").exists()


def test_a_path_that_nothing_explains_is_named(tmp_path: Path) -> None:
    """The novice has asked its one reachable wizard, a decoy, and then still goes somewhere."""
    odd = tmp_path / "odd.map"
    odd.write_text(STUCK_BUT_MOVING)
    onlooker("check", odd)  # each action is available
    _, complaints = onlooker("posterior", odd, "-o", tmp_path / "out", status=2)
    assert complaints == f"{odd}: npcs: stuck: no hypothesis explains step 2 of agent2\n"
    assert not (tmp_path / "out").exists()


def test_explain_in_words() -> None:
    printed, _ = onlooker("explain", EXAMPLE)
    assert "Step 0" in printed
    assert "Watching agent3 and then acting would cost" in printed
    assert "It observes agent3" in printed


@pytest.mark.parametrize(
    "words",
    [
        ["explain", EXAMPLE],
        ["simulate", "-o", "out"],
        ["bots", "--url", "http://127.0.0.1:1"],
        ["preflight"],
    ],
    ids=lambda words: words[0],
)
def test_one_observer_at_a_time(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, complaints = onlooker(*words, "--observer", "all", status=2)
    assert complaints == "--observer all: expected one observer at a time\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "observer",
    ["rational_mentalizing", "mentalizing_observer", "rational_observer", "naive_observer"],
)
def test_explain_as_a_figure(tmp_path: Path, observer: str) -> None:
    svg = tmp_path / "why.svg"
    onlooker("explain", EXAMPLE, "--observer", observer, "--svg", svg)
    assert b"<svg" in svg.read_bytes()


def test_observers_that_plan_give_their_plan_as_the_reason() -> None:
    costs = "until it first asks a wizard, and then knowing the holders, would cost"
    printed, _ = onlooker("explain", NOVICE, "--observer", "rational_observer")
    said = " ".join(printed.split())
    assert "Acting without watching anybody, by asking every wizard, would cost 100." in said
    assert f"Watching agent2 (expert) {costs} 65." in said
    assert f"Watching agent3 (novice) {costs} 54; it watches a novice only where no expert" in said
    assert "Its plan: watch agent2 until it asks w1 (12 steps)." in said
    assert "It observes agent2: by its plan, step 12 of 12." in said

    printed, _ = onlooker("explain", EXAMPLE, "--observer", "naive_observer")
    plan = "watch agent2 until it has arrived (16 steps) and agent3 until it asks w2 (5 steps)"
    assert f"Its plan: {plan}, a step of each in turn." in " ".join(printed.split())


def test_posterior_tables(tmp_path: Path) -> None:
    onlooker("posterior", EXAMPLE, "-o", tmp_path)
    goals = list(csv.DictReader((tmp_path / "goals.csv").read_text().splitlines()))
    holders = list(csv.DictReader((tmp_path / "holders.csv").read_text().splitlines()))
    assert {row["agent"] for row in goals} == {"agent2", "agent3"}
    at = [row for row in goals if row["agent"] == "agent3" and row["step"] == "4"]
    assert sum(float(row["p"]) for row in at) == pytest.approx(1)
    assert set(holders[0]) == {"agent", "step", "action", "goal", "holder_blue", "holder_red", "p"}


def test_pruning_everything_is_warned_of() -> None:
    _, complaints = onlooker("run", EXAMPLE, "--set", "prune=0.6")
    assert "prune=0.6 is above 1/2" in complaints
    assert complaints.count("\n") == 1


def test_words_to_complete_are_those_there_are() -> None:
    assert list(KNOWN_OBSERVERS) == list(OBSERVER_NAMES)
    assert list(ChoiceRule) == list(get_args(RuleName))


def test_posterior_refuses_a_file_for_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    _, complaints = onlooker("posterior", EXAMPLE, "-o", file, status=2)
    assert complaints == f"{file}: expected the name of a folder, not a file\n"
    assert file.read_text() == "mine"


SMALL_WORK = """
import sys
from onlooker.cli.main import app

for command in ("check", "show", "show --path agent2", "run", "explain", "posterior -o p", "predict -o c"):
    name, *options = command.split()
    app([name, sys.argv[1], *options], standalone_mode=False)
print("numba" in sys.modules)
"""


def test_small_work_loads_no_numba_and_compiles_nothing(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    done = subprocess.run(
        [sys.executable, "-c", SMALL_WORK, str(EXAMPLE)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache), "ONLOOKER_COMPILE": ""},
    )
    assert done.stdout.endswith("False\n")
    assert "Compiling" not in done.stderr
    assert not cache.exists()


def test_an_unknown_way_of_compiling_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "onlooker", "run", str(EXAMPLE)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"ONLOOKER_COMPILE": "sometimes"},
    )
    assert (done.returncode, done.stderr) == (
        2,
        "ONLOOKER_COMPILE=sometimes: expected always or never\n",
    )
