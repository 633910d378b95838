"""An experiment of one's own name, from maps to simulated people, a fit and a study with bots."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from onlooker.experiments.naming import from_slug, in_order, read_name, slug
from onlooker.experiments.psych_ds import read_dataset
from onlooker.experiments.stimuli import bundled, stimuli
from onlooker.experiments.trialset import load_trials
from onlooker.game import save_trial
from onlooker.observers import find_observer
from onlooker.web.bots.crew import BotPlan, run_bots
from onlooker.web.export.dataset import export
from onlooker.web.participant.service import StudyService
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import SettingsError, load_settings
from onlooker.web.store import Store
from onlooker.web.study.course import load_courses
from running import ROOT, onlooker

EXAMPLE = ROOT / "examples" / "study.toml"


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The maps of an experiment called pilot, with orderings of two trials."""
    folder = tmp_path_factory.mktemp("maps")
    for place, trial in enumerate(stimuli(2)[::8]):
        mine = replace(trial, name=f"p{place}", experiment="pilot")
        save_trial(mine, folder / f"p{place}.map")
    onlooker("stimuli", "orderings", folder, "--length", "2")
    return folder


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory, maps: Path) -> Path:
    folder = tmp_path_factory.mktemp("people") / "data"
    onlooker("simulate", maps, "-o", folder, "--participants", "6", "--experiment", "pilot")
    return folder


def test_simulated_people_are_compared_and_fitted(tmp_path: Path, maps: Path, people: Path) -> None:
    dataset = read_dataset(people, load_trials([maps]))
    assert dataset.checked
    assert not dataset.notes
    assert set(dataset.tables["actions"]["experiment"]) == {"pilot"}
    assert (people / "data" / "study-pilot_desc-trials_data.csv").is_file()

    onlooker("predict", maps, "-o", tmp_path / "predictions.csv")
    words = ("compare", "--predictions", tmp_path / "predictions.csv", "--human", people)
    printed, _ = onlooker(*words, "--stimuli", maps, "--json")
    found = json.loads(printed)
    assert {row["experiment"] for row in found["fits"]} == {"pilot", "pooled"}
    assert all(row.get("paper_r") is None for row in found["fits"])

    onlooker(
        "fit", "--human", people, "--stimuli", maps, "--experiment", "pilot", "-o", tmp_path / "fits",
        "--observer", "rational_mentalizing", "--observer", "naive_observer", "--nodes", "9",
        "--jobs", "1",
    )  # fmt: skip
    printed, _ = onlooker("compare", "--individual", "--fits", tmp_path / "fits")
    assert "Experiment pilot: " in printed


def test_several_experiments_in_one_dataset(tmp_path: Path, maps: Path) -> None:
    both = tmp_path / "both"
    for trial in [*load_trials([maps]), *stimuli(1)[:3]]:
        save_trial(trial, both / f"{trial.name}.map")
    onlooker("simulate", both, "-o", tmp_path / "data", "--participants", "4")
    about = tmp_path / "data" / "dataset_description.json"  # as if people had played
    about.write_text(about.read_text().replace('"simulated": true', '"simulated": false'))
    onlooker("predict", both, "-o", tmp_path / "predictions.csv")
    words = ("--predictions", tmp_path / "predictions.csv", "--human", tmp_path / "data")
    printed, _ = onlooker("compare", *words, "--stimuli", both, "--json")
    rows = json.loads(printed)["fits"]
    assert list(dict.fromkeys(row["experiment"] for row in rows)) == [1, "pilot", "pooled"]
    beside = {row["experiment"] for row in rows if row["paper_r"] is not None}
    assert beside == {1}  # what the paper reported stays with its own


@pytest.mark.server
def test_a_study_of_it_with_bots(tmp_path: Path, maps: Path) -> None:
    text = EXAMPLE.read_text()
    for key, value in {
        "experiment = 1": 'experiment = "pilot"\nallow_test_runs = true',
        "1 = 56": f'pilot = 56\n\n[stimuli.pilot]\nfolder = "{maps}"',
    }.items():
        assert key in text
        text = text.replace(key, value)
    (tmp_path / "study.toml").write_text(text)
    settings = load_settings(tmp_path / "study.toml")
    assert settings.study.run == ("pilot",)
    assert settings.quota == {"pilot": 56}
    courses = load_courses(settings)
    assert len(courses["pilot"].practice) == 2  # those of the paper's experiment most like it
    with Store(str(tmp_path / "study.db")) as store:
        store.set_paused("pilot", True, "2026-01-01T00:00:00Z")
        assert store.paused("pilot")
        store.set_paused("pilot", False, "2026-01-01T00:00:00Z")
        app = create_app(settings, store, service=StudyService(settings, store, courses))
        with serving(app) as url:
            plan = BotPlan(3, find_observer("rational_mentalizing"), rate=0)
            tally = run_bots(url, courses, plan)
        assert tally.problems == []
        assert [each.experiment for each in store.sessions(test=True)] == ["pilot"] * 3
        (tmp_path / "data.zip").write_bytes(export(store, settings, courses, True).zipped())
    with zipfile.ZipFile(tmp_path / "data.zip") as archive:
        archive.extractall(tmp_path / "bots")
    dataset = read_dataset(tmp_path / "bots", load_trials([maps]))
    assert dataset.checked
    assert len(dataset.tables["participants"]) == 3


@pytest.mark.parametrize("named", [["--experiment", "pilott"], []])
def test_maps_of_another_experiment_are_not_served(
    maps: Path, named: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    onlooker("stimuli", "orderings", maps, "--length", "2")
    _, said = onlooker("serve", *named, "--stimuli", maps, "--port", "0", status=2)
    assert said.startswith(f"{maps}: experiment: ")
    assert f"of Experiment pilot, and the study is of {named[1] if named else 1}" in said
    assert not list(tmp_path.glob("*.sqlite3*"))


def test_an_experiment_that_does_not_come_along_needs_maps(tmp_path: Path, maps: Path) -> None:
    _, complaints = onlooker("preflight", "--experiment", "pilot", status=2)
    assert "expected --stimuli DIR" in complaints
    _, complaints = onlooker("simulate", "-o", tmp_path / "x", "--experiment", "pilot", status=2)
    assert complaints == "--experiment pilot: there are no trials of it\n"
    _, complaints = onlooker("stimuli", "list", "--experiment", "two words", status=2)
    assert complaints == (
        "--experiment: expected a whole number from 1 up or a name such as pilot, of letters and"
        " digits, not 'two words'\n"
    )


@pytest.mark.parametrize(
    "value", ["0", "", "two words", "pooled", "exp1", "p-1", "é", 0, True, 1.5]
)
def test_what_is_no_name(value: object) -> None:
    with pytest.raises(ValueError, match="expected a whole number from 1 up or a name"):
        read_name(value)


def test_names_have_an_order_and_folders() -> None:
    assert in_order(["pilot", 12, "again", 2, 12]) == [2, 12, "again", "pilot"]
    for name in (1, 12, "pilot", "again2"):
        assert from_slug(slug(name)) == name
    assert bundled()[:4] == (1, 2, 3, 4)


def test_settings_say_what_is_no_experiment(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(EXAMPLE.read_text().replace("experiment = ", "experiment = -", 1))
    with pytest.raises(SettingsError, match=r"study.experiment: expected a whole number from 1 up"):
        load_settings(file)
