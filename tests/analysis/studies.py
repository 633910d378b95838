"""A small made-up study: predictions, and people who do about what one observer predicts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from onlooker.analysis.tables.comparison import predictions_frame
from onlooker.experiments.predictions import Prediction
from onlooker.experiments.psych_ds import Description

NPCS = {
    1: [("agent2", "expert")],
    2: [("agent2", "expert")],
    3: [("agent2", "expert"), ("agent3", "expert")],
    4: [("agent2", "expert"), ("agent3", "novice")],
}
OBSERVERS = ("rational_mentalizing", "mine")
SIMULATED = Description("a study", "made up for a test", simulated=True)


def predictions(experiments: tuple[int, ...] = (1, 3, 4), levels: int = 10) -> list[Prediction]:
    rng = np.random.default_rng(1)
    rows = []
    for experiment in experiments:
        for level in range(1, levels + 1):
            for observer in OBSERVERS:
                npcs = NPCS[experiment]
                if level % 2 == 0:
                    npcs = list(
                        zip([n for n, _ in npcs], [e for _, e in reversed(npcs)], strict=True)
                    )
                watched = [int(rng.integers(0, 9)) for _ in npcs]
                moves, interactions = int(rng.integers(10, 30)), int(rng.integers(1, 4))
                execution = 3 * moves + 5 * interactions
                for (agent, expertise), observed in zip(npcs, watched, strict=True):
                    rows.append(
                        Prediction(
                            experiment,
                            f"m{level}",
                            observer,
                            agent,
                            expertise,
                            observed,
                            observed,
                            moves,
                            interactions,
                            execution,
                            execution + sum(watched),
                        )
                    )
    return rows


def tables(rows: list[Prediction], people: int = 12, trials: int = 6) -> dict[str, pd.DataFrame]:
    """Each participant plays some levels about as the first observer does, after a tutorial."""
    rng = np.random.default_rng(2)
    frame = predictions_frame(rows)
    frame = frame[frame["observer"] == OBSERVERS[0]]
    found: dict[str, list[dict[str, object]]] = {
        "participants": [],
        "trials": [],
        "observations": [],
        "actions": [],
    }
    for experiment, mine in frame.groupby("experiment"):
        levels = sorted(set(mine["level"]))
        for number in range(people):
            who = f"e{experiment}p{number}"
            found["participants"].append(
                {
                    "participant": who,
                    "experiment": experiment,
                    "ordering": 1 + number % 2,
                    "completed": True,
                    "age": 20 + number,
                    "gender": ["female", "Male ", "male"][number % 3],
                }
            )
            for position, level in enumerate(["tutorial", *rng.permutation(levels)[:trials]]):
                npcs = mine[mine["level"] == (levels[0] if level == "tutorial" else level)]
                watched = [max(0, int(o + rng.integers(-1, 3))) for o in npcs["observed"]]
                moves, interactions = (
                    int(npcs["moves"].iloc[0] + rng.integers(0, 5)),
                    int(npcs["interactions"].iloc[0]),
                )
                cost = 3 * moves + 5 * interactions
                base = {"participant": who, "experiment": experiment, "level": level}
                found["trials"].append(
                    base
                    | {
                        "position": position + 1,
                        "tutorial": level == "tutorial",
                        "finished": True,
                        "budget": 150,
                        "unspent": 150 - cost - sum(watched),
                        "observed": sum(watched),
                        "moves": moves,
                        "interactions": interactions,
                        "cost_observation": sum(watched),
                        "cost_execution": cost,
                        "cost_total": cost + sum(watched),
                    }
                )
                for agent, expertise, observed in zip(
                    npcs["agent"], npcs["expertise"], watched, strict=True
                ):
                    found["observations"].append(
                        base
                        | {
                            "agent": agent,
                            "expertise": expertise,
                            "observed": observed,
                            "cost_observation": observed,
                        }
                    )
                found["actions"].append(
                    base
                    | {
                        "number": 1,
                        "choice": "up",
                        "event": "move",
                        "cost": 3,
                        "points_left": 147,
                        "time": "2025-01-31T12:00:00Z",
                    }
                )
    return {name: pd.DataFrame(each) for name, each in found.items()}


ROWS = predictions()
STUDY = tables(ROWS)  # nobody changes them
