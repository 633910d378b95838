"""`fit`, `recover`, `power`, `compare --individual` and `simulate --fits`, as users call them."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest

from fitting.studies import records, trials
from onlooker.experiments.dataset import write_dataset
from onlooker.fitting.models import Run, run_here
from onlooker.game import dump_map_text
from onlooker.observers import OBSERVERS
from onlooker.sweep.backends import Local
from running import onlooker

FEW = ["--nodes", "7", "--jobs", "1"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with trials and a study on them."""
    folder = tmp_path_factory.mktemp("fit")
    for trial in trials():
        (folder / "maps").mkdir(exist_ok=True)
        (folder / "maps" / f"{trial.name}.map").write_text(dump_map_text(trial))
    tables = records(5).tables()
    write_dataset(folder / "study", tables, "a study", "made up", simulated=True)
    del tables["actions"]
    write_dataset(folder / "means", tables, "a study", "made up", simulated=True)
    return folder


def fitted(place: Path, *words: str | Path) -> str:
    study, maps = place / "study", place / "maps"
    return onlooker("fit", "--human", study, "--stimuli", maps, "--everyone", *FEW, *words)[0]


@pytest.fixture(scope="module")
def of_four(place: Path) -> tuple[Path, str]:
    """Fits of the paper's four observers, and what was printed."""
    return place / "fits", fitted(place, "-o", place / "fits", "--group")


def test_from_data_to_a_conclusion(place: Path, of_four: tuple[Path, str], tmp_path: Path) -> None:
    (fits, printed), chosen = of_four, tmp_path / "chosen"
    assert "data: simulated; participants 5" in printed
    assert "log temperature ~ N(log 2, 1.25²)" in printed  # priors are printed
    table = pd.read_csv(fits / "fits.csv")
    assert len(table) == 5 * 4
    about = json.loads((fits / "fit.json").read_text())
    assert about["provenance"]["config"]["command"] == "fit"
    assert {"decisions.csv", "trials.csv", "predictive.csv", "group.csv"} <= {
        file.name for file in fits.iterdir()
    }
    printed, _ = onlooker("compare", "--individual", "--fits", fits, "-o", chosen)
    assert printed.startswith("simulated: Experiment 3: ")
    assert (
        "which observer describes each participant best; the lead over the next is of log evidence"
        in printed
    )
    assert len(pd.read_csv(chosen / "people.csv")) == 5
    assert "random-effects selection by evidence, exact, alpha0 = 1" in printed
    assert "prior of naive_observer" in printed
    assert (chosen / "figures" / "attributions.png").is_file()
    assert (chosen / "selection.csv").is_file()
    printed, _ = onlooker("compare", "--individual", "--fits", fits, "--method", "vb", "--json")
    plain = json.loads(printed)
    assert plain["data"] == "simulated"
    assert {row["method"] for row in plain["selection"]} == {"vb"}
    printed, _ = onlooker("simulate", "--fits", fits, "-o", tmp_path / "again", place / "maps")
    assert "5 simulated participants" in printed


