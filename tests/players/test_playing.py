"""Players over an experiment's trials: what they leave, and what happens when they fail."""

from __future__ import annotations

import pytest

from onlooker.experiments.stimuli import stimuli
from onlooker.game import Choice, PlayerView, replay, score
from onlooker.observers import Engine
from onlooker.players.playing import let_play
from onlooker.players.registry import Entrant, find_entrant

STAGES = [Engine(trial, budget_rule="map").stage for trial in stimuli(1)[:2]]


class Stumbling:
    """Watches twice, then raises."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, view: PlayerView) -> Choice:
        self.asked += 1
        if self.asked > 2:
            raise RuntimeError("out of ideas")
        return view.choices[-1].choice


def test_one_that_always_plays_alike_plays_once() -> None:
    playing = let_play(find_entrant("rational_mentalizing"), STAGES, repeats=5)
    assert [row["participant"] for row in playing.records.participants] == [
        "rational_mentalizing-exp1-1"
    ]
    assert len(playing.records.trials) == 2
    assert not playing.failures


def test_plays_depend_on_the_seed_alone() -> None:
    random = find_entrant("random")
    one, same, other = (let_play(random, STAGES, 2, seed, most=30).records for seed in (1, 1, 2))
    assert one.actions == same.actions
    assert one.actions != other.actions
    first, second = ([r["choice"] for r in one.actions if r["participant"].endswith(end)] for end in ("-1", "-2"))  # fmt: skip
    assert first != second


def test_what_was_played_before_a_failure_is_kept() -> None:
    entrant = Entrant("stumbling", "Stumbling", lambda trial, seed: Stumbling())
    playing = let_play(entrant, STAGES)
    assert [row["observed"] for row in playing.records.trials] == [2, 2]
    assert [row["finished"] for row in playing.records.trials] == [False, False]
    assert playing.records.participants[0]["completed"] is False
    assert all("choice 3: RuntimeError: out of ideas" in each.reason for each in playing.failures)


def test_a_choice_that_is_not_available_ends_the_trial() -> None:
    class Walker:
        def choose(self, view: PlayerView) -> Choice:
            return "up"  # type: ignore[return-value]

    playing = let_play(Entrant("walker", "Walker", lambda trial, seed: Walker()), STAGES)
    assert [each.reason for each in playing.failures] == [
        "choice 1: expected the choice of one of view.choices, not str"
    ] * 2
    assert not playing.records.actions


def test_the_budget_of_players_says_nothing_about_the_holder() -> None:
    for stage in STAGES:
        trial = stage.trial
        assert score(stage, replay(stage, [])).budget == Engine(trial, budget_rule="map").budget


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rationl", "there is no player 'rationl'; there are rational_mentalizing.*, random, and"),
        ("no_such_module:A", "the player 'no_such_module:A' cannot be imported"),
        ("json:Nobody", "the module 'json' has no class 'Nobody'"),
        (
            "json:JSONDecoder",
            r"'json:JSONDecoder' is not a player: expected a class with a method choose",
        ),
    ],
)
def test_a_player_that_is_not_there(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        find_entrant(name)


def test_an_observer_of_ones_own_is_a_player() -> None:
    entrant = find_entrant("examples.own_observer:Satisficer")
    assert not let_play(entrant, STAGES[:1]).failures
