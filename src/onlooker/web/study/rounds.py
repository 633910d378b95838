"""The turns of rounds, folded one choice at a time instead of replayed for each choice."""

from __future__ import annotations

import threading
from collections import OrderedDict

from onlooker.game import Stage, Turn, Unavailable, opening, parse_choice, replay, score, take

MAX_ROUNDS = 1000  # remembered; more than people who play at the same time

Log = tuple[str, ...]  # choices of one round


class PlayedRounds:
    """The turns of the rounds seen last; what is forgotten is replayed."""

    def __init__(self, most: int = MAX_ROUNDS) -> None:
        self._most, self._lock = most, threading.Lock()
        # The stage is kept with its turns, so that no other stage can get its id.
        self._known: OrderedDict[tuple[int, Log], tuple[Stage, list[Turn]]] = OrderedDict()
        self._scores: OrderedDict[tuple[int, Log], tuple[Stage, int | None]] = OrderedDict()

    def turns(self, stage: Stage, log: Log) -> list[Turn]:
        """Every turn of a log; LogError if a choice was not available."""
        if found := self._find(stage, log):
            return list(found)
        before = self._find(stage, log[:-1]) if log else None
        turns = None if before is None else _extended(stage, before, log[-1])
        if turns is None:
            turns = replay(stage, log)
        self._keep(stage, log, turns)
        return list(turns)

    def unspent(self, stage: Stage, log: Log) -> int | None:
        """The points left over in a round; None while it is not finished."""
        key = id(stage), log
        with self._lock:
            known = self._scores.get(key)
        if known is None:
            result = score(stage, self.turns(stage, log))
            known = stage, result.unspent if result.finished else None
            with self._lock:
                self._scores[key] = known
                if len(self._scores) > 10 * self._most:
                    self._scores.popitem(last=False)
        return known[1]

    def _find(self, stage: Stage, log: Log) -> list[Turn] | None:
        with self._lock:
            known = self._known.get((id(stage), log))
            return known and known[1]

    def _keep(self, stage: Stage, log: Log, turns: list[Turn]) -> None:
        with self._lock:
            self._known.pop((id(stage), log[:-1]), None)  # the longer log replaces it
            self._known[id(stage), log] = stage, turns
            if len(self._known) > self._most:
                self._known.popitem(last=False)


def _extended(stage: Stage, turns: list[Turn], entry: str) -> list[Turn] | None:
    """The turns and one more; None if it is not available."""
    situation = turns[-1].situation if turns else opening(stage)
    turn = take(stage, situation, parse_choice(entry))
    return None if isinstance(turn, Unavailable) else [*turns, turn]
