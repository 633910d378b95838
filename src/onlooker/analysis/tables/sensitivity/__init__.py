"""How predictions, and their fit to people, depend on the parameters and the readings."""

from onlooker.analysis.tables.sensitivity.measures import (
    Run,
    Sensitivity,
    sensitivity,
    write_sensitivity,
)

__all__ = ["Run", "Sensitivity", "sensitivity", "write_sensitivity"]
