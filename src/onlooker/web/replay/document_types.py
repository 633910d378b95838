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
    did: ChoiceMade | None  # what the player chose here
    agrees: bool | None  # whether the model would have watched and acted alike
    reasons: list[str]  # what the player itself went by


class Timeline(TypedDict):
    """Every choice of one player in the trial, or the model's advice to it."""

    id: str
    title: str
    cells: list[ChoiceMade]
    parts: int | None  # the first choice that is not Rational Mentalizing's
    observed: list[int]
    cost: int | None
    current: bool


class TrialFacts(TypedDict):
    """What a trial is."""

    id: str
    title: str
    setting: str
    experiment: str
    npcs: list[NpcLabelView]
    reveals: bool
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
    parameters: dict[str, Any]
    cautions: list[str]
    map: dict[str, Any]  # the part of every frame's game that never changes
    paths: list[DrawnPath]
    frames: list[ReplayFrame]
    turns: list[int]  # steps at which the player turned to something else
    lines: list[Timeline]
