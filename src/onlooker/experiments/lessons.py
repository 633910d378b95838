"""Stimuli of Experiment 5: trials in which it makes a difference what is said about a teacher.

Maps are drawn as for the other experiments. One NPC of each is a teacher; under every goal and
holders its plan is compared with an expert's. `CLASSES` says what makes a trial one of a class:

- early turn: as cheap for the teacher as an expert's path, but the learner can leave earlier;
- near: taken for an expert it is not watched, as a teacher it is;
- feint: a detour without asking anybody. Whoever takes the NPC for an expert takes its chest for
  another one;
- silence: the path of an expert that asks nobody. Only who knows that it would have taught learns
  from it who holds the amulet;
- pair: a teacher beside an expert. Told which is which, one watches the teacher and not the expert.

The teacher's actions are its plan by the usual parameters and are written into the trial. What
makes the trial one of its class must hold for observers with every β and `converge` of `GRID`.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import ceil

from onlooker.experiments.generator import (
    BLUE,
    RED,
    Layout,
    MapStyle,
    draw_layout,
    make_trial,
    usable,
)
from onlooker.experiments.inventory import Experiment
from onlooker.experiments.labels import Reading, read
from onlooker.experiments.layout import too_alike
from onlooker.game import Expertise, Interaction, Label, Trial
from onlooker.inference.errors import TooLargeError
from onlooker.inference.parameters import Parameters
from onlooker.observers.lessons import Plan, plans
from onlooker.planning import Tables

GRID = tuple(
    Parameters(beta=beta, converge=converge)
    for beta, converge in product((0.5, 0.4, 0.6, 0.45, 0.55), (0.95, 0.93, 0.97, 0.94, 0.96))
)  # the usual values first
EACH = 4  # trials of a class
POOL = 400  # maps to draw at the most
BATCH = 40  # so many at a time
PAIR = "pair"
_TEACHER, _EXPERT = Expertise.TEACHER, Expertise.EXPERT
PAIRS = ((_TEACHER, _EXPERT), (_EXPERT, _TEACHER))
ROLES = ((_TEACHER,), (_TEACHER,), PAIRS[0], (_TEACHER,), (_TEACHER,), PAIRS[1])  # maps in turn
STYLE = MapStyle(most_blue=2, halls=0.8, others=((), (), (BLUE,), (RED,)))

Progress = Callable[[Iterable[int], int], Iterable[int]]


@dataclass(frozen=True)
class Case:
    """A trial with what a teacher and an expert would do in it, and what people make of it."""

    taught: Plan
    untaught: Plan
    told: Mapping[Label, Reading]
    plain: Reading  # what they make of an expert in the teacher's place
    npc: int  # the teacher

    def looks(self, label: Label) -> int:
        """How often the teacher is watched."""
        return self.told[label].looks[self.npc]

    def others(self, label: Label) -> int:
        """How often somebody else is watched."""
        return sum(self.told[label].looks) - self.looks(label)

    def sure(self, label: Label) -> float:
        """How likely the holder is held to be it in the end."""
        return self.told[label].end.sure

    def attributed(self, label: Label) -> float:
        """How likely the teacher's chest is held to be its own in the end."""
        return self.told[label].end.goals[self.npc][self.taught.goal]

    def finds(self, label: Label) -> bool:
        """Whether the holder is the first wizard that is asked."""
        return self.told[label].first in self.taught.holders.values()

    @property
    def teaches(self) -> float:
        """How likely the teacher is held to be one by those who are not told."""
        return self.told[Label.UNTOLD].end.teaches[self.npc] or 0.0

    @property
    def asks(self) -> bool:
        """Whether the teacher asks somebody on its way."""
        return any(isinstance(taken.event, Interaction) for taken in self.taught.path)

    @property
    def like_an_expert(self) -> bool:
        """Whether the teacher does what an expert would."""
        return self.taught.path == self.untaught.path


@dataclass(frozen=True)
class Class:
    """What trials of a class have in common, in words, and how clear a case is."""

    demands: Mapping[str, Callable[[Case], bool]]
    strength: Callable[[Case], float]

    def missed(self, case: Case) -> str | None:
        """The first demand that a case does not meet; None if it meets all."""
        return next((words for words, holds in self.demands.items() if not holds(case)), None)


E, T = Label.EXPERT, Label.TEACHER

