"""The figure of how Rational Mentalizing decides."""

from onlooker.analysis.figures.schematic.decision import Moment, schematic_plate

__all__ = ["Moment", "schematic_plate"]
