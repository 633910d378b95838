"""`onlooker simulate` and `onlooker reproduce` as a user runs them."""

from __future__ import annotations

import csv
import json
import re
import shutil
from functools import partial
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import every_table
from onlooker.analysis.figures.plate import save_plate
from onlooker.cli.reproduce import _imported
from onlooker.drawing.figure import figure_bytes
from onlooker.experiments.stimuli import stimuli
from onlooker.game import save_trial
from own_archive import MEANS, write_archive
from running import ROOT, made_once, onlooker

EVERY_TABLE = Path(__file__).parent / "every-table.json"
TRIALS = "data/study-exp3_desc-trials_data.csv"
COARSE = 40  # dots per inch of figures whose dots are not looked at


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


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, few: Path) -> Path:
    """What `reproduce` leaves of a few trials, also with teachers, and of costs that are set."""

    def make(folder: Path) -> None:
        odd = folder / "a&b<i>"
        shutil.copytree(few, odd)
        for trial in stimuli(5)[::10]:
            save_trial(trial, odd / "exp5" / f"{trial.name}.json")
        costs = ("--set", "observe=2", "--set", "move=5", "--set", "interact=9")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("onlooker.drawing.figure.DPI", COARSE)
            printed, said = onlooker("reproduce", "--stimuli", odd, *costs, "-o", folder / "out")
        (folder / "printed").write_text(printed)
        (folder / "said").write_text(said)

    return made_once(tmp_path_factory, "reproduced", make)


def test_reproduce_on_trials_of_ones_own(own: Path) -> None:
    report = own / "out" / "report.html"
    assert "warning" not in (own / "said").read_text()  # such as of figures with too little room
    *said, authors, last = (own / "printed").read_text().splitlines()
    assert last == str(report)
    assert "onlooker reproduce --archive ARCHIVE -o out" in authors
    assert len(said) == 3
    assert said[0].startswith("RMSE is smallest for ")
    assert said[2].startswith("Of 98 claims of the paper: ")
    assert "values" not in said[2]  # of simulated participants only directions are judged
    page = report.read_text()
    assert "(the trials in a&amp;b&lt;i&gt;)" in page
    assert "a&b<i>" not in page
    assert "Simulated participants" in page
    assert "paper's r" not in page
    assert "How close to the best" in page
    assert (
        page.index('class="abstract"') < page.index("Graded Mentalizing") < page.index("<section")
    )
    sections = re.findall('<section id="(.*?)">', page)
    assert sections == ["claims", "when", "who", "why", "more", "price", "logs"]
    more = (own / "out" / "supplement.html").read_text()
    assert "How long observers watch, under other parameters" in more
    anchors = re.findall('<section id="(.*?)">', more)
    assert anchors[:7] == ["verdict", "people", "whether", "whom", "ablations", "misses", "costs"]
    links = re.findall('href="#(.*?)"', more)
    assert [link for link in links if not link.startswith("figure-")] == anchors
    assert set(re.findall('href="supplement.html#(.*?)"', page)) <= set(anchors)
    figures = dict(zip(sections, page.split("<section id=")[1:], strict=True))
    assert "Examples from Experiment 2" in figures["when"]
    assert "Examples from Experiment 4" in figures["who"]
    assert 'alt="What only logs show"' in figures["logs"]
    assert "Nobody goes back to watching after a first move" in figures["logs"]
    assert "The data has no times of choices" in figures["logs"]
    assert "beyond the ideal observer" in figures["logs"].lower()
    assert page.count("<figure ") <= 10
    # Every figure is on one of the pages, and on one only.
    shown = [set(re.findall('<img alt="(.*?)"', each)) for each in (page, more)]
    assert not shown[0] & shown[1]
    names = ("predictions.csv", "provenance.json", "tables/fits.csv", "tables/readings.csv")
    names += ("tables/calibration.csv", "tables/whom.csv", "tables/hedging.csv")
    names += ("tables/whether.csv", "tables/reversal.csv", "tables/reversal-trials.csv")
    names += ("tables/people.csv", "tables/likeness.csv", "tables/advantage.csv")
    names += ("tables/regret.csv", "figures/regret.svg", "tables/logs/returns.csv")
    for name in (*names, "tables/sensitivity-curves.csv", "figures/sensitivity-fit.svg"):
        assert (own / "out" / name).is_file()
    figures = own / "out" / "figures"
    assert list(figures.glob("*.svg"))
    assert list(figures.glob("stimuli-exp*.png"))
    assert (figures / "interface-trial.png").is_file()
    for each, prefix in ((page, ""), (more, "S")):
        numbers = re.findall(r'<figure id="figure-(\w+)"', each)
        assert numbers == [f"{prefix}{n}" for n in range(1, len(numbers) + 1)]
    assert "(the paper’s Fig. 3)" in page
    assert not list((own / "out").glob(".making-*"))
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "<script" not in page


