"""What a participant can ask for, and the check that it is well formed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError


def _storable(text: str) -> str:
    """The text without NUL, which PostgreSQL cannot keep."""
    return text.replace("\0", "")


Short = Annotated[str, Field(max_length=60), AfterValidator(_storable)]
Long = Annotated[str, Field(max_length=5000), AfterValidator(_storable)]


class Part(BaseModel):
    """Nothing is converted and nothing unknown is let through."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Nothing(Part):
    """No data."""


class Agreement(Part):
    """Whether the participant takes part."""

    agree: bool


class Answers(Part):
    """The option ticked for each question."""

    answers: Annotated[dict[Short, Short], Field(max_length=50)]


class Chosen(Part):
    """A choice in a round."""

    choice: Short


class SurveyAnswers(Part):
    """What the participant says about itself."""

    age: Annotated[int, Field(ge=18, le=120)] | None = None
    gender: Short | None = None
    feedback: Long = ""


class ConsentIntent(Part):
    """Agree or decline."""

    kind: Literal["consent"]
    data: Agreement


class StepIntent(Part):
    """Go on, go back or leave the study."""

    kind: Literal["next", "back", "withdraw"]
    data: Nothing = Nothing()


class AnswerIntent(Part):
    """Hand in the comprehension check."""

    kind: Literal["answer"]
    data: Answers


class ChooseIntent(Part):
    """Observe or act in a round."""

    kind: Literal["choose"]
    data: Chosen


class SurveyIntent(Part):
    """Hand in the questions at the end."""

    kind: Literal["survey"]
    data: SurveyAnswers


Intent = ConsentIntent | StepIntent | AnswerIntent | ChooseIntent | SurveyIntent

KINDS = ("consent", "next", "back", "answer", "choose", "survey", "withdraw")

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
