"""What players are told of NPCs that may teach, and what observers then do and believe.

The same trials are played under three labels. Whoever plays under `expert` takes teachers for
experts, under `teacher` they are called what they are, and under `untold` nobody says what any NPC
is, so that an expert and a teacher look alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from onlooker.game import BudgetRule, Expertise, Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import Engine, Observer
from onlooker.observers.compositions import RationalMentalizing
from onlooker.observers.results import Goals
from onlooker.observers.untold import Before, UntoldMentalizing, uniform
from onlooker.observers.views import View

KINDS = (Expertise.EXPERT, Expertise.TEACHER)  # that an NPC may be under `untold`


class Label(StrEnum):
    """What players are told about teachers: a condition between participants."""

    EXPERT = "expert"  # that they are experts
    TEACHER = "teacher"  # the truth
    UNTOLD = "untold"  # nothing, of any NPC


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


class Stranger(UntoldMentalizing):
    """Untold Mentalizing of all NPCs alike, by someone who meets others in every trial."""

    def known(self, trial: Trial) -> Before:
        """That any NPC may be an expert or a teacher."""
        return {npc.id: uniform(KINDS) for npc in trial.npcs}

    def carry(self, engine: Engine, view: View) -> Stranger:
        """The same: nothing is known of those who come next."""
        return self


def labels_for(observer: Observer) -> tuple[Label, ...]:
    """The labels under which an observer can be somebody's model."""
    return tuple(Label) if _is_full(observer) else (Label.EXPERT, Label.TEACHER)


def observer_under(label: Label | str, observer: Observer | None = None) -> Observer:
    """An observer as it is under a label; without one, Rational Mentalizing.

    Only Rational Mentalizing knows what to do when it is not told; ValueError for others.
    """
    observer = observer or RationalMentalizing()
    if Label(label) is not Label.UNTOLD:
        return observer
    if not _is_full(observer):
        raise ValueError(f"{observer.name} does nothing about not being told what NPCs are")
    return Stranger()


def _is_full(observer: Observer) -> bool:
    return observer.name in (RationalMentalizing.name, UntoldMentalizing.name)


def engine_under(
    trial: Trial,
    label: Label | str,
    parameters: Parameters | None = None,
    budget: BudgetRule = "paper",
) -> Engine:
    """The trial as it is played under a label, made ready for `observer_under`."""
    parameters = replace(parameters or Parameters(), kinds="expert,teacher")
    return Engine(under(trial, label), parameters, warn=False, budget_rule=budget)


@dataclass(frozen=True, slots=True)
class Moment:
    """What someone believes who has watched some steps."""

    sure: float  # how likely the true holder is the holder, of the colour where that is least
    goals: tuple[Goals, ...]  # per NPC
    teaches: tuple[float | None, ...]  # per NPC: how likely it is a teacher; None if told


@dataclass(frozen=True, slots=True)
class Reading:
    """What an observer does in a trial under a label."""

    looks: tuple[int, ...]  # at each NPC
    first: str | None  # the wizard that it asks first
    end: Moment  # as it stops watching
    cost: int


def read(
    trial: Trial,
    label: Label | str,
    parameters: Parameters | None = None,
    observer: Observer | None = None,
) -> Reading:
    """What an observer, Rational Mentalizing by default, does and believes under a label.

    >>> from onlooker.game import load_trial
    >>> feint = load_trial("examples/teachers/feint.map")
    >>> [read(feint, label).looks for label in Label]
    [(3,), (3,), (3,)]
    """
    engine = engine_under(trial, label, parameters)
    observer = observer_under(label, observer)
    done = observer.run(engine)
    tour = engine.tour(engine.opening.main, engine.wizards(done.candidates))
    end = moment(engine, observer, done.observed)
    return Reading(done.observed, tour[0].id if tour else None, end, done.cost)


def moment(engine: Engine, observer: Observer, steps: tuple[int, ...]) -> Moment:
    """What someone believes who has watched these steps of each NPC."""
    view, npcs = engine.view_at(steps), range(len(engine.trial.npcs))
    if isinstance(observer, UntoldMentalizing):
        untold = observer.engine(engine)
        engine, view = untold, untold.view_like(view)
        kinds = untold.kinds_of(view)
        teaches = tuple(kinds[npc.id].get(Expertise.TEACHER, 0.0) for npc in engine.trial.npcs)
    else:
        teaches = (None,) * len(npcs)
    belief, holders = engine.belief(view), engine.trial.holders
    sure = min((belief[c][holders[c]] for c in engine.trial.open_colours), default=1.0)
    return Moment(sure, tuple(engine.goals(view, npc) for npc in npcs), teaches)


def moments(
    trial: Trial, label: Label | str, npc: int = 0, parameters: Parameters | None = None
) -> Iterator[Moment]:
    """What someone believes after each step of one NPC, before the first one included."""
    engine, observer = engine_under(trial, label, parameters), observer_under(label)
    for step in range(len(engine.paths[npc]) + 1):
        yield moment(engine, observer, tuple(step * (n == npc) for n in range(len(trial.npcs))))
