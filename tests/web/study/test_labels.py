"""A study of teachers: what people are told of them is a condition between participants."""

from __future__ import annotations

import json
import re
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from onlooker.cli.options import LabelName as CliLabel
from onlooker.experiments.psych_ds import read_dataset
from onlooker.experiments.stimuli import tutorials
from onlooker.experiments.trialset import load_trials
from onlooker.game import Expertise, Label, parse_trial, save_trial
from onlooker.observers import find_observer
from onlooker.planning import as_played
from onlooker.web.bots.crew import BotPlan, run_bots
from onlooker.web.export.dataset import export
from onlooker.web.participant.service import StudyService
from onlooker.web.researcher.dashboard import Dashboard
from onlooker.web.researcher.pages import DashboardContent, live_part
from onlooker.web.researcher.sign_in import SignedInUser
from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import Settings, SettingsError, load_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Course, load_course, load_courses
from onlooker.web.study.course_document import dump_course, load_course_document
from onlooker.web.study.game_view import game_view
from running import ROOT, onlooker
from waiting import HANG
from web.asgi import Browser
from web.visitor import Visitor

EXAMPLE = ROOT / "examples" / "teachers" / "study.toml"
NEAR = """\
name: near
experiment: lesson
outcomes: hidden

map:
b....2....$
.####.####.
.....@.....
#####=#####
B....A....C

legend:
@ = main agent, goal A
2 = teacher agent2, goal B
$ = blue wizard, holder
b = blue wizard
= = blue barrier
"""


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two maps with teachers, one of which walks as it is told to."""
    folder = tmp_path_factory.mktemp("maps")
    feint = (ROOT / "examples" / "teachers" / "feint.map").read_text()
    trial = as_played(parse_trial(feint.replace("outcomes:", "experiment: lesson\noutcomes:")))
    save_trial(trial, folder / "feint.map")
    save_trial(parse_trial(NEAR), folder / "near.map")
    orderings = {"experiment": "lesson", "length": 2, "orderings": [["feint", "near"]]}
    (folder / "orderings.json").write_text(json.dumps(orderings))
    return folder


def settings_of(folder: Path, maps: Path, language: str = "en", **changes: str) -> Settings:
    """The example's settings for these maps, with test runs."""
    text = EXAMPLE.read_text()
    changes = {
        "experiment = 5": 'experiment = "lesson"\nallow_test_runs = true',
        'language = "en"': f'language = "{language}"',
        "[researcher]": f'[stimuli.lesson]\nfolder = "{maps}"\n\n[researcher]',
        **changes,
    }
    for key, value in changes.items():
        assert key in text
        text = text.replace(key, value)
    (folder / "study.toml").write_text(text)
    return load_settings(folder / "study.toml")


@pytest.fixture
def course(tmp_path: Path, maps: Path) -> Course:
    return load_course(settings_of(tmp_path, maps), "lesson")


def test_the_labels_are_the_same_everywhere() -> None:
    assert tuple(Label) == tuple(CliLabel)


def shown(course: Course) -> set[str]:
    """The kinds of NPCs that views of the course's rounds say."""
    views = (game_view(stage, [], False, course.texts) for stage in course.stages.values())
    return {npc["expertise"] for view in views for npc in view["npcs"]}


def test_what_people_read_depends_on_their_label(course: Course) -> None:
    assert course.labels == ("expert", "teacher", "untold")
    told = {label: course.under(label) for label in course.labels}
    assert {label: shown(each) for label, each in told.items()} == {
        "expert": {"expert"},
        "teacher": {"teacher"},
        "untold": {"untold"},
    }
    titles = {label: [page.title for page in each.pages] for label, each in told.items()}
    assert "Teachers" in titles["teacher"]
    assert "Teachers" not in titles["expert"] + titles["untold"]
    asked = {label: {question.id for question in each.questions} for label, each in told.items()}
    assert [asked[label] & {"expert", "teacher", "untold"} for label in told] == [
        {"expert"},
        {"teacher"},
        {"untold"},
    ]
    said = {label: " ".join(each.reminder) for label, each in told.items()}
    assert "teacher" not in said["expert"].lower() + said["untold"].lower()
    frames = [page.example["frames"][0] for page in told["untold"].pages if page.example]
    kinds = {npc["expertise"] for frame in frames for npc in frame["npcs"]}
    assert kinds == {"untold"}


def test_the_same_is_played_under_every_label(course: Course) -> None:
    scripts = [{n: s.scripts for n, s in each.stages.items()} for each in course.variants]
    assert scripts[0] == scripts[1] == scripts[2]
    assert [str(action) for action in scripts[0]["near"][0][:5]] == ["right"] * 5  # it teaches
    trials = [each.stages["near"].trial for each in course.variants]
    assert {trial.npcs[0].expertise for trial in trials} == {Expertise.TEACHER}
    assert len({each.stimulus_hash for each in course.variants}) == 3


def test_maps_without_practice_get_that_of_the_papers_most_similar_experiment(
    course: Course,
) -> None:
    """Experiment 2 has one NPC and several chests, too."""
    practice = [stage.trial for stage in course.practice]
    assert [trial.map for trial in practice] == [trial.map for trial in tutorials(2)]
    assert not any(trial.reveals_outcomes for trial in practice)


