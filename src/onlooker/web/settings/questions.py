"""Questions that a lab asks: in the settings file, one table for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from onlooker.web.texts import Texts, languages

MAX_TEXT = 5000  # characters of a free answer


def _known(language: str) -> str:
    if language not in languages():
        raise ValueError(f"expected one of the languages {', '.join(languages())}")
    return language


Value = str | int
Language = Annotated[str, AfterValidator(_known)]
Phrase = Annotated[str, Field(min_length=1, max_length=500)]
Localised = Phrase | dict[Language, Phrase]  # one text, or one for each language
QuestionId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class QuestionTable(BaseModel):
    """A table of the settings file about questions."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Condition(QuestionTable):
    """An earlier answer on which a question depends."""

    question: QuestionId
    answer: Value


class SurveyQuestion(QuestionTable):
    """A question: a choice of options, a number, a scale with labels at its ends, or a text."""

    id: QuestionId
    kind: Literal["choice", "number", "scale", "text"]
    text: Localised
    required: bool = False
    options: tuple[Localised, ...] = ()  # of a choice
    options_from: Literal["chests"] | None = None  # after a round: those of its trial
    minimum: int | None = None  # of a number or scale
    maximum: int | None = None
    low: Localised | None = None  # what the ends of a scale mean
    high: Localised | None = None
    right: Annotated[int, Field(ge=1)] | None = None  # the option that shows attention, from 1
    when: Condition | None = None  # shown only after this answer

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        if (self.kind == "choice") != bool(self.options or self.options_from):
            raise ValueError("options go with kind choice, which needs at least one")
        if self.options and self.options_from:
            raise ValueError("expected either options or options_from, not both")
        if self.right is not None and self.right > len(self.options):
            raise ValueError(f"right: there is no option {self.right}")
        if self.kind == "scale" and (self.minimum is None or self.maximum is None):
            raise ValueError("a scale needs minimum and maximum")
        if self.kind in ("choice", "text") and (self.minimum, self.maximum) != (None, None):
            raise ValueError("minimum and maximum go with kind number or scale")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ValueError("minimum is larger than maximum")
        if self.kind == "scale" and int(self.maximum or 0) - int(self.minimum or 0) > 20:
            raise ValueError("a scale has at most 21 points; use kind number")
        return self

    @property
    def values(self) -> list[str]:
        """What is stored for each option: its text, in the first language that it is given in."""
        return [_first(option) for option in self.options]

    def about(self, chests: Sequence[str]) -> Self:
        """The question with the options of a trial, whose chests have these letters."""
        if self.options_from is None:
            return self
        return self.model_copy(update={"options": tuple(chests), "options_from": None})

    def problem(self, value: object) -> str:
        """What is wrong with an answer; empty if nothing is."""
        if self.kind == "choice":
            return "" if value in self.values else "expected one of its options"
        if self.kind == "text":
            fits = isinstance(value, str) and len(value) <= MAX_TEXT
            return "" if fits else f"expected a text of at most {MAX_TEXT} characters"
        if type(value) is not int:
            return "expected a whole number"
        low, high = self.minimum, self.maximum
        if (low is not None and value < low) or (high is not None and value > high):
            return f"expected a number from {low} to {high}"
        return ""

    def is_right(self, value: object) -> bool | None:
        """Whether an answer shows attention; None if the question does not ask for that."""
        return None if self.right is None else value == self.values[self.right - 1]


def check_ids(questions: Sequence[SurveyQuestion]) -> None:
    """ValueError if two questions have one id, or one depends on an answer that nobody can give."""
    seen: dict[str, SurveyQuestion] = {}
    for question in questions:
        if question.id in seen:
            raise ValueError(f"two questions are called {question.id!r}")
        if (when := question.when) is not None:
            earlier, place = seen.get(when.question), f"{question.id}: when"
            if earlier is None:
                raise ValueError(f"{place}: no question {when.question!r} before it")
            problem = "" if earlier.options_from else earlier.problem(when.answer)
            if problem:
                raise ValueError(f"{place}: answer {when.answer!r} to {when.question!r}: {problem}")
        seen[question.id] = question


def is_asked(question: SurveyQuestion, given: Mapping[str, object]) -> bool:
    """Whether a question is shown to somebody who gave these answers."""
    return question.when is None or given.get(question.when.question) == question.when.answer


def kept_answers(
    questions: Sequence[SurveyQuestion], given: Mapping[str, object]
) -> dict[str, Value] | str:
    """The answers to what was asked; what is wrong with them if something is."""
    kept: dict[str, Value] = {}
    for question in questions:
        value = given.get(question.id)
        if not is_asked(question, kept):
            continue
        if value is None or value == "":
            if question.required:
                return f"question {question.id!r} has no answer"
            continue
        if problem := question.problem(value):
            return f"question {question.id!r}: {problem}"
        assert isinstance(value, str | int)
        kept[question.id] = value
    return kept


def default_questions(texts: Texts) -> tuple[SurveyQuestion, ...]:
    """Age, gender, whether people read, and what they want to say."""
    return (
        SurveyQuestion(
            id="age", kind="number", text=texts.line("survey.age"), minimum=18, maximum=120
        ),
        SurveyQuestion(
            id="gender",
            kind="choice",
            text=texts.line("survey.gender"),
            options=tuple(texts.lines("survey.genders")),
        ),
        SurveyQuestion(
            id="attention",
            kind="choice",
            text=texts.line("survey.attention"),
            options=tuple(texts.lines("survey.attention_options")),
            right=4,
        ),
        SurveyQuestion(id="feedback", kind="text", text=texts.line("survey.feedback")),
    )


def localised(text: Localised, language: str) -> str:
    """A text in a language; in the first one that it is given in if that is none of them."""
    if isinstance(text, str):
        return text
    return text.get(language) or _first(text)


def _first(text: Localised) -> str:
    return text if isinstance(text, str) else next(iter(text.values()))
