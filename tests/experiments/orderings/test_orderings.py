from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlooker.experiments.layout import NEAR
from onlooker.experiments.orderings import (
    check_orderings,
    dealing,
    default_count,
    dump_orderings,
    load_orderings,
    make_orderings,
    save_orderings,
)
from onlooker.game import Chest, MainAgent, Map, Trial, TrialError


def random_map(rng: np.random.Generator, width: int = 11, height: int = 12) -> Map:
    walls = rng.random((height, width)) < 0.5
    walls[0, 0] = False
    return Map(
        width,
        height,
        frozenset((int(x), int(y)) for y, x in np.argwhere(walls)),
        chests=(Chest("A", (0, 0)),),
    )


def make_trials(sizes: list[int], seed: int = 0) -> list[Trial]:
    """Trials on maps that are not alike, as many on each as `sizes` says."""
    rng = np.random.default_rng(seed)
    return [
        Trial(map, {}, MainAgent((1, 1), "A"), name=f"m{number:02}_{scenario}", scenario=scenario)
        for number, size in enumerate(sizes)
        for map in [random_map(rng)]
        for scenario in range(1, size + 1)
    ]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("maps", "scenarios", "count", "uses"), [(20, 1, 8, 4), (24, 2, 24, 5), (20, 2, 8, 2)]
)
def test_the_experiments_of_the_paper(
    maps: int, scenarios: int, count: int, uses: int, seed: int
) -> None:
    trials = make_trials([scenarios] * maps)
    orderings = make_orderings(trials, rng=seed)
    assert len(orderings) == count
    assert {len(ordering) for ordering in orderings} == {10}
    assert set(Counter(name for ordering in orderings for name in ordering).values()) == {uses}
    assert check_orderings(trials, orderings) == []


def is_possible(sizes: list[int], length: int, count: int) -> bool:
    """Whether maps with so many trials each can be dealt out: a map has one place an ordering."""
    least, extra = divmod(length * count, sum(sizes))
    room = [count - least * size for size in sizes]
    fits = min(room) >= 0 and sum(map(min, room, sizes)) >= extra
    return len(sizes) >= length and fits


@given(
    sizes=st.lists(st.integers(1, 4), min_size=1, max_size=12),
    length=st.integers(1, 8),
    count=st.none() | st.integers(1, 25),
    seed=st.integers(0, 10**6),
)
def test_orderings_keep_all_rules_wherever_that_is_possible(
    sizes: list[int], length: int, count: int | None, seed: int
) -> None:
    trials = make_trials(sizes, seed)
    number = count or default_count(sum(sizes), length)
    if not is_possible(sizes, length, number):
        with pytest.raises(ValueError, match=r"similar|equally often"):
            make_orderings(trials, length, count, seed)
        return
    orderings = make_orderings(trials, length, count, seed)
    assert len(orderings) == number
    assert {len(ordering) for ordering in orderings} == {length}
    assert check_orderings(trials, orderings) == []


def test_maps_that_are_alike_in_a_chain_are_kept_apart() -> None:
    """Ends of the chain may meet, neighbours may not, and there is no room to spare."""
    trials = make_trials([1] * 20)
    for chain in ((0, 1, 2), (3, 4, 5), (6, 7), (8, 9), (10, 11)):
        for before, after in pairwise(chain):
            change = {(x, before % 10) for x in range(1, 11)}  # 10 of 132 cells
            map = trials[before].map
            trials[after] = replace(trials[after], map=replace(map, walls=map.walls ^ change))
    orderings = make_orderings(trials, rng=3)
    assert check_orderings(trials, orderings) == []
    ends = [{"m00_1", "m02_1"} <= set(ordering) for ordering in orderings]
    assert sum(ends) == 4  # so the middle of the chain has its 4 places


@given(
    st.integers(4, 12), st.integers(2, 5), st.integers(1, 9), st.floats(0, 0.5), st.integers(0, 999)
)
def test_what_is_dealt_never_clashes(
    trials: int, length: int, count: int, share: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((trials, trials)) < share, 1)
    clashes = upper | upper.T | np.eye(trials, dtype=bool)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dealing, "TRIES", 2)
        patch.setattr(dealing, "REPAIRS", 150)
        hands = dealing.deal(clashes, length, count, rng)
    if hands is None:
        return
    for hand in hands:
        assert clashes[np.ix_(hand, hand)].sum() == length
    uses = np.bincount(hands.ravel(), minlength=trials)
    assert uses.max() - uses.min() <= 1
    rows = dealing.give_positions(hands, rng)
    assert [sorted(row) for row in rows] == [sorted(hand) for hand in hands.tolist()]
    for trial in range(trials):
        at = [sum(row[place] == trial for row in rows) for place in range(length)]
        assert max(at) - min(at) <= 1


