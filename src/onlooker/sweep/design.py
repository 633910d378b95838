"""The settings of a sweep: every combination of a grid, or points spread over ranges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any, Literal

from onlooker.inference.declaring import Value
from onlooker.inference.parameters import Parameters
from onlooker.sweep import SweepError, sweep_extra
from onlooker.sweep.values import Axis, Range

with sweep_extra():
    import numpy as np
    from scipy.stats import qmc

Method = Literal["sobol", "latin"]

MOST_CELLS = 1_000_000


@dataclass(frozen=True)
class Design:
    """Which settings to try: the combinations of `axes`, each with every point over `ranges`."""

    base: Parameters = field(default_factory=Parameters)  # what is not varied
    axes: tuple[Axis, ...] = ()
    ranges: tuple[Range, ...] = ()
    method: Method = "sobol"
    points: int = 0  # over the ranges
    seed: int = 1

    def __post_init__(self) -> None:
        names = [axis.name for axis in self.axes] + [each.name for each in self.ranges]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise SweepError(f"--grid, --range: {', '.join(twice)} is given twice")
        if bool(self.ranges) != bool(self.points):
            raise SweepError(
                "a design needs both a number of points and ranges: --sobol N or --latin N with"
                " --range"
            )
        if self.ranges and self.method == "sobol" and self.points & (self.points - 1):
            near = 2 ** (self.points.bit_length() - 1)
            raise SweepError(
                f"--sobol {self.points}: expected a power of two, such as {near} or {2 * near}"
            )
        if self.size > MOST_CELLS:
            raise SweepError(
                f"{self.size:,} settings: that is more than the {MOST_CELLS:,} that a sweep takes"
            )

    @property
    def size(self) -> int:
        """How many settings it asks for, those that turn out the same counted each time."""
        return prod(len(axis.values) for axis in self.axes) * (self.points or 1)

    def settings(self) -> list[Parameters]:
        """The settings in their order, each once.

        >>> design = Design(axes=(Axis("beta", (0.2, 0.5)), Axis("observe", (1, 2))))
        >>> [(each.beta, each.observe) for each in design.settings()]
        [(0.2, 1), (0.2, 2), (0.5, 1), (0.5, 2)]
        """
        return list(dict.fromkeys(self._every()))

    def _every(self) -> Iterator[Parameters]:
        points = list(self._points())
        for combination in product(*(axis.values for axis in self.axes)):
            fixed = dict(zip((axis.name for axis in self.axes), combination, strict=True))
            for point in points:
                values: dict[str, Any] = fixed | point
                yield replace(self.base, **values)

    def _points(self) -> Iterator[dict[str, Value]]:
        if not self.ranges:
            yield {}
            return
        for row in spread(self.method, len(self.ranges), self.points, self.seed):
            yield {each.name: each.at(share) for each, share in zip(self.ranges, row, strict=True)}


def spread(method: Method, dimensions: int, points: int, seed: int) -> Sequence[Sequence[float]]:
    """Points of the unit cube: a scrambled Sobol' sequence, or a Latin hypercube."""
    rng = np.random.default_rng(seed)
    if method == "latin":
        sampler: qmc.QMCEngine = qmc.LatinHypercube(dimensions, seed=rng)
    else:
        sampler = qmc.Sobol(dimensions, scramble=True, seed=rng)
    rows: Sequence[Sequence[float]] = sampler.random(points).tolist()
    return rows
