"""Intents: what a participant's browser asks the server to do, with their validation."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError


def _storable(text: str) -> str:
    """The text without NUL, which PostgreSQL cannot store."""
    return text.replace("\0", "")


ShortText = Annotated[str, Field(max_length=60), AfterValidator(_storable)]
LongText = Annotated[str, Field(max_length=5000), AfterValidator(_storable)]


class StrictModel(BaseModel):
    """A model that converts nothing and refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Nothing(StrictModel):
    """No data."""


class Agreement(StrictModel):
    """Whether the participant takes part, and in what; the server fills in the form's version."""

    agree: bool
    version: str = ""
    text_hash: str = ""


class Answers(StrictModel):
    """The option ticked for each question."""

    answers: Annotated[dict[ShortText, ShortText], Field(max_length=50)]


class Chosen(StrictModel):
    """A choice in a round."""

    choice: ShortText


class SurveyAnswers(StrictModel):
    """The answers to the survey by their question's id; version 0.1.0 had three fields instead."""

    answers: Annotated[dict[ShortText, LongText | int], Field(max_length=50)] = {}
    age: int | None = None
    gender: ShortText | None = None
    feedback: LongText = ""

    def all(self) -> dict[str, str | int]:
        """The answers that were given."""
        named = {"age": self.age, "gender": self.gender, "feedback": self.feedback}
        return {k: v for k, v in named.items() if v not in (None, "")} | self.answers


class ConsentIntent(StrictModel):
    """Agree or decline."""

    kind: Literal["consent"]
    data: Agreement


class StepIntent(StrictModel):
    """Continue, go back or leave the study."""

    kind: Literal["next", "back", "withdraw"]
    data: Nothing = Nothing()


class AnswerIntent(StrictModel):
    """Submit the comprehension check."""

    kind: Literal["answer"]
    data: Answers


class ChooseIntent(StrictModel):
    """Observe or act in a round."""

    kind: Literal["choose"]
    data: Chosen


class SurveyIntent(StrictModel):
    """Submit the survey."""

    kind: Literal["survey"]
    data: SurveyAnswers


class QuestionsIntent(StrictModel):
    """Submit the questions after a round."""

    kind: Literal["questions"]
    data: SurveyAnswers


Intent = ConsentIntent | StepIntent | AnswerIntent | ChooseIntent | SurveyIntent | QuestionsIntent

KINDS = ("consent", "next", "back", "answer", "choose", "questions", "survey", "withdraw")

_adapter: TypeAdapter[Intent] = TypeAdapter(Annotated[Intent, Field(discriminator="kind")])


class MalformedIntentError(ValueError):
    """An intent's kind or data are not what they should be."""


def read_intent(kind: str, data: dict[str, Any]) -> Intent:
    """The intent of a kind with its data; MalformedIntentError says what is wrong."""
    try:
        return _adapter.validate_python({"kind": kind, "data": data})
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        raise MalformedIntentError(f"{place or 'kind'}: {first['msg']}") from None
