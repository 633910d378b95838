"""What a participant did, as rows of a study's tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from onlooker.game import Choice, ExperimentName, Interaction, Observe, Stage, replay, score

Row = dict[str, Any]


@dataclass(frozen=True)
class Records:
    """The rows of the four tables."""

    participants: list[Row] = field(default_factory=list)
    trials: list[Row] = field(default_factory=list)
    observations: list[Row] = field(default_factory=list)
    actions: list[Row] = field(default_factory=list)

    def tables(self) -> dict[str, list[Row]]:
        """The rows of each table by its name."""
        return {
            "participants": self.participants,
            "trials": self.trials,
            "observations": self.observations,
            "actions": self.actions,
        }

    def extend(self, other: Records) -> None:
        """Add the rows of another study."""
        for name, rows in other.tables().items():
            self.tables()[name].extend(rows)


def labelled(label: str | None) -> Row:
    """The label of a row, if it is of a study that has labels."""
    return {} if label is None else {"label": label}


def record_participant(
    records: Records,
    participant: str,
    experiment: ExperimentName,
    ordering: int,
    completed: bool,
    label: str | None = None,
) -> None:
    """Add a participant of whom no age and no gender is known."""
    records.participants.append(
        {
            "participant": participant,
            "experiment": experiment,
            "ordering": ordering,
            "completed": completed,
            "age": None,
            "gender": None,
        }
        | labelled(label)
    )


def record_trial(
    records: Records,
    participant: str,
    experiment: ExperimentName,
    position: int,
    stage: Stage,
    log: Iterable[Choice | str],
    times: Iterable[str | None] | None = None,
    label: str | None = None,
) -> None:
    """Add a trial that a participant played: its row, its NPCs' and those of its choices."""
    turns = replay(stage, log)
    stamps = list(times) if times is not None else [None] * len(turns)
    result = score(stage, turns)
    common = {"participant": participant, "experiment": experiment, "level": stage.trial.name}
    watching = stage.costs.observe * sum(result.observed)
    records.trials.append(
        common
        | {
            "position": position,
            "tutorial": stage.trial.tutorial,
            "finished": result.finished,
            "budget": result.budget,
            "unspent": result.unspent,
            "observed": sum(result.observed),
            "moves": result.moves,
            "interactions": result.interactions,
            "cost_observation": watching,
            "cost_execution": result.spent - watching,
            "cost_total": result.spent,
        }
        | labelled(label)
    )
    for npc, observed in zip(stage.trial.npcs, result.observed, strict=True):
        records.observations.append(
            common
            | {
                "agent": npc.id,
                "expertise": str(npc.expertise),
                "observed": observed,
                "cost_observation": stage.costs.observe * observed,
            }
        )
    for number, (turn, time) in enumerate(zip(turns, stamps, strict=True), start=1):
        watched = isinstance(turn.choice, Observe)
        kind = "interaction" if isinstance(turn.event, Interaction) else "move"
        records.actions.append(
            common
            | {
                "number": number,
                "choice": str(turn.choice),
                "event": "observation" if watched else kind,
                "cost": stage.costs.observe if watched else turn.event.cost,
                "points_left": stage.budget - turn.situation.spent,
                "time": time,
            }
        )
