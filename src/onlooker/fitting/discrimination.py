"""Choosing trials that tell observers apart, scored by recovery.

The *recovery* of a set of trials is the probability that the evidence of one simulated person, who
plays all of them, is highest for the model that made the person. Parameters are integrated out, so
what trials tell does not add up: one may matter because it says how noisy a person is.

The search. Simulated people of every model play every candidate. The probability of each play at
the nodes of a grid over the parameters is tabulated once for each model; the evidence of a person
on any set is then a sum over nodes of products over trials. The candidates that tell most alone are
kept. A set grows by the trial that helps most, and then each trial in turn is exchanged for the
best other one, until no exchange helps. What helps is information about which model made a person:
the mean log posterior probability of that model. It grows with the recovery and is smoother.

The score is of new people, who had no part in the search, with their evidence on a finer grid.
Trials on maps that are too similar never stand in one set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from onlooker.experiments.layout import NEAR, layout_distances
from onlooker.fitting.choices import Appraiser, choices_of
from onlooker.fitting.individual import evidences, grid_of
from onlooker.fitting.likelihood import Likelihood
from onlooker.fitting.models import Model
from onlooker.fitting.parameters import ModelError
from onlooker.fitting.playing import Assignment, play
from onlooker.fitting.plays import Play, trials_by_name
from onlooker.fitting.recovery import draw_parameters
from onlooker.game import Trial
from onlooker.support.arrays import BoolArray, FloatArray, IntArray

SIFT_PEOPLE = 50  # made by each model to see what each candidate tells alone
CANDIDATES = 120  # kept for the search, those that tell most
SEARCH_PEOPLE = 200  # made by each model for the search
SCORE_PEOPLE = 1000  # and for the score
RANDOM_SETS = 20  # with which a choice is compared
SEARCH_NODES, SEARCH_REACH = 9, 3.0  # of the grid in the search, in SDs of the prior
SCORE_NODES = 15
ROUNDS = 5  # of exchanges, at most
TINY = 1e-300  # probability instead of one that underflows
AT_ONCE = 100  # people whose evidence is computed together
TIE = 1e-9  # difference of log evidences below which no model is preferred

Progress = Callable[[float, int], None]
Models = Mapping[str, Model]  # by what tables call them; a model has one setting


@dataclass(frozen=True)
class RecoveryRate:
    """How often the evidence of one person prefers the model that made it."""

    shares: dict[str, float]  # by model
    errors: dict[str, float]  # their Monte Carlo standard errors

    @property
    def mean(self) -> float:
        """The share if every model makes as many people."""
        return sum(self.shares.values()) / len(self.shares)

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of the mean."""
        return sqrt(sum(error**2 for error in self.errors.values())) / len(self.errors)


@dataclass(frozen=True)
class Design:
    """The trials that were chosen, and how well they tell the models apart."""

    trials: tuple[Trial, ...]  # in the order of the candidates
    information: tuple[float, ...]  # bits that each tells alone about which model made a person
    chosen: RecoveryRate
    random: RecoveryRate  # of random sets of as many trials; errors are over sets and people
    candidates: int


