"""The figure that explains a run of an observer."""

from onlooker.drawing.explain.figure import explain_figure

__all__ = ["explain_figure"]
