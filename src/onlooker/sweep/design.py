"""What a sweep runs: settings, from a grid or from points over ranges, on trials by observers."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Literal

from onlooker.experiments.predictions import repeated_trials
from onlooker.game import Trial, TrialError
from onlooker.inference.declaring import Value
from onlooker.inference.parameters import Parameters
from onlooker.observers import ChoiceRule, Observer, rule_for
from onlooker.support.problems import Problem, first_names
from onlooker.sweep import SweepError, sweep_extra
from onlooker.sweep.keys import Keys
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


@dataclass(frozen=True)
class Sweep:
    """Settings, each over all trials and observers; trials without NPCs and tutorials are left out.

    >>> from onlooker import find_observer, load_trial
    >>> trial = load_trial("examples/early-turn.map")
    >>> sweep = Sweep.of([Parameters()], [trial], [find_observer("naive_observer")])
    >>> len(sweep.settings), len(sweep.trials)
    (1, 1)
    """

    settings: tuple[Parameters, ...]
    trials: tuple[Trial, ...]
    observers: tuple[Observer, ...]
    rules: tuple[ChoiceRule, ...]  # by which they choose

    @classmethod
    def of(
        cls,
        settings: Sequence[Parameters],
        trials: Sequence[Trial],
        observers: Sequence[Observer],
        rule: ChoiceRule | str | None = None,
    ) -> Sweep:
        """A sweep of what has different names; SweepError or TrialError says what has not.

        Every observer chooses by `rule`, or by its own where none is given.
        """
        if len({observer.name for observer in observers}) < len(observers):
            raise SweepError("--observer: two of them have the same name")
        try:
            rules = tuple(rule_for(each, rule) for each in observers)
        except ValueError as error:
            raise SweepError(f"--rule {rule}: {error}") from None
        left = [trial.label for trial in trials if trial.tutorial or not trial.npcs]
        if left:
            reason = "tutorials and trials without NPCs are left out"
            warnings.warn(f"{reason}: {first_names(left)}", stacklevel=2)
        kept = [trial for trial in trials if not trial.tutorial and trial.npcs]
        if doubles := repeated_trials(kept):
            reason = "the name of two trials of the same experiment"
            raise TrialError([Problem(kept[later].label, reason) for _, later in doubles])
        if not (settings and kept and observers):
            raise SweepError("no trial with NPCs that is not a tutorial: there is nothing to run")
        return cls(tuple(dict.fromkeys(settings)), tuple(kept), tuple(observers), rules)

    @cached_property
    def keys(self) -> Keys:
        """What its results are kept under."""
        return Keys.of(self.settings, self.trials, self.observers, self.rules)

    def labels(self) -> Iterator[tuple[int | str | None, str, str, str, str]]:
        """Experiment, trial, observer, NPC and its expertise, for each row of one setting."""
        for trial in self.trials:
            for observer in self.observers:
                for npc in trial.npcs:
                    expertise = str(npc.expertise)
                    yield trial.experiment, trial.label, observer.name, npc.id, expertise
