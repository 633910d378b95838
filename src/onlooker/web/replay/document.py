"""The replay document of a trial: a frame for each step, and everybody's timelines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from onlooker.game import (
    Observe,
    Stage,
    Trial,
    Turn,
    dump_map_text,
    opening,
)
from onlooker.game import replay as play
from onlooker.observers import (
    ACT,
    ChoiceRule,
    Decision,
    Engine,
    GradedMentalizing,
    Observer,
    Parameters,
    UntoldMentalizing,
    View,
    rule_for,
)
from onlooker.observers.lessons import LiteralLearner, teaches_in
from onlooker.web.replay import words
from onlooker.web.replay.chances import Chooser
from onlooker.web.replay.controls import OWN_RULE, RULE, controls_used
from onlooker.web.replay.document_types import (
    ChoiceChance,
    Document,
    IdealView,
    LessonView,
    Mind,
    Player,
    ReplayFrame,
    Timeline,
    TrialFacts,
)
from onlooker.web.replay.mind import IdealColumn, PathTable, lesson, mind
from onlooker.web.replay.timelines import (
    advised,
    done,
    log_of,
    observer_lines,
    results_of,
    turning_points,
)
from onlooker.web.study.game_view import game_view, npc_label_views

if TYPE_CHECKING:
    from onlooker.experiments.recordings import Recording

DATA = "data-"  # begins the ids of those whom a dataset has
ADVICE = "advice"  # the id of the timeline with the model's advice
_MAP = ("width", "height", "walls", "barriers", "wizards", "chests")
_LEFT_OUT = ("choices", "tutorial")  # only a player needs these


@dataclass(frozen=True)
class PlayedLog:
    """What a participant did in a trial."""

    player: Player
    stage: Stage
    log: tuple[str, ...]
    trial: str = ""  # its id


def recorded_log(recording: Recording, trial_id: str = "") -> PlayedLog:
    """A recording as what the replay shows."""
    name = recording.participant
    return PlayedLog(
        {
            "id": f"{DATA}{name}",
            "title": f"Participant {name}",
            "kind": "participant",
            "note": f"Trial {recording.position}",
        },
        recording.stage,
        recording.log,
        trial_id,
    )


def observer_document(
    trial: Trial,
    observer: Observer,
    parameters: Parameters | None = None,
    trial_id: str = "",
    title: str = "",
    beside: Sequence[Observer] = (),
    rule: ChoiceRule | str | None = None,
    exact: bool = True,
) -> Document:
    """An observer's replay, with the timelines of all known observers and of those in `beside`.

    It does what its own rule says is best; `rule` is the one that gives the chances of each choice.
    Unless `exact`, what needs an exact search is left out, except the observer itself.
    """
    by = rule_for(observer, rule)
    engine = Engine(trial, parameters, warn=False)
    more = (*beside, observer)
    results = results_of(engine, *more, exact=exact)
    result = results[observer.name]
    log = [str(choice) for choice in log_of(result)]
    player: Player = {
        "id": observer.name,
        "title": observer.title,
        "kind": "observer",
        "note": "",
    }
    turns, chooser = play(engine.stage, log), Chooser(engine, observer, by)
    ideal = IdealColumn(engine, exact)
    maker = _DocumentMaker(engine, engine.stage, turns, player, result.trace, chooser, ideal, rule)
    facts = _facts(engine, trial_id, title)
    return maker.document(facts, observer_lines(engine, results, player, more))


def participant_document(
    played: PlayedLog,
    parameters: Parameters | None = None,
    title: str = "",
    rule: ChoiceRule | str | None = None,
    exact: bool = True,
) -> Document:
    """A participant's replay as far as it went, with the model's advice at each step.

    What the NPCs do is what the participant saw, whatever the parameters. The chances of each
    choice are those of Graded Mentalizing, which was made for people.
    """
    stage = played.stage
    engine = Engine(as_seen(stage), parameters, warn=False)
    turns = play(stage, played.log)
    reader = GradedMentalizing()
    by = rule_for(reader, rule) if exact else ChoiceRule.HARD
    chooser, ideal = Chooser(engine, reader, by), IdealColumn(engine, exact)
    maker = _DocumentMaker(engine, stage, turns, played.player, (), chooser, ideal, rule)
    results = results_of(engine, exact=exact)
    lines = [maker.player_line(), maker.advice_line(), *observer_lines(engine, results)]
    return maker.document(_facts(engine, played.trial, title, stage.told), lines)


def as_seen(stage: Stage) -> Trial:
    """The trial with what its NPCs did, whatever the parameters."""
    npcs = tuple(
        replace(npc, actions=script)
        for npc, script in zip(stage.trial.npcs, stage.scripts, strict=True)
    )
    return replace(stage.trial, npcs=npcs)


def _facts(engine: Engine, trial_id: str, title: str, told: bool = True) -> TrialFacts:
    trial = engine.trial
    return {
        "id": trial_id,
        "title": title or trial.label,
        "setting": words.setting(engine),
        "npcs": npc_label_views(trial, told=told),
        "text": _text(trial),
    }


_text = lru_cache(maxsize=64)(dump_map_text)  # it stays the same while parameters change


class _Beyond(TypedDict):
    """What of a frame goes beyond the paper."""

    ideal: IdealView | None
    chances: list[ChoiceChance] | None
    kinds: dict[str, dict[str, float]] | None
    lessons: dict[str, LessonView]


class _DocumentMaker:
    """A log with the model's mind at each of its steps: one engine, one view after the other."""

    def __init__(
        self,
        engine: Engine,
        stage: Stage,
        turns: Sequence[Turn],
        player: Player,
        trace: Sequence[Decision],
        chooser: Chooser,
        ideal: IdealColumn,
        rule: ChoiceRule | str | None,
    ) -> None:
        self.engine, self.stage, self.turns, self.player = engine, stage, turns, player
        self.chooser, self.ideal, self.rule = chooser, ideal, rule
        self.paths = PathTable()
        self.learners = {
            npc.id: LiteralLearner(engine, npc.id)
            for npc in engine.trial.npcs
            if teaches_in(engine, npc)
        }
        self.frames: list[ReplayFrame] = []
        for step, view in enumerate(engine.views(turns)):
            self.frames.append(self._frame(step, view, trace))

    def _frame(self, step: int, view: View, trace: Sequence[Decision]) -> ReplayFrame:
        situation = self.turns[step - 1].situation if step else opening(self.stage)
        game = dict(game_view(self.stage, self.turns[:step], tutorial=False))
        thought: Mind | None = None
        if not situation.over:
            thought = mind(self.engine, view, self.paths)
        did = done(self.turns[step]) if step < len(self.turns) else None
        agrees = None
        if thought is not None and did is not None:
            agrees = thought["choice"] == (ACT if did["who"] == "main" else did["who"])
        reasons = [
            reason
            for decision in trace[step : step + 1]
            for reason in words.reasons(self.engine, decision, self.player["id"])
        ]
        if agrees is False and len(trace) <= step:
            reasons = ["It has begun to act and does not go back to observing."] * bool(trace)
        return {
            "game": {k: v for k, v in game.items() if k not in (*_MAP, *_LEFT_OUT)},
            "said": words.happened(self.stage, self.turns[step - 1]) if step else "",
            "mind": thought,
            **self._beyond(step, view, over=thought is None),
            "did": did,
            "agrees": agrees,
            "reasons": reasons,
        }

    def _beyond(self, step: int, view: View, over: bool) -> _Beyond:
        """The ideal observer's values and the chances of each choice, where there are any."""
        before = [turn.choice for turn in self.turns[:step]]
        watched = [choice.npc for choice in before if isinstance(choice, Observe)]
        acted = len(watched) < len(before)
        done = over or (acted and self.player["kind"] == "observer")  # which does not watch again
        return {
            "ideal": None if over or acted else self.ideal.at(view),
            "chances": None if done else self.chooser.at(view, watched),
            "kinds": self._kinds(view),
            "lessons": {
                npc.id: lesson(learner, view.histories[number].steps)
                for number, npc in enumerate(self.engine.trial.npcs)
                if (learner := self.learners.get(npc.id))
            },
        }

    def _kinds(self, view: View) -> dict[str, dict[str, float]] | None:
        """How likely each NPC is of each kind, to an observer that is not told."""
        observer = self.chooser.observer
        if self.player["kind"] != "observer" or not isinstance(observer, UntoldMentalizing):
            return None
        own, seen = observer.at(self.engine, view)
        found = own.kinds_of(seen)
        return {npc: {str(kind): p for kind, p in ps.items()} for npc, ps in found.items()}

    def document(self, facts: TrialFacts, lines: list[Timeline]) -> Document:
        """The whole document."""
        game = dict(game_view(self.stage, [], tutorial=False))
        return {
            "trial": facts,
            "player": self.player,
            "parameters": {RULE: str(self.rule or OWN_RULE), **asdict(self.engine.parameters)},
            "uses": controls_used(self.chooser.observer, self.chooser.rule),
            "choosing": self.chooser.summary(),
            "ideal": self.ideal.facts(),
            "cautions": [*self.engine.cautions, *([] if self.stage.told else [words.NOT_TOLD])],
            "map": {key: game[key] for key in _MAP} | {"choices": [], "tutorial": False},
            "paths": self.paths.all,
            "frames": self.frames,
            "turns": turning_points(self.turns),
            "lines": lines,
        }

    def player_line(self) -> Timeline:
        """The player's timeline."""
        situation = self.turns[-1].situation if self.turns else opening(self.stage)
        cells = [done(turn) for turn in self.turns]
        return {
            "id": self.player["id"],
            "title": self.player["title"],
            "cells": cells,
            "diverges_at": next(
                (i for i, frame in enumerate(self.frames) if frame["agrees"] is False), None
            ),
            "observed": list(situation.observed),
            "cost": situation.spent,
            "current": True,
        }

    def advice_line(self) -> Timeline:
        """What the model would have done at each step of the player's."""
        thoughts = [frame["mind"] for frame in self.frames if frame["mind"] is not None]
        return {
            "id": ADVICE,
            "title": "Model’s advice",
            "cells": [advised(thought) for thought in thoughts],
            "diverges_at": None,
            "observed": [],
            "cost": None,
            "current": False,
        }
