"""Anything that chooses from a player's view can play a trial."""

from __future__ import annotations

import pytest

from onlooker.game import (
    Choice,
    Observe,
    PlayerError,
    PlayerView,
    load_trial,
    parse_choice,
    play_trial,
    replay,
)
from onlooker.planning import Tables, main_path, stage

TRIAL = load_trial("examples/two-experts.map")
GAME = stage(TRIAL)


class Script:
    """Plays a list of choices and keeps what it was shown."""

    def __init__(self, *log: object) -> None:
        self.log, self.views = list(log), list[PlayerView]()

    def choose(self, view: PlayerView) -> Choice:
        self.views.append(view)
        chosen = self.log[len(self.views) - 1]
        return parse_choice(chosen) if isinstance(chosen, str) else chosen  # type: ignore[return-value]


def test_a_player_is_asked_until_the_trial_is_over() -> None:
    way = [str(taken.action) for taken in main_path(Tables(TRIAL.map), TRIAL)]
    player = Script("observe agent2", *way)
    turns = play_trial(GAME, player)
    assert turns == replay(GAME, ["observe agent2", *way])
    assert turns[-1].situation.over
    assert [view.last is None for view in player.views] == [True] + [False] * len(way)


def test_a_trial_ends_at_the_largest_number_of_choices() -> None:
    class Watcher:
        def choose(self, view: PlayerView) -> Choice:
            return view.choices[-1].choice

    turns = play_trial(GAME, Watcher(), most=2)
    assert [turn.choice for turn in turns] == [Observe("agent3")] * 2


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("observe agent9", r"choice 2 \(observe agent9\): no NPC 'agent9'.* expected one of"),
        (None, r"choice 2 \(None\): expected the choice of one of view.choices, not NoneType"),
        (7, r"choice 2 \(7\): expected the choice of one of view.choices, not int"),
    ],
)
def test_a_choice_that_is_not_available_is_named_and_nothing_played_is_lost(
    bad: object, words: str
) -> None:
    with pytest.raises(PlayerError, match=f"two experts: {words}") as caught:
        play_trial(GAME, Script("observe agent2", bad))
    assert [turn.choice for turn in caught.value.turns] == [Observe("agent2")]


def test_a_player_that_stops_is_not_taken_for_the_end() -> None:
    choices = iter(["observe agent2"])

    class Stopping:
        def choose(self, view: PlayerView) -> Choice:
            return parse_choice(next(choices))

    with pytest.raises(StopIteration):
        play_trial(GAME, Stopping())
