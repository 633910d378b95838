"""A language model as a player, for use in a program."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from onlooker.game import Choice, PlayerView
from onlooker.players.chat.conversation import Conversation, Exchange
from onlooker.players.chat.endpoint import ChatClient, Endpoint, Message, Reply
from onlooker.players.chat.words import TextVariant

T = TypeVar("T")


class ChatPlayer:
    """A language model that plays, one trial after the other; each trial is a conversation.

    `exchanges` has every prompt and answer. `choose` raises AnswerError if a second answer is no
    choice either, and EndpointError if the server cannot be asked. Close it, or use it in `with`.
    It asks from a thread with an event loop, so it also works where a loop already runs, such as
    in a notebook. The rules that it reads say that points go below zero when more are spent, as
    they do unless a stage ends there.
    """

    def __init__(
        self, endpoint: Endpoint, variant: TextVariant = "grid", seed: int | None = None
    ) -> None:
        self.variant, self.seed = variant, seed
        self.exchanges: list[Exchange] = []
        self._conversation = Conversation(variant)
        self._thread = ThreadPoolExecutor(1)
        self._loop = asyncio.Runner()
        self._client = self._run(_opened(endpoint))

    def choose(self, view: PlayerView) -> Choice:
        """The model's choice."""
        if view.last is None:
            self._conversation = Conversation(self.variant)
        return self._run(self._conversation.choose(view, self._ask, self.exchanges.append))

    def close(self) -> None:
        """End the connection."""
        self._run(self._client.__aexit__(None, None, None))
        self._thread.submit(self._loop.close).result()
        self._thread.shutdown()

    def __enter__(self) -> ChatPlayer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _ask(self, messages: list[Message]) -> Reply:
        return await self._client.ask(messages, self.seed)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._thread.submit(self._loop.run, work).result()


async def _opened(endpoint: Endpoint) -> ChatClient:
    return await ChatClient(endpoint).__aenter__()
