"""An observer of your own, for `--observer examples.own_observer:Satisficer`."""

from collections.abc import Sequence
from math import log

from onlooker.observers import (
    ACT,
    Candidates,
    Decision,
    Engine,
    Observer,
    Parameter,
    Prior,
    Unit,
    Values,
    View,
)


class Satisficer(Observer):
    """Watches an expert until little doubt is left, but never for long."""

    name = "satisficer"  # in files
    title = "Satisficer"  # in tables and figures
    unit = Unit("nats", noise=0.1)  # of its values, and the temperature to expect
    accepted = Parameter(
        0.22,
        "doubt that it accepts",
        unit="nats",
        low=0.01,
        high=1.5,
        scale="log",
        prior=Prior(0.2, sd=0.75),
    )
    patience = Parameter(6, "steps at most", low=1, high=40)

    def values(self, engine: Engine, view: View, choices: Sequence[str]) -> Values:
        """The doubt that an expert could remove, against the doubt that it accepts."""
        likeliest = [max(chances.values()) for chances in engine.belief(view).values()]
        doubt = sum(-log(chance) for chance in likeliest)
        if len(choices) >= self.patience.of(engine):
            doubt = 0.0
        watch = (
            None if engine.arrived(view, index) else doubt if npc.expertise == "expert" else 0.0
            for index, npc in enumerate(engine.trial.npcs)
        )
        return Values(self.accepted.of(engine), tuple(watch))

    def decide(self, engine: Engine, view: View, choices: Sequence[str]) -> Decision:
        """Observe the first NPC that is worth more than acting, or act."""
        values, belief = self.values(engine, view, choices), engine.belief(view)
        for npc, worth in zip(engine.trial.npcs, values.watch, strict=True):
            if worth is not None and worth > values.act:
                return Decision(npc.id, belief=belief)
        return Decision(ACT, belief=belief)

    def candidates(self, engine: Engine, view: View) -> Candidates:
        """The likeliest wizard of each colour, the first among equals."""
        likeliest = {}
        for colour, chances in engine.belief(view).items():
            likeliest[colour] = (max(chances, key=chances.__getitem__),)
        return likeliest
