"""When to watch others and whom: Rational Mentalizing, its ablations and their experiments.

>>> import onlooker
>>> trial = onlooker.load_trial("examples/early-turn.map")
>>> result = onlooker.run(trial, "rational_mentalizing")
>>> for decision in result.trace:
...     print(decision.choice, round(decision.c_self), [round(q) for q in decision.q_obs])
agent2 103 [77]
agent2 103 [76]
agent2 103 [75]
act 74 [74]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from onlooker.support.extras import names_of
from onlooker.version import __version__

if TYPE_CHECKING:
    from onlooker.analysis.tables.frames import compare, predict
    from onlooker.fitting.frames import fit
    from onlooker.game import Trial, TrialError, load_trial, parse_trial, save_trial
    from onlooker.inference import Parameters, UnexplainedError
    from onlooker.observers import (
        OBSERVERS,
        Batch,
        Decision,
        Engine,
        Observer,
        Particle,
        Result,
        advise,
        find_observer,
        posterior,
        run,
    )
    from onlooker.planning import NoPathError, stage

__all__ = [
    "OBSERVERS",
    "Batch",
    "Decision",
    "Engine",
    "NoPathError",
    "Observer",
    "Parameters",
    "Particle",
    "Result",
    "Trial",
    "TrialError",
    "UnexplainedError",
    "__version__",
    "advise",
    "compare",
    "find_observer",
    "fit",
    "load_trial",
    "parse_trial",
    "posterior",
    "predict",
    "run",
    "save_trial",
    "stage",
]

# Where each name lives; it is imported when first asked for, so that a layer alone stays light.
_HOMES = {
    "game": ("Trial", "TrialError", "load_trial", "parse_trial", "save_trial"),
    "planning": ("NoPathError", "stage"),
    "inference": ("Parameters", "UnexplainedError"),
    "observers": (
        "OBSERVERS",
        "Batch",
        "Decision",
        "Engine",
        "Observer",
        "Particle",
        "Result",
        "advise",
        "find_observer",
        "posterior",
        "run",
    ),
    "fitting.frames": ("fit",),
    "analysis.tables.frames": ("compare", "predict"),
}


def __dir__() -> list[str]:
    return sorted(__all__)


__getattr__ = names_of(__name__, _HOMES)


# Gymnasium's users find the environment, whichever they import first; nobody else pays for that.
import_module("onlooker.players.registration").register_when_imported()
