"""A study's settings: one TOML file, checked as a whole before anything starts."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from onlooker.experiments.naming import in_order, read_name
from onlooker.game import BudgetRule, ExperimentName, Label
from onlooker.game.play import OnEmpty
from onlooker.web.settings.passwords import check_password, is_password_hash, weakness
from onlooker.web.settings.questions import (
    Language,
    SurveyQuestion,
    check_ids,
    default_questions,
)
from onlooker.web.texts import Texts, changed_texts

Name = Annotated[ExperimentName, BeforeValidator(read_name)]  # of an experiment
TextLine = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^\S(.*\S)?$")]
Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Code = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
EnvironmentName = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")]
WebAddress = Annotated[str, Field(pattern=r"^https?://\S+$")]
Money = Annotated[Decimal, Field(ge=0, le=1000, max_digits=6, decimal_places=2)]

MAX_CHOICES = 500  # in one round, by default; people need fewer than 100
EXAMPLE = Path(__file__).with_name("settings.example.toml")


class SettingsError(ValueError):
    """A settings file is wrong; `problems` has a line for everything that is."""

    def __init__(self, source: str, problems: list[str]) -> None:
        self.source, self.problems = source, problems
        super().__init__("\n".join(f"{source}: {problem}" for problem in problems))


class SettingsTable(BaseModel):
    """A table of the settings file: its keys are known and nothing changes it later."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Study(SettingsTable):
    """What the study is and how it is run."""

    title: TextLine
    contact: Text  # whom participants can write to
    language: Language = "en"  # of everything that participants read
    minutes: Annotated[int, Field(ge=1, le=600)] | None = None  # how long it takes, in median
    experiment: Name | None = None
    experiments: dict[Code, Name] = {}  # STUDY_ID -> experiment
    labels: tuple[Label, ...] = ()  # of NPCs that teach, between participants
    study_ids: tuple[Code, ...] = ()  # with `experiment`: who has another STUDY_ID is not let in
    check_attempts: Annotated[int, Field(ge=2, le=10)] = 2
    on_empty: OnEmpty = "continue"
    budget: BudgetRule = "paper"
    most_choices: Annotated[int, Field(ge=100, le=2000)] = MAX_CHOICES  # in one round
    minimum_viewport: tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]] = (900, 600)
    allow_test_runs: bool = False

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.experiment is None) == (not self.experiments):
            raise ValueError("expected either experiment = … or a table [study.experiments]")
        if self.experiments and self.study_ids:
            raise ValueError("study_ids goes with experiment = …, not with [study.experiments]")
        return self

    @field_validator("labels")
    @classmethod
    def _each_once(cls, labels: tuple[Label, ...]) -> tuple[Label, ...]:
        if len(set(labels)) < len(labels):
            raise ValueError("a label comes twice; expected each once")
        return labels

    @property
    def run(self) -> tuple[ExperimentName, ...]:
        """The experiments that this installation runs."""
        if self.experiment is not None:
            return (self.experiment,)
        return tuple(in_order(self.experiments.values()))


class Admission(SettingsTable):
    """Who is let in."""

    link_key_env: EnvironmentName | None = None  # with one, only links of `onlooker links`
    prolific: Literal["signed"] | None = None  # with it, only links that Prolific has signed
    prolific_audience: TextLine | None = None  # the domain of the study, which such links name
    prolific_keys: WebAddress = "https://api.prolific.com/.well-known/study/jwks.json"

    @model_validator(mode="after")
    def _has_audience(self) -> Self:
        if self.prolific and not self.prolific_audience:
            raise ValueError('prolific = "signed" needs prolific_audience, the study\'s domain')
        return self

    @property
    def link_key(self) -> str:
        """The key of signed links; empty if there is none."""
        return os.environ.get(self.link_key_env or "", "")

    @property
    def missing(self) -> list[str]:
        """The environment variables that the settings name and that are not set."""
        name = self.link_key_env
        return [name] if name and not os.environ.get(name) else []


class Consent(SettingsTable):
    """What people agree to; a new text needs a new version."""

    text: Text
    data_protection: Text | None = None  # a section of its own on the same page
    version: TextLine
    agree: TextLine | None = None  # the buttons; by default as in the language's texts
    decline: TextLine | None = None


class Debrief(SettingsTable):
    """What people read at the end; by default as in the language's texts."""

    text: Text | None = None