def test_a_course_is_kept_with_its_label(course: Course) -> None:
    for each in course.variants:
        again = load_course_document(dump_course(each))
        assert (again.label, again.stimulus_hash) == (each.label, each.stimulus_hash)
        assert shown(again) == shown(each)


def test_wrong_labels_are_named(tmp_path: Path, maps: Path) -> None:
    labels = '["expert", "teacher", "untold"]'
    with pytest.raises(SettingsError, match=r"study.labels.1: should be 'expert', 'teacher'"):
        settings_of(tmp_path, maps, **{labels: '["expert", "novice"]'})
    with pytest.raises(SettingsError, match=r"study.labels: a label comes twice"):
        settings_of(tmp_path, maps, **{labels: '["expert", "expert"]'})


@pytest.mark.server
def test_bots_play_under_all_labels_and_answer(tmp_path: Path, maps: Path) -> None:
    settings = settings_of(tmp_path, maps, "de")  # the browser's tests have some in English
    courses = load_courses(settings)
    with Store(str(tmp_path / "study.db"), HANG) as store:
        service = StudyService(settings, store, courses)
        with serving(create_app(settings, store, service=service)) as url:
            plan = BotPlan(
                3, find_observer("rational_mentalizing"), rate=0, patience=HANG, timeout=HANG
            )
            tally = run_bots(url, courses, plan)
        assert tally.problems == []
        assert tally.finished == 3
        sessions = store.sessions(test=True)
        assert Counter(each.label for each in sessions) == dict.fromkeys(tuple(Label), 1)
        assert [store.verify(each.id, courses) for each in sessions] == [[]] * 3
        shown = Dashboard(service).figures("lesson", tests=True).labels
        assert [(each.arrived, each.started, each.complete) for each in shown] == [(1, 1, 1)] * 3
        (tmp_path / "data.zip").write_bytes(export(store, settings, courses, True).zipped())
    with zipfile.ZipFile(tmp_path / "data.zip") as archive:
        archive.extractall(tmp_path / "bots")
    dataset = read_dataset(tmp_path / "bots", load_trials([maps]))
    assert dataset.checked
    people = dataset.tables["participants"].set_index("participant")["label"]
    assert Counter(people) == dict.fromkeys(tuple(Label), 1)
    trials = dataset.tables["trials"]
    assert (trials["label"] == trials["participant"].map(people)).all()
    [answers] = (tmp_path / "bots").rglob("*desc-answers_data.csv")
    lines = answers.read_text().splitlines()
    assert sum(",chest," in line for line in lines) == 6
    assert sum(",sure," in line for line in lines) == 6


def test_the_dashboard_counts_people_by_label(tmp_path: Path, maps: Path) -> None:
    settings = settings_of(tmp_path, maps)
    courses = load_courses(settings)
    with Store(str(tmp_path / "study.db"), HANG) as store:
        service = StudyService(settings, store, courses)
        app = create_app(settings, store, service=service)
        people: dict[str, list[Visitor]] = {}
        for number in range(6):
            visitor = Visitor(Browser(app), f"p{number}", settings.study.study_ids[0])
            visitor.arrive()
            people.setdefault(visitor.view["study"]["label"], []).append(visitor)
        people["teacher"][0].go_to(courses["lesson"].under("teacher"), "card")
        people["untold"][0].send("consent", agree=False)
        figures = Dashboard(service).figures("lesson")
        service.courses = {}  # the settings do not run it any more
        past = Dashboard(service).figures("lesson")
        app.state.intents.close()
    counted = {each.name: (each.arrived, each.started) for each in figures.labels}
    assert counted == {"expert": (2, 0), "teacher": (2, 1), "untold": (2, 0)}
    ends = {each.name: (each.complete, each.active, each.dropped) for each in figures.labels}
    assert ends == {"expert": (0, 2, 0), "teacher": (0, 2, 0), "untold": (0, 1, 1)}
    assert past.labels == figures.labels
    content = DashboardContent([figures], [], 0, [], "$", "2025-03-01T12:00:00Z")
    page = live_part(content, SignedInUser("somebody", "token"))
    assert re.search(r">teacher</th><td>2</td><td>1</td>\s*<td>0</td><td>2</td><td>0</td>", page)


def test_simulated_people_under_labels(tmp_path: Path, maps: Path) -> None:
    labels = [word for label in tuple(Label) for word in ("--label", label)]
    onlooker("simulate", maps, "-o", tmp_path / "people", "--participants", "6", *labels)
    dataset = read_dataset(tmp_path / "people", load_trials([maps]))
    people = dataset.tables["participants"]
    assert people["label"].tolist() == [*tuple(Label), *tuple(Label)]
    assert set(dataset.tables["observations"]["expertise"]) == {"teacher"}
    words = ("simulate", maps, "-o", tmp_path / "more", "--label", "untold")
    _, complaints = onlooker(*words, "--observer", "naive_observer", status=2)
    assert complaints.startswith("--label untold: naive_observer does nothing about")
