"""Designing a set of stimuli: draw a pool of candidate maps, then choose the most informative ones.

The criterion. A chosen set is scored by

    score = spread of the full model's counts + variety of the maps − likeness to the ablations
            − 10 × what it misses of the requirements (each with a margin)

where the *spread* is the evenness (normalised entropy) of its counts over the bins 0, 1–2, 3–5,
6–9 and 10 or more, averaged over NPCs; the *variety* is half the evenness of the numbers of blue
wizards; and the *likeness* is the mean size of the correlations of its counts with those of the
ablations, so that what one model predicts says little about what another does. The requirements
are those of `diagnostics`: among them that the full model's observation cost rises with its
execution cost, as in the paper, and that the paper's budget seldom names the holder. The search
starts from a random set and exchanges one map at a time as long as that raises the score. Maps
that are too similar never stand in one set.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onlooker.experiments import diagnostics
from onlooker.experiments.diagnostics import ABLATIONS, FULL, INVERTED, Behaviour, behaviour
from onlooker.experiments.generator import BLUE, Layout, MapStyle, draw_layout, make_trial, usable
from onlooker.experiments.inventory import PAPER_EXPERIMENTS, Experiment
from onlooker.experiments.layout import too_alike
from onlooker.game import Expertise, Trial, needs
from onlooker.planning import NoPathError
from onlooker.support.arrays import FloatArray, pearson

POOL = 400  # candidate maps
OUR_SEED = 1  # of the bundled set
EXCHANGES = 6_000  # tried by the search
TWO_COLOURS = 3  # maps of Experiment 1 whose goal needs two colours, at least
BINS = (0, 1, 3, 6, 10)  # where each bin of counts begins

Progress = Callable[[Iterable[int], int], Iterable[int]]


@dataclass(frozen=True)
class Candidate:
    """A map with its scenarios and what the observers do on them."""

    trials: tuple[Trial, ...]
    seen: tuple[Behaviour, ...]  # of each scenario


def design(
    experiment: Experiment,
    seed: int,
    pool: int = POOL,
    style: MapStyle | None = None,
    jobs: int | None = None,
    progress: Progress = lambda items, total: items,
) -> list[Trial]:
    """The trials of a designed set, named, scenario by scenario; the same for the same seed."""
    candidates = draw_pool(experiment, seed, pool, style or MapStyle(), jobs, progress)
    chosen = choose(experiment, candidates, random.Random(f"{seed}/{experiment.number}/choose"))
    return list(_named(experiment, chosen, seed))


# -- the pool --------------------------------------------------------------------------------------


def draw_pool(
    experiment: Experiment,
    seed: int,
    pool: int,
    style: MapStyle,
    jobs: int | None = None,
    progress: Progress = lambda items, total: items,
) -> list[Candidate]:
    """Candidate maps; each has a random generator of its own, so jobs do not matter."""
    draw = partial(draw_candidate, experiment.number, seed, style)
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        return [draw(index) for index in progress(range(pool), pool)]
    with ProcessPoolExecutor(jobs) as executor:
        done = executor.map(draw, range(pool), chunksize=8)
        return [candidate for _, candidate in zip(progress(range(pool), pool), done, strict=True)]


def draw_trials(
    experiment: Experiment,
    seed: int,
    pool: int,
    progress: Progress = lambda items, total: items,
) -> list[Trial]:
    """The trials of candidate maps; s7c2013_1 is the first scenario of candidate 13 of seed 7."""
    return [
        trial
        for index, candidate in enumerate(
            draw_pool(experiment, seed, pool, MapStyle(), progress=progress)
        )
        for trial in _scenarios(experiment, candidate, f"s{seed}c{experiment.number}{index:03}")
    ]


def draw_candidate(number: int, seed: int, style: MapStyle, index: int) -> Candidate:
    """The candidate of that index: drawn anew until it can be used."""
    experiment = PAPER_EXPERIMENTS[number]
    rng = random.Random(f"{seed}/{number}/{index}")
    while True:
        layout = draw_layout(rng, experiment, style)
        if layout is None or not usable(layout, experiment):
            continue
        candidate = _with_scenarios(rng, experiment, layout)
        if candidate is not None:
            return candidate


def _with_scenarios(rng: random.Random, experiment: Experiment, layout: Layout) -> Candidate | None:
    """The layout with goals and roles for each scenario; None where an agent gets stuck."""
    every = list(product(layout.map.letters, repeat=len(layout.starts)))
    if len(every) < experiment.scenarios:
        return None
    goals = rng.sample(every, experiment.scenarios)
    trials = []
    for scenario, chosen in enumerate(goals, start=1):
        roles = experiment.npcs if scenario % 2 else experiment.npcs[::-1]
        trials.append(make_trial(layout, experiment, chosen, roles, "candidate", scenario))
    try:
        seen = tuple(behaviour(trial) for trial in trials)
    except NoPathError:
        return None
    return Candidate(tuple(trials), seen)


# -- the choice ------------------------------------------------------------------------------------


def choose(
    experiment: Experiment, candidates: Sequence[Candidate], rng: random.Random
) -> list[Candidate]:
    """The set of candidates of the best score that the search finds."""
    table = _CandidatePool(experiment, candidates)
    chosen = table.start(rng)
    best = table.score(chosen)
    for _ in range(EXCHANGES):
        out, new = rng.randrange(len(chosen)), rng.randrange(len(candidates))
        rest = chosen[:out] + chosen[out + 1 :]
        if new in chosen or not table.unlike(new, rest):
            continue
        trial = [*rest, new]
        score = table.score(trial)
        if score > best + 1e-9:  # more than rounding: the same choice on every machine
            chosen, best = trial, score
    return [candidates[index] for index in sorted(chosen)]


class _CandidatePool:
    """The candidates as arrays, and the score of a choice among them."""

    def __init__(self, experiment: Experiment, candidates: Sequence[Candidate]) -> None:
        self.experiment = experiment
        self.maps = [candidate.trials[0].map for candidate in candidates]
        self.alike: dict[tuple[int, int], bool] = {}
        # (candidates, scenarios, NPCs) of each observer
        self.counts = {
            name: np.array([[s.watched[name] for s in c.seen] for c in candidates], float)
            for name in (FULL, *ABLATIONS)
        }
        # (candidates, scenarios)
        self.execution = {
            name: np.array([[s.execution[name] for s in c.seen] for c in candidates], float)
            for name in (FULL, *INVERTED)
        }
        self.spare = np.array([[s.spare for s in c.seen] for c in candidates], float)
        self.least = np.array([[s.least_cost for s in c.seen] for c in candidates], float)
        self.identified = np.array([[s.hint == "everything" for s in c.seen] for c in candidates])
        self.expert = np.array(
            [
                [[npc.expertise is Expertise.EXPERT for npc in t.npcs] for t in candidate.trials]
                for candidate in candidates
            ]
        )
        self.wizards = np.array([len(map.wizards_of[BLUE]) for map in self.maps])
        self.two_colours = np.array([_needs_two(candidate.trials[0]) for candidate in candidates])

    def start(self, rng: random.Random) -> list[int]:
        """A random choice of maps that are not similar."""
        chosen: list[int] = []
        for index in rng.sample(range(len(self.maps)), len(self.maps)):
            if len(chosen) < self.experiment.maps and self.unlike(index, chosen):
                chosen.append(index)
        if len(chosen) < self.experiment.maps:
            raise ValueError(
                f"only {len(chosen)} of {len(self.maps)} candidate maps are unlike each other;"
                f" experiment {self.experiment.number} has {self.experiment.maps}: draw more"
            )
        return chosen

    def unlike(self, index: int, others: Iterable[int]) -> bool:
        """Whether a map is like none of the others."""
        return not any(self._alike(min(index, other), max(index, other)) for other in others)

    def _alike(self, a: int, b: int) -> bool:
        if (a, b) not in self.alike:
            self.alike[a, b] = too_alike(self.maps[a], self.maps[b])
        return self.alike[a, b]

    def score(self, chosen: Sequence[int]) -> float:
        """How good a set is; see the module's description."""
        index = list(chosen)
        full = self.counts[FULL][index]
        series = list(self._series(index))
        spread = np.mean([_evenness(np.digitize(x, BINS) - 1, len(BINS)) for x, _ in series])
        likeness = [np.abs(rs).mean() for _, rs in series]
        variety = _evenness(self.wizards[index] - self.wizards.min(), int(np.ptp(self.wizards)) + 1)
        missed = sum(self._missed(index, full, series))
        return float(spread) + 0.5 * variety - float(np.mean(likeness)) - 10 * missed

    def _series(self, index: list[int]) -> Iterator[tuple[FloatArray, FloatArray]]:
        """The full model's counts and their correlations with the ablations', by NPC and role."""
        shape = (-1, len(self.experiment.npcs))
        counts = {name: table[index].reshape(shape) for name, table in self.counts.items()}
        for npc in range(shape[1]):
            yield _with_correlations({name: table[:, npc] for name, table in counts.items()})
        expert = self.expert[index].reshape(shape)
        if not expert.all():
            for role in (expert, ~expert):
                yield _with_correlations({name: table[role] for name, table in counts.items()})

    def _missed(
        self, index: list[int], full: FloatArray, series: list[tuple[FloatArray, FloatArray]]
    ) -> Iterator[float]:
        """By how much each requirement, with its margin, is missed."""
        yield diagnostics.ALONE.missed(float((full.sum(axis=2) == 0).mean()))
        for x, rs in series:
            yield diagnostics.TOP.missed(float(x.max()))
            yield diagnostics.SPREAD.missed(float(x.std()))
            yield sum(diagnostics.LIKENESS.missed(r) for r in rs.tolist())
        costs = self._costs(FULL, index)
        yield diagnostics.SLOPE.missed(diagnostics.slope(*costs) or 0.0)
        yield diagnostics.TRADEOFF.missed(diagnostics.correlation(*costs) or 0.0)
        for name in INVERTED:
            theirs = diagnostics.slope(*self._costs(name, index)) or 0.0
            yield diagnostics.INVERTED_SLOPE.missed(theirs)
        spare, least = self.spare[index].ravel(), self.least[index].ravel()
        yield diagnostics.LEFT.missed(diagnostics.left_over(*costs, spare, least))
        yield diagnostics.IDENTIFIED.missed(float(self.identified[index].mean()))
        expert = self.expert[index]
        if not expert.all():
            watched = (full * expert).sum(axis=2), (full * ~expert).sum(axis=2)
            for one, other in (watched, watched[::-1]):
                yield diagnostics.MAINLY.missed(float((one > other).mean()))
        if self.experiment.number == 1:
            yield max(0.0, TWO_COLOURS - float(self.two_colours[index].sum())) / 10

    def _costs(self, observer: str, index: list[int]) -> tuple[FloatArray, FloatArray]:
        """What an observer spends on acting and on watching in each trial, in points."""
        watched = self.counts[observer][index].sum(axis=2)
        return self.execution[observer][index].ravel(), watched.ravel()