class Completion(SettingsTable):
    """Where people are sent in the end, and with which code."""

    url: Annotated[str, Field(pattern=r"^https?://[^\s{}]*\{code\}[^\s{}]*$")]
    complete: Code
    failed_check: Code
    no_consent: Code
    screened_out: Code
    technical: Code
    withdrawn: Code | None = None  # without one, people are asked to return their submission

    def link(self, code: str) -> str:
        """The address to send a participant to."""
        return self.url.replace("{code}", code)


class Payment(SettingsTable):
    """What people are paid."""

    base: Money
    currency: Annotated[str, Field(min_length=1, max_length=5)] = "$"
    bonus_rule: Literal["share", "per_point", "none"] = "share"
    bonus_max: Money = Decimal("2.00")
    bonus_per_point: Annotated[Decimal, Field(ge=0, le=10)] = Decimal("0.01")  # rule per_point


class Timeouts(SettingsTable):
    """How long people may be inactive."""

    active_minutes: Annotated[int, Field(ge=1, le=24 * 60)] = 30  # counts as taking part
    expiry_hours: Annotated[int, Field(ge=1, le=24 * 60)] = 24  # can be resumed


class Survey(SettingsTable):
    """What is asked after the last round."""

    questions: tuple[SurveyQuestion, ...] | None = None  # None: age, gender, attention, feedback

    @model_validator(mode="after")
    def _ids(self) -> Self:
        check_ids(self.questions or ())
        for question in self.questions or ():
            if question.options_from is not None:
                raise ValueError(f"{question.id}: options_from is for [[round.questions]]")
        return self

    def asked(self, texts: Texts) -> tuple[SurveyQuestion, ...]:
        """The questions, the usual ones if the settings have none."""
        return default_questions(texts) if self.questions is None else self.questions


class Round(SettingsTable):
    """What is asked after each round that counts."""

    questions: tuple[SurveyQuestion, ...] = ()

    @model_validator(mode="after")
    def _ids(self) -> Self:
        check_ids(self.questions)
        return self


class Stimuli(SettingsTable):
    """A lab's own trials for one experiment; for a bundled one, instead of its own."""

    folder: Path | None = None  # .map and .json files; those marked as tutorial are the practice
    orderings: Path | None = None  # default: orderings.json in the folder, or the bundled ones


class Researcher(SettingsTable):
    """The password of the researcher's pages; there is no default."""

    password_hash: str | None = None
    password_env: EnvironmentName | None = None

    @field_validator("password_hash")
    @classmethod
    def _known_form(cls, value: str | None) -> str | None:
        if value is not None and not is_password_hash(value):
            raise ValueError("expected a hash that starts with scrypt$, not a password")
        return value

    @model_validator(mode="after")
    def _at_most_one(self) -> Self:
        if self.password_hash and self.password_env:
            raise ValueError("expected either password_hash or password_env, not both")
        return self

    @property
    def configured(self) -> bool:
        """Whether there is a password at all."""
        return bool(self.password_hash or os.environ.get(self.password_env or ""))

    @property
    def weakness(self) -> str:
        """What is wrong with the password; empty if it is good, or stored as a hash."""
        known = os.environ.get(self.password_env or "", "")
        return weakness(known) if known else ""

    @property
    def fingerprint(self) -> str:
        """Differs when the password does; it is kept in memory only."""
        return self.password_hash or os.environ.get(self.password_env or "", "")

    def admits(self, password: str) -> bool:
        """Whether this is the password."""
        if self.password_hash:
            return check_password(password, self.password_hash)
        known = os.environ.get(self.password_env or "")
        digest = [hashlib.sha256(text.encode()).digest() for text in (password, known or "")]
        return bool(known) and digest[0] == digest[1]