def choose_trials(
    models: Models,
    trials: Sequence[Trial],
    count: int,
    seed: int,
    people: int = SCORE_PEOPLE,
    progress: Progress = lambda done, total: None,
) -> Design:
    """Choose `count` of some trials for telling models apart; the same for the same seed."""
    if len(models) < 2:
        raise ModelError("expected at least two models to tell apart")
    pool = Pool(models, trials)
    streams = [np.random.default_rng([seed, part]) for part in range(4)]
    alone = _Search(pool, range(len(pool.trials)), SIFT_PEOPLE, streams[0]).alone(progress)
    order = sorted(alone, key=lambda index: -alone[index])
    kept = pool.unlike(order, max(count, CANDIDATES))
    if len(kept) < count:
        raise ModelError(
            f"only {len(kept)} of {len(order)} candidate trials have maps that are unlike each"
            f" other, and {count} are to be chosen: expected more candidates"
        )
    search = _Search(pool, kept, SEARCH_PEOPLE, streams[1])
    chosen, information = search.choose(count), search.alone()
    return Design(
        tuple(pool.trials[index] for index in chosen),
        tuple(information[index] for index in chosen),
        pool.recovery(chosen, people, streams[2]),
        random_recovery(pool, count, max(1, people // 10), streams[3]),
        len(pool.trials),
    )


def random_recovery(pool: Pool, count: int, people: int, rng: np.random.Generator) -> RecoveryRate:
    """The recovery of random sets of trials: `people` of each model play each set."""
    found = [
        pool.recovery(pool.unlike(rng.permutation(len(pool.trials)).tolist(), count), people, rng)
        for _ in range(RANDOM_SETS)
    ]
    shares = {name: np.array([each.shares[name] for each in found]) for name in pool.models}
    return RecoveryRate(
        {name: float(each.mean()) for name, each in shares.items()},
        {name: float(each.std(ddof=1) / sqrt(len(each))) for name, each in shares.items()},
    )


class Pool:
    """Candidate trials with what they are worth to the observers of some models."""

    def __init__(self, models: Models, trials: Sequence[Trial]) -> None:
        self.models = models
        known = trials_by_name(trials)
        if not known:
            raise ModelError("there are no trials of an experiment among the candidates")
        self.trials, self.keys = list(known.values()), list(known)
        self.alike: BoolArray = layout_distances([trial.map for trial in self.trials]) <= NEAR
        self.appraisers = [
            Appraiser(model.observer, known, model.settings[0], model.space.rule)
            for model in models.values()
        ]

    def unlike(self, order: Iterable[int], count: int) -> list[int]:
        """The first trials of an order whose maps are unlike each other, at most `count`."""
        chosen: list[int] = []
        for index in order:
            if len(chosen) < count and not self.alike[index, chosen].any():
                chosen.append(index)
        return chosen

    def people(
        self, chosen: Sequence[int], each: int, rng: np.random.Generator
    ) -> list[list[Play]]:
        """The plays of people made by each model, `each` of the first, then of the next."""
        keys = [self.keys[index] for index in chosen]
        made: list[list[Play]] = []
        for model, appraiser in zip(self.models.values(), self.appraisers, strict=True):
            x = draw_parameters(model.space, each, rng)
            assignments = [
                Assignment(f"{len(made) + person}", key, position)
                for person in range(each)
                for position, key in enumerate(keys, start=1)
            ]
            theta = {name: np.repeat(v, len(keys)) for name, v in model.space.natural(x).items()}
            plays = play(appraiser, assignments, theta, rng)
            made += [plays[begin : begin + len(keys)] for begin in range(0, len(plays), len(keys))]
        return made

    def recovery(self, chosen: Sequence[int], each: int, rng: np.random.Generator) -> RecoveryRate:
        """The recovery of some trials, from `each` new people of every model."""
        people = self.people(chosen, each, rng)
        evidence = np.concatenate(
            [self._evidence(people[i : i + AT_ONCE]) for i in range(0, len(people), AT_ONCE)]
        )
        right = preferred(evidence, np.repeat(np.arange(len(self.models)), each))
        counts = dict(zip(self.models, right.reshape(-1, each).sum(axis=1).tolist(), strict=True))
        return RecoveryRate(
            {name: count / each for name, count in counts.items()},
            {name: _standard_error(count, each) for name, count in counts.items()},
        )

    def _evidence(self, people: Sequence[Sequence[Play]]) -> FloatArray:
        """The log evidence of people under each model: (people, models)."""
        plays = [each for person in people for each in person]
        found = []
        for model, appraiser in zip(self.models.values(), self.appraisers, strict=True):
            likelihood, which = likelihood_in(model, appraiser, plays)
            grid = grid_of(model.space, SCORE_NODES)
            found.append(evidences(likelihood, np.split(which, len(people)), grid))
        return np.stack(found, axis=1)


def likelihood_in(
    model: Model, appraiser: Appraiser, plays: Sequence[Play]
) -> tuple[Likelihood, IntArray]:
    """The likelihood of plays in trials that are appraised, and which of its plays each is."""
    choices, which = choices_of(plays, appraiser)
    return Likelihood(choices, model.space, float(model.settings[0].observe)), which


def preferred(evidence: FloatArray, truth: IntArray) -> FloatArray:
    """Whether the evidence is highest for the true model: 1, 0, or a share where models tie.

    >>> preferred(np.array([[-3.0, -2.0], [-2.0, -2.0]]), np.array([1, 0])).tolist()
    [1.0, 0.5]
    """
    best = evidence >= evidence.max(axis=1, keepdims=True) - TIE
    return np.asarray(best[np.arange(len(truth)), truth] / best.sum(axis=1))


def _standard_error(count: float, n: int) -> float:
    """Of a share; not 0 if all or none were counted."""
    p = (count + 1) / (n + 2)
    return sqrt(p * (1 - p) / n)


# -- the search ------------------------------------------------------------------------------------


class _PlayTable(NamedTuple):
    """How probable everybody's plays of a candidate are under a model."""

    share: NDArray[np.float32]  # (different plays, nodes): of the most that it is anywhere
    log_most: FloatArray  # (different plays): the logarithm of that
    which: IntArray  # (people): the play of each

    @classmethod
    def of(cls, log_p: FloatArray, which: IntArray) -> _PlayTable:
        """The table of log probabilities: (different plays, nodes)."""
        most = log_p.max(axis=1)
        return cls(np.exp(log_p - most[:, None]).astype(np.float32), most, which)


class _Weights(NamedTuple):
    """What everybody's plays of some trials leave of a prior: weights of nodes, not normalised."""

    share: FloatArray  # (people, nodes): of the heaviest
    log_most: FloatArray  # (people): the logarithm of that

    def log_evidence(self, table: _PlayTable) -> FloatArray:
        """Everybody's log evidence on these trials and one more."""
        total = np.einsum("pn,pn->p", self.share, table.share[table.which])
        log_total: FloatArray = np.log(np.maximum(total, TINY))
        return log_total + self.log_most + table.log_most[table.which]

    def after(self, table: _PlayTable) -> _Weights:
        """The weights after one more trial."""
        share = self.share * table.share[table.which]
        most = share.max(axis=1)
        log_most = self.log_most + np.log(most) + table.log_most[table.which]
        return _Weights(share / most[:, None], log_most)


class _Search:
    """New people's plays of some candidates, for how much any set of these tells."""

    def __init__(
        self, pool: Pool, candidates: Sequence[int], each: int, rng: np.random.Generator
    ) -> None:
        self.pool, self.candidates = pool, candidates
        people = pool.people(candidates, each, rng)
        self.plays = dict(zip(candidates, zip(*people, strict=True), strict=True))
        self.truth = np.repeat(np.arange(len(pool.models)), each)
        self.grids = [
            grid_of(model.space, SEARCH_NODES, SEARCH_REACH) for model in pool.models.values()
        ]

    def alone(self, progress: Progress = lambda done, total: None) -> dict[int, float]:
        """How many bits each candidate tells alone."""
        prior, found = self._prior(), {}
        for index in self.candidates:
            found[index] = self._information(prior, self._tables(index))
            progress(len(found), len(self.candidates))
        return found

    def choose(self, count: int) -> list[int]:
        """The set that tells most, as far as growing and exchanging finds it."""
        tables = {index: self._tables(index) for index in self.candidates}
        chosen: list[int] = []
        for _ in range(count):
            chosen.append(self._best(tables, chosen)[0])
        best = -np.inf
        for _ in range(ROUNDS):
            before = best
            for place in range(count):
                new, told = self._best(tables, chosen[:place] + chosen[place + 1 :])
                if told > best + TIE:
                    chosen[place], best = new, told
            if best == before:
                break
        return sorted(chosen)

    def _tables(self, index: int) -> list[_PlayTable]:
        """The table of a candidate for each model."""
        found = []
        for model, appraiser, grid in zip(
            self.pool.models.values(), self.pool.appraisers, self.grids, strict=True
        ):
            likelihood, which = likelihood_in(model, appraiser, self.plays[index])
            found.append(_PlayTable.of(likelihood.on_grid(grid.axes), which))
        return found

    def _best(
        self, tables: Mapping[int, list[_PlayTable]], rest: Sequence[int]
    ) -> tuple[int, float]:
        """The trial that tells most together with some others, and how much they tell."""
        weights = self._prior()
        for index in rest:
            weights = [w.after(table) for w, table in zip(weights, tables[index], strict=True)]
        told = {
            index: self._information(weights, table)
            for index, table in tables.items()
            if index not in rest
        }
        best = max(told, key=lambda index: told[index])
        return best, told[best]

    def _prior(self) -> list[_Weights]:
        people = len(self.truth)
        return [
            _Weights(np.tile(np.exp(grid.log_weight), (people, 1)), np.zeros(people))
            for grid in self.grids
        ]

    def _information(self, weights: Sequence[_Weights], table: Sequence[_PlayTable]) -> float:
        """Bits about which model made a person, from some trials and one more."""
        evidence = np.stack([w.log_evidence(t) for w, t in zip(weights, table, strict=True)])
        right = evidence[self.truth, np.arange(len(self.truth))]
        posterior = right - np.logaddexp.reduce(evidence, axis=0)
        return float((posterior.mean() + log(len(evidence))) / log(2))
