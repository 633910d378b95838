"""Courses: an experiment's tutorial, questions, trials and orderings, ready to run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from onlooker.experiments import stimuli as bundled
from onlooker.experiments.inventory import PAPER_EXPERIMENTS, Experiment
from onlooker.experiments.orderings import load_orderings
from onlooker.experiments.trialset import load_trials
from onlooker.game import (
    ExperimentName,
    Label,
    Problem,
    Stage,
    Trial,
    TrialError,
    to_document,
    under,
)
from onlooker.planning import NoPathError, Tables, main_path, path_cost, stage
from onlooker.web.settings import MAX_CHOICES, Settings, Stimuli, Study
from onlooker.web.settings.questions import SurveyQuestion, default_questions
from onlooker.web.study.content import Question, questions, reminder
from onlooker.web.study.rounds import PlayedRounds
from onlooker.web.study.tutorial import Page, tutorial
from onlooker.web.texts import Texts, load_texts

Orderings = tuple[tuple[str, ...], ...]  # names of trials
Courses = Mapping[ExperimentName, "Course"]  # by experiment


@dataclass(frozen=True)
class Course:
    """One experiment ready to run; it never changes while the server runs."""

    experiment: ExperimentName
    pages: tuple[Page, ...]
    practice: tuple[Stage, ...]
    questions: tuple[Question, ...]
    reminder: tuple[str, ...]
    chances: int  # at the comprehension check
    stages: Mapping[str, Stage]  # by the trial's name
    least_costs: Mapping[str, int]  # what each trial costs if the holders are known
    orderings: Orderings
    texts: Texts = field(default_factory=lambda: load_texts("en"), compare=False, repr=False)
    most_choices: int = MAX_CHOICES  # in one round; with as many, it is over
    round_questions: tuple[SurveyQuestion, ...] = ()  # asked after each round
    survey_questions: tuple[SurveyQuestion, ...] | None = None  # at the end; None: the usual ones
    label: Label | None = None  # what its participants are told of NPCs that teach
    others: tuple[Course, ...] = field(default=(), compare=False, repr=False)  # under other labels
    played: PlayedRounds = field(default_factory=PlayedRounds, compare=False)

    def ordering(self, number: int) -> tuple[str, ...]:
        """The trials' names in the ordering of that number, which counts from 1."""
        return self.orderings[number - 1]

    def stage(self, ordering: int, position: int) -> Stage:
        """The trial at a position, from 0, of an ordering, from 1."""
        return self.stages[self.ordering(ordering)[position]]

    def survey(self, texts: Texts) -> tuple[SurveyQuestion, ...]:
        """The questions at the end, the usual ones if the lab has none of its own."""
        own = self.survey_questions
        return default_questions(texts) if own is None else own

    @property
    def variants(self) -> tuple[Course, ...]:
        """The course under each label; itself alone if there is none."""
        return (self, *self.others)

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels under which it is run."""
        return tuple(each.label for each in self.variants if each.label is not None)

    def under(self, label: str | None) -> Course:
        """The course under a label; itself if it is not run under that."""
        return next((each for each in self.variants if each.label == label), self)

    @property
    def rounds(self) -> int:
        """How many trials count."""
        return len(self.orderings[0])

    @cached_property
    def stimulus_hash(self) -> str:
        """Changes when the game or the lab's questions do, but not when other words do."""
        parts: dict[str, object] = {
            "trials": {name: _described(game) for name, game in self.stages.items()},
            "practice": [_described(game) for game in self.practice],
            "orderings": self.orderings,
            "pages": [page.practice for page in self.pages],
            "answers": {question.id: question.right for question in self.questions},
            "chances": self.chances,
        }
        if self.most_choices != MAX_CHOICES:  # so that sessions from before this rule stay valid
            parts["most_choices"] = self.most_choices
        if self.label is not None:
            parts["label"] = self.label
        if self.round_questions:
            parts["round_questions"] = [each.model_dump() for each in self.round_questions]
        if self.survey_questions is not None:
            parts["survey_questions"] = [each.model_dump() for each in self.survey_questions]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def load_courses(settings: Settings) -> dict[ExperimentName, Course]:
    """The courses of all experiments that the settings run; TrialError if stimuli are wrong."""
    return {name: load_course(settings, name) for name in settings.study.run}


def load_course(settings: Settings, experiment: ExperimentName) -> Course:
    """One experiment's course; where there are labels, under the first, with the others beside."""
    found = _stimuli(experiment, settings.stimuli.get(experiment) or Stimuli())
    labels: list[Label | None] = [Label(each) for each in settings.study.labels]
    made = [_course(settings, experiment, label, *found) for label in labels or [None]]
    return replace(made[0], others=tuple(made[1:]))


