"""Measurements: how fast the engine is, and how its cost grows. `make bench` runs them all."""
