"""What went wrong lately, counted in memory: the database may be what is wrong."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Literal

from onlooker.web.store.clock import Clock, now, timestamp

MINUTES = 10  # for how long troubles are remembered

TroubleKind = Literal["busy", "slow", "refused", "failed"]


@dataclass(frozen=True, slots=True)
class RecentTrouble:
    """What went wrong in one way."""

    kind: TroubleKind
    count: int
    last_time: str
    last_detail: str


class Troubles:
    """Counts what went wrong, by kind and minute."""

    def __init__(self, clock: Clock = now) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._counts: OrderedDict[tuple[int, TroubleKind], RecentTrouble] = OrderedDict()

    def count(self, kind: TroubleKind, detail: str) -> None:
        """Count one more."""
        moment = self._clock()
        key = int(moment.timestamp() // 60), kind
        with self._lock:
            before = self._counts.get(key)
            number = 1 if before is None else before.count + 1
            self._counts[key] = RecentTrouble(kind, number, timestamp(moment), detail[:200])
            self._forget(key[0])

    def recent(self) -> list[RecentTrouble]:
        """What went wrong in the last minutes, one entry for each kind."""
        with self._lock:
            self._forget(int(self._clock().timestamp() // 60))
            sums: dict[TroubleKind, RecentTrouble] = {}
            for trouble in self._counts.values():
                before = sums[trouble.kind].count if trouble.kind in sums else 0
                sums[trouble.kind] = RecentTrouble(
                    trouble.kind, before + trouble.count, trouble.last_time, trouble.last_detail
                )
        return list(sums.values())

    def _forget(self, minute: int) -> None:
        for key in [key for key in self._counts if key[0] <= minute - MINUTES]:
            del self._counts[key]
