"""Language models as players, over the chat-completions protocol.

Names are imported when they are first asked for, so that the commands can say how to get the
libraries of the extra.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from onlooker.support.extras import names_of, needs_extra

if TYPE_CHECKING:
    from onlooker.players.chat.endpoint import Endpoint
    from onlooker.players.chat.player import ChatPlayer

__all__ = ["ChatPlayer", "Endpoint", "players_extra"]

_HOMES = {"endpoint": ("Endpoint",), "player": ("ChatPlayer",)}


def players_extra() -> AbstractContextManager[None]:
    """Import chat players within this block; MissingExtraError says how to get their library."""
    return needs_extra("players", "playing with language models", "httpx")


__getattr__ = names_of(__name__, _HOMES)
