"""A trial: a map, who holds the amulets, the main agent and the NPCs that can be watched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from onlooker.game.grid import Action, Cell, Map, Remembering
from onlooker.game.needs import needed
from onlooker.support.extras import drawn

Holders = Mapping[str, str]  # colour -> id of the wizard that holds its amulet
ExperimentName = int | str  # a number, or a word such as "pilot"


class Expertise(StrEnum):
    """What kind of agent an NPC is."""

    EXPERT = "expert"  # it knows the holders
    NOVICE = "novice"  # it does not, and asks
    TEACHER = "teacher"  # it knows them, and acts for the one who watches it


class Label(StrEnum):
    """What players are told about teachers: a condition between participants.

    The same trials are played under three labels. Under `expert` players take teachers for experts,
    under `teacher` they are called what they are, and under `untold` nobody says what any NPC is,
    so that an expert and a teacher look the same.
    """

    EXPERT = "expert"  # that they are experts
    TEACHER = "teacher"  # the truth
    UNTOLD = "untold"  # nothing, of any NPC


@dataclass(frozen=True, slots=True)
class MainAgent:
    """The agent that the player, or an observer, steers."""

    at: Cell
    goal: str  # letter of its chest


@dataclass(frozen=True, slots=True)
class Npc:
    """Another agent, which can be watched."""

    id: str
    at: Cell
    goal: str  # letter of its chest
    expertise: Expertise
    actions: tuple[Action, ...] | None = None  # fixed by the stimulus; None: it plans by itself
    care: float | None = None  # a teacher's own points for one of the learner's; None: a parameter
    told: Expertise | None = None  # what the player is told it is; None: the truth

    @property
    def label(self) -> Expertise:
        """What the player is told the NPC is."""
        return self.told or self.expertise

    @property
    def told_words(self) -> str:
        """What the player is told, as a map says it; empty if that is the truth."""
        return "" if self.label is self.expertise else f"told {self.label}"


@dataclass(frozen=True)
class Trial(Remembering):
    """One map with its holders and agents: what a participant plays and an observer is run on.

    >>> from onlooker.game import load_trial
    >>> trial = load_trial("examples/two-experts.map")
    >>> trial.name, trial.main.goal, trial.holders["blue"], trial.npc("agent3").goal
    ('two experts', 'A', 'w2', 'A')
    """

    map: Map
    holders: Holders = field(hash=False)
    main: MainAgent
    npcs: tuple[Npc, ...] = ()
    reveals_outcomes: bool = True  # does watching an interaction tell whether the amulet was given?
    name: str | None = None
    experiment: ExperimentName | None = None
    scenario: int | str | None = None
    tutorial: bool = False  # for practice: never scored, filtered on or counted

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """The colours whose amulets the main agent needs; none where no amulets open a way."""
        return needed(self.map, self.main.at, self.main.goal) or ()

    @cached_property
    def open_colours(self) -> tuple[str, ...]:
        """The colours that the main agent needs and whose holder is one of several wizards."""
        return tuple(c for c in self.needed if len(self.map.wizards_of[c]) > 1)

    @property
    def label(self) -> str:
        """What to call the trial in a message."""
        return self.name or "unnamed trial"

    def _repr_svg_(self) -> str | None:
        """The map, for notebooks."""
        return drawn("map_svg", self)

    def npc(self, npc_id: str) -> Npc:
        """The NPC of that id."""
        return self.npcs[self.npc_index(npc_id)]

    def npc_index(self, npc_id: str) -> int:
        """Where the NPC of that id stands among the trial's NPCs."""
        for index, npc in enumerate(self.npcs):
            if npc.id == npc_id:
                return index
        known = ", ".join(npc.id for npc in self.npcs) or "none"
        raise KeyError(f"no NPC {npc_id!r}; this trial has: {known}")


def check_trial(trial: object) -> Trial:
    """The trial, if it is one; TypeError otherwise.

    >>> check_trial("examples/early-turn.map")
    Traceback (most recent call last):
    TypeError: expected a trial, as load_trial returns it, not 'examples/early-turn.map'
    """
    if isinstance(trial, Trial):
        return trial
    raise TypeError(f"expected a trial, as load_trial returns it, not {trial!r}")


def under(trial: Trial, label: Label | str) -> Trial:
    """The same trial, with what its players are told about teachers.

    >>> from onlooker.game import load_trial
    >>> under(load_trial("examples/teachers/feint.map"), "expert").npcs[0].label
    <Expertise.EXPERT: 'expert'>
    """
    told = Expertise.EXPERT if Label(label) is Label.EXPERT else None
    return replace(
        trial,
        npcs=tuple(
            replace(npc, told=told) if npc.expertise is Expertise.TEACHER else npc
            for npc in trial.npcs
        ),
    )


def teacher_in(trial: Trial) -> int | None:
    """Which NPC of a trial is the first teacher, if one is."""
    kinds = [npc.expertise for npc in trial.npcs]
    return kinds.index(Expertise.TEACHER) if Expertise.TEACHER in kinds else None
