"""The figures of a sensitivity analysis."""

from onlooker.analysis.figures.sensitivity.parts import sensitivity_plates

__all__ = ["sensitivity_plates"]
