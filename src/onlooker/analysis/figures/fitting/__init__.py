"""The figures of fits, recovery and selection."""

from onlooker.analysis.figures.fitting.people import fitting_plates
from onlooker.analysis.figures.fitting.recovery import power_plate, recovery_plates

__all__ = ["fitting_plates", "power_plate", "recovery_plates"]
