"""`import-data`: a dataset from a plain table of choices."""

from __future__ import annotations

from pathlib import Path

import pytest

from onlooker.cli.import_data import COLUMNS
from onlooker.experiments.importing import CHOICES
from onlooker.experiments.psych_ds import read_dataset
from onlooker.game import load_trial
from running import ROOT, onlooker

MAP = ROOT / "examples" / "two-experts.map"
TABLE = ROOT / "examples" / "choices.csv"
LINES = TABLE.read_text().splitlines()
LAST = max(number for number, line in enumerate(LINES) if line.startswith("anna"))


def imported(folder: Path, lines: list[str], *words: str | Path, status: int = 0) -> str:
    file = folder / "lab.csv"
    file.write_text("\n".join(lines) + "\n")
    out, err = onlooker(
        "import-data", file, "-o", folder / "lab", "--stimuli", MAP, *words, status=status
    )
    return err if status else out + err


def test_the_columns_are_those_that_are_read() -> None:
    assert {column.name for column in CHOICES.columns} == set(COLUMNS)


def test_everything_that_follows_from_the_rules_is_computed(tmp_path: Path) -> None:
    printed = imported(tmp_path, LINES)
    assert printed.startswith("3 participants, 3 trials (0 unfinished), 57 choices in")
    found = read_dataset(tmp_path / "lab", [load_trial(MAP)])
    assert found.checked
    assert not found.description.simulated
    [anna, ben, cleo] = found.tables["trials"].to_dict("records")
    assert (anna["observed"], ben["observed"], cleo["observed"]) == (2, 1, 0)
    assert anna["cost_total"] == cleo["cost_total"] + 2
    assert anna["unspent"] == anna["budget"] - anna["cost_total"]
    assert found.tables["participants"]["completed"].all()


def test_fit_and_compare_read_it_unchanged(tmp_path: Path) -> None:
    imported(tmp_path, LINES)
    human = ("--human", tmp_path / "lab", "--stimuli", MAP)
    observer = ("--observer", "naive_observer")
    few = ("--nodes", "7", "--jobs", "1")
    printed, _ = onlooker("fit", *human, *observer, *few, "-o", tmp_path / "fits")
    assert "data: human; participants 3" in printed
    onlooker("predict", MAP, *observer, "-o", tmp_path / "p.csv")
    printed, _ = onlooker("compare", "--predictions", tmp_path / "p.csv", *human)
    assert "human against model: observation steps" in printed
    assert "not replayed" not in printed


def test_other_names_and_programs(tmp_path: Path) -> None:
    lines = ["more,subject_id,map,key", *(f"x,{line}" for line in LINES[1:])]
    words = ("participant=subject_id", "level=map", "choice=key")
    options = [word for each in words for word in ("--column", each)]
    imported(tmp_path, lines, *options, "--simulated", "--name", "Bots")
    about = read_dataset(tmp_path / "lab").description
    assert (about.name, about.simulated) == ("Bots", True)


def test_unfinished_trials_are_as_in_other_datasets(tmp_path: Path) -> None:
    printed = imported(tmp_path, LINES[:-1])
    assert "3 trials (1 unfinished)" in printed
    people = read_dataset(tmp_path / "lab").tables["participants"]
    assert people["completed"].tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("line", "values", "expected"),
    [
        (2, "anna,m999,left", "line 3, column level: the stimuli have no trial 'm999'"),
        (
            2,
            "anna,two experts,jump",
            "line 3, column choice: anna in two experts: expected up, down, left, right or",
        ),
        (
            2,
            "anna,two experts,observe agent7",
            "line 3, column choice: choice 2 of anna in two experts",
        ),
        (2, ",two experts,left", "line 3, column participant: expected a text"),
        (
            0,
            "participant,level,move",
            "line 1: missing columns: choice; there are: participant, level, move\n"
            "say what the table calls them, such as --column participant=subject_id\n",
        ),
        (LAST, f"{LINES[LAST]}\n{LINES[LAST]}", f"line {LAST + 2}, column choice: choice"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, line: int, values: str, expected: str
) -> None:
    complaints = imported(tmp_path, [*LINES[:line], values, *LINES[line + 1 :]], status=2)
    assert f"{tmp_path / 'lab.csv'}: {expected}" in complaints
    assert not (tmp_path / "lab").exists()


def test_choices_after_the_end(tmp_path: Path) -> None:
    again = [*LINES[: LAST + 1], LINES[1], *LINES[LAST + 1 :]]
    complaints = imported(tmp_path, again, status=2)
    end = f"{tmp_path / 'lab.csv'}: line {LAST + 1}"
    assert f"the trial is over, with the choice at {end}; expected no more" in complaints
    printed = imported(tmp_path, again, "--skip-bad")
    assert "2 participants, 2 trials" in printed
    assert f"left out: {tmp_path / 'lab.csv'}: line {LAST + 2}, column choice" in printed
    assert f" of {LINES[1].split(',')[0]} in two experts (" in printed


def test_bad_columns_are_refused(tmp_path: Path) -> None:
    for word in ("subject", "who=subject", "level="):
        complaints = imported(tmp_path, LINES, "--column", word, status=2)
        assert complaints.startswith(f"--column {word}: expected OURS=YOURS")
    twice = ("--column", "level=a", "--column", "level=b")
    assert "level is named twice" in imported(tmp_path, LINES, *twice, status=2)
    assert "expected choices, a row each" in imported(tmp_path, LINES[:1], status=2)


def test_one_level_of_two_experiments_needs_a_column(tmp_path: Path) -> None:
    other = tmp_path / "other.map"
    other.write_text(MAP.read_text().replace("experiment: 3", "experiment: 1"))
    assert load_trial(other).experiment == 1
    words = ("--stimuli", other)
    complaints = imported(tmp_path, LINES, *words, status=2)
    assert "is a trial of Experiments 3 and 1; expected a column experiment" in complaints
    numbered = [f"{LINES[0]},experiment", *(f"{line},1" for line in LINES[1:])]
    imported(tmp_path, numbered, *words)
    assert set(read_dataset(tmp_path / "lab").tables["trials"]["experiment"]) == {1}
    mixed = [*numbered[:5], numbered[5][:-1] + "3", *numbered[6:]]
    complaints = imported(tmp_path, mixed, *words, status=2)
    assert "line 6, column level: anna has played trials of Experiment 1 already" in complaints
    assert "expected one experiment per participant" in complaints


def test_equal_problems_are_one_line_with_what_may_be_meant(tmp_path: Path) -> None:
    lines = [line.replace("two experts", "two expert") for line in LINES]
    complaints = imported(tmp_path, lines, status=2)
    others = f"(and at {len(LINES) - 2} other places)"
    wrong = "line 2, column level: the stimuli have no trial 'two expert'"
    expected = f"{tmp_path / 'lab.csv'}: {wrong}; did you mean 'two experts'? {others}\n"
    assert complaints == expected
    _, complaints = onlooker("import-data", tmp_path / "lab.csv", "-o", tmp_path / "x", status=2)
    assert complaints.endswith("name the trials that were played by --stimuli\n")
