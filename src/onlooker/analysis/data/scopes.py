"""What statistics are of: the measures, and the parts of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from onlooker.experiments.naming import in_order
from onlooker.game import ExperimentName

TRIAL = ["experiment", "level"]  # the columns that tell trials apart
POOLED = "pooled"  # in a column of experiments: all of them together
ALL_NPCS = "all"  # in words: all NPCs of a trial


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that people and observers do, of each NPC or of a trial as a whole."""

    name: str
    title: str
    per_npc: bool


MEASURES = (
    Measure("observed", "observation steps", True),
    Measure("total_steps", "total steps", False),
    Measure("cost_observation", "observation cost", True),
    Measure("cost_total", "total cost", False),
)


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of the data that a statistic is of.

    >>> Scope(4, role="novice").columns(), Scope().who
    ({'experiment': 4, 'npc': '', 'role': 'novice'}, 'all')
    """

    experiment: ExperimentName | None = None  # None: all experiments together
    npc: str | None = None  # one NPC, by its id
    role: str | None = None  # the NPCs of one expertise

    def of(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The rows of a table that belong to it."""
        wanted = {"experiment": self.experiment, "agent": self.npc, "expertise": self.role}
        for column, value in wanted.items():
            if value is not None:
                frame = frame[frame[column] == value]
        return frame

    def columns(self) -> dict[str, int | str]:
        """What a table says of it; `npc` and `role` are both empty for all NPCs."""
        experiment = POOLED if self.experiment is None else self.experiment
        return {"experiment": experiment, "npc": self.npc or "", "role": self.role or ""}

    def rows(self, table: pd.DataFrame) -> pd.DataFrame:
        """The rows of a table that have its columns, such as `fits`."""
        for column, value in self.columns().items():
            table = table[table[column] == value]
        return table

    @property
    def of_all_npcs(self) -> bool:
        """Whether it has all NPCs of its trials."""
        return self.npc is None and self.role is None

    @property
    def who(self) -> str:
        """Its NPCs in words."""
        return self.npc or self.role or ALL_NPCS


def scopes(pairs: pd.DataFrame, measure: Measure) -> Iterator[Scope]:
    """Each experiment, its NPCs and roles if there are several, and all together.

    Where an NPC has the same role in every trial, both would be the same rows: only the role is
    given.
    """
    for number in in_order(pairs["experiment"]):
        yield Scope(number)
        rows = pairs[pairs["experiment"] == number]
        npcs, roles = (sorted(set(rows[column])) for column in ("agent", "expertise"))
        together = rows.groupby(["agent", "expertise"]).ngroups
        same = len(roles) > 1 and together == len(npcs) == len(roles)
        if measure.per_npc and len(npcs) > 1 and not same:
            yield from (Scope(number, npc=npc) for npc in npcs)
        if measure.per_npc and len(roles) > 1:
            yield from (Scope(number, role=role) for role in roles)
    yield Scope()


def experiment_scopes(frame: pd.DataFrame, *, pooled: bool = True) -> Iterator[Scope]:
    """Each experiment, and all together where there are several."""
    numbers = in_order(frame["experiment"])
    yield from map(Scope, numbers)
    if pooled and len(numbers) > 1:
        yield Scope()


def by_scope(
    frame: pd.DataFrame,
    statistic: Callable[[pd.DataFrame], Iterable[dict[str, Any]]],
    *by: str,
    pooled: bool = True,
    **labels: str,
) -> pd.DataFrame:
    """The rows that a statistic gives of each experiment, and of all where there are several.

    With `by`, of each group of an experiment's rows that have these columns in common. Each row
    says its experiment and group, after the `labels` that all of them have.
    """
    rows: list[dict[str, Any]] = []
    for scope in experiment_scopes(frame, pooled=pooled):
        label = labels | {"experiment": scope.columns()["experiment"]}
        part = scope.of(frame)
        groups: Iterable[tuple[Any, pd.DataFrame]] = [((), part)]
        if by:
            groups = part.groupby(list(by), sort=False)
        for key, group in groups:
            named = label | dict(zip(by, key, strict=True))
            rows += [named | row for row in statistic(group)]
    return pd.DataFrame(rows)


def pooled_or_only(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of all experiments together, or of the only one."""
    there = frame[frame["experiment"] == POOLED] if len(frame) else frame
    return frame if there.empty else there


def one_row_per_unit(frame: pd.DataFrame, measure: Measure, *who: str) -> pd.DataFrame:
    """A row for each NPC, or for each trial if the measure is of trials."""
    return frame if measure.per_npc else frame.drop_duplicates([*who, *TRIAL])
