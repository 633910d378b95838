"""The shapes of what the server sends; the client draws them and has no other data."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from onlooker.game import ExperimentName
from onlooker.game.player_view import ChoiceKind, EventKind, Outcome

At = list[int]  # [x, y]
ProgressPart = Literal["consent", "tutorial", "check", "round", "survey"]
RefusalReason = Literal["paused", "full"]  # of arrivals that open no session
EndScreen = Literal[
    "declined", "failed_check", "screened_out", "paused", "full", "withdrawn", "technical"
]


class BarrierView(TypedDict):
    """A barrier on the map."""

    at: At
    colour: str


class WizardView(TypedDict):
    """A wizard on the map; nothing shows whether it has the amulet."""

    id: str
    at: At
    colour: str


class ChestView(TypedDict):
    """A chest on the map."""

    letter: str
    at: At


class MainView(TypedDict):
    """The player's agent."""

    at: At
    goal: str
    amulets: list[str]
    arrived: bool


class NpcLabelView(TypedDict):
    """Who an NPC is."""

    id: str
    name: str
    expertise: str


class NpcView(NpcLabelView):
    """An NPC on the map."""

    at: At
    arrived: bool
    observed: int


class PointsView(TypedDict):
    """The points of a round."""

    budget: int
    left: int


class CostsView(TypedDict):
    """What things cost."""

    move: int
    interact: int
    observe: int


class ChoiceView(TypedDict):
    """Something that can be chosen now."""

    choice: str
    kind: ChoiceKind
    cost: int


LastTurnView = TypedDict(
    "LastTurnView",
    {
        "who": str,
        "action": str,
        "kind": EventKind,
        "from": At,
        "to": At,
        "wizard": str | None,
        "outcome": Outcome | None,
        "barrier": str | None,
        "chest": str | None,
        "arrived": bool,
        "text": str,
    },
)


class PastTurnView(TypedDict):
    """A turn before the last one."""

    kind: EventKind
    text: str


class ResultView(TypedDict):
    """What a finished round came to."""

    unspent: int
    too_long: bool  # it was ended, the chest was not reached


class GameView(TypedDict):
    """A round as the player sees it."""

    width: int
    height: int
    walls: list[At]
    barriers: list[BarrierView]
    wizards: list[WizardView]
    chests: list[ChestView]
    main: MainView
    npcs: list[NpcView]
    points: PointsView
    costs: CostsView
    choices: list[ChoiceView]
    last: LastTurnView | None
    history: list[PastTurnView]  # before the last turn, where a page is opened again
    tutorial: bool
    finished: bool
    result: ResultView | None


class ExampleView(TypedDict):
    """Frames to show one after the other."""

    caption: str
    frames: list[GameView]
    actions: list[str]


class StudyView(TypedDict):
    """Which study this is."""

    title: str
    experiment: ExperimentName
    label: str | None  # what is told of NPCs that teach


class ProgressView(TypedDict):
    """The progress in a part of the study, and in the whole of it."""

    part: ProgressPart
    at: int
    of: int
    done: int  # of the whole study, in percent


class CompletionView(TypedDict):
    """The completion code and link."""

    code: str
    url: str
    platform: str  # where the link leads, as people know it
    test: bool  # a test run, which has nowhere to go back to


class BaseView(TypedDict):
    """What every view has besides the name of its screen."""

    seq: int
    study: StudyView
    progress: ProgressView | None


class FactView(TypedDict):
    """What people must know before they agree."""

    kind: Literal["duration", "pay", "bonus"]
    text: str


class ConsentView(BaseView):
    """The consent form."""

    screen: Literal["consent"]
    facts: list[FactView]
    text: list[str]
    data_protection: list[str]
    version: str
    agree: str
    decline: str


class TutorialView(BaseView):
    """A page of the tutorial."""

    screen: Literal["tutorial"]
    page: int
    pages: int
    title: str
    text: list[str]
    example: ExampleView | None
    game: GameView | None


class OptionView(TypedDict):
    """An answer that can be ticked."""

    id: str
    text: str


class QuestionView(TypedDict):
    """A question of the comprehension check."""

    id: str
    text: str
    options: list[OptionView]


class CheckView(BaseView):
    """The comprehension check."""

    screen: Literal["check"]
    questions: list[QuestionView]
    attempt: int
    attempts: int
    wrong: list[str] | None
    given: dict[str, str]  # the answers that were right, to keep
    reminder: list[str]


class CardView(BaseView):
    """The card before a round."""

    screen: Literal["card"]
    number: int
    of: int
    goal: str
    budget: int
    total: int  # points left over in the rounds before
    npcs: list[NpcLabelView]


class TrialView(BaseView):
    """A round."""

    screen: Literal["trial"]
    number: int
    of: int
    total: int  # points left over in the finished rounds
    asks: bool  # questions come after it
    game: GameView


class SurveyOptionView(TypedDict):
    """An answer that can be ticked, and what is stored for it."""

    value: str
    text: str


class ConditionView(TypedDict):
    """The answer after which a question is shown."""

    question: str
    answer: str | int


class SurveyQuestionView(TypedDict):
    """A question of the survey, or after a round."""

    id: str
    kind: Literal["choice", "number", "scale", "text"]
    text: str
    required: bool
    options: list[SurveyOptionView]  # of a scale: its points
    minimum: int | None
    maximum: int | None
    low: str
    high: str
    when: ConditionView | None


class QuestionsView(BaseView):
    """The questions after a round, beside the map as it was at its end."""

    screen: Literal["questions"]
    number: int
    of: int
    questions: list[SurveyQuestionView]
    game: GameView


class SurveyView(BaseView):
    """The questions at the end."""

    screen: Literal["survey"]
    questions: list[SurveyQuestionView]


class BonusView(TypedDict):
    """An amount of money."""

    amount: str
    currency: str
    text: str  # as it is written in the study's language


class DebriefView(BaseView):
    """The regular end."""

    screen: Literal["debrief"]
    text: list[str]
    bonus: BonusView
    unspent: int
    completion: CompletionView


class EndView(BaseView):
    """Every other end."""

    screen: EndScreen
    text: list[str]
    completion: CompletionView | None


ScreenView = (
    ConsentView
    | TutorialView
    | CheckView
    | CardView
    | TrialView
    | QuestionsView
    | SurveyView
    | DebriefView
    | EndView
)