def _course(
    settings: Settings,
    experiment: ExperimentName,
    label: Label | None,
    trials: Sequence[Trial],
    practice: Sequence[Trial],
    orderings: Orderings,
) -> Course:
    """The course under a label, if there is one."""
    told = label is not Label.UNTOLD
    if label is not None:
        trials = [under(trial, label) for trial in trials]
        practice = [under(trial, label) for trial in practice]
    kind = Experiment.of(experiment, trials)
    practice = practice or _practice(kind)
    study, on_empty = settings.study, settings.study.on_empty
    texts = settings.spoken
    used = {name for ordering in orderings for name in ordering}
    stages = {trial.label: _stage(trial, study, told) for trial in trials if trial.label in used}
    return Course(
        experiment=experiment,
        pages=tutorial(kind, practice, len(orderings[0]), texts, on_empty, told),
        practice=tuple(_stage(trial, study, told) for trial in practice),
        questions=questions(kind, texts, told),
        reminder=reminder(kind, texts, on_empty, told),
        chances=settings.study.check_attempts,
        stages=stages,
        least_costs={name: least_cost(game.trial) for name, game in stages.items()},
        orderings=orderings,
        texts=texts,
        most_choices=settings.study.most_choices,
        round_questions=settings.round.questions,
        survey_questions=settings.survey.questions,
        label=label,
    )


def least_cost(trial: Trial) -> int:
    """What reaching the chest costs if the holders are known."""
    return path_cost(main_path(Tables(trial.map), trial))


def _stimuli(
    experiment: ExperimentName, custom: Stimuli
) -> tuple[list[Trial], list[Trial], Orderings]:
    """The trials that count, the practice trials and the orderings."""
    trials: list[Trial] = []
    practice: list[Trial] = []
    if experiment in bundled.bundled():
        trials, practice = bundled.stimuli(experiment), bundled.tutorials(experiment)
    elif custom.folder is None:
        reason = f"there is no bundled experiment {experiment!r}; expected the folder of its maps"
        raise TrialError([Problem(f"stimuli.{experiment}.folder", reason)])
    if custom.folder is not None:
        loaded = load_trials([custom.folder])
        _refuse_equal_labels(loaded, custom.folder)
        _refuse_other_experiments(loaded, experiment, custom.folder)
        trials = [trial for trial in loaded if not trial.tutorial]
        practice = [trial for trial in loaded if trial.tutorial] or practice
    if not trials:
        reason = "expected trials that count; all of these are tutorial"
        raise TrialError([Problem("", reason)], source=str(custom.folder))
    path = custom.orderings or (custom.folder and custom.folder / "orderings.json")
    if custom.orderings is None and path is not None and not path.exists():
        reason = f"there is no such file; `onlooker stimuli orderings {custom.folder}` makes it"
        raise TrialError([Problem(str(path), reason)])
    if path is None:
        return trials, practice, tuple(map(tuple, bundled.orderings(experiment)))
    return trials, practice, load_orderings(path, trials).orderings


def _practice(kind: Experiment) -> list[Trial]:
    """The practice trials of the paper's experiment that is the most like another."""

    def likeness(theirs: Experiment) -> int:
        same = (
            len(theirs.npcs) == len(kind.npcs),
            set(theirs.npcs) == set(kind.npcs),
            (theirs.chests > 1) == (kind.chests > 1),
            theirs.reveals_outcomes is kind.reveals_outcomes,
        )
        return sum(same)

    trials = bundled.tutorials(max(PAPER_EXPERIMENTS.values(), key=likeness).name)
    return [replace(trial, reveals_outcomes=kind.reveals_outcomes) for trial in trials]


def _refuse_equal_labels(trials: Iterable[Trial], folder: Path) -> None:
    seen: set[str] = set()
    for trial in trials:
        if trial.label in seen:
            raise TrialError(
                [Problem("", f"two trials are called {trial.label!r}")], source=str(folder)
            )
        seen.add(trial.label)


def _refuse_other_experiments(
    trials: Iterable[Trial], experiment: ExperimentName, folder: Path
) -> None:
    """Refuse trials that name another experiment: nobody would find them by the study's data."""
    for trial in trials:
        if not trial.tutorial and trial.experiment not in (None, experiment):
            reason = f"{trial.label} is a trial of Experiment {trial.experiment}"
            problem = Problem("experiment", f"{reason}, and the study is of {experiment}")
            raise TrialError([problem], source=str(folder))


def _stage(trial: Trial, study: Study, told: bool) -> Stage:
    try:
        game = stage(trial, on_empty=study.on_empty, budget=study.budget)
        return replace(game, told=told)
    except NoPathError as error:
        raise TrialError([Problem("npcs", str(error))], source=trial.label) from None


def _described(game: Stage) -> list[object]:
    scripts = [[str(action) for action in script] for script in game.scripts]
    return [to_document(game.trial), scripts, game.budget, game.on_empty]
