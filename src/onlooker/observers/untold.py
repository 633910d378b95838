"""Rational Mentalizing without being told who is an expert: the observer learns who is one.

A hypothesis about an NPC is then a goal, an expertise and the holders. Pairs of a goal and an
expertise take the place of goals wherever these are weighed or pruned. In a sequence of trials in
which NPCs recur, each trial begins with what the earlier ones showed about their expertise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any

from onlooker.game import Expertise, Trial
from onlooker.inference.parameters import TOLERANCE, Parameters
from onlooker.observers.compositions import RationalMentalizing
from onlooker.observers.decoding import Decoder
from onlooker.observers.engine import Engine
from onlooker.observers.kernels.questions import Question
from onlooker.observers.results import Candidates, Decision, Result, Values, View
from onlooker.planning.packing import Packed, pack

Kinds = tuple[Expertise, ...]
# NPC -> how likely it is of each kind, or how likely it is a novice
Before = Mapping[str, Mapping[Expertise, float] | float]


def uniform(kinds: Kinds) -> dict[Expertise, float]:
    """All kinds equally likely."""
    return dict.fromkeys(kinds, 1 / len(kinds))


def prior_of(before: Mapping[Expertise, float] | float, kinds: Kinds) -> tuple[float, ...]:
    """How likely each kind is, before anything was seen.

    >>> prior_of(0.5, (Expertise.EXPERT, Expertise.NOVICE))
    (0.5, 0.5)
    """
    if not isinstance(before, Mapping):  # the chance of a novice; others share the rest
        others = len(kinds) - (Expertise.NOVICE in kinds)
        return tuple(
            before if kind is Expertise.NOVICE else (1 - before) / others for kind in kinds
        )
    return tuple(before.get(kind, 0.0) for kind in kinds)


class UntoldEngine(Engine):
    """A trial prepared for an observer that is not told who is an expert.

    >>> from onlooker.game import load_trial
    >>> engine = UntoldEngine(load_trial("examples/expert-and-novice.map"), Parameters(), {})
    >>> engine.kinds_of(engine.opening)["agent3"][Expertise.NOVICE]
    0.5
    """

    def __init__(
        self, trial: Trial, parameters: Parameters, before: Before, warn: bool = False
    ) -> None:
        super().__init__(trial, parameters, warn)
        kinds = self.parameters.npc_kinds
        teaches = Expertise.TEACHER in kinds
        possible = {  # where the question is who teaches, the kinds of all other NPCs are known
            npc.id: (npc.label,) if teaches and npc.expertise is not Expertise.TEACHER else kinds
            for npc in trial.npcs
        }
        every = {*kinds, *chain.from_iterable(possible.values())}
        self.kinds = tuple(kind for kind in Expertise if kind in every)
        known: Before = {npc: uniform(each) for npc, each in possible.items()} | dict(before)
        self.priors = [prior_of(known[npc.id], self.kinds) for npc in trial.npcs]

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """What is unusual about the parameters on this trial for an observer that is not told."""
        kinds, prune = self.parameters.npc_kinds, self.parameters.prune
        pairs, found = len(kinds) * len(self.trial.map.chests), []
        if prune > 1 / pairs + TOLERANCE:
            found.append(
                f"{self.trial.label}: prune={prune} is above 1/{pairs}, so at the start it would"
                f" prune all {pairs} pairs of a chest and an expertise but the first"
            )
        teaches = any(npc.expertise is Expertise.TEACHER for npc in self.trial.npcs)
        if teaches and Expertise.TEACHER not in kinds:  # in the same words for every trial
            found.append(
                "untold_mentalizing does not consider that an NPC may be a teacher, and here one"
                f" is: kinds is {','.join(kinds)}. Set kinds=expert,teacher to let it find out who"
                " teaches"
            )
        return tuple(found)

    @cached_property
    def packed(self) -> Packed:
        """The trial as compiled functions read it: every chest is a goal of each kind."""
        return pack([self.trial], self.kinds, [self.priors])

    @cached_property
    def decoder(self) -> Decoder:
        """The names behind the numbers."""
        return Decoder(self.trial, self.kinds)

    def kinds_of(self, view: View) -> dict[str, dict[Expertise, float]]:
        """How likely each NPC is of each kind."""
        self._memory.ask(Question.BELIEF, view)
        return self.decoder.kinds_of(self._memory.thoughts.goal_p.tolist())


class UntoldMentalizing(RationalMentalizing):
    """Rational Mentalizing that has to find out who is an expert.

    `before` says how likely each NPC is of each kind, or how likely it is a novice, before anything
    was seen. All kinds are equally likely for an NPC that it leaves out. The parameter `kinds`
    names them.

    >>> from onlooker.game import load_trial
    >>> trial = load_trial("examples/who-knows/2.map")
    >>> UntoldMentalizing()(trial).observed
    (13, 0)
    >>> UntoldMentalizing({"agent3": 0.08})(trial).observed
    (0, 7)
    """

    name = "untold_mentalizing"
    title = "Untold Mentalizing"

    def __init__(self, before: Before | None = None) -> None:
        self.before = dict(before or {})
        for npc, each in self.before.items():
            chances = each if isinstance(each, Mapping) else {Expertise.NOVICE: each}
            for kind, p in chances.items():
                if not 0 <= p <= 1:
                    raise ValueError(
                        f"the chance that {npc} is a {kind} must be from 0 to 1, not {p}"
                    )

    def known(self, trial: Trial) -> Before:
        """What is known about the kinds of NPCs when a trial begins."""
        return self.before

    def engine(self, engine: Engine) -> UntoldEngine:
        """The engine of the same trial for an observer that is not told."""
        if self not in engine.kept:
            known = self.known(engine.trial)
            engine.kept[self] = UntoldEngine(engine.trial, engine.parameters, known, engine.warns)
        own: UntoldEngine = engine.kept[self]
        return own

    def at(self, engine: Engine, view: View) -> tuple[UntoldEngine, View]:
        """The engine that is not told, and the same view there."""
        own = self.engine(engine)
        seen = own.view_at([history.steps for history in view.histories])
        return own, replace(seen, main=view.main, own_evidence=view.own_evidence)

    def decide(self, engine: Engine, view: View, choices: Sequence[str] = ()) -> Decision:
        """What Rational Mentalizing decides without being told."""
        return super().decide(*self.at(engine, view), choices)

    def candidates(self, engine: Engine, view: View) -> Candidates:
        """The likely holders."""
        return super().candidates(*self.at(engine, view))

    def values(self, engine: Engine, view: View, choices: Sequence[str] = ()) -> Values:
        """What acting and watching each NPC are worth."""
        return super().values(*self.at(engine, view), choices)

    def run(self, engine: Engine) -> Result:
        """Watch and act through a whole trial."""
        return self.engine(engine).run(self.parts, self.name)

    def state(self) -> dict[str, Any]:
        """What it knows about the kinds of NPCs."""
        taught = any(isinstance(each, Mapping) for each in self.before.values())
        return {"kinds" if taught else "novices": self.before} if self.before else {}

    def carry(self, engine: Engine, view: View) -> UntoldMentalizing:
        """The observer for the next trial, with what it learned in this one."""
        own, seen = self.at(engine, view)
        found = own.kinds_of(seen)
        if Expertise.TEACHER in own.kinds:
            return UntoldMentalizing(self.before | found)
        return UntoldMentalizing(
            self.before | {npc: p[Expertise.NOVICE] for npc, p in found.items()}
        )
