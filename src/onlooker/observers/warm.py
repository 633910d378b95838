"""Getting the compiled engine ready before somebody waits for it."""

from __future__ import annotations

from onlooker.game import read_map_text
from onlooker.inference import posterior
from onlooker.observers.batch import Batch
from onlooker.observers.compositions import GradedMentalizing, RationalMentalizing
from onlooker.observers.engine import Engine
from onlooker.observers.ideal import IdealObserver

SMALLEST = """
map:
b2h
#@A

legend:
@ = main agent, goal A
2 = expert agent2, goal A
b = blue wizard
h = blue wizard, holder
"""


def compile_engine(everything: bool = False) -> None:
    """Compile the engine, or read what was kept on disk: about half a minute the first time.

    Everything is also what only some commands use: expectations, looking ahead, the posterior of
    single NPCs and the ideal observer.
    """
    trial = read_map_text(SMALLEST)
    engine = Engine(trial)
    RationalMentalizing().decide(engine, engine.opening)
    batch = Batch([trial])
    batch.run()
    if everything:
        batch.expect(rule="softmax")
        batch.expect(observer="graded_mentalizing")
        GradedMentalizing().decide(engine, engine.opening)
        posterior(trial)
        IdealObserver().run(engine)
