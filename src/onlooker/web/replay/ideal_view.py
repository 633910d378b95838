"""The ideal observer beside the model: what it expects acting and watching to cost."""

from __future__ import annotations

from math import isfinite

from onlooker.experiments.regret import REFUSED
from onlooker.observers import Engine, View
from onlooker.web.replay.document_types import IdealFacts, IdealView


class IdealColumn:
    """The ideal observer's values at the views of a replay, where they can be computed."""

    def __init__(self, engine: Engine, wanted: bool = True) -> None:
        self.engine = engine
        self._reason = "" if wanted else "the trial is too large to be weighed here"
        if wanted:
            try:
                engine.foresight  # noqa: B018 - may be refused
            except REFUSED as error:
                self._reason = str(error)

    def at(self, view: View) -> IdealView | None:
        """Its values after what was seen; only while the main agent stands at its start."""
        if self._reason:
            return None
        try:
            outlook = self.engine.foresight.outlook([seen.steps for seen in view.histories])
        except REFUSED as error:
            self._reason = str(error)
            return None
        return {
            "act": _finite(outlook.act),
            "watch": [_finite(cost) for cost in outlook.watch],
            "choice": outlook.choice,
        }

    def facts(self) -> IdealFacts:
        """Its expected cost of the whole trial, or why there is none."""
        expected = None if self._reason else _finite(self.engine.foresight.expected_cost)
        return {"expected_cost": expected, "reason": self._reason}


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None