class Settings(SettingsTable):
    """Everything a study's settings file says."""

    study: Study
    consent: Consent
    completion: Completion
    payment: Payment
    debrief: Debrief = Debrief()
    admission: Admission = Admission()
    quota: dict[Name, Annotated[int, Field(ge=1)]] = {}  # per experiment; none: no limit
    timeouts: Timeouts = Timeouts()
    survey: Survey = Survey()
    round: Round = Round()
    stimuli: dict[Name, Stimuli] = {}  # per experiment
    texts: dict[str, Any] = {}  # instead of those of the language, by table and key
    researcher: Researcher = Researcher()

    @model_validator(mode="after")
    def _known_texts(self) -> Self:
        assert self.spoken
        return self

    @property
    def spoken(self) -> Texts:
        """What participants read: the language's texts, with those of the settings."""
        return changed_texts(self.study.language, json.dumps(self.texts, sort_keys=True))

    @model_validator(mode="after")
    def _one_question_for_an_id(self) -> Self:
        at_end = {question.id for question in self.survey.asked(self.spoken)}
        for question in self.round.questions:
            if question.id in at_end:
                raise ValueError(f"round.questions: {question.id!r} is also asked at the end")
        return self

    @model_validator(mode="after")
    def _only_what_is_run(self) -> Self:
        for key, named in (("quota", self.quota), ("stimuli", self.stimuli)):
            if other := in_order(set(named) - set(self.study.run)):
                raise ValueError(f"{key}: experiment {other[0]} is not run by this study")
        return self

    def experiment_of(self, study_id: str) -> ExperimentName | None:
        """The experiment that a STUDY_ID stands for; None if it is not known."""
        if self.study.experiment is not None:
            known = not self.study.study_ids or study_id in self.study.study_ids
            return self.study.experiment if known else None
        return self.study.experiments.get(study_id)

    @property
    def config_hash(self) -> str:
        """Changes when a setting does; the password and the places of files do not count."""
        shown = self.model_dump(mode="json", exclude={"researcher", "stimuli"})
        return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:16]


def load_settings(path: str | os.PathLike[str]) -> Settings:
    """The settings in a file; SettingsError names the file and every key that is wrong."""
    source = os.fspath(path)
    try:
        values = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SettingsError(source, [f"cannot be read: {error.strerror}"]) from None
    except UnicodeDecodeError:
        raise SettingsError(source, ["not UTF-8 text"]) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(source, [f"not valid TOML: {error}"]) from None
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        problems = [_problem(dict(problem)) for problem in error.errors()]
        raise SettingsError(source, problems) from None
    return _from_here(settings, Path(path).parent)


def default_settings(experiment: ExperimentName) -> Settings:
    """Settings to try an experiment locally: the example's, for test runs only, no password."""
    example = load_settings(EXAMPLE)
    return Settings(
        study=Study(
            title=example.study.title,
            contact="the person who started this server",
            minutes=example.study.minutes,
            experiment=experiment,
            allow_test_runs=True,
        ),
        consent=example.consent.model_copy(update={"version": "example-1"}),
        completion=Completion(
            url=example.completion.url,
            complete="EXAMPLE-COMPLETE",
            failed_check="EXAMPLE-CHECK",
            no_consent="EXAMPLE-CONSENT",
            screened_out="EXAMPLE-SCREENED",
            technical="EXAMPLE-TECHNICAL",
        ),
        payment=example.payment,
    )


def _problem(error: dict[str, Any]) -> str:
    """A problem as text: the key, what was expected and what is there."""
    key = ".".join(str(part) for part in error["loc"] if part != "[key]")
    if error["type"] == "extra_forbidden":
        return f"{key}: unknown key; {_known(error['loc'][:-1])}"
    if error["type"] == "missing":
        return f"{key}: missing; it must be given"
    message = error["msg"].removeprefix("Value error, ").replace("Input should", "should")
    given = error.get("input")
    said = isinstance(given, dict) or ", not " in message
    shown = "" if said else f", not {str(given)[:60]!r}"
    return f"{key or 'settings'}: {message}{shown}"


def _known(place: tuple[Any, ...]) -> str:
    """Which keys the table at a place has."""
    model: Any = Settings
    for part in place:
        field = model.model_fields.get(part) if hasattr(model, "model_fields") else None
        if field is None:
            model = Stimuli if place[0] == "stimuli" else None
            break
        model = field.annotation
    fields = getattr(model, "model_fields", None)
    return f"expected one of {', '.join(fields)}" if fields else "this table has no such key"


def _from_here(settings: Settings, folder: Path) -> Settings:
    """The settings with the files they name taken from the settings file's folder."""
    placed = {
        number: Stimuli(
            folder=entry.folder and folder / entry.folder,
            orderings=entry.orderings and folder / entry.orderings,
        )
        for number, entry in settings.stimuli.items()
    }
    return settings.model_copy(update={"stimuli": placed})
