"""The questions at the end: the settings have them, and everything else follows."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from onlooker.experiments.dataset import data_file
from onlooker.web.export.dataset import export
from onlooker.web.participant.messages import IntentRequest
from onlooker.web.participant.service import StudyService
from onlooker.web.settings import EXAMPLE, Survey, load_settings
from onlooker.web.settings.file import SettingsError
from onlooker.web.store import Store
from onlooker.web.study.course import Course
from onlooker.web.study.session_state import SessionState
from web.person import Person, study
from web.records import events

QUESTIONS = """
[[survey.questions]]
id = "fun"
kind = "scale"
text = { en = "How much fun was it?", de = "Wie viel Spaß hat es gemacht?" }
minimum = 1
maximum = 7
low = { en = "none", de = "keinen" }
high = { en = "a lot", de = "viel" }
required = true

[[survey.questions]]
id = "why"
kind = "text"
text = "Why?"
when = { question = "fun", answer = 1 }
required = true

[[survey.questions]]
id = "reads"
kind = "choice"
text = "Please choose the second answer."
options = ["one", { en = "two", de = "zwei" }]
right = 2
"""


def asked(tmp_path: Path, text: str = QUESTIONS) -> Survey:
    file = tmp_path / "study.toml"
    file.write_text(EXAMPLE.read_text("utf-8") + text, "utf-8")
    return load_settings(file).survey


@pytest.fixture
def person(store: Store, short: Course, tmp_path: Path) -> Person:
    """Somebody who is asked."""
    survey = asked(tmp_path)
    course = replace(short, survey_questions=survey.questions)
    service = StudyService(study(survey=survey), store, {1: course})
    found = Person(service, "anna")
    with store.write() as tx:
        session = tx.session_of(found.content["session"])
        state = SessionState(screen="survey", ordering=1, practice=(), logs=())
        session.state, session.screen, session.ordering = state.dump(), "survey", 1
        tx.touch(session, session.last_seen)
    return found


def send(person: Person, **answers: Any) -> int:
    token, seq = person.content["session"], person.service.store.sessions()[0].seq
    request = IntentRequest(f"answers-{len(answers)}-{seq}", seq, "survey", {"answers": answers})
    return person.service.intent(token, request).status


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"fun": 8},
        {"fun": "much"},
        {"fun": True},
        {"fun": 1},
        {"fun": 1, "why": "x" * 5001},
        {"fun": 2, "reads": "three"},
    ],
)
def test_wrong_answers_are_refused(person: Person, answers: dict[str, Any]) -> None:
    assert send(person, **answers) == 422


def test_only_what_is_asked_is_kept_and_exported(person: Person) -> None:
    assert send(person, fun=2, why="not asked", reads="two", age=30, other="x") == 200
    store = person.service.store
    [event] = [e for e in events(store, store.sessions()[0].id) if e.kind == "survey"]
    assert event.data["answers"] == {"fun": 2, "reads": "two"}
    made = export(store, person.service.settings, person.service.courses)
    rows = list(csv.DictReader(io.StringIO(made.files[data_file(1, "answers")])))
    assert [(row["question"], row["answer"], row["right"]) for row in rows] == [
        ("fun", "2", ""),
        ("reads", "two", "true"),
    ]
    codebook = list(csv.DictReader(io.StringIO(made.files["documentation/codebook.csv"])))
    assert [row["question"] for row in codebook] == ["fun", "why", "reads"]
    assert codebook[0]["answers"] == "1 to 7 (none, a lot)"
    assert codebook[1]["shown if"] == "fun = 1"


def test_answers_stay_with_the_questions_they_were_given_to(person: Person) -> None:
    assert send(person, fun=2, reads="two") == 200
    settings, store = study(), person.service.store  # which asks the usual questions
    courses = {1: replace(person.service.courses[1], survey_questions=None)}
    made = export(store, settings, courses)
    rows = list(csv.DictReader(io.StringIO(made.files[data_file(1, "answers")])))
    assert [(row["question"], row["right"]) for row in rows] == [("fun", ""), ("reads", "true")]
    codebook = list(csv.DictReader(io.StringIO(made.files["documentation/codebook.csv"])))
    asked = [row["question"] for row in codebook]
    assert asked == ["age", "gender", "attention", "feedback", "fun", "why", "reads"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id = "why"', 'id = "fun"', "two questions are called 'fun'"),
        ('question = "fun"', 'question = "reads"', "no question 'reads' before it"),
        ("answer = 1", "answer = 8", "why: when: answer 8 to 'fun': expected a number from 1 to 7"),
        ("answer = 1", 'answer = "1"', "answer '1' to 'fun': expected a whole number"),
        ("minimum = 1", "", "a scale needs minimum and maximum"),
        ("right = 2", "right = 3", "there is no option 3"),
        ('kind = "text"', 'kind = "essay"', "kind"),
        ('options = ["one"', 'choices = ["one"', "unknown key"),
        ("maximum = 7", "maximum = 99", "at most 21 points"),
    ],
)
def test_mistakes_in_questions_are_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(SettingsError, match="survey") as raised:
        asked(tmp_path, QUESTIONS.replace(old, new))
    assert said in str(raised.value)
