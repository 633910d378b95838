"""How bots play: noisy versions of an observer, checked against the rules at every step.

A bot gets the same views as a browser. It also has the study's stimuli and finds its trial by what
the view shows, so that it can check every reply. Several trials can look the same at first, since
holders and NPCs' goals are hidden; a bot then checks against one of them until a view contradicts
it. What it chooses depends on what it sees alone (`onlooker.players`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from onlooker.experiments.labels import labels_for, observer_under
from onlooker.experiments.simulation import playing_rule
from onlooker.game import (
    Act,
    Choice,
    Label,
    Player,
    PlayerView,
    Stage,
    State,
    play_trial,
    player_view,
    replay,
)
from onlooker.game.play import LogError
from onlooker.observers import ChoiceRule, Observer, Parameters
from onlooker.observers.observer import has_values
from onlooker.planning import Tables, expert_path
from onlooker.players.observers import ObserverPlayer, knows_all
from onlooker.web.study.course import Course
from onlooker.web.study.game_view import game_view
from onlooker.web.texts import Texts

Log = tuple[str, ...]
GameJson = Mapping[str, Any]


class MismatchError(Exception):
    """The server showed something that does not follow from the rules."""


@dataclass
class Repertoire:
    """The trials of a course, and the noisy versions of an observer that play them."""

    course: Course
    observer: Observer
    parameters: Parameters = field(default_factory=Parameters)

    def __post_init__(self) -> None:
        if self.course.label is Label.UNTOLD and Label.UNTOLD in labels_for(self.observer):
            self.observer = observer_under(Label.UNTOLD, self.observer)
            self.parameters = replace(self.parameters, kinds="expert,teacher")
        self._by_layout: dict[str, list[Stage]] = {}
        for stage in (*self.course.practice, *self.course.stages.values()):
            shown = game_view(stage, [], stage.trial.tutorial, self.course.texts)
            self._by_layout.setdefault(layout(shown), []).append(stage)

    @property
    def rule(self) -> ChoiceRule:
        """How bots choose: softly, unless their observer has no values to be soft about."""
        return playing_rule(self.observer, None if has_values(self.observer) else ChoiceRule.HARD)

    def prepare(self) -> None:
        """Play one trial now, so that no bot waits for the engine to be compiled."""
        stage = next(iter(self.course.stages.values()))
        play_trial(stage, self.player(stage, np.random.default_rng(0)))

    def player(self, stage: Stage, rng: np.random.Generator) -> ObserverPlayer:
        """Somebody to play a trial; who knows more than players may is told which one it is."""
        told = stage.trial if knows_all(self.observer) else None
        return ObserverPlayer(self.observer, self.parameters, self.rule, rng, told)

    def stages(self, game: GameJson) -> list[Stage]:
        """The trials that a view could be of."""
        return list(self._by_layout.get(layout(game), ()))


def layout(game: GameJson) -> str:
    """What a view shows of its trial that never changes."""
    fixed = [game[name] for name in ("width", "height", "walls", "barriers", "wizards", "chests")]
    npcs = [[npc["id"], npc["expertise"]] for npc in game["npcs"]]
    return json.dumps([fixed, npcs, game["main"]["goal"], game["points"]["budget"]])


class BotRound:
    """One round as a bot plays it."""

    def __init__(self, repertoire: Repertoire, game: GameJson, rng: np.random.Generator) -> None:
        self._repertoire, self._texts = repertoire, repertoire.course.texts
        self._done: Log = ()
        stages = repertoire.stages(game)
        rng.shuffle(stages)
        self._stages = [stage for stage in stages if shows(stage, (), game, self._texts)]
        if not self._stages:
            raise MismatchError(
                "the round is not a trial of these stimuli, or it has already begun"
            )
        self._player: Player = repertoire.player(self._stages[0], rng)

    def choose(self) -> str:
        """What to do next."""
        stage = self._stages[0]
        return str(self._player.choose(player_view(stage, replay(stage, self._done))))

    def took(self, choice: str, game: GameJson) -> None:
        """Take in the result of a choice; MismatchError if it breaks the rules."""
        self._done = (*self._done, choice)
        fitting = [stage for stage in self._stages if shows(stage, self._done, game, self._texts)]
        if not fitting:
            raise MismatchError(
                f"after {', '.join(self._done)} the view does not follow from the rules"
            )
        if fitting[0] is not self._stages[0] and knows_all(self._repertoire.observer):
            self._player = _Guided(fitting[0])  # it was told the wrong trial
        self._stages = fitting


class _Guided:
    """Goes straight to the chest, as one who knows the holders."""

    def __init__(self, stage: Stage) -> None:
        self._trial, self._tables = stage.trial, Tables(stage.trial.map, stage.costs)

    def choose(self, view: PlayerView) -> Choice:
        main = State(view.main.at, frozenset(view.main.amulets))
        way = expert_path(self._tables, main, view.main.goal, self._trial.holders)
        return Act(way[0].action)


def shows(stage: Stage, log: Log, game: GameJson, texts: Texts) -> bool:
    """Whether a view is what the rules give after a log of choices."""
    try:
        turns = replay(stage, log)
    except LogError:
        return False
    return bool(game_view(stage, turns, game["tutorial"], texts) == game)
