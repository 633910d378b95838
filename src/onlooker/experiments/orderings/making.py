"""Orderings of trials for participants: random, balanced, and no two similar maps in one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np

from onlooker.experiments.layout import NEAR, layout_distances
from onlooker.experiments.orderings.dealing import Clashes, Hands, deal, give_positions
from onlooker.game import Trial

LENGTH = 10  # trials in an ordering
FEWEST, MOST = 8, 60  # orderings, where nobody says how many


def make_orderings(
    trials: Iterable[Trial],
    length: int = LENGTH,
    count: int | None = None,
    rng: int | np.random.Generator | None = None,
    *,
    near: float = NEAR,
    by: Callable[[Trial], object] | None = None,
) -> list[list[str]]:
    """Orderings of `length` trials each, as the trials' names; tutorial trials are left out.

    Guaranteed: no two trials of an ordering have layouts within `near` of each other, every trial
    is used equally often give or take one, and comes at every position equally often give or take
    one. With `by`, an ordering also has equally many trials for each of its values. ValueError says
    what stands in the way where that cannot be done, or is not found.
    """
    pool = _pool(trials)
    if not pool or length < 1:
        raise ValueError(f"orderings of {length} trials cannot be made of {len(pool)} trials")
    count = default_count(len(pool), length) if count is None else count
    if count < 1:
        raise ValueError(f"count must be a whole number from 1 up, not {count}")
    names = [trial.label for trial in pool]
    clashes = layout_distances([trial.map for trial in pool]) <= near
    _refuse_the_impossible(names, clashes, length, count)
    generator = np.random.default_rng(rng)
    if by is None:
        hands = deal(clashes, length, count, generator)
    else:
        hands = _deal_by([str(by(trial)) for trial in pool], clashes, length, count, generator)
    if hands is None:
        raise ValueError(
            f"{count} orderings of {length} trials that use every trial equally often were not "
            f"found; too similar to come together are {_listed(names, _cliques(clashes))}{_ADVICE}"
        )
    return [[names[trial] for trial in row] for row in give_positions(hands, generator)]


def _deal_by(
    groups: list[str], clashes: Clashes, length: int, count: int, rng: np.random.Generator
) -> Hands | None:
    """The trials of orderings with equally many of each group; None if that is not found."""
    names = sorted(set(groups))
    if length % len(names):
        raise ValueError(f"{length} trials cannot be equally many of {', '.join(names)}")
    parts = []
    for name in names:
        here = np.array([index for index, group in enumerate(groups) if group == name])
        dealt = deal(clashes[np.ix_(here, here)], length // len(names), count, rng)
        if dealt is None:
            return None
        parts.append(here[dealt])
    hands = np.hstack(parts)
    return None if any(clashes[np.ix_(row, row)].sum() > length for row in hands) else hands


def default_count(trials: int, length: int = LENGTH) -> int:
    """How many orderings to make: from 8 up, the fewest that use all trials equally often.

    Where that takes more than 60, the fewest that use every trial.

    >>> default_count(20), default_count(48), default_count(148)
    (8, 24, 15)
    """
    even = (count for count in range(FEWEST, MOST + 1) if count * length % trials == 0)
    return next(even, max(FEWEST, -(-trials // length)))


def check_orderings(
    trials: Iterable[Trial], orderings: Sequence[Sequence[str]], *, near: float = NEAR
) -> list[str]:
    """Every rule of `make_orderings` that some orderings break, in words; none if they keep all."""
    pool = _pool(trials)
    names = [trial.label for trial in pool]
    distances = layout_distances([trial.map for trial in pool])
    number = {name: index for index, name in enumerate(names)}
    found: list[str] = []
    for place, ordering in enumerate(orderings, start=1):
        inside = _inside(pool, distances, ordering, number, near)
        found += [f"ordering {place}: {problem}" for problem in inside]
    return [*found, *_lengths(orderings), *_uses(names, orderings), *_positions(names, orderings)]


def _pool(trials: Iterable[Trial]) -> list[Trial]:
    """The trials to use, by name, which each must have for itself."""
    pool = [trial for trial in trials if not trial.tutorial]
    if unnamed := sum(trial.name is None for trial in pool):
        raise ValueError(f"{unnamed} of the trials have no name; an ordering is a list of names")
    repeated = [name for name, uses in Counter(t.label for t in pool).items() if uses > 1]
    if repeated:
        raise ValueError(f"several trials are called {', '.join(sorted(repeated))}")
    return sorted(pool, key=lambda trial: trial.label)


# -- what cannot be done ---------------------------------------------------------------------------

_ADVICE = (
    "; leave trials out, make shorter orderings, or count fewer maps as similar with a smaller"
    " `near`"
)


def _refuse_the_impossible(names: list[str], clashes: Clashes, length: int, count: int) -> None:
    """Raise ValueError where cliques of clashing trials leave no way, and name them."""
    cliques = _cliques(clashes)
    if len(cliques) < length:
        alike = _listed(names, cliques)
        raise ValueError(
            f"an ordering of {length} trials needs {length} maps that are not similar, and there"
            f" are at most {len(cliques)} among these {len(names)} trials"
            + (f": too similar to come together are {alike}" if alike else "")
        )
    least = length * count // len(names)
    for clique in cliques:
        if least * len(clique) > count:
            raise ValueError(
                f"{count} orderings of {length} trials use each of {len(names)} trials {least} "
                f"times or more, but an ordering can have only one of the {len(clique)} that are "
                f"too similar: {_listed(names, [clique])}{_ADVICE}"
            )


def _cliques(clashes: Clashes) -> list[list[int]]:
    """All trials, put together so that those in one clique all clash; as few as is easily found."""
    cliques: list[list[int]] = []
    for trial in np.argsort(-clashes.sum(axis=0), kind="stable"):
        home = next((clique for clique in cliques if clashes[trial, clique].all()), None)
        if home is None:
            cliques.append([int(trial)])
        else:
            home.append(int(trial))
    return [sorted(clique) for clique in cliques]


def _listed(names: list[str], cliques: list[list[int]]) -> str:
    several = sorted(clique for clique in cliques if len(clique) > 1)
    return "; ".join(", ".join(names[trial] for trial in clique) for clique in several)


# -- what is wrong with orderings ------------------------------------------------------------------


def _inside(
    pool: list[Trial],
    distances: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    ordering: Sequence[str],
    number: dict[str, int],
    near: float,
) -> Iterator[str]:
    """What is wrong with one ordering by itself."""
    for name in dict.fromkeys(ordering):
        if name not in number:
            yield f"there is no trial {name!r} to be used"
    for name, uses in Counter(ordering).items():
        if uses > 1:
            yield f"{name} comes {uses} times"
    known = [name for name in dict.fromkeys(ordering) if name in number]
    for one, other in combinations(known, 2):
        distance = distances[number[one], number[other]]
        if pool[number[one]].map == pool[number[other]].map:
            yield f"{one} and {other} are on the same map"
        elif distance == 0:
            yield f"{one} and {other} have the same layout, turned, mirrored or relabelled"
        elif distance <= near:
            yield f"{one} and {other} are similar: {distance:.1%} of their cells differ"


def _lengths(orderings: Sequence[Sequence[str]]) -> Iterator[str]:
    lengths = sorted({len(ordering) for ordering in orderings})
    if len(lengths) > 1:
        yield f"the orderings have different lengths: {', '.join(map(str, lengths))}"


def _uses(names: list[str], orderings: Sequence[Sequence[str]]) -> Iterator[str]:
    uses = Counter(name for ordering in orderings for name in ordering)
    counts = {name: uses[name] for name in names}
    if counts and max(counts.values()) - min(counts.values()) > 1:
        most, least = max(counts, key=counts.__getitem__), min(counts, key=counts.__getitem__)
        yield (
            f"the trials are not used equally often: {most} {counts[most]} times, "
            f"{least} {counts[least]} times"
        )


def _positions(names: list[str], orderings: Sequence[Sequence[str]]) -> Iterator[str]:
    length = max(map(len, orderings), default=0)
    at = Counter((name, place) for ordering in orderings for place, name in enumerate(ordering))
    for name in names:
        counts = [at[name, place] for place in range(length)]
        if counts and max(counts) - min(counts) > 1:
            often, seldom = counts.index(max(counts)), counts.index(min(counts))
            yield (
                f"{name} comes {max(counts)} times at position {often + 1} but "
                f"{min(counts) or 'no'} times at position {seldom + 1}"
            )
