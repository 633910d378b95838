"""A course as a document, so that a session can be shown long after its stimuli have changed."""

from __future__ import annotations

import json
from typing import Any

from onlooker.game import Action, Label, Stage, to_document
from onlooker.game.document import read_document
from onlooker.web.settings.questions import SurveyQuestion
from onlooker.web.study.content import Option, Question
from onlooker.web.study.course import Course
from onlooker.web.study.tutorial import Page
from onlooker.web.texts import load_texts


def dump_course(course: Course) -> str:
    """Everything that people see of a course and that replaying a log needs, as JSON."""
    document = {
        "experiment": course.experiment,
        "language": course.texts.language,
        "pages": [
            {"title": p.title, "text": p.text, "example": p.example, "practice": p.practice}
            for p in course.pages
        ],
        "practice": [_stage_document(stage) for stage in course.practice],
        "questions": [
            {
                "id": question.id,
                "text": question.text,
                "options": {option.id: option.text for option in question.options},
                "right": question.right,
            }
            for question in course.questions
        ],
        "reminder": course.reminder,
        "chances": course.chances,
        "stages": {name: _stage_document(stage) for name, stage in course.stages.items()},
        "least_costs": dict(course.least_costs),
        "orderings": course.orderings,
        "most_choices": course.most_choices,
        "label": course.label,
        "round_questions": [each.model_dump() for each in course.round_questions],
    }
    return json.dumps(document, separators=(",", ":"))


def load_course_document(text: str) -> Course:
    """The course of a document that `dump_course` made."""
    found = json.loads(text)
    return Course(
        experiment=found["experiment"],
        pages=tuple(
            Page(p["title"], tuple(p["text"]), p["example"], p["practice"]) for p in found["pages"]
        ),
        practice=tuple(map(_stage, found["practice"])),
        questions=tuple(
            Question(
                q["id"], q["text"], tuple(Option(*o) for o in q["options"].items()), q["right"]
            )
            for q in found["questions"]
        ),
        reminder=tuple(found["reminder"]),
        chances=found["chances"],
        stages={name: _stage(each) for name, each in found["stages"].items()},
        least_costs=found["least_costs"],
        orderings=tuple(map(tuple, found["orderings"])),
        texts=load_texts(found["language"]),
        most_choices=found["most_choices"],
        label=Label(found["label"]) if found.get("label") else None,
        round_questions=tuple(
            SurveyQuestion.model_validate(each) for each in found.get("round_questions", ())
        ),
    )


def _stage_document(stage: Stage) -> dict[str, Any]:
    return {
        "trial": to_document(stage.trial),
        "scripts": [[str(action) for action in script] for script in stage.scripts],
        "budget": stage.budget,
        "on_empty": stage.on_empty,
        "told": stage.told,
    }


def _stage(found: dict[str, Any]) -> Stage:
    scripts = tuple(tuple(map(Action, script)) for script in found["scripts"])
    return Stage(
        read_document(found["trial"]),
        scripts,
        found["budget"],
        on_empty=found["on_empty"],
        told=found.get("told", True),
    )
