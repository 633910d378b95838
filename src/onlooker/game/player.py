"""Players: anything that makes choices from what a participant would see."""

from __future__ import annotations

from collections.abc import Generator
from typing import Protocol, cast

from onlooker.game.play import Choice, Stage, Turn, opening, take
from onlooker.game.player_view import PlayerView, player_view
from onlooker.game.rules import Unavailable
from onlooker.game.trial import Trial

MOST_CHOICES = 500  # in a trial; the study ends a round there too


class Player(Protocol):
    """Someone who plays trials, one after the other.

    `view.last` is what the last choice showed. It is None at the start of a trial, which is where a
    player that remembers what it has seen starts again.
    """

    def choose(self, view: PlayerView) -> Choice:
        """One of `view.choices`."""


class PlayerError(ValueError):
    """A player chose something that is not available; `turns` is what it had played until then."""

    def __init__(self, trial: Trial, turns: list[Turn], choice: object, reason: str) -> None:
        self.turns, self.choice, self.reason = turns, choice, reason
        super().__init__(f"{trial.label}: choice {len(turns) + 1} ({choice}): {reason}")


def play_trial(stage: Stage, player: Player, most: int = MOST_CHOICES) -> list[Turn]:
    """Every turn of a trial that a player plays, to its end or to the largest number of choices.

    >>> from onlooker.game import load_trial, score
    >>> from onlooker.planning import stage
    >>> class Watcher:
    ...     def choose(self, view):
    ...         return view.choices[-1].choice
    >>> game = stage(load_trial("examples/early-turn.map"))
    >>> score(game, play_trial(game, Watcher(), most=3)).observed
    (3,)
    """
    views = playing(stage, most)
    view = next(views, None)
    while view is not None:
        choice = player.choose(view)
        try:
            view = views.send(choice)
        except StopIteration as end:
            return cast(list[Turn], end.value)
    return []


def playing(stage: Stage, most: int = MOST_CHOICES) -> Generator[PlayerView, Choice, list[Turn]]:
    """A trial as a generator of views that is sent choices, for players who take their time."""
    situation, turns = opening(stage), list[Turn]()
    while not situation.over and len(turns) < most:
        view = player_view(stage, turns)
        choice = yield view
        turn = _taken(stage, turns, view, choice)
        turns.append(turn)
        situation = turn.situation
    return turns


def _taken(stage: Stage, turns: list[Turn], view: PlayerView, choice: object) -> Turn:
    """The turn of a choice; PlayerError if it is none that could be made."""
    if not isinstance(choice, Choice):
        reason = f"expected the choice of one of view.choices, not {type(choice).__name__}"
        raise PlayerError(stage.trial, turns, choice, reason)
    situation = turns[-1].situation if turns else opening(stage)
    turn = take(stage, situation, choice)
    if isinstance(turn, Unavailable):
        offered = ", ".join(str(priced.choice) for priced in view.choices)
        raise PlayerError(stage.trial, turns, choice, f"{turn.reason}; expected one of {offered}")
    return turn