def test_fits_of_the_same_choices_are_compared_together(
    place: Path, of_four: tuple[Path, str], tmp_path: Path
) -> None:
    ours, rival, less = of_four[0], tmp_path / "rival", tmp_path / "less"
    own = ["--observer", "examples.own_observer:Satisficer", "--prior", "satisficer.accepted=0.3:1"]
    printed = fitted(place, *own, "-o", rival)
    assert "Satisficer (softmax, values in nats): log temperature ~ N(log 0.1, 1.25²)" in printed
    assert "log accepted ~ N(log 0.3, 1²) at 11 values" in printed
    table = pd.read_csv(rival / "fits.csv")
    assert (table["accepted_low"] <= table["accepted"]).all()
    assert (table["accepted"] <= table["accepted_high"]).all()
    assert set(table["parameters"]) == {3}
    both = ["compare", "--individual", "--fits", ours, "--fits"]
    printed, _ = onlooker(*both, rival, "-o", tmp_path / "chosen")
    assert "prior of satisficer: log temperature" in printed
    chosen = pd.read_csv(tmp_path / "chosen" / "selection.csv")
    assert list(chosen["observer"]) == [*OBSERVERS, "satisficer"]
    assert chosen["pxp"].sum() == pytest.approx(1)
    _, complaints = onlooker(*both, ours, status=2)
    assert complaints == f"--fits {ours}: given twice\n"
    shutil.copytree(rival, less)
    table[1:].to_csv(less / "fits.csv", index=False)
    _, complaints = onlooker(*both, less, status=2)
    assert f"{less / 'fits.csv'}: expected fits of the same choices as in {ours}" in complaints
    assert "none here" in complaints
    again = ["--observer", own[1], place / "maps"]
    printed, _ = onlooker("simulate", "--fits", rival, *again, "-o", tmp_path / "again")
    assert "5 simulated participants" in printed


@pytest.mark.parametrize(
    ("few", "words", "jobs"),
    [(1000, (), 1), (0, (), 0), (1000, ("--jobs", "2"), 2)],
    ids=["small data", "large data", "as asked for"],
)
def test_processes_are_for_large_data(
    place: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    few: int,
    words: tuple[str, ...],
    jobs: int,
) -> None:
    asked: list[Local] = []

    def anywhere(backend: Local) -> Run:
        asked.append(backend)
        return run_here

    monkeypatch.setattr("onlooker.cli.fit.FEW", few)
    monkeypatch.setattr("onlooker.cli.fit.anywhere", anywhere)
    data = ("--human", place / "study", "--stimuli", place / "maps", "--everyone")
    one = ("--observer", "naive_observer", "--nodes", "7", *words)
    onlooker("fit", *data, *one, "-o", tmp_path / "fits")
    assert asked == [Local(jobs)]


def test_later_choices_count_if_they_are_wanted(
    place: Path, of_four: tuple[Path, str], tmp_path: Path
) -> None:
    two = ["rational_mentalizing", "naive_observer"]
    fitted(place, "-o", tmp_path / "late", "--late", "--observer", two[0], "--observer", two[1])
    counted = []
    said = "choices after the first action of a trial count, too"
    for folder, late in ((of_four[0], False), (tmp_path / "late", True)):
        table = pd.read_csv(folder / "fits.csv").set_index(["observer", "participant"])["n"]
        counted.append(table.loc[two])
        assert json.loads((folder / "fit.json").read_text())["late"] is late
        printed, _ = onlooker("compare", "--individual", "--fits", folder)
        assert (said in printed) == late
    assert (counted[1] > counted[0]).all()


def test_other_rules_grids_and_priors(place: Path, tmp_path: Path) -> None:
    some = ["--observer", "rational_mentalizing", "--observer", "naive_observer"]
    printed = fitted(place, *some, "--rule", "choice", "-o", tmp_path / "choice")
    assert "Rational Mentalizing (choice, values in 1 for what the observer would do" in printed
    words = ["--grid", "beta=0.2,1", "--fix", "lapse=0.02", "--prior", "temperature=3:1"]
    words += ["--prior", "naive_observer.temperature=0.7:1"]
    printed = fitted(place, *some, *words, "-o", tmp_path / "grid")
    assert "beta in 0.2, 1, equally likely" in printed
    assert "Rational Mentalizing (softmax, values in points): log temperature ~ N(log 3" in printed
    assert "Naive Observer (softmax, values in 1 or −1): log temperature ~ N(log 0.7" in printed
    assert "lapse = 0.02" in printed
    profile = pd.read_csv(tmp_path / "grid" / "profile.csv")
    assert set(profile["beta"]) == {0.2, 1.0}


