"""What Rational Mentalizing believes and compares at a step, as data with the paths to draw.

The ideal observer stands beside it: what it expects acting and watching to cost.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from onlooker.drawing.words import lesson as lesson_words
from onlooker.experiments.regret import REFUSED
from onlooker.game import Cell, Interaction, Step
from onlooker.observers import Decision, Engine, Particle, RationalMentalizing, View
from onlooker.observers.imagination import imagined_path, tour_path
from onlooker.observers.lessons import LiteralLearner
from onlooker.web.replay import words
from onlooker.web.replay.document_types import (
    Belief,
    Chance,
    DrawnPath,
    IdealFacts,
    IdealView,
    LessonView,
    Mind,
    NpcMind,
    ParticleView,
    TourView,
)

MAX_PARTICLES = 12  # listed for one NPC; the rest is summed up


class PathTable:
    """The paths of a whole replay, each stored once and numbered."""

    def __init__(self) -> None:
        self.all: list[DrawnPath] = []
        self._numbers: dict[tuple[tuple[Cell, ...], tuple[str, ...]], int] = {}
        self._imagined: dict[tuple[object, ...], tuple[int, tuple[Step, ...]]] = {}

    def number(self, cells: Iterable[Cell], asks: Iterable[str]) -> int:
        """The number of a path."""
        key = (tuple(cells), tuple(asks))
        if key not in self._numbers:
            self._numbers[key] = len(self.all)
            self.all.append({"cells": [list(cell) for cell in key[0]], "asks": list(key[1])})
        return self._numbers[key]

    def imagined(self, engine: Engine, view: View, npc: int, particle: Particle) -> tuple[int, int]:
        """The numbers of a particle's path: as far as it would be watched, and beyond."""
        seen = view.histories[npc].steps
        key = (npc, particle.goal, *particle.holders.values())
        since, steps = self._imagined.get(key, (-1, ()))
        real = engine.paths[npc]
        if since == seen - 1 and steps and steps[0].action == real[since].action:
            steps = steps[1:]  # it did what was imagined
        elif since != seen:
            steps = imagined_path(engine, view, npc, particle.goal, particle.holders)
        self._imagined[key] = seen, steps
        start = real[seen - 1].state.cell if seen else engine.trial.npcs[npc].at
        split = particle.steps
        turn = steps[split - 1].state.cell if split else start
        return self.of_steps(start, steps[:split]), self.of_steps(turn, steps[split:])

    def of_steps(self, start: Cell, steps: Iterable[Step]) -> int:
        """The number of the path that some steps take."""
        cells, asks = [start], []
        for taken in steps:
            if isinstance(taken.event, Interaction):
                asks.append(taken.event.wizard)
            else:
                cells.append(taken.state.cell)
        return self.number(cells, asks)


def mind(engine: Engine, view: View, paths: PathTable) -> Mind:
    """The full model's comparison at a view."""
    decision = RationalMentalizing().decide(engine, view)
    belief = decision.belief or {}
    candidates = engine.candidates(belief)
    tour = tour_path(engine, view, candidates)
    drawn: TourView | None = None
    if tour is not None:
        drawn = {"stops": list(tour.stops), "path": paths.number(tour.cells, tour.stops)}
    return {
        "belief": [
            _belief(engine, colour, chances, candidates[colour])
            for colour, chances in belief.items()
        ],
        "npcs": [
            _watching(engine, view, decision, npc, paths) for npc in range(len(engine.trial.npcs))
        ],
        "c_self": _finite(decision.c_self),
        "tour": drawn,
        "choice": decision.choice,
        "reason": decision.reason and str(decision.reason),
        "words": words.verdict(decision, tour.stops if tour else (), engine),
    }


def lesson(learner: LiteralLearner, steps: int) -> LessonView:
    """What a teacher expects of a learner, after so many of its steps were seen."""
    left = steps >= learner.leaves
    belief = learner.beliefs[min(steps, learner.leaves)]
    candidates = learner.engine.candidates(belief)
    return {
        "belief": [
            _belief(learner.engine, colour, chances, candidates[colour])
            for colour, chances in belief.items()
        ],
        "left": left,
        "words": f"It has left: it would {lesson_words(learner)}" if left else "It would watch on.",
    }


def _belief(
    engine: Engine, colour: str, chances: Mapping[str, float], candidates: tuple[str, ...]
) -> Belief:
    wizards: list[Chance] = [
        {"name": wizard, "p": p, "kept": wizard in candidates} for wizard, p in chances.items()
    ]
    return {
        "colour": colour,
        "settled": engine.settled({colour: dict(chances)}),
        "wizards": wizards,
    }


def _watching(
    engine: Engine, view: View, decision: Decision, npc: int, paths: PathTable
) -> NpcMind:
    """One NPC: what it may want, and the expected cost and benefit of watching it."""
    assert decision.goals is not None
    assert decision.q_obs is not None
    assert decision.particles is not None
    particles = decision.particles[npc]
    likely = sorted(particles, key=lambda particle: -particle.p)
    rest = likely[MAX_PARTICLES:]
    imagined = {particle.goal for particle in particles}
    observe = engine.parameters.observe
    watch = sum(particle.p * observe * particle.steps for particle in particles)
    act = sum(particle.p * particle.residual for particle in particles)
    return {
        "npc": engine.trial.npcs[npc].id,
        "arrived": engine.arrived(view, npc),
        "goals": [
            {"name": goal, "p": p, "kept": goal in imagined}
            for goal, p in decision.goals[npc].items()
        ],
        "q": _finite(decision.q_obs[npc]),
        "watch": watch if particles else None,
        "act": _finite(act) if particles else None,
        "particles": [
            _particle(engine, view, npc, particle, paths) for particle in likely[:MAX_PARTICLES]
        ],
        "rest": {"count": len(rest), "p": sum(particle.p for particle in rest)} if rest else None,
    }


def _particle(
    engine: Engine, view: View, npc: int, particle: Particle, paths: PathTable
) -> ParticleView:
    trial = engine.trial
    watched, beyond = paths.imagined(engine, view, npc, particle)
    open_holders = {
        colour: wizard
        for colour, wizard in particle.holders.items()
        if len(trial.map.wizards_of[colour]) > 1
    }
    return {
        "goal": particle.goal,
        "holders": open_holders,
        "p": particle.p,
        "steps": particle.steps,
        "residual": _finite(particle.residual),
        "cost": _finite(engine.parameters.observe * particle.steps + particle.residual),
        "watched": watched,
        "beyond": beyond,
        "words": words.imagined(particle, open_holders, trial.npcs[npc].id),
    }


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
    return value if value is not None and math.isfinite(value) else None
