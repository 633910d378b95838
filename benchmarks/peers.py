"""The same posterior by msdm and by JAX, each as its users would write it.

Runs in an environment of its own without onlooker: problems come in as JSON on standard input, and
times and posteriors go out as JSON. A problem is a map with wizards of one colour, and what was
seen of an expert; a hypothesis is (chest, holder), the holder changing fastest.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import sys
import time
import types
import warnings
from pathlib import Path
from typing import Any

REPEAT = 9


def spare_torch() -> None:
    """Make msdm's planners importable one by one: their package imports torch for the others."""
    spec = importlib.util.find_spec("msdm")
    package = types.ModuleType("msdm.algorithms")
    package.__path__ = [str(Path(spec.origin).parent / "algorithms")]
    sys.modules["msdm.algorithms"] = package


def measure(name: str, problems: list[dict[str, Any]]) -> dict[str, Any]:
    """Times of one system: its imports, its first posterior, new maps, the same map again."""
    begin = time.perf_counter()
    if name == "msdm":
        spare_torch()
    system = importlib.import_module(f"peer_{name}").System()
    imported = time.perf_counter()
    first = system.posterior(system.prepare(problems[0]))
    after = time.perf_counter()
    new = again = math.inf
    prepared = system.prepare(problems[0])
    for _ in range(REPEAT):
        start = time.perf_counter()
        others = [system.posterior(system.prepare(problem)) for problem in problems[1:]]
        new = min(new, (time.perf_counter() - start) / len(others))
        start = time.perf_counter()
        system.posterior(prepared)
        again = min(again, time.perf_counter() - start)
    return {
        "import": imported - begin,
        "first": after - imported,
        "new": new,
        "again": again,
        "posteriors": [first, *others],
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(measure(sys.argv[1], json.load(sys.stdin))))
