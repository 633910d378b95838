"""What commands say of folders and options that cannot be used: what was expected, what helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from running import ROOT, onlooker

MAP = ROOT / "examples" / "two-experts.map"
TABLE = ROOT / "examples" / "choices.csv"
NO_VALUES = """from onlooker.observers import Decision, Observer


class NoValues(Observer):
    name, title = "no_values", "No values"

    def decide(self, engine, view, choices=()):
        return Decision("act")
"""


def test_a_table_is_no_dataset(tmp_path: Path) -> None:
    _, complaints = onlooker("fit", "--human", TABLE, "-o", tmp_path / "fits", status=2)
    assert complaints == (
        f"{TABLE}: expected the folder of a Psych-DS dataset, not a file; `onlooker import-data`"
        " makes one of a table of choices\n"
    )


def test_a_folder_that_fit_did_not_write(tmp_path: Path) -> None:
    for folder, more in ((tmp_path, "; this one has no fit.json"), (tmp_path / "none", "")):
        _, complaints = onlooker("compare", "--individual", "--fits", folder, status=2)
        assert complaints == f"{folder}: expected a folder that `onlooker fit` wrote{more}\n"


def test_run_takes_folders() -> None:
    folder = ROOT / "examples" / "teachers"
    printed, _ = onlooker("run", f"{folder}/", "--observer", "naive_observer")
    for file in folder.glob("*.map"):
        assert str(file) in printed


def test_an_observer_without_values_can_be_fitted_by_what_it_would_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("no_values.py").write_text(NO_VALUES, "utf-8")
    onlooker("import-data", TABLE, "-o", "lab", "--stimuli", MAP)
    words = ("fit", "--human", "lab", "--stimuli", MAP, "--observer", "no_values:NoValues")
    _, complaints = onlooker(*words, "-o", "fits", status=2)
    assert complaints.endswith("or the rule choice, which only needs what it would do\n")
    onlooker(*words, "--rule", "choice", "--nodes", "7", "--jobs", "1", "-o", "fits")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("naive_observer (betta=3)", "there is no parameter 'betta'; did you mean beta?"),
        ("naive_observer (beta=x)", "beta must be a number, not 'x'"),
        ("x.y:Z", "the observer 'x.y:Z' cannot be imported: No module named 'x'"),
    ],
)
def test_complaints_of_a_design_begin_with_what_was_given(word: str, expected: str) -> None:
    words = ("stimuli", "design", "--seed", "1", "--experiment", "1", "--pool", "5")
    _, complaints = onlooker(*words, "--against", word, status=2)
    assert complaints == f"{word}: {expected}\n"


def test_a_study_without_orderings_says_how_to_make_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("maps").mkdir()
    text = MAP.read_text("utf-8").replace("experiment: 3", "experiment: pilot")
    Path("maps", "two-experts.map").write_text(text, "utf-8")
    for command in ("serve", "preflight"):
        _, complaints = onlooker(command, "--stimuli", "maps", "--experiment", "pilot", status=2)
        how = "`onlooker stimuli orderings maps` makes it"
        assert complaints == f"{Path('maps', 'orderings.json')}: there is no such file; {how}\n"


def test_a_legend_line_that_cannot_be_read_is_one_problem(tmp_path: Path) -> None:
    file = tmp_path / "wrong.map"
    file.write_text(MAP.read_text("utf-8").replace("2 = expert", "2 = exprt"), "utf-8")
    _, complaints = onlooker("check", file, status=2)
    assert complaints.count("\n") == 1
    assert "not 'exprt agent2" in complaints
