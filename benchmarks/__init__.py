"""Measurements: how fast the engine is, and how its cost grows. `make bench` runs them all."""

import sys
from pathlib import Path

# What they measure against is in part with the tests: plain versions, the light client.
sys.path.append(str(Path(__file__).parents[1] / "tests"))
