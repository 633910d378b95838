"""How likely each choice is the next one, and what is expected of the whole trial."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from onlooker.experiments.regret import REFUSED
from onlooker.observers import (
    ACT,
    ChoiceRule,
    Engine,
    Expectation,
    Observer,
    View,
    choice_probabilities,
)
from onlooker.observers.choosing import skipping
from onlooker.observers.observer import values_of
from onlooker.web.replay.document_types import ChoiceChance, Choosing

MAX_COMBINATIONS = 20_000  # of steps seen: more would make a replay slow


class Chooser:
    """An observer that chooses by a rule, at the views of a replay."""

    def __init__(self, engine: Engine, observer: Observer, rule: ChoiceRule) -> None:
        self.engine, self.observer, self.rule = engine, observer, rule
        self._reason = ""

    def at(self, view: View, choices: Sequence[str]) -> list[ChoiceChance] | None:
        """The chances of someone who watches, after some NPCs watched; None by the hard rule."""
        if self.rule is ChoiceRule.HARD or self._reason:
            return None
        engine = self.engine
        try:
            values = values_of(self.observer, engine, view, choices)
        except REFUSED as error:
            self._reason = str(error)
            return None
        p = choice_probabilities(self.rule, engine.parameters, values).tolist()
        names = [ACT, *(npc.id for npc in engine.trial.npcs)]
        gone = [engine.arrived(view, npc) for npc in range(len(engine.trial.npcs))]
        return [
            {"choice": name, "p": chance}
            for name, chance, left_out in zip(names, p, [False, *gone], strict=True)
            if not left_out
        ]

    def summary(self) -> Choosing | None:
        """Who chooses and what is expected of it; None by the hard rule."""
        if self.rule is ChoiceRule.HARD:
            return None
        expected = self._expected()
        return {
            "title": self.observer.title,
            "rule": str(self.rule),
            "skip": skipping(self.rule, self.engine.parameters),
            "expected": None if expected is None else list(expected.observed),
            "expected_sd": None if expected is None else list(expected.observed_sd),
            "reason": self._reason,
        }

    def _expected(self) -> Expectation | None:
        engine = self.engine
        count = prod(len(path) + 1 for path in engine.paths)
        if count > MAX_COMBINATIONS:
            self._reason = f"{count} combinations of steps are more than {MAX_COMBINATIONS}"
        if self._reason:
            return None
        try:
            return Expectation.of(self.observer.lattice(engine), self.rule, engine.parameters)
        except REFUSED as error:
            self._reason = str(error)
            return None
