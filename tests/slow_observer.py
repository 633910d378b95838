"""Observers of a user's own, as `slow_observer:Slow` names them."""

from __future__ import annotations

import time

from onlooker.observers import Engine, NaiveObserver, Result


class Slow(NaiveObserver):
    """Takes its time, so that a test can interfere."""

    name, title = "slow", "Slow"

    def run(self, engine: Engine) -> Result:
        time.sleep(0.05)
        return super().run(engine)
