"""The files of an online study's dataset: description, tables, data dictionary and README."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from onlooker.experiments.dataset import dataset_files
from onlooker.experiments.records import Records, Row
from onlooker.version import __version__
from onlooker.web.export.tables import ALL_TABLES
from onlooker.web.settings import Settings
from onlooker.web.settings.questions import SurveyQuestion, localised
from onlooker.web.store.models import SessionRow
from onlooker.web.study.course import Course
from onlooker.web.texts import Texts

WebRows = dict[str, list[Row]]  # by the table's name
AskedQuestion = tuple[SurveyQuestion, str]  # and when


def asked_in(course: Course, texts: Texts) -> list[AskedQuestion]:
    """The lab's questions in a course."""
    after_rounds = [(question, "after each round") for question in course.round_questions]
    return after_rounds + [(question, "at the end") for question in course.survey(texts)]


def study_files(
    settings: Settings,
    records: Records,
    rows: WebRows,
    tests: bool,
    problems: Sequence[str],
    sessions: Sequence[SessionRow],
    asked: Sequence[AskedQuestion],
) -> dict[str, str]:
    """The description, the tables, the data dictionary and the README."""
    what = "test runs and bots, not of people" if tests else "people who took part online"
    about = f"{settings.study.title}: data of {what}."
    extra = {
        "budgetRule": settings.study.budget,
        "onEmpty": settings.study.on_empty,
        "codeVersions": sorted({session.code_version for session in sessions} | {__version__}),
        "configHashes": sorted({session.config_hash for session in sessions}),
        "stimulusHashes": sorted({session.stimulus_hash for session in sessions}),
        "notReplayed": list(problems),
    }
    tables = {**records.tables(), **rows}
    files = dataset_files(tables, settings.study.title, about, tests, extra, ALL_TABLES)
    files["README.md"] = _readme(about, tests, problems)
    files["documentation/data_dictionary.csv"] = _dictionary()
    files["documentation/codebook.csv"] = _codebook(settings.study.language, asked)
    return files


def _dictionary() -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["table", "one row is", "column", "kind", "may be empty", "meaning"])
    for table in ALL_TABLES.values():
        for column in table.columns:
            empty = "yes" if column.empty else "no"
            writer.writerow(
                [table.name, table.row, column.name, column.kind, empty, column.meaning]
            )
    return text.getvalue()


def _codebook(language: str, asked: Sequence[AskedQuestion]) -> str:
    """The lab's questions: what was asked when, and what could be answered."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = ["question", "asked", "kind", "required", "text", "answers", "right", "shown if"]
    writer.writerow(columns)
    for question, moment in asked:
        answers = " | ".join(question.values)
        if question.options_from is not None:
            answers = f"one of the trial's {question.options_from}"
        if question.minimum is not None or question.maximum is not None:
            ends = [localised(end, language) for end in (question.low, question.high) if end]
            answers = f"{question.minimum} to {question.maximum}" + (
                f" ({', '.join(ends)})" if ends else ""
            )
        right = "" if question.right is None else question.values[question.right - 1]
        when = question.when
        shown = "" if when is None else f"{when.question} = {when.answer}"
        words = localised(question.text, language)
        needed = "yes" if question.required else "no"
        writer.writerow([question.id, moment, question.kind, needed, words, answers, right, shown])
    return text.getvalue()


def _readme(about: str, tests: bool, problems: Sequence[str]) -> str:
    lines = [
        f"# {about}",
        "",
        "A dataset in the Psych-DS layout. `documentation/data_dictionary.csv` says what every",
        "column means. Participants have random pseudonyms; the dataset contains no participants'",
        "ids and no addresses. Trials, observations and actions were computed from the",
        "event logs by the rules of the game.",
        "",
        "Table `participants` has those who were given an ordering; table `sessions` has everybody",
        "who arrived, including those who declined, failed the check or withdrew. Read the free",
        "texts in `answers` before you share the data. `documentation/codebook.csv` has the",
        "questions.",
    ]
    if tests:
        lines += ["", "**These are test runs and bots, marked as simulated. They are not data.**"]
    if problems:
        lines += ["", "Not among the trials, because their logs could not be replayed:", ""]
        lines += [f"- {problem}" for problem in problems]
    return "\n".join(lines) + "\n"
