"""An observer that must refuse a trial says why; the others go on."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from onlooker.observers import foresight
from running import ROOT, onlooker

MAP, OTHER = (ROOT / "examples" / f"{name}.map" for name in ("two-experts", "early-turn"))
BOTH = ("--observer", "ideal_observer", "--observer", "naive_observer")
REASON = "too many for the ideal observer"


@pytest.fixture(autouse=True)
def few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foresight, "MOST_STATES", 20)


def test_run_gives_the_reason_in_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    printed, _ = onlooker("run", MAP, *BOTH, status=3)
    lines = printed.splitlines()
    assert any("Ideal Observer" in line and "refused" in line for line in lines)
    assert any("Naive Observer" in line and "│" in line for line in lines)
    assert "Ideal Observer refused: two experts: " in printed
    plain = json.loads(onlooker("run", MAP, OTHER, *BOTH, "--json", status=3)[0])
    refused, done = (plain[0]["observers"][name] for name in ("ideal_observer", "naive_observer"))
    assert REASON in refused["refused"]
    assert "refused" not in done
    assert [set(row["observers"]) for row in plain] == [{"ideal_observer", "naive_observer"}] * 2


def test_predict_goes_on_without_it(tmp_path: Path) -> None:
    table = tmp_path / "p.csv"
    printed, complaints = onlooker("predict", MAP, OTHER, *BOTH, "-o", table, status=3)
    assert f"{MAP}: ideal_observer refused: " in complaints
    assert str(table) in printed
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert {row["level"] for row in rows if row["observer"] == "naive_observer"} == {
        "two experts",
        "early turn",
    }
    about = json.loads((tmp_path / "p.csv.provenance.json").read_text())
    assert {each["observer"] for each in about["config"]["refused"]} == {"ideal_observer"}
    alone = ("--observer", "ideal_observer")
    _, complaints = onlooker("predict", MAP, *alone, "-o", tmp_path / "q.csv", status=3)
    assert REASON in complaints
    assert not (tmp_path / "q.csv").exists()


def test_benchmark_goes_on_without_it(tmp_path: Path) -> None:
    printed, _ = onlooker("benchmark", MAP, "--repeats", "1", "-o", tmp_path / "b", status=3)
    assert "no ideal observer: two experts: " in printed
    assert (tmp_path / "b" / "benchmark.json").is_file()
