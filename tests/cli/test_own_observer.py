"""Parameters that an observer of a user's own declares, in every command that takes parameters."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from running import ROOT, onlooker

OWN = "examples.own_observer:Satisficer"
MAP = "examples/early-turn.map"


def test_own_parameters_can_be_set() -> None:
    printed, _ = onlooker("run", MAP, "--observer", OWN, "--json", "--set", "accepted=1.2")
    assert json.loads(printed)[0]["observers"]["satisficer"]["observed"] == [0]
    _, complaints = onlooker("run", MAP, "--observer", OWN, "--set", "acceptd=1", status=2)
    assert complaints == "--set: there is no parameter 'acceptd'; did you mean accepted?\n"
    _, complaints = onlooker("run", MAP, "--observer", OWN, "--set", "patience=1.5", status=2)
    assert complaints == "--set: patience must be a whole number, not '1.5'\n"
    _, complaints = onlooker("run", MAP, "--set", "accepted=1", status=2)
    assert "there is no parameter 'accepted'" in complaints


def test_own_parameters_can_be_swept(tmp_path: Path) -> None:
    words = ["--stimuli", MAP, "--observer", OWN, "--jobs", "1", "-o", tmp_path / "sweep"]
    printed, _ = onlooker("sweep", *words, "--grid", "accepted=0.1,1.2")
    assert "settings 2, computed 2" in printed
    table = pd.read_parquet(tmp_path / "sweep" / "predictions.parquet")
    watched = dict(zip(table["accepted"], table["observed"], strict=True))
    assert watched[0.1] > watched[1.2] == 0
    assert set(table["patience"]) == {6}
    # Ours are computed once more for each value, and what was computed before is kept.
    more = ["--observer", "naive_observer", "--grid", "accepted=0.1,0.22,1.2"]
    printed, _ = onlooker("sweep", *words, *more)
    table = pd.read_parquet(tmp_path / "sweep" / "predictions.parquet")
    assert table[table["observer"] == "naive_observer"]["observed"].nunique() == 1
    spread = ["--range", "patience=1:6", "--latin", "4"]
    onlooker("sweep", *words[:-1], tmp_path / "latin", *spread)
    found = pd.read_parquet(tmp_path / "latin" / "cells.parquet")["patience"]
    assert set(found) <= {1, 2, 3, 4, 5, 6}


def test_own_parameters_are_varied_by_a_sensitivity_analysis(tmp_path: Path) -> None:
    onlooker("sensitivity", "--stimuli", MAP, "--observer", OWN, "--jobs", "1", "-o", tmp_path)
    curves = pd.read_csv(tmp_path / "tables" / "sensitivity-curves.csv")
    tried = curves[curves["parameter"] == "accepted"]["value"].astype(float)
    assert (tried.min(), tried.max()) == (0.01, 1.5)
    assert 0.22 in set(tried)
    assert len(curves[curves["parameter"] == "patience"]["value"].unique()) > 3


def test_own_parameters_are_on_the_page_of_a_replay(tmp_path: Path) -> None:
    page = tmp_path / "replay.html"
    onlooker("explain", MAP, "--observer", OWN, "--html", page, "--set", "accepted=0.5")
    text = page.read_text()
    assert '"name":"accepted","label":"accepted","help":"Doubt that it accepts (nats)"' in text
    assert '"range":[0.01,1.5,0.01]' in text
    assert '"accepted":0.5' in text


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("beta = Parameter(1.0, low=0, high=1)", "all observers have one of this name"),
        ("width = Parameter(1.0)", "expected a range, such as low=0, high=1"),
        ("width = Parameter(3.0, low=0, high=1)", "width must be from 0 to 1, not 3.0"),
        ("width = Parameter(0.5, low=0, high=1, scale='log')", "expected low above 0 on the scale"),
        ("width = Parameter('a', words=('a',), prior=Prior(1, 1))", "a prior is of a number"),
    ],
)
def test_a_wrong_declaration_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, complaint: str
) -> None:
    name = f"rival_{abs(hash(line))}"
    (tmp_path / f"{name}.py").write_text(
        "from onlooker.observers import ACT, Decision, Observer, Parameter, Prior\n"
        "class Rival(Observer):\n"
        "    name, title = 'rival', 'Rival'\n"
        f"    {line}\n"
        "    def decide(self, engine, view, choices):\n"
        "        return Decision(ACT)\n"
    )
    path = Path(MAP).resolve()
    monkeypatch.chdir(tmp_path)
    _, complaints = onlooker("run", path, "--observer", f"{name}:Rival", status=2)
    assert complaints.startswith("--observer: observer 'rival', parameter ")
    assert complaint in complaints


BROKEN = """from onlooker.observers import Observer


class Broken(Observer):
    name, title = "broken", "Broken"

    def decide(self, engine, view, choices=()):
        return first({})


def first(table):
    return table["belief"]
"""


@pytest.mark.parametrize(
    "words",
    [
        ["run", MAP],
        ["predict", MAP, "-o", "p.csv"],
    ],
    ids=lambda words: words[0],
)
def test_an_exception_in_own_code_is_one_line(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [str(ROOT / MAP) if word == MAP else word for word in words]
    (tmp_path / "broken_observer.py").write_text(BROKEN, "utf-8")
    monkeypatch.chdir(tmp_path)
    _, complaints = onlooker(*words, "--observer", "broken_observer:Broken", status=2)
    where = f"{tmp_path / 'broken_observer.py'}, line 12, in first: KeyError: 'belief'"
    first, *_, last = complaints.splitlines()
    assert (first, last) == (where, "set ONLOOKER_TRACEBACK=1 to see all calls")
    if words[0] == "run":
        monkeypatch.setenv("ONLOOKER_TRACEBACK", "1")
        with pytest.raises(KeyError):
            onlooker(*words, "--observer", "broken_observer:Broken")