CLASSES = {
    "early turn": Class(
        {
            "the teacher pays as much as an expert": lambda c: c.taught.own == c.untaught.own,
            "it is watched": lambda c: c.looks(E) > 0 and c.looks(T) > 0,
            "and less than an expert": lambda c: c.looks(E) < c.plain.looks[c.npc],
            "the holder is found": lambda c: c.finds(E) and c.finds(T),
            "it is taken for a teacher": lambda c: c.teaches > 0.5,
        },
        lambda c: c.plain.looks[c.npc] - c.looks(E),
    ),
    "near": Class(
        {
            "an expert is not watched": lambda c: c.looks(E) == 0,
            "a teacher is watched": lambda c: c.looks(T) > 0,
            "the holder is found": lambda c: c.finds(T),
        },
        lambda c: c.looks(T),
    ),
    "feint": Class(
        {
            "the teacher makes a detour": lambda c: c.taught.own > c.untaught.own,
            "it asks nobody": lambda c: not c.asks,
            "it is watched": lambda c: c.looks(E) > 0 and c.looks(T) > 0,
            "the holder is found": lambda c: c.finds(E) and c.finds(T),
            "an expert seems to want another chest": lambda c: c.attributed(E) < 0.2,
            "a teacher rather its own": lambda c: c.attributed(T) > c.attributed(E) + 0.2,
        },
        lambda c: c.attributed(T) - c.attributed(E),
    ),
    "silence": Class(
        {
            "the teacher does what an expert would": lambda c: c.like_an_expert,
            "it asks nobody": lambda c: not c.asks,
            "a teacher is watched": lambda c: c.looks(T) > 0,
            "an expert's path says little": lambda c: c.sure(E) < 0.6,
            "a teacher's says who the holder is": lambda c: c.sure(T) > 0.9 and c.finds(T),
        },
        lambda c: c.sure(T) - c.sure(E),
    ),
    PAIR: Class(
        {
            "a teacher is watched": lambda c: c.looks(T) > 0,
            "and the expert beside it is not": lambda c: c.others(T) == 0,
            "it is watched less as an expert": lambda c: c.looks(E) < c.looks(T),
            "the holder is found": lambda c: c.finds(T),
        },
        lambda c: c.looks(T) - c.looks(E),
    ),
}


@dataclass(frozen=True)
class Candidate:
    """A trial that is of a class by the usual parameters."""

    trial: Trial
    kind: str
    strength: float  # the least over the grid
    missed: str | None  # what does not hold everywhere, and where


# -- drawing ---------------------------------------------------------------------------------------


def draw(seed: int, index: int) -> tuple[list[Candidate], Counter[str]]:
    """The candidates on the map of that index, and how many draws were left out for what."""
    rng, left = random.Random(f"{seed}/teachers/{index}"), Counter[str]()
    roles = ROLES[index % len(ROLES)]
    experiment = Experiment(5, "teachers", 0, 1, roles, 3, False)
    while True:
        layout = draw_layout(rng, experiment, STYLE)
        if layout is not None and index % 3 == 1:
            layout = _moved_near(layout)
        if layout is None or not usable(layout, experiment):
            continue
        if _equally_far(layout):
            left["wizards at equal distance"] += 1
            continue
        goals = tuple(rng.choice(layout.map.letters) for _ in roles)
        trial = make_trial(layout, experiment, goals, roles, f"map {index}")
        try:
            return list(candidates(trial)), left
        except TooLargeError:
            left["too many histories to plan"] += 1


def _moved_near(layout: Layout) -> Layout:
    """The layout with the main agent where it is least far from all who may hold the amulet."""
    tables, map = Tables(layout.map), layout.map
    walks = [tables.walk(wizard) for wizard in map.wizards_of[BLUE]]
    floor = [cell for cell in map.cells() if cell not in map.walls and not map.thing(cell)]
    free = [cell for cell in floor if cell not in layout.starts]
    at = min(free, key=lambda cell: sum(walk[cell, frozenset()] for walk in walks))
    return replace(layout, main=replace(layout.main, at=at))


def _equally_far(layout: Layout) -> bool:
    """Whether somebody stands equally far from two wizards who may hold the same amulet."""
    tables, wizards = Tables(layout.map), layout.map.wizards_of[BLUE]
    for at in (layout.main.at, *layout.starts):
        walks = [tables.walk(wizard)[at, frozenset()] for wizard in wizards]
        if len(set(walks)) < len(walks):
            return True
    return False


