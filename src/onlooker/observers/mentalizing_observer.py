"""Mentalizing Observer: no utility. It watches while it could learn, whatever that costs."""

from __future__ import annotations

from collections.abc import Sequence

from onlooker.inference.parameters import TOLERANCE
from onlooker.observers.engine import Engine, View
from onlooker.observers.observer import Observer, in_turn
from onlooker.observers.results import ACT, Decision


class MentalizingObserver(Observer):
    """Watches the informative NPCs in turn until the belief is settled or none is left.

    >>> from onlooker.game import load_trial
    >>> MentalizingObserver()(load_trial("examples/two-experts.map")).observed
    (1, 2)
    """

    name = "mentalizing_observer"
    title = "Mentalizing Observer"

    def decide(self, engine: Engine, view: View, choices: Sequence[str]) -> Decision:
        """Observe the next NPC in turn whose future could move the belief; else act."""
        npcs = range(len(engine.trial.npcs))
        belief = engine.belief(view)
        watching = bool(engine.uncertain(view)) and not engine.settled(belief)
        distances = tuple(
            engine.distance(view, npc) if watching and not engine.arrived(view, npc) else None
            for npc in npcs
        )
        choice = ACT
        for npc in in_turn(engine, choices):
            distance = distances[npc]
            if distance is not None and distance > engine.parameters.epsilon + TOLERANCE:
                choice = engine.trial.npcs[npc].id
                break
        goals = tuple(engine.goals(view, npc) for npc in npcs)
        return Decision(choice, belief, goals, distances=distances)
