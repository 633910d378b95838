"""`onlooker run --sequence`: trials one after the other, and the figure of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from running import ROOT, onlooker

LIST = str(ROOT / "examples" / "who-knows.sequence")


def test_observers_carry_what_they_learnt(tmp_path: Path) -> None:
    picture = tmp_path / "sequence.svg"
    words = ("run", "--sequence", LIST, "--observer", "untold_mentalizing", "--svg", str(picture))
    out, _ = onlooker(*words, "--json")
    found = [row["observers"]["untold_mentalizing"] for row in json.loads(out)]
    assert [each["observed"][0] for each in found] == [10, 0, 0, 0, 0, 0]
    assert "state" not in found[0]
    assert found[1]["state"]["novices"]["agent3"] < 0.1
    assert "steps watched" in picture.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), "expected trial files, or --sequence with a list of them"),
        ((LIST, "--sequence", LIST), "--sequence: expected no other trial files beside it"),
        ((str(ROOT / "examples/early-turn.map"), "--png", "x.png"), "--png requires --sequence"),
        (("--sequence", LIST, "--png", "x.png"), "a picture shows one observer"),
        (("--sequence", "no-such"), "no-such: there is no such file"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], expected: str) -> None:
    _, complaints = onlooker("run", *words, status=2)
    assert expected in complaints
    assert "Traceback" not in complaints


def test_a_list_names_its_lines(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("# nothing\n\nmissing.map\n")
    _, complaints = onlooker("run", "--sequence", str(tmp_path / "list"), status=2)
    assert "list: line 3: there is no file" in complaints
    (tmp_path / "list").write_text("# nothing\n")
    _, complaints = onlooker("run", "--sequence", str(tmp_path / "list"), status=2)
    assert "expected the names of trial files" in complaints


def test_many_files_give_what_single_ones_do() -> None:
    files = sorted(str(path) for path in (ROOT / "examples").glob("*.map"))[:4]
    together = json.loads(onlooker("run", *files, "--json")[0])
    alone = [json.loads(onlooker("run", file, "--json")[0])[0] for file in files]
    assert together == alone
