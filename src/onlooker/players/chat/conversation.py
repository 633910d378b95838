"""The conversation of one trial: each choice is a turn of it, with one repair prompt.

`preview` shows its prompts without a model.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from onlooker.game import Choice, Observe, PlayerView, Stage, player_view, replay
from onlooker.players.chat.endpoint import Message, Reply
from onlooker.players.chat.variants import writer_of
from onlooker.players.chat.words import (
    TextVariant,
    first_text,
    next_text,
    repair_text,
    rules_text,
)

WORD = "CHOICE:"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A prompt, the answer to it and what was made of it."""

    prompt: str
    reply: Reply
    choice: Choice | None
    problem: str | None  # why there is no choice


Send = Callable[[list[Message]], Awaitable[Reply]]
Heard = Callable[[Exchange], None]


class AnswerError(Exception):
    """A model's second answer was not a choice either; the text says why."""


@dataclass
class Conversation:
    """What was said in a trial; `choose` goes on with it."""

    variant: TextVariant = "grid"
    messages: list[Message] = field(default_factory=list)

    async def choose(
        self, view: PlayerView, send: Send, heard: Heard = lambda exchange: None
    ) -> Choice:
        """Ask for a choice, and once more if the answer is none; AnswerError after that."""
        if not self.messages:
            self.messages.append({"role": "system", "content": rules_text(view)})
        writer = writer_of(self.variant)
        prompt = first_text(view, writer) if view.last is None else next_text(view, writer)
        for last in (False, True):
            self.messages.append({"role": "user", "content": prompt})
            reply = await send(list(self.messages))
            self.messages.append({"role": "assistant", "content": reply.text})
            choice, problem = read_answer(reply.text, view)
            heard(Exchange(prompt, reply, choice, problem))
            if choice is not None:
                return choice
            assert problem is not None
            if last:
                raise AnswerError(problem)
            prompt = repair_text(view, problem)
        raise AssertionError("unreachable")


def read_answer(answer: str, view: PlayerView) -> tuple[Choice | None, str | None]:
    """The choice of an answer, or why it has none.

    The last line that is not empty must be `CHOICE:` and one of the choices, as it is listed.
    """
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    if not lines:
        return None, "it is empty"
    if not lines[-1].startswith(WORD):
        return None, f'its last line does not begin with "{WORD}"'
    said = lines[-1].removeprefix(WORD).strip()
    for priced in view.choices:
        if said == str(priced.choice):
            return priced.choice, None
    return None, f'"{said[:60]}" is none of the choices now'


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