def candidates(trial: Trial) -> Iterator[Candidate]:
    """The trial with every goal and holders of its teacher that make it one of a class."""
    [npc] = (i for i, each in enumerate(trial.npcs) if each.expertise is _TEACHER)
    name = trial.npcs[npc].id
    wanted = [PAIR] if len(trial.npcs) > 1 else [kind for kind in CLASSES if kind != PAIR]
    for both in zip(plans(trial, name), plans(trial, name, care=0.0), strict=True):
        taught = _with_plan(trial, npc, both[0], _TEACHER)
        untaught = _with_plan(trial, npc, both[1], _EXPERT)
        case = partial(_case, taught, untaught, both, npc)
        usual = case(GRID[0])
        for kind in wanted:
            if CLASSES[kind].missed(usual) is None:
                yield _candidate(taught, kind, map(case, GRID))


def _case(
    taught: Trial, untaught: Trial, both: tuple[Plan, Plan], npc: int, parameters: Parameters
) -> Case:
    """What people with some parameters make of a trial, and of an expert in the teacher's place."""
    told = {label: read(taught, label, parameters) for label in Label}
    return Case(*both, told, read(untaught, Label.EXPERT, parameters), npc)


def _with_plan(trial: Trial, npc: int, plan: Plan, kind: Expertise) -> Trial:
    """The trial with an NPC that does what it plans."""
    actions = tuple(taken.action for taken in plan.path)
    who = replace(trial.npcs[npc], goal=plan.goal, expertise=kind, actions=actions)
    npcs = (*trial.npcs[:npc], who, *trial.npcs[npc + 1 :])
    return replace(trial, holders=plan.holders, npcs=npcs)


def _candidate(trial: Trial, kind: str, cases: Iterable[Case]) -> Candidate:
    """A trial of a class, held to it under all parameters of the grid."""
    strengths = []
    for parameters, case in zip(GRID, cases, strict=True):
        if missed := CLASSES[kind].missed(case):
            where = f"β = {parameters.beta}, converge = {parameters.converge}"
            return Candidate(trial, kind, 0.0, f"{missed}: not with {where}")
        strengths.append(CLASSES[kind].strength(case))
    return Candidate(trial, kind, min(strengths), None)


# -- choosing --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Designed:
    """The trials of the experiment, and what was left out for what."""

    trials: tuple[Trial, ...]
    left_out: Mapping[str, int]


def design(
    seed: int,
    pool: int = POOL,
    each: int = EACH,
    jobs: int | None = None,
    progress: Progress = lambda items, total: items,
) -> Designed:
    """The trials of the experiment, class by class; the same for the same seed.

    Maps are drawn, some at a time, until enough of every class are found, but no more than `pool`;
    ValueError if these are too few.
    """
    left, kept, problem = Counter[str](), list[Candidate](), ""
    starts = range(0, pool, BATCH)
    with ProcessPoolExecutor(jobs or os.cpu_count() or 1) as executor:
        for start in progress(starts, len(starts)):
            drawn = executor.map(partial(draw, seed), range(start, min(pool, start + BATCH)))
            for found, why in drawn:
                left.update(why)
                left.update(f"{c.kind}: {c.missed}" for c in found if c.missed)
                kept += [candidate for candidate in found if not candidate.missed]
            try:
                return Designed(tuple(_named(choose(kept, each))), dict(left))
            except ValueError as error:
                problem = str(error)
    raise ValueError(problem)


def _named(chosen: Iterable[Candidate]) -> Iterator[Trial]:
    for number, candidate in enumerate(chosen, start=1):
        yield replace(candidate.trial, name=f"m5{number:02}", scenario=candidate.kind)


def choose(candidates: Sequence[Candidate], each: int = EACH) -> list[Candidate]:
    """The clearest cases of each class, no two similar maps; the rarest class chooses first."""
    maps = Counter(kind for kind, _ in {(c.kind, c.trial.map) for c in candidates})
    chosen: list[Candidate] = []
    for kind in sorted(CLASSES, key=lambda kind: maps[kind]):
        ranked = sorted((c for c in candidates if c.kind == kind), key=lambda c: -c.strength)
        here: list[Candidate] = []
        for candidate in ranked:
            trial = candidate.trial
            alike = any(too_alike(trial.map, other.trial.map) for other in chosen + here)
            same = sum(_roles(other.trial) == _roles(trial) for other in here)
            most = ceil(each / len(PAIRS)) if kind == PAIR else each
            if len(here) < each and not alike and same < most:
                here.append(candidate)
        if len(here) < each:
            raise ValueError(
                f"only {len(here)} maps of the class {kind!r} that are unlike each other were"
                f" found; there are to be {each}: draw more"
            )
        chosen += here
    return sorted(chosen, key=lambda candidate: list(CLASSES).index(candidate.kind))


def _roles(trial: Trial) -> tuple[Expertise, ...]:
    return tuple(npc.expertise for npc in trial.npcs)