def test_recover_and_power(place: Path, tmp_path: Path) -> None:
    some = ["--observer", "rational_mentalizing", "--observer", "rational_observer"]
    few = ["--stimuli", place / "maps", *some, *FEW]
    out = tmp_path / "recovery"
    printed, _ = onlooker("recover", "-o", out, *few, "--participants", "12", "--models")
    assert "drawn from the central 90 % of the priors" in printed
    assert "recognised by evidence" in printed
    assert {"recovery.csv", "recovery-summary.csv", "confusion.csv", "provenance.json"} <= {
        file.name for file in out.iterdir()
    }
    sizes = ["--participants", "1,4", "--trials", "3", "--pool", "10", "--groups", "10"]
    printed, _ = onlooker("power", "-o", tmp_path / "power", *few, *sizes)
    assert "Experiment 3, 3 trials each:" in printed
    assert (tmp_path / "power" / "figures" / "power.png").is_file()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--rule", "hard"], "rule must be softmax, graded or choice, not 'hard'"),
        (["--free", "tau"], "there is no parameter 'tau'"),
        (["--free", "temperature,beta"], "beta has no prior: expected --prior beta=MEDIAN:SD"),
        (["--prior", "naive.lapse=0.1:1"], "--prior naive.lapse: expected an observer of this fit"),
        (["--fix", "lapse"], "--fix lapse: expected NAME=VALUE"),
        (["--prior", "lapse=1"], "--prior lapse=1: expected NAME=MEDIAN:SD"),
        (["--grid", "beta"], "--grid beta: expected"),
        (["--grid", "beta=0.2,1", "--group"], "a group cannot be fitted over values of beta"),
        (["--grid", "temperature=1,2"], "--grid temperature: expected a parameter of an observer"),
        (
            ["--grid", "caution=0,1", "--observer", "naive_observer"],
            "--grid caution: no observer of this fit depends on it",
        ),
        (["--set", "temperature=9"], "it is estimated; expected --fix temperature=9"),
        (["--experiment", "2"], "--experiment 2: there are no trials of it"),
    ],
)
def test_bad_options_are_refused(
    place: Path, tmp_path: Path, words: list[str], complaint: str
) -> None:
    study, maps = place / "study", place / "maps"
    out = tmp_path / "fits"
    _, complaints = onlooker(
        "fit", "--human", study, "--stimuli", maps, "-o", out, *FEW, *words, status=2
    )
    assert complaint in complaints
    assert not (out / "fits.csv").exists()


def test_data_that_cannot_be_fitted_is_refused(place: Path, tmp_path: Path) -> None:
    maps, out = place / "maps", tmp_path / "fits"
    words = ["--stimuli", maps, "-o", out, *FEW]
    _, complaints = onlooker("fit", "--human", place / "means", *words, status=2)
    assert "there is no table actions" in complaints
    _, complaints = onlooker("fit", "--human", maps, *words, status=2)
    assert "dataset_description.json: there is no such file" in complaints
    _, complaints = onlooker("fit", "--human", place / "study", "-o", out, *FEW, status=2)
    assert "the stimuli have no trial 'early-turn' of Experiment 3" in complaints


def test_choices_that_contradict_the_game(place: Path, tmp_path: Path) -> None:
    bad, maps = tmp_path / "bad", place / "maps"
    shutil.copytree(place / "study", bad)
    file = bad / "data" / "study-exp3_desc-actions_data.csv"
    lines = file.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if ",observe agent2,observation," in line)
    who = lines[at].split(",")[0]
    lines[at] = lines[at].replace("observe agent2", "left")
    file.write_text("\n".join(lines) + "\n")
    words = ("--stimuli", maps)
    fit = ("fit", "--human", bad, *words, "--everyone", *FEW, "-o", tmp_path / "fits")
    _, complaints = onlooker(*fit, status=2)
    assert complaints.startswith(f"{file}: line {at + 1}, column")
    assert complaints.endswith("\n--skip-bad leaves such trials out\n")
    printed, complaints = onlooker(*fit, "--observer", "naive_observer", "--skip-bad")
    assert "participants 5" in printed
    assert f"left out: 1 trial that contradicts the rules of the game\n  {who}, " in complaints
    predictions = tmp_path / "p.csv"
    onlooker("predict", maps, "-o", predictions, "--observer", "naive_observer")
    compare = ("compare", "--predictions", predictions, "--human", bad)
    assert f"{file}: line {at + 1}" in onlooker(*compare, *words, status=2)[1]
    assert "left out: 1 trial that" in onlooker(*compare, *words, "--skip-bad")[0]
    assert "not replayed on the game: 15 plays of trials" in onlooker(*compare)[0]


