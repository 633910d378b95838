"""What the figures of fits share: panels in rows, observers' looks, the stamp."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from onlooker.analysis.figures.plate import Who
from onlooker.analysis.figures.style import (
    SMALL,
    STAMP,
    TEXT,
    WIDTH,
    observer_names,
    observer_styles,
    plain_style,
)
from onlooker.drawing.artists import FONT
from onlooker.drawing.style import FAINT_INK, GRID, INK
from onlooker.experiments.variants import Variant
from onlooker.support.extras import figures_extra

with figures_extra():
    import matplotlib as mpl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Canvas:
    """A figure with panels in rows."""

    figure: Figure
    panels: Sequence[Sequence[Axes]]

    def flat(self) -> list[Axes]:
        """All panels, row by row."""
        return [ax for row in self.panels for ax in row]


@contextmanager
def canvas(rows: int, columns: int, height: float, who: Who) -> Iterator[Canvas]:
    """A page wide figure of panels, each row so many inches high."""
    top = 0.3 if who.stamp else 0.05
    with plain_style(), mpl.rc_context(_settings()):
        figure = Figure(figsize=(WIDTH, rows * height + top), layout="constrained")
        whole = rows * height + top
        figure.get_layout_engine().set(rect=(0, 0, 1, 1 - top / whole))  # type: ignore[union-attr, call-arg]
        panels = figure.subplots(rows, columns, squeeze=False)
        for ax in panels.flat:
            ax.spines[["top", "right"]].set_visible(False)
        if who.stamp:
            look: dict[str, Any] = {"color": STAMP, "weight": "bold", "fontsize": SMALL}
            figure.text(0.99, 1 - 0.06 / whole, who.stamp, ha="right", va="top", **look)
        yield Canvas(figure, panels.tolist())


def _settings() -> Any:
    return {
        "font.family": FONT,
        "font.size": SMALL,
        "axes.titlesize": TEXT,
        "axes.titleweight": "bold",
        "axes.labelsize": TEXT,
        "axes.edgecolor": FAINT_INK,
        "axes.labelcolor": INK,
        "text.color": INK,
        "xtick.color": FAINT_INK,
        "ytick.color": FAINT_INK,
        "grid.color": GRID,
        "hatch.linewidth": 0.5,
        "legend.frameon": False,
        "svg.hashsalt": "onlooker",
    }


def titles(observers: Iterable[str]) -> dict[str, str]:
    """The titles of observers."""
    return {label: name.title for label, name in observer_names(map(Variant, observers)).items()}


def shorts(observers: Iterable[str]) -> dict[str, str]:
    """Short names of observers."""
    return {label: name.short for label, name in observer_names(map(Variant, observers)).items()}


def looks(observers: Iterable[str]) -> dict[str, tuple[str, str, str]]:
    """The hue, marker and hatching of observers."""
    styles = observer_styles(observers).items()
    return {name: (style.colour, style.marker, style.hatch) for name, style in styles}
