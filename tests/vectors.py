"""The worked cases in `vectors/`: of the model, of what goes beyond the paper, of teachers and of fitting."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from comparing import in_order, same
from onlooker.game import Costs, Trial, read_document
from onlooker.observers import OBSERVERS, Engine, Parameters

FOLDER = Path(__file__).parent / "vectors"
MODEL = FOLDER / "model"
BEYOND = FOLDER / "beyond"
TEACHING = FOLDER / "teaching"
FITTING = FOLDER / "fitting.json"
SHARED = Path(__file__).parents[2] / "shared"
AUTHORS = sorted(
    (SHARED / "spec" / "vectors").glob("paper_*.json")
)  # on their maps, not ours to copy


@dataclass(frozen=True)
class Vector:
    name: str
    trial: Trial
    params: dict[str, Any]
    expect: dict[str, Any]

    @property
    def costs(self) -> Costs:
        return Costs(
            **{k: v for k, v in self.params.items() if k in ("move", "interact", "observe")}
        )


def load(path: Path) -> Vector:
    case = json.loads(path.read_text())
    return Vector(path.stem, read_document(case["trial"]), case["params"], case["expect"])


def reproduce(vector: Vector) -> None:
    """Check every number of every observer."""
    engine = Engine(vector.trial, Parameters(**vector.params))
    assert engine.budget == vector.expect["budget"]
    for name, observer in OBSERVERS.items():
        expected = vector.expect["observers"][name]
        found = observer().run(engine).to_dict(trace="trace" in expected)
        assert same(in_order(found), in_order(expected)), name


VECTORS = [load(path) for path in sorted(MODEL.glob("*.json"))]
