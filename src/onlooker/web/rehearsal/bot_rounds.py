"""How bots play: noisy versions of an observer, checked against the rules at every step.

A bot gets the same views as a browser. It also has the study's stimuli and finds its trial by what
the view shows. Several trials can look the same at first, since holders and NPCs' goals are hidden;
a bot then assumes one of them until a view contradicts it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from onlooker.experiments.simulation import playing_rule, simulate
from onlooker.game import Stage, replay
from onlooker.game.play import LogError
from onlooker.observers import ChoiceRule, Observer, Parameters
from onlooker.observers.ruling import has_values
from onlooker.planning import Tables, expert_path
from onlooker.web.study.course import Course
from onlooker.web.study.game_view import game_view
from onlooker.web.texts import Texts

Log = tuple[str, ...]
GameJson = Mapping[str, Any]

VARIANTS = 6  # ways of playing that are computed for each trial


class MismatchError(Exception):
    """The server showed something that does not follow from the rules."""


@dataclass
class Repertoire:
    """What noisy versions of an observer do in each trial of a course."""

    course: Course
    observer: Observer
    parameters: Parameters = field(default_factory=Parameters)
    seed: int = 1

    def __post_init__(self) -> None:
        self._alike: dict[str, list[Stage]] = {}
        self._logs: dict[int, list[Log]] = {}
        for stage in (*self.course.practice, *self.course.stages.values()):
            shown = game_view(stage, [], stage.trial.tutorial, self.course.texts)
            self._alike.setdefault(layout(shown), []).append(stage)

    @property
    def rule(self) -> ChoiceRule:
        """How bots choose: softly, unless their observer has no values to be soft about."""
        return playing_rule(self.observer, None if has_values(self.observer) else ChoiceRule.HARD)

    def prepare(self) -> None:
        """Compute everything now, so that no bot waits for it later."""
        for stages in self._alike.values():
            for stage in stages:
                self.logs(stage)

    def stages(self, game: GameJson) -> list[Stage]:
        """The trials that a view could be of."""
        return list(self._alike.get(layout(game), ()))

    def logs(self, stage: Stage) -> list[Log]:
        """Some ways of playing a trial."""
        if id(stage) not in self._logs:
            trial, number = stage.trial, self.course.experiment
            played = simulate(
                number,
                [trial],
                [[trial.label]],
                self.observer,
                VARIANTS,
                self.parameters,
                self.rule,
                self.seed,
            )
            grouped: dict[str, list[str]] = {}
            for row in played.actions:
                grouped.setdefault(row["participant"], []).append(row["choice"])
            self._logs[id(stage)] = [tuple(log) for log in grouped.values()]
        return self._logs[id(stage)]


def layout(game: GameJson) -> str:
    """What a view shows of its trial that never changes."""
    fixed = [game[name] for name in ("width", "height", "walls", "barriers", "wizards", "chests")]
    npcs = [[npc["id"], npc["expertise"]] for npc in game["npcs"]]
    return json.dumps([fixed, npcs, game["main"]["goal"], game["points"]["budget"]])


class BotRound:
    """One round as a bot plays it."""

    def __init__(self, repertoire: Repertoire, game: GameJson, rng: np.random.Generator) -> None:
        self._repertoire, self._rng = repertoire, rng
        self._texts = repertoire.course.texts
        self._done: Log = ()
        stages = repertoire.stages(game)
        rng.shuffle(stages)
        self._stages = [stage for stage in stages if shows(stage, (), game, self._texts)]
        if not self._stages:
            raise MismatchError(
                "the round is not a trial of these stimuli, or it has already begun"
            )
        self._plan = self._pick(repertoire.logs(self._stages[0]))

    def choose(self) -> str:
        """What to do next."""
        return self._plan[len(self._done)]

    def took(self, choice: str, game: GameJson) -> None:
        """Take in the result of a choice; MismatchError if it breaks the rules."""
        self._done = (*self._done, choice)
        fitting = [stage for stage in self._stages if shows(stage, self._done, game, self._texts)]
        if not fitting:
            raise MismatchError(
                f"after {', '.join(self._done)} the view does not follow from the rules"
            )
        if fitting[0] is not self._stages[0]:
            self._plan = self._new_plan(fitting[0])
        self._stages = fitting

    def _new_plan(self, stage: Stage) -> Log:
        """A plan for the trial that the views turned out to show."""
        made = len(self._done)
        if same := [log for log in self._repertoire.logs(stage) if log[:made] == self._done]:
            return self._pick(same)
        trial = stage.trial
        main = replay(stage, self._done)[-1].situation.main
        way = expert_path(Tables(trial.map, stage.costs), main, trial.main.goal, trial.holders)
        return (*self._done, *(str(taken.action) for taken in way))

    def _pick(self, logs: Sequence[Log]) -> Log:
        return logs[int(self._rng.integers(len(logs)))]


def shows(stage: Stage, log: Log, game: GameJson, texts: Texts) -> bool:
    """Whether a view is what the rules give after a log of choices."""
    try:
        turns = replay(stage, log)
    except LogError:
        return False
    return bool(game_view(stage, turns, game["tutorial"], texts) == game)
