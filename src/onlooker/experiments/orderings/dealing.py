"""Dealing trials out to orderings so that no two that clash meet, and giving them positions.

Trials are numbers here, and `clashes` says which must not meet; a trial clashes with itself.
"""

from __future__ import annotations

from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Clashes = NDArray[np.bool_]  # (trials, trials), symmetric, true on the diagonal
Hands = NDArray[np.int64]  # (orderings, length): the trials of each ordering

TRIES = 16  # deals that are tried
REPAIRS = 2500  # exchanges within one try
NOISE = 0.03  # how often an exchange is made blindly, so that the search does not stick
MIXING = 30  # exchanges tried for each card once no trials clash


def deal(clashes: Clashes, length: int, count: int, rng: np.random.Generator) -> Hands | None:
    """The trials of `count` orderings, every trial used equally often give or take one.

    Where each clique of clashing trials has room, the first deal already fits; otherwise cards
    are exchanged until nothing clashes. None if the search comes to its end before that.
    """
    for _ in range(TRIES):
        table = _Deal(clashes, length, count, rng)
        if table.repair():
            table.mix()
            return table.cards.reshape(count, length)
    return None


def components(clashes: Clashes) -> list[list[int]]:
    """The trials that hang together by clashes, directly or through others.

    >>> pairs = np.eye(4, dtype=bool)
    >>> pairs[0, 2] = pairs[2, 0] = True
    >>> components(pairs)
    [[0, 2], [1], [3]]
    """
    found: list[list[int]] = []
    seen: set[int] = set()
    for start in range(len(clashes)):
        if start in seen:
            continue
        reached, frontier = {start}, [start]
        while frontier:
            new = {int(other) for other in np.flatnonzero(clashes[frontier.pop()])} - reached
            reached |= new
            frontier += sorted(new)
        seen |= reached
        found.append(sorted(reached))
    return found


