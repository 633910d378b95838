"""What every figure is: a drawing with its caption and the numbers that it shows.

Figures of simulated participants say so: in a corner, on their axes and in their caption.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pandas as pd

from onlooker.drawing.figure import save_figure
from onlooker.experiments.tables import write_frame
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png")


@dataclass(frozen=True)
class Plate:
    """A figure for a paper."""

    name: str  # of its files, which may stand in a folder
    title: str
    caption: str
    figure: Figure
    sources: Mapping[str, pd.DataFrame]  # the numbers that are drawn, by panel


@dataclass(frozen=True, slots=True)
class MissingFigure:
    """A figure that cannot be drawn, and what it would need."""

    name: str
    title: str
    needs: str

    def __str__(self) -> str:
        return f"{self.title}: needs {self.needs}"


def save_plate(
    plate: Plate, folder: str | os.PathLike[str], suffixes: Sequence[str] = SUFFIXES
) -> list[Path]:
    """Write a plate into a folder: the figure in each format, and a CSV for each panel."""
    drawings = [Path(folder) / f"{plate.name}{suffix}" for suffix in suffixes]
    for path in drawings:
        save_figure(plate.figure, path)
    tables = [Path(folder) / f"{plate.name}-{slug}.csv" for slug in slugs(plate.sources)]
    for path, frame in zip(tables, plate.sources.values(), strict=True):
        write_frame(path, frame)
    return [*drawings, *tables]


def slugs(names: Iterable[str]) -> list[str]:
    """Names as they can stand in any file's name, no two the same.

    >>> slugs(["Exp1", "my_own (beta=1)", "my-own beta=1"])
    ['exp1', 'my-own-beta-1', 'my-own-beta-1-2']
    """
    found: list[str] = []
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "panel"
        tries = (plain if number == 1 else f"{plain}-{number}" for number in count(1))
        found.append(next(each for each in tries if each not in found))
    return found
