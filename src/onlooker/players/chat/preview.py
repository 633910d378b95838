"""The prompts of a trial, without a model."""

from __future__ import annotations

from collections.abc import Iterator

from onlooker.game import Choice, Observe, PlayerView, Stage, player_view, replay
from onlooker.players.chat.conversation import read_answer
from onlooker.players.chat.variants import writer_of
from onlooker.players.chat.words import TextVariant, first_text, next_text, repair_text, rules_text


def preview(stage: Stage, variant: TextVariant) -> Iterator[tuple[str, str]]:
    """One prompt of each kind: its title and its text.

    The later one follows on watching somebody, or on a step where nobody can be watched.
    """
    writer, view = writer_of(variant), player_view(stage, [])
    yield "system message", rules_text(view)
    yield "first choice", first_text(view, writer)
    choice = _example(view)
    if choice is not None:
        after = player_view(stage, replay(stage, [choice]))
        yield f"next choice, after {choice}", next_text(after, writer)
    _, problem = read_answer("I go up.", view)
    yield "after an answer without a choice", repair_text(view, str(problem))


def _example(view: PlayerView) -> Choice | None:
    offered = [priced.choice for priced in view.choices]
    watching = [choice for choice in offered if isinstance(choice, Observe)]
    return next(iter(watching + offered), None)
