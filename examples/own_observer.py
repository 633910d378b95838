"""An observer of your own, for `--observer examples.own_observer:Satisficer`."""

from collections.abc import Sequence

from onlooker.observers import ACT, Candidates, Decision, Engine, Observer, View


class Satisficer(Observer):
    """Watches one expert until it is sure enough, but never for long."""

    name = "satisficer"  # in files
    title = "Satisficer"  # in tables and figures
    enough = 0.8  # how likely a wizard must be
    patience = 6  # steps at most

    def decide(self, engine: Engine, view: View, choices: Sequence[str]) -> Decision:
        """Observe the first expert that is still on its way, or act."""
        belief = engine.belief(view)
        sure = all(max(chances.values()) >= self.enough for chances in belief.values())
        if not sure and len(choices) < self.patience:
            for index, npc in enumerate(engine.trial.npcs):
                if npc.expertise == "expert" and not engine.arrived(view, index):
                    return Decision(npc.id, belief=belief)
        return Decision(ACT, belief=belief)

    def candidates(self, engine: Engine, view: View) -> Candidates:
        """The likeliest wizard of each colour, the first among equals."""
        likeliest = {}
        for colour, chances in engine.belief(view).items():
            likeliest[colour] = (max(chances, key=chances.__getitem__),)
        return likeliest
