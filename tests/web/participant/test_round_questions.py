"""Questions after each round: shown with the round's map, checked, stored and exported."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from onlooker.experiments.dataset import data_file
from onlooker.web.export.dataset import export
from onlooker.web.participant.messages import IntentRequest
from onlooker.web.participant.service import StudyService
from onlooker.web.preflight.settings_checks import check_settings
from onlooker.web.settings import EXAMPLE, Settings, SettingsError, load_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Course
from onlooker.web.study.course_document import dump_course, load_course_document
from web.person import Person
from web.visitor import assert_nothing_leaks, cheapest_way

QUESTIONS = """
[[round.questions]]
id = "goal"
kind = "choice"
text = { en = "Which chest was it going to?", de = "Zu welcher Truhe wollte sie?" }
options_from = "chests"
required = true
[[round.questions]]
id = "sure"
kind = "scale"
text = "How sure are you of the wizard?"
minimum = 1
maximum = 7
when = { question = "goal", answer = "A" }
"""


def asked(folder: Path, text: str = QUESTIONS) -> Settings:
    file = folder / "study.toml"
    file.write_text(EXAMPLE.read_text("utf-8") + text, "utf-8")
    return load_settings(file)


@pytest.fixture
def course(short: Course, tmp_path: Path) -> Course:
    """Two rounds, with questions after each."""
    names = short.orderings[0][:2]
    questions = asked(tmp_path).round.questions
    return replace(short, orderings=(names,), round_questions=questions)


@pytest.fixture
def person(store: Store, course: Course, tmp_path: Path) -> Person:
    """Somebody who has finished the first round."""
    person = Person(StudyService(asked(tmp_path), store, {1: course}), "anna").to_first_card()
    return play(person, course, 0)


def play(person: Person, course: Course, position: int) -> Person:
    person.send("next")
    for taken in cheapest_way(course.stage(1, position)):
        person.send("choose", choice=str(taken.action))
    return person.send("next")


def refused(person: Person, **answers: str | int) -> bool:
    seq = person.view["seq"]
    request = IntentRequest(f"wrong-{len(answers)}", seq, "questions", {"answers": answers})
    return person.service.intent(person.content["session"], request).status == 422


def test_the_options_are_the_chests_of_the_round(person: Person, course: Course) -> None:
    view = person.view
    assert (view["screen"], view["number"], view["of"]) == ("questions", 1, 2)
    chests = [chest.letter for chest in course.stage(1, 0).trial.map.chests]
    assert [option["value"] for option in view["questions"][0]["options"]] == chests
    assert view["game"]["finished"]
    assert_nothing_leaks(course, view | {"questions": []})


@pytest.mark.parametrize(
    "answers", [{}, {"goal": "Z"}, {"goal": "A", "sure": 8}, {"goal": "A", "sure": "very"}]
)
def test_wrong_answers_are_refused(person: Person, answers: dict[str, str | int]) -> None:
    assert refused(person, **answers)
    assert person.service.store.sessions()[0].screen == "questions"


def test_nothing_else_leads_on(person: Person) -> None:
    request = IntentRequest("past-it", person.view["seq"], "next", {})
    assert person.service.intent(person.content["session"], request).status == 422


def test_answers_are_exported_with_their_round(person: Person, course: Course) -> None:
    person.send("questions", answers={"goal": "A", "sure": 5, "other": "x"})
    assert person.view["screen"] == "card"
    play(person, course, 1)
    letters = [option["value"] for option in person.view["questions"][0]["options"]]
    person.send("questions", answers={"goal": letters[-1]})
    assert person.view["screen"] == "survey"
    person.send("survey", answers={"feedback": "Fine."})
    assert person.view["screen"] == "debrief"
    store, service = person.service.store, person.service
    assert store.verify(store.sessions()[0].id, service.courses) == []
    made = export(store, service.settings, service.courses)
    rows = csv.DictReader(io.StringIO(made.files[data_file(1, "answers")]))
    first, second = course.ordering(1)
    expected = [
        ("1", first, "goal", "A"),
        ("1", first, "sure", "5"),
        ("2", second, "goal", letters[-1]),
        ("0", "", "feedback", "Fine."),
    ]
    columns = ("position", "level", "question", "answer")
    assert [tuple(row[name] for name in columns) for row in rows] == expected
    codebook = list(csv.DictReader(io.StringIO(made.files["documentation/codebook.csv"])))
    assert codebook[0]["asked"] == "after each round"
    assert codebook[0]["answers"] == "one of the trial's chests"
    assert codebook[1]["shown if"] == "goal = A"
    assert codebook[2]["asked"] == "at the end"


def test_a_session_keeps_the_questions_that_it_began_with(
    person: Person, course: Course, tmp_path: Path
) -> None:
    assert load_course_document(dump_course(course)).round_questions == course.round_questions
    without = replace(course, round_questions=())
    assert without.stimulus_hash != course.stimulus_hash
    later = StudyService(asked(tmp_path, ""), person.service.store, {1: without})
    assert Person(later, "anna").view["questions"] == person.view["questions"]


def test_preflight_shows_what_is_asked(course: Course, tmp_path: Path) -> None:
    texts = [finding.what for finding in check_settings(asked(tmp_path), {1: course})]
    assert "asked after each round: Which chest was it going to? (choice, required)" in texts


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('options_from = "chests"', 'options_from = "wizards"', "options_from"),
        ('options_from = "chests"', 'options_from = "chests"\noptions = ["A"]', "not both"),
        ('kind = "scale"', 'kind = "scale"\noptions_from = "chests"', "go with kind choice"),
        ('"goal"', '"age"', "'age' is also asked at the end"),
        ("[[round.questions]]", "[[survey.questions]]", "options_from is for"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(SettingsError) as raised:
        asked(tmp_path, QUESTIONS.replace(old, new))
    assert said in str(raised.value)