class _Deal:
    """The cards on the table: a trial on each, `length` cards in a row before each ordering.

    Where not all trials can be used equally often, those that are used once less lie on the bench
    too, and may come into play for one that is used once more.
    """

    def __init__(self, clashes: Clashes, length: int, count: int, rng: np.random.Generator) -> None:
        self.clashes, self.rng = clashes.astype(np.int64), rng
        trials = len(clashes)
        self.least, extra = divmod(length * count, trials)
        groups = [_shuffled(group, rng) for group in _shuffled(components(clashes), rng)]
        self.uses = np.full(trials, self.least)
        for trial in _spread(groups, self.least, count)[:extra]:
            self.uses[trial] += 1
        self.bench = np.flatnonzero(self.uses == self.least) if extra else np.array([], dtype=int)
        # One card to each ordering in turn: a group with no more cards than orderings never meets.
        trial_by_trial = np.array(list(chain.from_iterable(groups)))
        in_turn = np.repeat(trial_by_trial, self.uses[trial_by_trial])
        self.cards = in_turn.reshape(length, count).T.flatten()
        self.seats = np.repeat(np.arange(count), length)
        # For each ordering and trial: how many cards there clash with the trial.
        self.met = np.stack(
            [self.clashes[row].sum(axis=0) for row in self.cards.reshape(count, -1)]
        )

    def repair(self) -> bool:
        """Exchange cards that clash for others until none do; whether that was reached."""
        for _ in range(REPAIRS):
            wrong = np.flatnonzero(self.met[self.seats, self.cards] > 1)
            if not len(wrong):
                return True
            card = int(self.rng.choice(wrong))
            gain = np.append(*self._gains(card))
            possible = np.flatnonzero(gain < np.inf)
            if not len(possible):
                return False
            if self.rng.random() >= NOISE:
                possible = np.flatnonzero(gain == gain.min())
            self._exchange(card, int(self.rng.choice(possible)))
        return False

    def mix(self) -> None:
        """Exchange cards at random wherever nothing comes to clash by it."""
        total = len(self.cards) + len(self.bench)
        for card, other in self.rng.integers((len(self.cards), total), size=(MIXING * total, 2)):
            if self._fits(int(card), int(other)):
                self._exchange(int(card), int(other))

    def _gains(self, card: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """By how much clashes grow if a card is exchanged for each other card, and for the bench.

        Infinite where that changes nothing or is against equal use.
        """
        trial, seat = self.cards[card], self.seats[card]
        between = self.clashes[trial]
        others = self.cards
        now = self.met[seat, trial] + self.met[self.seats, others] - 2
        then = self.met[seat, others] + self.met[self.seats, trial] - 2 * between[others]
        cards = np.where(self.seats == seat, np.inf, then - now)
        bench = self.met[seat, self.bench] - between[self.bench] - self.met[seat, trial] + 1.0
        if self.uses[trial] == self.least:
            bench = np.full(len(self.bench), np.inf)
        return cards, bench

    def _fits(self, card: int, other: int) -> bool:
        """Whether a card can be exchanged without a clash; beyond the cards lies the bench."""
        trial, seat = self.cards[card], self.seats[card]
        if other >= len(self.cards):
            new = self.bench[other - len(self.cards)]
            room = self.met[seat, new] == self.clashes[trial, new]
            return bool(self.uses[trial] > self.least and room)
        new, its_seat = self.cards[other], self.seats[other]
        both = self.clashes[trial, new]
        return bool(
            seat != its_seat and self.met[seat, new] == both and self.met[its_seat, trial] == both
        )

    def _exchange(self, card: int, other: int) -> None:
        old = self.cards[card]
        if other >= len(self.cards):
            place = other - len(self.cards)
            new, self.bench[place] = self.bench[place], old
            self.uses[old] -= 1
            self.uses[new] += 1
        else:
            new, self.cards[other] = self.cards[other], old
            self.met[self.seats[other]] += self.clashes[old] - self.clashes[new]
        self.cards[card] = new
        self.met[self.seats[card]] += self.clashes[new] - self.clashes[old]


def _shuffled(items: list[T], rng: np.random.Generator) -> list[T]:
    return [items[index] for index in rng.permutation(len(items))]


def _spread(groups: list[list[int]], least: int, count: int) -> list[int]:
    """All trials, those first that can be used once more without filling up their group."""
    early: list[int] = []
    late: list[int] = []
    for group in groups:
        room = max(0, count - least * len(group))
        early += group[:room]
        late += group[room:]
    return early + late


def give_positions(hands: Hands, rng: np.random.Generator) -> list[list[int]]:
    """Each ordering's trials in an order such that a trial comes at all positions equally often.

    No trial comes at one position more than once more often than at another. This can always be
    reached: trials and orderings form a bipartite graph whose edges are coloured with positions
    (Kőnig), a trial that is used more often than there are positions counting as several.
    """
    count, length = hands.shape
    edges = _edges(hands, rng)
    in_ordering = [[-1] * length for _ in range(count)]  # which edge is at each position
    of_copy: dict[tuple[int, int], list[int]] = {}
    for number, (ordering, copy) in enumerate(edges):
        row, column = in_ordering[ordering], of_copy.setdefault(copy, [-1] * length)
        free, wanted = _free(row), _free(column)
        both = [position for position in free if position in wanted]
        position = int(rng.choice(both or free))
        if not both:
            _flip(edges, in_ordering, of_copy, copy, position, int(rng.choice(wanted)))
        row[position] = column[position] = number
    return [[edges[number][1][0] for number in row] for row in in_ordering]


def _edges(hands: Hands, rng: np.random.Generator) -> list[tuple[int, tuple[int, int]]]:
    """Which ordering has which trial, in random order; trials counted as often as need be."""
    length = hands.shape[1]
    edges: list[tuple[int, tuple[int, int]]] = []
    seen: dict[int, int] = {}
    for index in rng.permutation(hands.size):
        ordering, trial = int(index) // length, int(hands.flat[index])
        edges.append((ordering, (trial, seen.get(trial, 0) // length)))
        seen[trial] = seen.get(trial, 0) + 1
    return edges


def _free(positions: list[int]) -> list[int]:
    return [position for position, number in enumerate(positions) if number < 0]


def _flip(
    edges: list[tuple[int, tuple[int, int]]],
    in_ordering: list[list[int]],
    of_copy: dict[tuple[int, int], list[int]],
    copy: tuple[int, int],
    taken: int,
    free: int,
) -> None:
    """Exchange two positions along the chain from a trial, so that `taken` becomes free for it."""
    links = []  # of the chain: edges and the positions they had
    position, number = taken, of_copy[copy][taken]
    at_trial = True
    while number >= 0:
        links.append((number, position))
        ordering, other = edges[number]
        position = free if position == taken else taken
        number = (in_ordering[ordering] if at_trial else of_copy[other])[position]
        at_trial = not at_trial
    for number, position in links:
        ordering, other = edges[number]
        in_ordering[ordering][position] = of_copy[other][position] = -1
    for number, position in links:
        ordering, other = edges[number]
        new = free if position == taken else taken
        in_ordering[ordering][new] = of_copy[other][new] = number
