"""What observers do and believe under a label, which says what players are told about teachers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from onlooker.game import BudgetRule, Expertise, Label, Trial, under
from onlooker.inference.parameters import Parameters
from onlooker.observers import Engine, Observer
from onlooker.observers.compositions import RationalMentalizing
from onlooker.observers.results import Goals, View
from onlooker.observers.untold import Before, UntoldMentalizing, uniform

KINDS = (Expertise.EXPERT, Expertise.TEACHER)  # that an NPC may be under `untold`


class Stranger(UntoldMentalizing):
    """Untold Mentalizing of every NPC, by someone who meets others in every trial."""

    def known(self, trial: Trial) -> Before:
        """That any NPC may be an expert or a teacher."""
        return {npc.id: uniform(KINDS) for npc in trial.npcs}

    def carry(self, engine: Engine, view: View) -> Stranger:
        """The same: nothing is known of those who come next."""
        return self


def labels_for(observer: Observer) -> tuple[Label, ...]:
    """The labels under which an observer can be somebody's model.

    Only Rational Mentalizing knows what to do when it is told and when it is not.
    """
    if isinstance(observer, UntoldMentalizing):
        return (Label.UNTOLD,)
    told = Label.EXPERT, Label.TEACHER
    return tuple(Label) if isinstance(observer, RationalMentalizing) else told


def observer_under(label: Label | str, observer: Observer | None = None) -> Observer:
    """An observer as it is under a label; without one, Rational Mentalizing."""
    observer, label = observer or RationalMentalizing(), Label(label)
    if label not in labels_for(observer):
        raise ValueError(f"{observer.name} does nothing about {_WORDS[label]}")
    return Stranger() if label is Label.UNTOLD else observer


_WORDS = {
    Label.EXPERT: "being told that teachers are experts",
    Label.TEACHER: "being told who teaches",
    Label.UNTOLD: "not being told what NPCs are",
}


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
    teaches: tuple[float | None, ...] = (None,) * len(npcs)
    if isinstance(observer, UntoldMentalizing):
        untold, view = observer.at(engine, view)
        engine, kinds = untold, untold.kinds_of(view)
        teaches = tuple(kinds[npc.id].get(Expertise.TEACHER, 0.0) for npc in engine.trial.npcs)
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