def test_no_table_changes_unnoticed(own: Path, tmp_path: Path) -> None:
    """If a change is meant, store the new summary and say in CHANGELOG.md what changed, and why."""
    found = every_table.summary(own / "out")
    changed = list(every_table.changes(json.loads(EVERY_TABLE.read_text("utf-8")), found))
    new = tmp_path / EVERY_TABLE.name
    new.write_text(every_table.written(found), encoding="utf-8")
    assert not changed, "\n".join([*changed, f"The new summary: {new}"])


@pytest.fixture
def as_if_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were more trials than other parameters are tried on; `own` tries them."""
    monkeypatch.setattr("onlooker.cli.reproduce.QUICK", 0)


@pytest.fixture
def drawn_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw coarse pictures alone, and no sheets; `own` has all files that a user gets."""
    monkeypatch.setattr("onlooker.drawing.figure.DPI", COARSE)
    monkeypatch.setattr(
        "onlooker.analysis.report.reproduction.save_plate", partial(save_plate, suffixes=[".png"])
    )
    monkeypatch.setattr("onlooker.cli.reproduce._in_another_process", lambda *_: list)


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay figures out, but draw none of them: the same one stands for all."""
    one = figure_bytes(Figure((1, 1)), ".png")
    monkeypatch.setattr("onlooker.drawing.figure.figure_bytes", lambda *_: one)


@pytest.mark.usefixtures("as_if_many", "drawn_small", "laid_out")
def test_reproduce_with_people_stands_beside_the_paper(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "archive", [2])
    words = ("--archive", archive, "--human", archive / MEANS, "-o", tmp_path)
    *said, _ = onlooker("reproduce", *words)[0].splitlines()
    assert len(said) == 3
    assert " claims of the paper: " in said[2]
    page = (tmp_path / "report.html").read_text()
    assert "Naive Observer, meeting=any" in page
    assert "the authors&#x27; counts" in page
    assert "called the same up to ±.02" in page
    more = (tmp_path / "supplement.html").read_text()
    assert "paper&#x27;s r" in more
    assert "Rational Mentalizing: r, Exp. 2" in more
    assert "fitted on the data shown (Exp. 2 together)" in more
    assert (tmp_path / "tables" / "verdicts.csv").is_file()
    assert (tmp_path / "figures" / "calibration.png").is_file()
    assert "Simulated participants." not in page
    assert "47 of 48 counts are the same" in more
    assert "1 is 3 steps more on the expert of Exp.\u00a02" in more
    assert (tmp_path / "figures" / "authors-counts.png").is_file()
    assert (tmp_path / "tables" / "authors-agreement.csv").is_file()
    assert (tmp_path / "figures" / "cost-observation.png").is_file()
    assert "In Exp. 2 the paper reports r .37; the text&#x27;s reading gives" in more
    assert "Left out: there are more than 0 trials; --full tries other parameters on them." in more


@pytest.mark.usefixtures("as_if_many", "drawn_small")
def test_reproduce_on_an_archive_with_people(own_archive: Path, tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    shutil.copytree(own_archive / "problems_exp1", archive / "problems_exp1")
    shutil.copytree(own_archive / "sessions" / "exp1", archive / "sessions" / "exp1")
    shutil.copytree(own_archive / "model_outputs", archive / "model_outputs")
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", archive)
    out = tmp_path / "out"
    printed, complaints = onlooker("reproduce", "--archive", packed, "-o", out)
    assert "missing: maps of Experiment 2 (no folder problems_exp2)" in complaints
    assert "trials left out, as their logs cannot be replayed: 2" in complaints
    assert "compatible" in printed  # these are fewer than the people of the paper
    assert "values differ" not in printed
    assert len(list((out / "archive" / "exp1").iterdir())) == 20
    assert (out / "tables" / "individual" / "fits.csv").is_file()
    ids = [path.stem for path in (archive / "sessions" / "exp1").glob("u*.csv")]
    for path in out.rglob("*"):
        if path.suffix in (".csv", ".json", ".html"):
            assert not [each for each in ids if each in path.read_text("utf-8")], path


def test_people_of_an_archive_are_its_logs_or_else_its_means(
    own_archive: Path, tmp_path: Path
) -> None:
    archive = tmp_path / "archive"
    shutil.copytree(own_archive / "problems_exp1", archive / "problems_exp1")
    trials, _, place, people = _imported(str(archive), tmp_path / "a")
    assert (len(trials), place, people) == (20, tmp_path / "a" / "archive", [])
    shutil.copy(own_archive / MEANS, archive / MEANS)
    assert _imported(str(archive), tmp_path / "b")[3] == [tmp_path / "b/archive/means.csv"]
    shutil.copytree(own_archive / "sessions" / "exp1", archive / "exp1")
    assert _imported(str(archive), tmp_path / "c")[3] == [tmp_path / "c/archive/people"]


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


def test_simulated_participants_play_at_the_costs_that_are_set(own: Path) -> None:
    with (own / "out" / "tables" / "pairs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        assert float(row["human_cost_observation"]) == pytest.approx(
            2 * float(row["human_observed"])
        )
    data = own / "out" / "simulated-participants" / "data"
    for actions in data.glob("*_desc-actions_data.csv"):
        with actions.open() as file:
            paid = {(row["event"], row["cost"]) for row in csv.DictReader(file)}
        assert paid == {("observation", "2"), ("move", "5"), ("interaction", "9")}


@pytest.mark.parametrize("command", ["simulate", "reproduce"])
def test_trials_of_no_experiment(tmp_path: Path, command: str) -> None:
    text = (ROOT / "examples" / "two-experts.map").read_text()
    trial = tmp_path / "mine.map"
    trial.write_text(text.replace("experiment: 3\n", ""))
    option = ("--stimuli",) if command == "reproduce" else ()
    _, complaints = onlooker(command, *option, trial, "-o", tmp_path / "out", status=2)
    assert complaints.startswith("none of these trials says which experiment it belongs to")
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


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("command", "broken_off", "kept"),
    [
        ("simulate", "onlooker.experiments.studies.simulate_study", "nothing was written"),
        ("reproduce", "onlooker.analysis.report.reproduction.reproduce", "no report was written"),
    ],
)
def test_ctrl_c_says_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, broken_off: str, kept: str
) -> None:
    monkeypatch.setattr(broken_off, interrupted)
    option = ("--stimuli",) if command == "reproduce" else ()
    words = (command, *option, ROOT / "examples" / "two-experts.map", "-o", tmp_path / "out")
    _, complaints = onlooker(*words, status=130)
    assert complaints.splitlines()[-1].startswith(f"interrupted: {kept}; the same command begins")
    assert not list(tmp_path.glob("out/*.*"))
