"""Language models as players, over the chat-completions protocol.

Names are imported when they are first asked for, so that the commands can say how to get the
libraries of the extra.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module
from typing import TYPE_CHECKING

from onlooker.support.extras import needs_extra

if TYPE_CHECKING:
    from onlooker.players.chat.endpoint import Endpoint
    from onlooker.players.chat.player import ChatPlayer

__all__ = ["ChatPlayer", "Endpoint", "players_extra"]

_HOMES = {"endpoint": ("Endpoint",), "player": ("ChatPlayer",)}


def players_extra() -> AbstractContextManager[None]:
    """Import chat players within this block; MissingExtraError says how to get their library."""
    return needs_extra("players", "playing with language models", "httpx")


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"onlooker.players.chat.{home}"), name)
    raise AttributeError(f"module 'onlooker.players.chat' has no attribute {name!r}")
