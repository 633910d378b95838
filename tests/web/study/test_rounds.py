"""Rounds are folded one choice at a time."""

from __future__ import annotations

import pytest

from onlooker.game import LogError, Stage, replay
from onlooker.planning import Tables, main_path
from onlooker.web.study import rounds
from onlooker.web.study.course import Course
from onlooker.web.study.flow import advance
from onlooker.web.study.intents import read_intent
from onlooker.web.study.rounds import PlayedRounds
from onlooker.web.study.session_state import SessionState


def cheapest(stage: Stage) -> tuple[str, ...]:
    return tuple(str(taken.action) for taken in main_path(Tables(stage.trial.map), stage.trial))


def test_turns_are_those_of_a_replay_whatever_was_asked_before(short: Course) -> None:
    first, second = list(short.stages.values())[:2]
    played = PlayedRounds(most=3)
    for stage in (first, second):
        log = cheapest(stage)
        for length in (0, 1, 2, 5, 4, len(log), 1):
            assert played.turns(stage, log[:length]) == replay(stage, log[:length])


def test_a_choice_that_is_not_available_is_an_error(short: Course) -> None:
    stage = next(iter(short.stages.values()))
    log, played = cheapest(stage), PlayedRounds()
    played.turns(stage, log)
    with pytest.raises(LogError, match="the trial is over"):
        played.turns(stage, (*log, "up"))


def test_a_choice_does_not_replay_the_round(short: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr(rounds, "replay", lambda s, log: taken.append(len(log)) or replay(s, log))
    state = SessionState(screen="trial", ordering=1, logs=((),))
    for choice in cheapest(short.stage(1, 0)):
        after = advance(short, state, read_intent("choose", {"choice": choice}))
        assert isinstance(after, SessionState)
        state = after
    assert sum(taken) == 0
