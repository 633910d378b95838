"""The data that players leave: the tables and the dataset of any study, marked as artificial."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from onlooker.experiments.dataset import write_dataset
from onlooker.experiments.records import Records, record_participant, record_trial
from onlooker.game import BudgetRule, Choice, ExperimentName, Stage, replay, score

PLAYERS = "players"  # the field of a dataset's description that says who played


@dataclass(frozen=True, slots=True)
class PlayerNote:
    """Who played, for the description of a dataset."""

    name: str  # for people to read
    kind: str  # such as "language model", "observer" or "program"
    participants: Sequence[str]  # by which names the tables have it
    settings: Mapping[str, Any] = field(default_factory=dict)


def record_plays(
    experiment: ExperimentName,
    participant: str,
    stages: Sequence[Stage],
    logs: Sequence[Iterable[Choice | str]],
    times: Sequence[Iterable[str | None] | None] | None = None,
    ordering: int = 1,
) -> Records:
    """The tables of one participant who played some trials, in their order.

    It has completed them if every log leads to the end of its trial.

    >>> from onlooker.game import load_trial
    >>> from onlooker.planning import stage
    >>> game = stage(load_trial("examples/early-turn.map"), budget="map")
    >>> records = record_plays(1, "me", [game], [["observe agent2", "right"]])
    >>> records.participants[0]["completed"], records.trials[0]["cost_total"]
    (False, 4)
    """
    records, finished = Records(), []
    stamps = times or [None] * len(stages)
    for position, (stage, log, when) in enumerate(zip(stages, logs, stamps, strict=True), start=1):
        made = list(log)
        record_trial(records, participant, experiment, position, stage, made, when)
        finished.append(score(stage, replay(stage, made)).finished)
    record_participant(records, participant, experiment, ordering, all(finished))
    return records


def write_players(
    folder: str | os.PathLike[str],
    records: Records,
    players: Sequence[PlayerNote],
    budget: BudgetRule,
    extra: Mapping[str, Any] | None = None,
    *,
    replace: bool = False,
) -> Path:
    """Write what players did as a Psych-DS dataset; ValueError if there is something already.

    The dataset says that it is simulated, as no people played, and who played instead.
    """
    names = ", ".join(player.name for player in players)
    kinds = " and ".join(sorted({player.kind for player in players}))
    return write_dataset(
        folder,
        records.tables(),
        f"Artificial players: {names}",
        f"Artificial players, not people ({kinds}): {names}.",
        simulated=True,
        extra={
            PLAYERS: [asdict(player) for player in players],
            "budgetRule": budget,
            **(extra or {}),
        },
        replace=replace,
    )
