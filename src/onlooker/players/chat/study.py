"""A study that a language model plays: who plays what, and the folder that keeps it."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from onlooker.experiments.naming import by_experiment, slug
from onlooker.experiments.studies import orderings_for
from onlooker.game import BudgetRule, ExperimentName, Stage, Trial, dump_document, player_view
from onlooker.planning import stage
from onlooker.players.chat.transcript import Transcript
from onlooker.players.chat.words import TextVariant, rules_text
from onlooker.support.files import json_text, write_file
from onlooker.support.problems import DataError, Problem, first_names
from onlooker.version import __version__

RUN = "players.json"  # the settings of the run in a folder
CONVERSATIONS = "conversations"
DATASET = "dataset"
MOST_CHOICES = 200  # in a trial: what is said grows with each


@dataclass(frozen=True, slots=True)
class Job:
    """One trial that one participant plays."""

    experiment: ExperimentName
    participant: str
    number: int  # of the participant, from 1
    ordering: int
    position: int
    stage: Stage

    @property
    def file(self) -> Path:
        """Where its transcript is in the folder of the run."""
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", self.stage.trial.label).strip("-.")[:60]
        place = f"{self.position:03}-{name or 'trial'}.jsonl"
        return Path(CONVERSATIONS, f"{slug(self.experiment)}-{self.number:03}", place)


@dataclass(frozen=True)
class ChatStudy:
    """What a model plays, and everything that its answers depend on."""

    model: str
    trials: Sequence[Trial]
    variant: TextVariant = "grid"
    budget: BudgetRule = "map"
    participants: int = 1
    orderings: bool = False  # each participant plays an ordering as people do, not all trials
    seed: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    most: int = MOST_CHOICES

    @property
    def settings(self) -> dict[str, Any]:
        """What decides about the answers, as plain data."""
        return {
            "model": self.model,
            "text": self.variant,
            "budget": self.budget,
            "seed": self.seed,
            "options": dict(self.options),
            "orderings": self.orderings,
            "most": self.most,
        }

    @property
    def name(self) -> str:
        """The model and its settings, in short.

        >>> ChatStudy("tiny", [], "prose", options={"temperature": 0.5, "stop": "\\n"}).name
        'tiny prose temperature=0.5 stop="\\\\n"'
        """
        words = [f"{name}={json.dumps(value)}" for name, value in self.options.items()]
        words += [] if self.seed is None else [f"seed={self.seed}"]
        return " ".join([self.model, self.variant, *words])

    @cached_property
    def jobs(self) -> list[Job]:
        """Every trial of every participant; ValueError if trials have the same name."""
        found: list[Job] = []
        for experiment, trials in by_experiment(self.trials).items():
            stages = {trial.label: stage(trial, budget=self.budget) for trial in trials}
            if len(stages) < len(trials):
                [(name, _)] = Counter(trial.label for trial in trials).most_common(1)
                what = f"two trials have the same name, {name!r}"
                raise ValueError(f"Experiment {experiment}: {what}")
            orders = [list(stages)]
            if self.orderings:
                orders = orderings_for(experiment, trials)
            for index in range(self.participants):
                order = index % len(orders)
                who = f"{self.name} {slug(experiment)} #{index + 1}"
                found += [
                    Job(experiment, who, index + 1, order + 1, position, stages[label])
                    for position, label in enumerate(orders[order], start=1)
                ]
        return found

    def seed_of(self, job: Job) -> int | None:
        """The seed that is sent with each request of a trial: participants have different ones."""
        return None if self.seed is None else self.seed + job.number - 1


class RunFolder:
    """The folder of a run, made when there is something to keep."""

    def __init__(self, folder: Path, study: ChatStudy) -> None:
        self.folder, self.study = folder, study
        self._begun = False
        self._check()

    def begin(self) -> None:
        """Write the settings of the run, once."""
        if not self._begun:
            write_file(self.folder / RUN, json_text(self._about))
            self._begun = True

    def transcripts(self) -> Iterator[tuple[Job, Transcript]]:
        """The transcript of every trial."""
        for job in self.study.jobs:
            head = {
                "participant": job.participant,
                "experiment": job.experiment,
                "level": job.stage.trial.label,
                "position": job.position,
                "seed": self.study.seed_of(job),
                "system": rules_text(player_view(job.stage, [])),
            }
            yield job, Transcript(self.folder / job.file, head, self.begin)

    @cached_property
    def _about(self) -> dict[str, Any]:
        return {
            "onlooker": __version__,
            "settings": self.study.settings,
            "participants": self.study.participants,
            "trials": {
                f"{slug(experiment)} {trial.label}": _digest(trial)
                for experiment, trials in by_experiment(self.study.trials).items()
                for trial in trials
            },
        }

    def _check(self) -> None:
        """Refuse a folder of something else, or of a run with other settings."""
        file = self.folder / RUN
        if not file.exists():
            if self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
                reason = "it holds something that is not a run of players; expected a new folder"
                raise DataError([Problem(str(self.folder), reason)])
            return
        try:
            there = json.loads(file.read_text("utf-8"))
            settings, trials = dict(there["settings"]), dict(there["trials"])
            participants = int(there["participants"])
        except (ValueError, LookupError, TypeError):
            raise DataError([Problem(str(file), "expected the settings of a run")]) from None
        if differences := list(self._differences(settings, trials, participants)):
            reason = f"its run has other settings: {'; '.join(differences)}; expected a new folder"
            raise DataError([Problem(str(self.folder), reason)])
        self._begun = participants == self.study.participants

    def _differences(
        self, settings: Mapping[str, Any], trials: Mapping[str, str], participants: int
    ) -> Iterator[str]:
        """What is not the same in a run that is there; participants can be added to it."""
        for name, value in self.study.settings.items():
            if settings.get(name) != value:
                yield f"{name} is {settings.get(name)!r} there, and {value!r} here"
        mine = self._about["trials"]
        if others := [name for name in {**trials, **mine} if trials.get(name) != mine.get(name)]:
            yield f"the trials differ ({first_names(others, 3)})"
        if participants > self.study.participants:
            yield f"it has {participants} participants, and here are {self.study.participants}"


def _digest(trial: Trial) -> str:
    return hashlib.sha256(dump_document(trial).encode()).hexdigest()