def test_a_seed_gives_the_same_orderings_whatever_the_order_of_the_trials() -> None:
    trials = make_trials([2] * 20)
    one = make_orderings(trials, rng=5)
    assert make_orderings(trials[::-1], rng=5) == one
    assert make_orderings(trials, rng=np.random.default_rng(5)) == one
    assert make_orderings(trials, rng=6) != one
    assert check_orderings(trials, make_orderings(trials)) == []


def test_tutorial_trials_are_left_out() -> None:
    *trials, practice = make_trials([1] * 13)
    practice = replace(practice, tutorial=True, name="practice")
    orderings = make_orderings([*trials, practice], rng=1)
    assert not any("practice" in ordering for ordering in orderings)
    assert "ordering 1: there is no trial 'practice' to be used" in check_orderings(
        [*trials, practice], [["practice"]]
    )


def test_the_number_of_orderings_by_default() -> None:
    assert [default_count(n) for n in (20, 48, 40, 10, 16, 37)] == [8, 24, 8, 8, 8, 37]
    assert default_count(148) == 15  # no number up to 60 is even, and 15 use every trial
    assert default_count(7, 3) == 14


# -- refusals --------------------------------------------------------------------------------------


def test_too_few_maps_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"at most 9 among these 12 trials.*m00_1, m00_2; m01_1"):
        make_orderings(make_trials([2, 3, *[1] * 7]))
    with pytest.raises(ValueError, match=r"at most 4 among these 4 trials$"):
        make_orderings(make_trials([1] * 4))


def test_equal_use_that_is_out_of_reach_is_refused_by_name() -> None:
    reason = r"each of 20 trials 4 times or more, but .* 5 that are too similar: m03_1, .*, m03_5"
    with pytest.raises(ValueError, match=reason):
        make_orderings(make_trials([1, 1, 1, 5, *[1] * 12]))


def test_alike_is_what_the_caller_counts_as_alike() -> None:
    trials = make_trials([1] * 10)
    map = trials[0].map
    trials[1] = replace(trials[1], map=replace(map, walls=map.walls ^ {(5, 5)}))
    with pytest.raises(ValueError, match="too similar to come together are m00_1, m01_1"):
        make_orderings(trials)
    orderings = make_orderings(trials, near=0.0)
    assert check_orderings(trials, orderings, near=0.0) == []
    assert "ordering 1: m00_1 and m01_1 are similar: 0.8% of their cells differ" in [
        problem.replace("m01_1 and m00_1", "m00_1 and m01_1")
        for problem in check_orderings(trials, orderings)
    ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": None}, "1 of the trials have no name"),
        ({"name": "m00_1"}, "several trials are called m00_1"),
    ],
)
def test_trials_must_have_names_of_their_own(change: dict[str, Any], reason: str) -> None:
    *trials, last = make_trials([1] * 12)
    with pytest.raises(ValueError, match=reason):
        make_orderings([*trials, replace(last, **change)])


@pytest.mark.parametrize("arguments", [{"length": 0}, {"count": 0}, {"count": -3}])
def test_lengths_and_counts_start_at_one(arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"orderings of 0 trials|count must be"):
        make_orderings(make_trials([1] * 12), **arguments)
    with pytest.raises(ValueError, match="cannot be made of 0 trials"):
        make_orderings([])


