"""Views of screens: every end has its text, and a round is the player's view as JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.game import player_view, replay
from onlooker.planning import Tables, main_path
from onlooker.web.settings import default_settings
from onlooker.web.study.content import questions, reminder
from onlooker.web.study.course import Courses
from onlooker.web.study.game_view import game_view
from onlooker.web.study.session_state import SessionState
from onlooker.web.study.views import ScreenContext, screen_view
from onlooker.web.texts import load_texts


def test_a_round_on_the_page_is_the_players_view(courses: Courses) -> None:
    game = courses[4].practice[0]
    log = [
        "observe agent2",
        *(str(t.action) for t in main_path(Tables(game.trial.map), game.trial)),
    ]
    turns = replay(game, log)
    told: list[str] = []
    for count in range(len(turns) + 1):
        seen, shown = player_view(game, turns[:count]), game_view(game, turns[:count], True)
        assert json.loads(json.dumps(shown)) == shown
        assert shown["tutorial"]
        assert shown["points"] == {"budget": seen.budget, "left": seen.left}
        assert [c["choice"] for c in shown["choices"]] == [str(p.choice) for p in seen.choices]
        assert [npc["id"] for npc in shown["npcs"]] == [npc.id for npc in seen.npcs]
        assert (shown["last"] or {}).get("text") == (seen.last and seen.last.text)
        past = game_view(game, turns[:count], True, history=True)["history"]
        assert [turn["text"] for turn in past] == told  # before the last
        told += [seen.last.text] if seen.last else []
        result = {"unspent": seen.left, "too_long": False}
        assert shown["result"] == (result if seen.finished else None)
    assert shown["finished"]
    assert not game_view(game, [], False)["tutorial"]


@pytest.mark.parametrize(("chests", "asked"), [(1, False), (2, True), (3, True)])
def test_goals_are_explained_where_there_are_several_chests(chests: int, asked: bool) -> None:
    experiment = replace(PAPER_EXPERIMENTS[1], chests=chests)
    texts = load_texts("en")
    assert any("goals" in each.id for each in questions(experiment, texts)) is asked
    assert (texts.line("reminder.chests") in reminder(experiment, texts)) is asked


@pytest.mark.parametrize(
    ("screen", "reason", "code", "words"),
    [
        ("declined", None, "EXAMPLE-CONSENT", "chose not to take part"),
        ("failed_check", None, "EXAMPLE-CHECK", "not right"),
        ("screened_out", "full", "EXAMPLE-SCREENED", "full"),
        ("screened_out", "other_study", "EXAMPLE-SCREENED", "already taken part"),
        ("technical", "incomplete", "EXAMPLE-TECHNICAL", "you will be paid"),
        ("technical", "expired", None, "away for so long"),
        ("withdrawn", None, None, "left the study"),
    ],
)
def test_every_end_has_its_text_and_code(
    courses: Courses, screen: str, reason: str | None, code: str | None, words: str
) -> None:
    state = SessionState(screen, reason=reason)
    view = screen_view(ScreenContext(default_settings(1), courses[1], state, 3))
    assert view["screen"] == screen
    assert (view["completion"] or {}).get("code") == code
    said = " ".join(view["text"])
    assert words in said
    assert "the person who started this server" in said
    assert said.endswith("use the link below so that this is registered.") is (code is not None)
