"""The replay document: everything that the page shows, step by step."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from onlooker.web.study.view_types import At, NpcLabelView

ChoiceMadeKind = Literal["observation", "move", "interaction", "act"]


class Chance(TypedDict):
    """How likely a wizard is a holder, or a chest a goal."""

    name: str
    p: float
    kept: bool  # a candidate, or a goal that is imagined


class Belief(TypedDict):
    """What is believed about one colour."""

    colour: str
    settled: bool
    wizards: list[Chance]


class DrawnPath(TypedDict):
    """A way over the map."""

    cells: list[At]
    asks: list[str]  # wizards, in order


class ParticleView(TypedDict):
    """One imagined future of an NPC."""

    goal: str
    holders: dict[str, str]  # of the colours with several wizards
    p: float
    steps: int  # T: how many would be watched
    residual: float | None  # what acting would then cost
    cost: float | None  # watching and acting
    watched: int  # number of the path that would be watched
    beyond: int  # number of the path to the arrival
    words: str


class Rest(TypedDict):
    """The particles that are not listed."""

    count: int
    p: float


class NpcMind(TypedDict):
    """What the model thinks of one NPC and of watching it."""

    npc: str
    arrived: bool
    goals: list[Chance]
    q: float | None  # None: arrived, or there is nothing to learn
    watch: float | None  # the part of it for watching
    act: float | None  # the part of it for acting afterwards
    particles: list[ParticleView]
    rest: Rest | None


class TourView(TypedDict):
    """The tour behind C_self."""

    stops: list[str]
    path: int


class Mind(TypedDict):
    """What Rational Mentalizing believes, compares and would choose."""

    belief: list[Belief]
    npcs: list[NpcMind]
    c_self: float | None
    tour: TourView | None
    choice: str  # an NPC's id, or "act"
    reason: str | None  # why it acts: a `Reason`
    words: str


class IdealView(TypedDict):
    """What the ideal observer expects to pay from here on, before the main agent acts."""

    act: float | None  # None: no search has an end
    watch: list[float | None]  # per NPC, None for one that cannot be watched or has nothing to show
    choice: str  # an NPC's id, or "act"


class ChoiceChance(TypedDict):
    """How likely a choice is the next one."""

    choice: str  # an NPC's id, or "act"
    p: float


class Choosing(TypedDict):
    """Who chooses by chance, how, and what is expected of it in the whole trial."""

    title: str  # of the observer
    rule: str
    skip: float  # the chance of not watching at all, which the chances of a step leave out
    expected: list[float] | None  # steps watched of each NPC
    expected_sd: list[float] | None
    reason: str  # why nothing is expected, or there are no chances


class IdealFacts(TypedDict):
    """The ideal observer in the whole trial."""

    expected_cost: float | None
    reason: str  # why there is none


class LessonView(TypedDict):
    """What a teacher expects of a learner who takes it for an expert, after the steps seen."""

    belief: list[Belief]  # as it was when the learner left, once it has
    left: bool
    words: str


class ChoiceMade(TypedDict):
    """A choice that was made."""

    choice: str
    kind: ChoiceMadeKind
    who: str  # "main" or an NPC's id
    action: str  # a direction; empty for an observation
    words: str


class ReplayFrame(TypedDict):
    """One step of a replay."""

    game: dict[str, Any]  # what the drawing needs besides the map
    said: str  # what the last choice showed
    mind: Mind | None  # None once the trial is over
    ideal: IdealView | None  # None once the main agent has acted, or where it is not computed
    chances: list[ChoiceChance] | None  # None by the hard rule, and once an observer acts
    kinds: dict[str, dict[str, float]] | None  # by NPC: what it is taken for, if that is not told
    lessons: dict[str, LessonView]  # by NPC that teaches
    did: ChoiceMade | None  # what the player chose here
    agrees: bool | None  # whether the model would have done the same
    reasons: list[str]  # what the player itself went by


class Timeline(TypedDict):
    """Every choice of one player in the trial, or the model's advice to it."""

    id: str
    title: str
    cells: list[ChoiceMade]
    diverges_at: int | None  # the first choice that is not Rational Mentalizing's
    observed: list[int]
    cost: int | None
    current: bool


class TrialFacts(TypedDict):
    """What a trial is."""

    id: str
    title: str
    setting: str
    npcs: list[NpcLabelView]
    text: str  # the map text


class Player(TypedDict):
    """Who plays."""

    id: str
    title: str
    kind: Literal["observer", "participant"]
    note: str


class Document(TypedDict):
    """A whole replay."""

    trial: TrialFacts
    player: Player
    parameters: dict[str, Any]  # and the rule
    uses: list[str]  # names of the parameters that something in the replay depends on
    choosing: Choosing | None  # None by the hard rule
    ideal: IdealFacts
    cautions: list[str]
    map: dict[str, Any]  # the part of every frame's game that never changes
    paths: list[DrawnPath]
    frames: list[ReplayFrame]
    turns: list[int]  # steps at which the player turned to something else
    lines: list[Timeline]
