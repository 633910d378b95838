"""Views show what may be seen and nothing that may not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from onlooker.experiments.stimuli import stimuli
from onlooker.game import Npc, Observe, Stage, Trial, choices, opening, replay
from onlooker.planning import NoPathError, Tables, main_path, stage
from onlooker.web.settings import default_settings
from onlooker.web.study.course import Courses
from onlooker.web.study.game_view import game_view
from onlooker.web.study.session_state import Standing
from onlooker.web.study.views import Scene, view_of


def other_holders(trial: Trial) -> Iterator[Trial]:
    """The same trial with other holders."""
    for colour, holder in trial.holders.items():
        for wizard in trial.map.wizards_of[colour]:
            if wizard.id != holder:
                yield replace(trial, holders={**trial.holders, colour: wizard.id})


def other_goals(trial: Trial) -> Iterator[Trial]:
    """The same trial with other goals of its NPCs."""
    for index, npc in enumerate(trial.npcs):
        for letter in trial.map.letters:
            if letter != npc.goal:
                changed = Npc(npc.id, npc.at, letter, npc.expertise)
                yield replace(trial, npcs=(*trial.npcs[:index], changed, *trial.npcs[index + 1 :]))


@pytest.mark.parametrize("experiment", [1, 2, 3, 4])
def test_before_anything_is_seen_trials_that_differ_in_what_is_hidden_look_the_same(
    experiment: int,
) -> None:
    compared = 0
    for trial in stimuli(experiment)[:8]:
        shown = stage(trial)
        for other in (*other_holders(trial), *other_goals(trial)):
            try:
                hidden = replace(stage(other), budget=shown.budget)
            except NoPathError:
                continue
            assert game_view(hidden, [], False) == game_view(shown, [], False)
            compared += 1
    assert compared > 8


def test_what_has_been_seen_alike_looks_alike_even_if_it_meant_something_else() -> None:
    """Experiment 4: as long as the NPCs act alike, hidden outcomes tell nothing."""
    compared = 0
    for trial in stimuli(4):
        shown = stage(trial)
        for other in other_holders(trial):
            hidden = replace(stage(other), budget=shown.budget)
            for index, npc in enumerate(trial.npcs):
                alike = common_start(shown.scripts[index], hidden.scripts[index])
                log = [f"observe {npc.id}"] * min(alike, len(shown.scripts[index]) - 1)
                views = [game_view(game, replay(game, log), False) for game in (shown, hidden)]
                if alike < len(hidden.scripts[index]):
                    assert views[0] == views[1]
                    kinds = [turn["last"]["outcome"] for turn in views if turn["last"]]
                    compared += "hidden" in kinds
    assert compared


def common_start(first: tuple, second: tuple) -> int:
    count = 0
    while count < min(len(first), len(second)) and first[count] == second[count]:
        count += 1
    return count


def watched(game: Stage, npc: str) -> list[dict[str, Any]]:
    """What every step of an NPC shows."""
    log, seen = [], []
    while Observe(npc) in choices(game, replay(game, log)[-1].situation if log else opening(game)):
        log.append(f"observe {npc}")
        seen.append(game_view(game, replay(game, log), False)["last"])
    return seen


def test_experiments_1_to_3_reveal_outcomes_and_experiment_4_hides_them(courses: Courses) -> None:
    for experiment, allowed in (
        (1, {"given", "nothing"}),
        (3, {"given", "nothing"}),
        (4, {"hidden"}),
    ):
        seen = set()
        for game in list(courses[experiment].stages.values())[:6]:
            for npc in game.trial.npcs:
                for last in watched(game, npc.id):
                    if last["kind"] == "interaction":
                        seen.add(last["outcome"])
                        told = "not told" in last["text"]
                        assert told == (experiment == 4)
                        assert last["from"] == last["to"]
        assert seen
        assert seen <= allowed


def test_the_players_own_outcomes_are_always_told(courses: Courses) -> None:
    game = courses[4].practice[0]
    log: list[str] = []
    for taken in main_path(Tables(game.trial.map), game.trial):
        log.append(str(taken.action))
        turns = replay(game, log)
        last = game_view(game, turns, True)["last"]
        assert last["who"] == "main"
        if last["kind"] == "interaction":
            assert last["outcome"] == "given"
            assert "gave you" in last["text"]
    view = game_view(game, turns, True)
    assert view["finished"]
    assert view["choices"] == []
    assert view["result"] == {"unspent": view["points"]["left"]}


def test_an_npc_that_has_arrived_cannot_be_observed(courses: Courses) -> None:
    game = courses[1].practice[0]
    log = ["observe agent2"] * len(game.scripts[0])
    view = game_view(game, replay(game, log), True)
    assert view["npcs"][0]["arrived"]
    assert "observe agent2" not in [choice["choice"] for choice in view["choices"]]
    assert view["last"]["text"].endswith("and reached its chest, A.")


def test_choices_are_priced(courses: Courses) -> None:
    for game in courses[2].stages.values():
        view = game_view(game, [], False)
        prices = {"move": 3, "interaction": 5, "observation": 1}
        assert view["choices"]
        for choice in view["choices"]:
            assert choice["cost"] == prices[choice["kind"]]


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
    standing = Standing(screen, reason=reason)
    view = view_of(Scene(default_settings(1), courses[1], standing, 3, "2025"))
    assert view["screen"] == screen
    assert (view["completion"] or {}).get("code") == code
    assert words in " ".join(view["text"])
    assert "the person who started this server" in view["text"][-1]
