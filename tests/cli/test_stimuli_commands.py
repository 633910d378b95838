"""`onlooker stimuli …` as a user runs it."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from onlooker.experiments import lessons
from onlooker.experiments.lessons import Candidate
from onlooker.experiments.stimuli import folder, stimuli
from onlooker.experiments.trialset import load_trials
from running import ROOT, onlooker

HASTY = """
from onlooker.observers import ACT, Decision, Observer
class Hasty(Observer):
    name, title = "hasty", "Hasty"
    def decide(self, engine, view, choices):
        return Decision(ACT)
"""


def test_list() -> None:
    printed, _ = onlooker("stimuli", "list", "--experiment", "4")
    assert len(printed.splitlines()) == 40
    assert "novice" in printed


def test_export_gives_out_all_trials(tmp_path: Path) -> None:
    printed, _ = onlooker("stimuli", "export", "-o", tmp_path)
    assert printed == f"148 trials and 8 tutorials in {tmp_path}\n"
    written = load_trials([tmp_path])
    assert [t for t in written if not t.tutorial] == stimuli()
    onlooker("check", *sorted(tmp_path.rglob("*.json")))


def test_export_as_maps(tmp_path: Path) -> None:
    onlooker("stimuli", "export", "-o", tmp_path, "--experiment", "1", "--format", "map")
    assert len(list((tmp_path / "exp1").glob("*.map"))) == 20


def test_report_on_a_folder_of_ones_own(tmp_path: Path) -> None:
    onlooker("stimuli", "export", "-o", tmp_path, "--experiment", "1")
    printed, _ = onlooker("stimuli", "report", tmp_path)
    assert "Experiment 1: 20 trials" in printed
    assert "meets all that the shipped set is held to" in printed


def test_design_with_teachers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From drawn maps to orderings; what is drawn is the bundled set, and then nothing."""

    def drawn(seed: int, index: int) -> tuple[list[Candidate], Counter[str]]:
        here = [Candidate(t, str(t.scenario), 1.0, None) for t in stimuli(5)[index : index + 1]]
        lost = [replace(each, missed="it is watched: not with β = 0.4") for each in here[:1]]
        return [*here, *lost], Counter({"too many histories to plan": 1})

    monkeypatch.setattr(lessons, "draw", drawn)
    monkeypatch.setattr(lessons, "ProcessPoolExecutor", ThreadPoolExecutor)  # they see `drawn`
    words = ("stimuli", "design", "--experiment", "5", "--seed", "1")
    printed, told = onlooker(*words, "--pool", "50", "-o", tmp_path)
    assert printed == f"20 trials in {tmp_path / 'exp5'}\n"
    assert "left out 40: too many histories to plan\n" in told
    assert "left out 4: silence: it is watched: not with β = 0.4\n" in told
    for path in (tmp_path / "exp5").iterdir():
        assert path.read_bytes() == folder("exp5").joinpath(path.name).read_bytes()
    onlooker("stimuli", "orderings", tmp_path / "exp5", "--by-scenario")
    _, refused = onlooker(*words, "--pool", "18", status=2)
    assert refused.startswith("--pool 18: only 2 maps of the class 'pair'")


def test_design_writes_maps(tmp_path: Path) -> None:
    words = ("stimuli", "design", "--experiment", "1", "--seed", "7", "--pool", "30")
    onlooker(*words, "-o", tmp_path / "a")
    onlooker(*words, "-o", tmp_path / "b")
    made = sorted((tmp_path / "a").rglob("*.map"))
    assert len(made) == 20
    for path in made:
        other = tmp_path / "b" / path.relative_to(tmp_path / "a")
        assert path.read_text() == other.read_text()


def test_orderings_of_ones_own_maps(tmp_path: Path) -> None:
    onlooker("stimuli", "export", "-o", tmp_path, "--experiment", "3")
    onlooker("stimuli", "orderings", tmp_path / "exp3", "--length", "5", "--count", "8")
    made = json.loads((tmp_path / "exp3" / "orderings.json").read_text())
    assert made["experiment"] == 3
    assert [len(names) for names in made["orderings"]] == [5] * 8
    assert "tutorial" not in json.dumps(made)


