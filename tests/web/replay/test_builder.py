"""Replays are made one at a time, and the last ones are cached."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from onlooker.web.replay.builder import FullError, ReplayBuilder
from waiting import HANG


def here(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """What `Worker.run` gives, without a process."""
    return function(*arguments, **named)


def test_one_replay_is_made_at_a_time_and_the_last_are_cached() -> None:
    builder, begun, go_on = ReplayBuilder(15, 1, here), threading.Event(), threading.Event()

    def make() -> Any:
        begun.set()
        go_on.wait(HANG)
        return {"frames": []}

    thread = threading.Thread(target=builder.made, args=("a", make))
    thread.start()
    begun.wait(HANG)
    with pytest.raises(FullError):
        builder.made("b", make)
    go_on.set()
    thread.join()
    made: list[str] = []
    for key in ("a", "b", "c", "b", "a"):
        builder.made(key, lambda key=key: made.append(key) or {})  # type: ignore[misc]
    assert made == ["b", "c", "a"]


def test_the_cache_has_a_limit() -> None:
    builder, made = ReplayBuilder(100, run=here), list[str]()

    def ask(key: str, size: int) -> bytes:
        return builder.made(key, lambda: made.append(key) or {"x": "x" * size})  # type: ignore[func-returns-value,return-value]

    for key, size in (("a", 30), ("b", 30), ("large", 200), ("a", 30), ("b", 30), ("a", 30)):
        assert len(ask(key, size)) == size + len('{"x":""}')
    assert made == ["a", "b", "large", "a", "b"]  # nothing stays beside the large one, nor itself
