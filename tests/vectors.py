"""The worked cases: the project's own in golden/, the authors' where they lie beside it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onlooker.game import Costs, Trial, read_document

GOLDEN = Path(__file__).parent / "golden"
SHARED = Path(__file__).parents[2] / "shared" / "spec" / "vectors"


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


VECTORS = [load(path) for path in (*sorted(GOLDEN.glob("*.json")), *sorted(SHARED.glob("paper_*")))]