def test_sheet(tmp_path: Path) -> None:
    onlooker("stimuli", "sheet", folder("exp1", "tutorial"), "-o", tmp_path / "x.txt", status=2)
    trials = sorted((ROOT / "examples").glob("*.map"))
    onlooker("stimuli", "sheet", *trials, "-o", tmp_path / "sheet.pdf")
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("format", "expected"),
    [("csv", "experiment,maps"), ("markdown", "| total | 84"), ("latex", r"\toprule")],
)
def test_inventory(format: str, expected: str) -> None:
    assert expected in onlooker("stimuli", "inventory", "--format", format)[0]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["list", "--experiment", "50"], "--experiment 50: there are no trials of it"),
        (["design", "--experiment", "1", "--seed", "1", "--pool", "5"], "--pool 5: only 5 of 5"),
        (["report", "no-such-folder"], "no-such-folder: there is no such file"),
        (["sheet", "-o", "sheet.txt"], "sheet.txt: a sheet is a .pdf or a .png file"),
    ],
)
def test_refusals(words: list[str], expected: str) -> None:
    _, complaints = onlooker("stimuli", *words, status=2)
    assert expected in complaints


def test_too_few_maps_for_an_ordering(tmp_path: Path) -> None:
    examples = sorted((ROOT / "examples").glob("*.map"))[:3]
    for example in examples:
        (tmp_path / example.name).write_text(example.read_text())
    _, complaints = onlooker("stimuli", "orderings", tmp_path, status=2)
    assert complaints.startswith(f"{tmp_path}: ")
    assert not (tmp_path / "orderings.json").exists()


def test_design_against_another_observer(tmp_path: Path) -> None:
    against = "naive_observer (meeting=any, temperature=0.5:1)"
    words = ("stimuli", "design", "--against", against, "--people", "40")
    drawing = ("--experiment", "1", "--pool", "25", "--trials", "5")
    for seed in ("7", "8"):
        printed, _ = onlooker(*words, *drawing, "--seed", seed, "-o", tmp_path / "pool")
        assert "5 trials of 25" in printed
        assert against in printed
    assert len(load_trials([tmp_path / "pool"])) == 10
    choosing = ("--stimuli", tmp_path / "pool", "--trials", "3", "--seed", "1")
    printed, _ = onlooker(*words, *choosing, "-o", tmp_path / "mine")
    chosen = load_trials([tmp_path / "mine"])
    assert len(chosen) == 3
    about = json.loads((tmp_path / "mine" / "design-1.provenance.json").read_text())
    assert about["config"]["trials"] == [trial.name for trial in chosen]
    assert set(about["config"]["recovery"]["chosen"]["shares"]) == {"rational_mentalizing", against}


def test_a_design_can_be_an_experiment_of_its_own(tmp_path: Path) -> None:
    words = ("--experiment", "1", "--seed", "7", "--pool", "12", "--trials", "4", "--people", "40")
    design = ("stimuli", "design", "--against", "naive_observer", *words)
    onlooker(*design, "--name", "pilot", "-o", tmp_path)
    trials = load_trials([tmp_path / "pilot"])
    assert [trial.experiment for trial in trials] == ["pilot"] * 4
    onlooker("stimuli", "orderings", tmp_path / "pilot", "--length", "2")
    printed, _ = onlooker(
        "simulate", tmp_path / "pilot", "--participants", "1", "-o", tmp_path / "p"
    )
    assert "1 simulated participant" in printed


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--name", "3"), "--name 3: expected a word, such as pilot"),
        (("--against", "naive_obsever"), "did you mean naive_observer?"),
        (("--against", "rational_mentalizing"), "rational_mentalizing is named twice"),
        (
            ("--against", "graded_mentalizing (lapse=0.1)"),
            "temperature, curiosity, skip, not lapse",
        ),
        (("--against", "graded_mentalizing (curosity=1:2)"), "did you mean curiosity?"),
        (("--against", "naive_observer (betta=1)"), "did you mean beta?"),
        (("--against", "naive_observer ((beta=1)"), "expected an observer, or 'NAME (PARAMETER"),
        (("--against", "all"), "--experiment: expected the number of one"),
        (("--against", "hasty:Hasty"), "'hasty:Hasty (rule=choice)', which only asks"),
        (("--trials", "3"), "--trials: expected --against as well"),
    ],
)
def test_designs_that_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hasty.py").write_text(HASTY)
    printed, error = onlooker("stimuli", "design", "--seed", "1", *words, status=2)
    assert not printed
    assert reason in error
