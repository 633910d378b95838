"""Observers without a theory of mind: they trust the wizard that somebody else goes to."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from onlooker.game import Expertise, Interaction, Wizard
from onlooker.observers.engine import Engine, View
from onlooker.observers.kernels.choices import MARGIN
from onlooker.observers.observer import Observer, in_turn
from onlooker.observers.results import ACT, Candidates, Decision

Meeting = tuple[int, Wizard | None]  # after how many steps an NPC meets a wizard, and which one


class TrustingObserver(Observer):
    """Decides at the start how long to watch whom, and trusts the wizards it then sees asked."""

    @abstractmethod
    def meetings(self, engine: Engine) -> dict[int, Meeting]:
        """The NPCs that it watches, each with the meeting it waits for."""

    def decide(self, engine: Engine, view: View, choices: Sequence[str]) -> Decision:
        """Watch the NPCs in turn, each to the meeting that is waited for; then act."""
        meetings = self.meetings(engine) if engine.open_colours else {}
        for npc in in_turn(engine, choices):
            if npc in meetings and view.histories[npc].steps < meetings[npc][0]:
                return Decision(engine.trial.npcs[npc].id)
        return Decision(ACT)

    def candidates(self, engine: Engine, view: View) -> Candidates:
        """The wizards it saw asked; all wizards of a needed colour of which it saw none."""
        meetings = self.meetings(engine) if engine.open_colours else {}
        trusted = {
            wizard
            for npc, (steps, wizard) in meetings.items()
            if wizard is not None and view.histories[npc].steps >= steps
        }
        return {
            colour: tuple(w.id for w in wizards if w in trusted) or tuple(w.id for w in wizards)
            for colour, wizards in engine.trial.map.wizards_of.items()
            if colour in engine.needed
        }


def first_meeting(engine: Engine, npc: int, colours: Sequence[str]) -> Meeting | None:
    """When an NPC first asks a wizard of some colours, and which; None if it never does."""
    for count, taken in enumerate(engine.paths[npc], start=1):
        if isinstance(taken.event, Interaction) and taken.event.colour in colours:
            return count, engine.trial.map.wizard(taken.event.wizard)
    return None


class RationalObserver(TrustingObserver):
    """No mentalizing: weighs watching an NPC to its first interaction against acting alone.

    >>> from onlooker.game import load_trial
    >>> RationalObserver()(load_trial("examples/two-experts.map")).observed
    (5, 5)
    """

    name = "rational_observer"
    title = "Rational Observer"

    def meetings(self, engine: Engine) -> dict[int, Meeting]:
        """The experts worth watching or, if there are none, the novices."""
        for expertise in Expertise:
            worthwhile = {
                npc: meeting
                for npc, (meeting, cost) in self.weighed(engine).items()
                if engine.trial.npcs[npc].expertise is expertise
                and cost < self.alone(engine) - MARGIN
            }
            if worthwhile:
                return worthwhile
        return {}

    def weighed(self, engine: Engine) -> dict[int, tuple[Meeting, float]]:
        """For each NPC that meets a wizard: the meeting, and the cost of waiting for it."""
        truth = {colour: (engine.trial.holders[colour],) for colour in engine.needed}
        informed = engine.c_self(engine.opening, truth)
        found = {}
        for npc in range(len(engine.trial.npcs)):
            if meeting := first_meeting(engine, npc, engine.trial.map.colours):
                found[npc] = meeting, engine.parameters.observe * meeting[0] + informed
        return found

    def alone(self, engine: Engine) -> float:
        """What going to all wizards would cost."""
        return engine.c_self(engine.opening, engine.all_wizards(engine.needed))

    def decide(self, engine: Engine, view: View, choices: Sequence[str]) -> Decision:
        """Watch as decided; the first decision shows the one comparison behind it."""
        decision = super().decide(engine, view, choices)
        if choices:
            return decision
        weighed = self.weighed(engine)
        npcs = range(len(engine.trial.npcs))
        return Decision(
            decision.choice,
            c_self=self.alone(engine),
            q_obs=tuple(weighed[npc][1] if npc in weighed else None for npc in npcs),
        )


class NaiveObserver(TrustingObserver):
    """Neither mentalizing nor utility: watches every expert to its first relevant interaction.

    >>> from onlooker.game import load_trial
    >>> NaiveObserver()(load_trial("examples/two-experts.map")).observed
    (16, 5)
    """

    name = "naive_observer"
    title = "Naive Observer"

    def meetings(self, engine: Engine) -> dict[int, Meeting]:
        """Every expert, to its meeting with a wizard of an open colour or to its arrival.

        With meeting="any", every NPC, to its meeting with any wizard.
        """
        anyone = engine.parameters.meeting == "any"
        colours = engine.trial.map.colours if anyone else engine.open_colours
        return {
            npc: first_meeting(engine, npc, colours) or (len(engine.paths[npc]), None)
            for npc, agent in enumerate(engine.trial.npcs)
            if anyone or agent.expertise is Expertise.EXPERT
        }
