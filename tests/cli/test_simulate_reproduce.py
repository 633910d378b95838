"""`onlooker simulate` and `onlooker reproduce` as a user runs them."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import pytest

from onlooker.experiments.stimuli import stimuli
from onlooker.game import save_trial
from running import ROOT, onlooker

TRIALS = "data/study-exp3_desc-trials_data.csv"
PAPER = ROOT.parent / "shared" / "paper-data"


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few trials of each experiment."""
    folder = tmp_path_factory.mktemp("few")
    for number, step in ((1, 4), (2, 8), (3, 8), (4, 8)):
        for trial in stimuli(number)[::step]:
            save_trial(trial, folder / f"exp{number}" / f"{trial.name}.json")
    return folder


def test_simulate_writes_a_dataset_that_says_so(tmp_path: Path, few: Path) -> None:
    study = tmp_path / "study"
    words = ("simulate", few, "-o", study, "--participants", "4", "--experiment", "3")
    printed, _ = onlooker(*words)
    assert printed.startswith("4 simulated participants, 20 trials")
    about = json.loads((study / "dataset_description.json").read_text())
    assert about["simulated"] is True
    assert about["provenance"]["config"]["observer"] == "rational_mentalizing"
    assert about["budgetRule"] == about["provenance"]["config"]["budget"] == "paper"
    onlooker(*words[:3], tmp_path / "map", *words[4:], "--budget", "map")
    assert (
        json.loads((tmp_path / "map" / "dataset_description.json").read_text())["budgetRule"]
        == "map"
    )
    paper, map = (
        list(csv.DictReader((folder / TRIALS).read_text().splitlines()))
        for folder in (study, tmp_path / "map")
    )
    assert [row["cost_total"] for row in paper] == [row["cost_total"] for row in map]
    assert sum(int(row["budget"]) for row in paper) < sum(int(row["budget"]) for row in map)
    _, complaints = onlooker(*words, status=2)
    assert complaints == f"{study}: there is a dataset already; it is not replaced\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--lapse", "2"], "--lapse must be from 0 to 1, not 2.0"),
        (["--temperature", "-1"], "--temperature must be above 0, not -1.0"),
        (["--rule", "hard", "--lapse", "0.5"], "--lapse: the rule hard has no noise"),
        (["--experiment", "7"], "--experiment 7: there are no trials of it"),
        (["--observer", "guru"], "--observer: there is no observer 'guru'"),
    ],
)
def test_simulate_refuses(tmp_path: Path, words: list[str], expected: str) -> None:
    _, complaints = onlooker("simulate", "-o", tmp_path / "study", *words, status=2)
    assert expected in complaints
    assert not (tmp_path / "study").exists()


def test_reproduce_on_trials_of_ones_own(tmp_path: Path, few: Path) -> None:
    odd = tmp_path / "a&b<i>"
    shutil.copytree(few, odd)
    printed, _ = onlooker("reproduce", "--stimuli", odd, "-o", tmp_path / "out")
    report = tmp_path / "out" / "report.html"
    assert printed == f"{report}\n"
    page = report.read_text()
    assert "(the trials in a&amp;b&lt;i&gt;)" in page
    assert "a&b<i>" not in page
    assert "Simulated participants" in page
    assert "paper's r" not in page
    assert "How long observers watch, under other parameters" in page
    assert "How close to the best" in page
    sections = re.findall('<section id="(.*?)">', page)
    assert sections[:4] == ["verdict", "people", "whether", "whom"]
    assert sections[4:7] == ["ablations", "misses", "costs"]
    links = re.findall('href="#(.*?)"', page)
    assert [link for link in links if not link.startswith("figure-")] == sections
    figures = dict(zip(sections, page.split("<section id=")[1:], strict=True))
    assert "Examples from Experiment 2" in figures["whether"]
    assert "Examples from Experiment 4" in figures["whom"]
    assert 'alt="Regret"' in figures["costs"]
    names = ("predictions.csv", "provenance.json", "tables/fits.csv", "tables/readings.csv")
    names += ("tables/calibration.csv", "tables/whom.csv", "tables/hedging.csv")
    names += ("tables/whether.csv", "tables/reversal.csv", "tables/reversal-trials.csv")
    names += ("tables/people.csv", "tables/likeness.csv", "tables/advantage.csv")
    names += ("tables/regret.csv", "figures/regret.svg")
    for name in (*names, "tables/sensitivity-curves.csv", "figures/sensitivity-fit.svg"):
        assert (tmp_path / "out" / name).is_file()
    figures = tmp_path / "out" / "figures"
    assert list(figures.glob("*.svg"))
    assert list(figures.glob("stimuli-exp*.png"))
    assert (figures / "interface-trial.png").is_file()
    numbers = [int(found) for found in re.findall(r'<figure id="figure-(\d+)"', page)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert "(the paper’s Fig. 3)" in page
    assert not list((tmp_path / "out").glob(".making-*"))
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "<script" not in page


@pytest.mark.skipif(not PAPER.exists(), reason="the authors' data is not beside the project")
def test_reproduce_with_people_stands_beside_the_paper(tmp_path: Path) -> None:
    onlooker(
        "reproduce",
        "--archive", PAPER,
        "--human", PAPER / "human_means.csv",
        "-o", tmp_path,
    )  # fmt: skip
    page = (tmp_path / "report.html").read_text()
    assert "paper&#x27;s r" in page
    assert "Naive Observer, meeting=any" in page
    assert "Rational Mentalizing: r, Exp. 1" in page
    assert "fitted on the data shown (Exp. 1, 2 together)" in page
    assert (tmp_path / "tables" / "verdicts.csv").is_file()
    assert (tmp_path / "figures" / "calibration.svg").is_file()
    assert "Simulated participants." not in page
    assert "64 of 68 counts are the same" in page
    assert (tmp_path / "figures" / "authors-counts.svg").is_file()
    assert (tmp_path / "tables" / "authors-agreement.csv").is_file()
    assert (tmp_path / "figures" / "cost-observation.svg").is_file()
    assert "In Exp. 2 the paper reports r .37; the text&#x27;s reading gives −.10" in page


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "means.csv"),
        ("experiment,level\n1,m101\n", "means.csv"),
        (
            "experiment,level,agent,human_mean_observed,n_participants\n1,m101,agent2,many,5\n",
            "means.csv: line 2",
        ),
        (
            "experiment,level,agent,human_mean_observed,n_participants\n1,zzz,agent2,1,5\n",
            "zzz",
        ),
        (
            "experiment,level,agent,human_mean_observed,n_participants\n1,m101,agent2,1,5\n",
            "m102",
        ),
    ],
    ids=["empty", "wrong columns", "text in numbers", "unknown level", "a gap"],
)
def test_bad_data_is_refused_and_nothing_is_written(
    tmp_path: Path, content: str, expected: str
) -> None:
    means = tmp_path / "means.csv"
    means.write_text(content)
    for trial in stimuli(1)[:2]:
        save_trial(trial, tmp_path / "trials" / f"{trial.name}.json")
    words = ("reproduce", "--stimuli", tmp_path / "trials", "--human", means, "-o", tmp_path / "o")
    _, complaints = onlooker(*words, status=2)
    assert expected in complaints
    assert not (tmp_path / "o").exists()


