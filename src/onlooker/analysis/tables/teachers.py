"""Trials with teachers: what observers predict under each label, and what people do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import pandas as pd

from onlooker.analysis.data.words import MODEL, Source
from onlooker.experiments.labels import moments
from onlooker.experiments.separation import predicted
from onlooker.game import Expertise, Label, Trial, teacher_in
from onlooker.inference import Parameters

CHEST = "chest"  # the question after a round: which chest was it going to?
BY = ["scenario", "label"]


@dataclass(frozen=True)
class Teaching:
    """What is known about some trials with teachers."""

    trials: Sequence[Trial]
    predicted: pd.DataFrame  # a trial with an observer under a label
    steps: pd.DataFrame  # what is believed under a label after each step of a teacher
    people: pd.DataFrame  # a class of trials under a label: mean looks at teachers and at others
    answers: pd.DataFrame  # a class of trials under a label: how often a teacher's chest is named
    source: Source  # whose data `people` and `answers` are

    @property
    def model(self) -> pd.DataFrame:
        """What Rational Mentalizing is predicted to do."""
        return self.predicted[self.predicted["observer"] == MODEL]

    def tables(self) -> dict[str, pd.DataFrame]:
        """What is written to files, by name."""
        return {
            "teachers": self.predicted,
            "teachers-steps": self.steps,
            "teachers-people": self.people,
            "teachers-answers": self.answers,
        }


def teaching(
    trials: Sequence[Trial],
    tables: Mapping[str, pd.DataFrame],
    source: Source,
    parameters: Parameters | None = None,
) -> Teaching | None:
    """What is known about those of the trials that have a teacher; None if none has.

    `tables` are a study's, in which participants have a label.
    """
    taught = [trial for trial in trials if teacher_in(trial) is not None and not trial.tutorial]
    if not taught:
        return None
    return Teaching(
        taught,
        pd.DataFrame([asdict(row) for row in predicted(taught, parameters)]),
        _steps(taught, parameters),
        _people(taught, tables),
        _answers(taught, tables),
        source,
    )


def _steps(trials: Sequence[Trial], parameters: Parameters | None) -> pd.DataFrame:
    """What Rational Mentalizing believes after each step of each teacher."""
    rows = []
    for trial in trials:
        npc = teacher_in(trial) or 0
        for label in Label:
            for step, here in enumerate(moments(trial, label, npc, parameters)):
                rows.append(
                    {
                        "level": trial.label,
                        "scenario": str(trial.scenario),
                        "label": str(label),
                        "step": step,
                        "sure": here.sure,
                        "attributed": here.goals[npc][trial.npcs[npc].goal],
                        "teaches": here.teaches[npc],
                    }
                )
    return pd.DataFrame(rows)


def _people(trials: Sequence[Trial], tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Mean looks over people, each of whom counts once in a class of trials."""
    observed = tables.get("observations")
    frame = None if observed is None else _with_labels(trials, observed, tables)
    if frame is None:
        return pd.DataFrame(columns=[*BY, "expertise", "looks", "se", "people"])
    return _means(frame, [*BY, "expertise"], "observed").rename(columns={"mean": "looks"})


def _answers(trials: Sequence[Trial], tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """How often people say of a teacher that it was going to its own chest."""
    said = tables.get("answers")
    asked = said is not None and {"participant", "level", "question", "answer"} <= set(said)
    frame = None
    if said is not None and asked:
        frame = _with_labels(trials, said[said["question"] == CHEST], tables)
    if frame is None:
        return pd.DataFrame(columns=[*BY, "share", "se", "people"])
    goals = {trial.label: trial.npcs[teacher_in(trial) or 0].goal for trial in trials}
    frame = frame.assign(right=frame["answer"] == frame["level"].map(goals))
    return _means(frame, BY, "right").rename(columns={"mean": "share"})


def _with_labels(
    trials: Sequence[Trial], frame: pd.DataFrame, tables: Mapping[str, pd.DataFrame]
) -> pd.DataFrame | None:
    """The rows on these trials with their class and what their participant was told; or None."""
    people = tables.get("participants")
    if people is None or "label" not in people:
        return None
    kinds = {trial.label: str(trial.scenario) for trial in trials}
    told = dict(zip(people["participant"], people["label"], strict=True))
    frame = frame.assign(
        scenario=frame["level"].map(kinds), label=frame["participant"].map(told)
    ).dropna(subset=BY)
    return frame if len(frame) else None


def _means(frame: pd.DataFrame, by: list[str], value: str) -> pd.DataFrame:
    """Means over people, with their standard errors."""
    each = frame.groupby([*by, "participant"])[value].mean().reset_index()
    found = each.groupby(by)[value].agg(["mean", "sem", "count"]).reset_index()
    return found.rename(columns={"sem": "se", "count": "people"})


def looked_at(found: Teaching, expertise: Expertise) -> pd.DataFrame:
    """Mean looks at teachers or at the experts beside them: predicted, and people's if known.

    Columns: scenario, label, looks (predicted), people, se.
    """
    column = "looks" if expertise is Expertise.TEACHER else "others"
    people = found.people[found.people["expertise"] == expertise]
    return _with_people(found, column, people.rename(columns={"looks": "mean"}))


def attributed(found: Teaching) -> pd.DataFrame:
    """How likely a teacher's chest is held to be its own: predicted, and how often people say so.

    Columns: scenario, label, predicted, mean, se.
    """
    return _with_people(found, "attributed", found.answers.rename(columns={"share": "mean"}))


def _with_people(found: Teaching, column: str, people: pd.DataFrame) -> pd.DataFrame:
    model = found.model.groupby(BY, sort=False)[column].mean().rename("predicted").reset_index()
    return model.merge(people[[*BY, "mean", "se"]], on=BY, how="left")
