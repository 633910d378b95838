"""Rational Mentalizing: watch while imagining says that it pays."""

from __future__ import annotations

from collections.abc import Sequence

from onlooker.observers.engine import Engine, View
from onlooker.observers.kernels.choices import MARGIN
from onlooker.observers.observer import Observer
from onlooker.observers.results import ACT, Decision, Particle


class RationalMentalizing(Observer):
    """Compares acting now with watching each NPC, and watches only while that is cheaper.

    >>> from onlooker.game import load_trial
    >>> RationalMentalizing()(load_trial("examples/two-experts.map")).observed
    (0, 2)
    """

    name = "rational_mentalizing"
    title = "Rational Mentalizing"

    def decide(self, engine: Engine, view: View, choices: Sequence[str] = ()) -> Decision:
        """Observe the NPC of the least Q_obs if that is below C_self; else act."""
        npcs = range(len(engine.trial.npcs))
        worth: list[tuple[float | None, tuple[Particle, ...]]] = [
            engine.worth(view, npc)
            if engine.uncertain(view) and not engine.arrived(view, npc)
            else (None, ())
            for npc in npcs
        ]
        c_self = engine.c_self(view)
        choice = ACT
        least = min((q for q, _ in worth if q is not None), default=c_self)
        if least < c_self - MARGIN:
            first = next(j for j in npcs if (q := worth[j][0]) is not None and q <= least + MARGIN)
            choice = engine.trial.npcs[first].id
        return Decision(
            choice=choice,
            belief=engine.belief(view),
            goals=tuple(engine.goals(view, npc) for npc in npcs),
            c_self=c_self,
            q_obs=tuple(q for q, _ in worth),
            particles=tuple(particles for _, particles in worth),
        )