def test_simulated_participants_play_at_the_costs_that_are_set(tmp_path: Path) -> None:
    example = ROOT / "examples" / "two-experts.map"
    costs = ("--set", "observe=3", "--set", "move=1", "--set", "interact=2")
    onlooker("reproduce", "--stimuli", example, *costs, "-o", tmp_path)
    with (tmp_path / "tables" / "pairs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        assert float(row["human_cost_observation"]) == pytest.approx(
            3 * float(row["human_observed"])
        )
    [actions] = (tmp_path / "simulated-participants" / "data").glob("*_desc-actions_data.csv")
    with actions.open() as file:
        paid = {(row["event"], row["cost"]) for row in csv.DictReader(file)}
    assert paid == {("observation", "3"), ("move", "1"), ("interaction", "2")}


@pytest.mark.parametrize("command", ["simulate", "reproduce"])
def test_trials_of_no_experiment_of_ours(tmp_path: Path, command: str) -> None:
    text = (ROOT / "examples" / "two-experts.map").read_text()
    trial = tmp_path / "exp7.map"
    trial.write_text(text.replace("experiment: 3", "experiment: 7"))
    option = ("--stimuli",) if command == "reproduce" else ()
    _, complaints = onlooker(command, *option, trial, "-o", tmp_path / "out", status=2)
    assert complaints.startswith("none of these trials says that it belongs to Experiments 1 to 4")
    assert not (tmp_path / "out").exists()


def test_trials_that_are_left_out_are_named(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "two-experts.map").read_text()
    maps = tmp_path / "maps"
    maps.mkdir()
    (maps / "a.map").write_text(text)
    (maps / "b.map").write_text(
        text.replace("experiment: 3\n", "").replace("name: two experts", "name: mine")
    )
    said = "warning: trials of no experiment are left out: mine\n"
    words = ("simulate", maps, "-o", tmp_path / "study", "--participants", "2")
    assert onlooker(*words)[1] == said
    few = ("--observer", "naive_observer", "--nodes", "5", "--jobs", "1", "--participants", "2")
    assert onlooker("recover", "--stimuli", maps, "-o", tmp_path / "r", *few)[1] == said
    assert onlooker("benchmark", maps, "-o", tmp_path / "b", "--repeats", "1")[1] == said


def test_fitted_people_are_as_many_as_they_are(tmp_path: Path) -> None:
    words = ("simulate", "-o", tmp_path / "s", "--fits", tmp_path, "--participants", "3")
    said = "--participants: with --fits the fitted people play; leave it out\n"
    assert onlooker(*words, status=2)[1] == said


def test_an_output_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    _, complaints = onlooker("reproduce", "-o", tmp_path / "out", status=2)
    assert complaints == f"{tmp_path / 'out'}: expected the name of a folder, not a file\n"


def test_one_or_the_other(tmp_path: Path) -> None:
    words = ("reproduce", "--archive", tmp_path, "--stimuli", tmp_path)
    assert onlooker(*words, status=2)[1] == "--archive and --stimuli: one of them, not both\n"