def test_a_search_that_ends_without_orderings_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five in a ring: each pair of neighbours has room, but an ordering has only two of the five."""
    ring = np.eye(9, dtype=bool)
    for trial in range(5):
        ring[trial, (trial + 1) % 5] = ring[(trial + 1) % 5, trial] = True
    monkeypatch.setattr(dealing, "TRIES", 4)
    rng = np.random.default_rng(0)
    assert dealing.deal(ring, 5, 9, rng) is None  # 25 places taken by the five, 18 there are
    assert dealing.deal(ring, 3, 9, rng) is not None


# -- checks ----------------------------------------------------------------------------------------


def test_every_rule_that_is_broken_is_told() -> None:
    trials = make_trials([2, 1, 1])
    twin = trials[2].map
    mirrored = replace(
        twin, walls=frozenset((10 - x, y) for x, y in twin.walls), chests=(Chest("A", (10, 0)),)
    )
    trials.append(Trial(mirrored, {}, MainAgent((1, 1), "A"), name="mirrored"))
    orderings = [["m00_1", "m00_2", "m00_1"], ["m01_1", "mirrored"], ["m00_1", "nobody"], ["m00_1"]]
    assert check_orderings(trials, orderings) == [
        "ordering 1: m00_1 comes 2 times",
        "ordering 1: m00_1 and m00_2 are on the same map",
        "ordering 2: m01_1 and mirrored have the same layout, turned, mirrored or relabelled",
        "ordering 3: there is no trial 'nobody' to be used",
        "the orderings have different lengths: 1, 2, 3",
        "the trials are not used equally often: m00_1 4 times, m02_1 0 times",
        "m00_1 comes 3 times at position 1 but no times at position 2",
    ]


# -- the file --------------------------------------------------------------------------------------


def test_orderings_come_back_from_their_file(tmp_path: Path) -> None:
    trials = make_trials([2] * 20)
    orderings = make_orderings(trials, rng=4)
    file = tmp_path / "new" / "orderings.json"
    save_orderings(file, orderings, experiment=4, seed=4)
    read = load_orderings(file, trials)
    assert [list(ordering) for ordering in read.orderings] == orderings
    assert (read.experiment, read.seed, read.length, read.near) == (4, 4, 10, NEAR)
    assert json.loads(file.read_text())["orderings"] == orderings
    again = dump_orderings(read.orderings, experiment=4, seed=4)
    assert again == file.read_text()


GOOD: dict[str, Any] = {"experiment": 1, "seed": 3, "length": 2, "orderings": [["a", "b"]]}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"orderings": [["a"]]}, "orderings[0]: 1 trials, but the length is 2"),
        ({"orderings": [["a", "a"]]}, "orderings[0][1]: 'a' comes twice in this ordering"),
        ({"orderings": [["a", "b"], ["a", "x"]]}, "orderings[1][1]: there is no trial 'x'"),
        (
            {"orderings": [["a", "t"]]},
            "orderings[0][1]: 't' is a tutorial trial and cannot be in an ordering",
        ),
        ({"orderings": [["a", 7]]}, "orderings[0][1]: expected a trial's name, not 7"),
        ({"orderings": ["ab"]}, 'orderings[0]: expected a list of trials\' names, not "ab"'),
        ({"orderings": []}, "orderings: expected a list of orderings, at least one"),
        ({"orderings": None}, "orderings: expected a list of orderings, at least one"),
        ({"length": True}, "length: expected a whole number from 1 up, not true"),
        ({"seed": -1}, "seed: expected a whole number from 0 up, not -1"),
        ({"seed": "x"}, 'seed: expected a whole number from 0 up, not "x"'),
        ({"experiment": [1]}, "experiment: expected a number or a name, not [1]"),
        ({"near": 2}, "near: expected a number from 0 to 1, not 2"),
        (
            {"sede": 3},
            "unknown field 'sede'; the fields are experiment, seed, length, near, orderings",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_place(
    tmp_path: Path, change: dict[str, Any], problem: str
) -> None:
    trials = [
        replace(trial, name=name) for trial, name in zip(make_trials([3]), "abt", strict=True)
    ]
    trials[-1] = replace(trials[-1], tutorial=True)
    file = tmp_path / "orderings.json"
    file.write_text(json.dumps(GOOD))
    assert load_orderings(file, trials).orderings == (("a", "b"),)
    file.write_text(json.dumps(GOOD | change))
    with pytest.raises(TrialError) as refused:
        load_orderings(file, trials)
    assert refused.value.lines() == [f"{file}: {problem}"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"[]", "expected an object"),
        (b"{}", "the field 'length' is missing"),
        (b'{"length": 1,}', "line 1, column"),
        (b'{"length": 1, "length": 2}', "given twice"),
        (b"\xff", "byte 0: not UTF-8 text"),
        (b" " * 4_000_001, "more than 4,000,000 bytes"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "orderings.json"
    file.write_bytes(content)
    with pytest.raises(TrialError, match=reason):
        load_orderings(file)
    with pytest.raises(TrialError, match=r"none\.json: there is no such file"):
        load_orderings(tmp_path / "none.json")


def test_a_file_has_orderings_of_one_length() -> None:
    with pytest.raises(ValueError, match=r"not \[1, 2\]"):
        dump_orderings([["a"], ["a", "b"]])