def test_everybody_who_is_left_out_is_named(place: Path, tmp_path: Path) -> None:
    some = tmp_path / "some"
    shutil.copytree(place / "study", some)
    file = some / "data" / "study-exp3_desc-participants_data.csv"
    file.write_text(file.read_text().replace("sim30002,3,2,true", "sim30002,3,2,false"))
    maps, one = place / "maps", ("--observer", "naive_observer")
    printed, _ = onlooker(
        "fit", "--human", some, "--stimuli", maps, *one, *FEW, "-o", tmp_path / "fits"
    )
    assert "participants 4 of 5" in printed
    assert "left out: sim30002: did not complete all trials" in printed


@pytest.mark.parametrize(
    ("command", "broken_off"),
    [
        ("fit", "onlooker.fitting.study.fit_study"),
        ("recover", "onlooker.fitting.recovery.recover"),
        ("power", "onlooker.fitting.power.power"),
    ],
)
def test_ctrl_c_says_that_nothing_was_kept(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, broken_off: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(broken_off, interrupted)
    people = ("--human", place / "study", "--everyone") if command == "fit" else ()
    words = (command, *people, "--stimuli", place / "maps", "-o", tmp_path / "f", *FEW)
    _, complaints = onlooker(*words, status=130)
    assert complaints == "interrupted: nothing was written; the same command begins again\n"
    assert not (tmp_path / "f").exists()


def test_comparing_without_fits_is_refused(place: Path, tmp_path: Path) -> None:
    _, complaints = onlooker("compare", "--individual", status=2)
    assert "expected --fits" in complaints
    _, complaints = onlooker("compare", "--individual", "--fits", place / "maps", status=2)
    assert "this one has no fit.json" in complaints
    one = tmp_path / "one"
    fitted(place, "--observer", "naive_observer", "-o", one)
    _, complaints = onlooker("compare", "--individual", "--fits", one, status=2)
    assert "at least two observers" in complaints
    _, complaints = onlooker("compare", status=2)
    assert "--predictions: missing" in complaints
    _, complaints = onlooker("compare", "--individual", "--fits", one, "--method", "x", status=2)
    assert "--method x: expected one of exact, sampling, vb" in complaints
    _, complaints = onlooker("compare", "--individual", "--fits", one, "--alpha0", "0", status=2)
    assert complaints == "--alpha0 0: expected a number above 0\n"
    table = one / "fits.csv"
    lines = table.read_text().splitlines()
    table.write_text("\n".join([*lines, lines[1]]) + "\n")
    (one / "fit.json").write_text("[]")
    _, complaints = onlooker("compare", "--individual", "--fits", one, status=2)
    assert complaints.splitlines() == [
        f"{table}: line {len(lines) + 1}: naive_observer is fitted to {lines[1].split(',')[1]} twice",
        f"{one / 'fit.json'}: expected an object of `onlooker fit`",
    ]


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in sys.modules if name.startswith("onlooker.fitting.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    monkeypatch.setitem(sys.modules, "scipy", None)
    _, complaints = onlooker("fit", "--human", tmp_path, "-o", tmp_path / "fits", status=2)
    assert "pip install 'onlooker[fit]'" in complaints