def _with_correlations(counts: dict[str, FloatArray]) -> tuple[FloatArray, FloatArray]:
    """The full model's counts and their correlations with the ablations', 0 where undefined."""
    others = np.stack([counts[name] for name in ABLATIONS])
    return counts[FULL], np.nan_to_num(pearson(counts[FULL], others))


def _needs_two(trial: Trial) -> bool:
    return len(needs(trial.map, trial.main.at)[trial.main.goal] or ()) > 1


def _evenness(bins: NDArray[np.integer[Any]], count: int) -> float:
    """The entropy of how values fall into bins, 1 if evenly."""
    shares = np.bincount(bins, minlength=count) / len(bins)
    shares = shares[shares > 0]
    return float(-(shares * np.log(shares)).sum() / np.log(count)) if count > 1 else 1.0


def _named(experiment: Experiment, chosen: Sequence[Candidate], seed: int) -> Iterator[Trial]:
    """The trials with their names: m201_1 is the first scenario of Experiment 2's first map.

    Those of other seeds than that of the bundled set begin with the seed, as in s7m201_1.
    """
    prefix = "" if seed == OUR_SEED else f"s{seed}"
    for number, candidate in enumerate(chosen, start=1):
        yield from _scenarios(experiment, candidate, f"{prefix}m{experiment.number}{number:02}")


def _scenarios(experiment: Experiment, candidate: Candidate, name: str) -> Iterator[Trial]:
    """The trials of a map of that name."""
    for trial in candidate.trials:
        several = experiment.scenarios > 1
        yield replace(trial, name=f"{name}_{trial.scenario}" if several else name)
