"""How well trials with teachers separate observers, and what players are told, in numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from statistics import fmean

from onlooker.experiments.labels import labels_for, read
from onlooker.game import Label, Trial, teacher_in
from onlooker.inference.parameters import Parameters
from onlooker.observers import OBSERVERS


@dataclass(frozen=True, slots=True)
class Predicted:
    """What an observer does about one teacher under a label."""

    level: str
    scenario: str  # the class of the trial
    npc: str  # the teacher
    observer: str
    label: Label
    looks: float  # at the teacher
    others: float  # looks at other NPCs
    attributed: float  # how likely the teacher's chest is held to be its own in the end
    sure: float  # how likely the holder is held to be it
    teaches: float | None  # how likely the teacher is held to be one; None if told
    cost: float


NUMBERS = tuple(field.name for field in fields(Predicted))[5:]


def predicted(trials: Iterable[Trial], parameters: Parameters | None = None) -> list[Predicted]:
    """What each of the paper's observers does in each trial with a teacher, under each label."""
    found = []
    for trial in trials:
        if (npc := teacher_in(trial)) is None:
            continue
        for observer in (observer() for observer in OBSERVERS.values()):
            for label in labels_for(observer):
                reading = read(trial, label, parameters, observer)
                looks, end = reading.looks[npc], reading.end
                found.append(
                    Predicted(
                        trial.label,
                        str(trial.scenario),
                        trial.npcs[npc].id,
                        observer.name,
                        label,
                        looks,
                        sum(reading.looks) - looks,
                        end.goals[npc][trial.npcs[npc].goal],
                        end.sure,
                        end.teaches[npc],
                        reading.cost,
                    )
                )
    return found


def summarized(rows: Iterable[Predicted], *by: str) -> dict[tuple[str, ...], dict[str, float]]:
    """The means of what is predicted, by some columns; `teaches` only where it is not told."""
    groups: dict[tuple[str, ...], list[Predicted]] = {}
    for row in rows:
        groups.setdefault(tuple(str(getattr(row, name)) for name in by), []).append(row)
    return {
        key: {
            name: fmean(values)
            for name in NUMBERS
            if (values := [v for row in here if (v := getattr(row, name)) is not None])
        }
        for key, here in groups.items()
    }
