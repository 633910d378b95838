"""Exact distributions over the lattice: against sampling, runs, and brute force."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlooker.game import load_trial
from onlooker.observers import (
    ACT,
    OBSERVERS,
    Batch,
    ChoiceRule,
    Decision,
    Engine,
    Expectation,
    Observer,
    ObserverError,
    Parameters,
    Values,
    View,
    find_observer,
    rule_for,
    run,
)
from onlooker.observers.choosing import best_choice
from onlooker.observers.expectations import lattice_probabilities, stopping
from onlooker.support.arrays import FloatArray
from running import ROOT
from vectors import VECTORS, Vector

TWO = load_trial(ROOT / "examples" / "two-experts.map")


class Glance(Observer):
    name, title = "glance", "One glance"

    def decide(self, engine: Engine, view: View, choices: Sequence[str]) -> Decision:
        return Decision(ACT if choices else engine.trial.npcs[0].id)


class Alternating(Observer):
    """Watches in turn, four steps together."""

    name, title = "alternating", "Alternating"

    def decide(self, engine: Engine, view: View, choices: Sequence[str]) -> Decision:
        last = engine.trial.npc_index(choices[-1]) if choices else -1
        following = (last + 1) % len(engine.trial.npcs)
        if len(choices) == 4 or engine.arrived(view, following):
            return Decision(ACT)
        return Decision(engine.trial.npcs[following].id)


class Weighing(Glance):
    """Says that acting is worth nothing and watching three points."""

    name = "weighing"

    def values(self, engine: Engine, view: View, choices: Sequence[str]) -> Values:
        npcs = range(len(engine.trial.npcs))
        return Values(0.0, tuple(None if engine.arrived(view, npc) else 3.0 for npc in npcs))


def recursive_stopping(p: FloatArray) -> FloatArray:
    """The plain version: probabilities are (steps of two NPCs, last, choices)."""
    stop = np.zeros(p.shape[:2])

    def walk(first: int, second: int, last: int, reached: float) -> None:
        here = p[first, second, min(last, p.shape[2] - 1)]
        stop[first, second] += reached * here[0]
        if here[1]:
            walk(first + 1, second, 1, reached * here[1])
        if here[2]:
            walk(first, second + 1, 2, reached * here[2])

    walk(0, 0, 0, 1.0)
    return stop


@given(st.integers(0, 3), st.integers(0, 3), st.sampled_from([1, 3]), st.integers(0, 10**6))
def test_one_pass_gives_what_following_every_order_gives(
    first: int, second: int, lasts: int, seed: int
) -> None:
    p = np.random.default_rng(seed).random((first + 1, second + 1, lasts, 3))
    p[-1, :, :, 1], p[:, -1, :, 2] = 0.0, 0.0
    p /= p.sum(axis=-1, keepdims=True)
    found = stopping(p, 2)
    np.testing.assert_allclose(found, recursive_stopping(p))
    assert found.sum() == pytest.approx(1)
    both = stopping(np.stack([p, p[::1]])[None], 2)
    np.testing.assert_allclose(both, np.stack([found, found])[None])


@pytest.mark.parametrize("observer", OBSERVERS)
@pytest.mark.parametrize("vector", VECTORS[::2], ids=lambda vector: vector.name)
def test_the_hard_rule_is_the_observers_own_run(vector: Vector, observer: str) -> None:
    settings = Parameters(**vector.params)
    (found,) = Batch([vector.trial]).expect(settings, observer, ChoiceRule.HARD)
    result = run(vector.trial, observer, settings)
    assert found.stop[result.observed] == 1
    assert found.observed == result.observed
    assert found.observed_sd == (0,) * len(result.observed)
    assert (found.moves, found.interactions) == (result.moves, result.interactions)
    assert found.cost == result.cost


@pytest.mark.parametrize("observer", OBSERVERS)
def test_the_best_value_is_the_own_choice_where_nobody_takes_turns(observer: str) -> None:
    for lattice in Batch([vector.trial for vector in VECTORS[:20]]).lattices(observer=observer):
        if observer == "rational_mentalizing":
            assert not lattice.takes_turns
            np.testing.assert_array_equal(lattice.chosen[..., 0], best_choice(lattice.values))
        there = lattice.available
        for last in range(len(lattice.steps) + 1):
            chosen = lattice.chosen[..., last, None]
            assert np.take_along_axis(there, chosen, -1).all()


@pytest.mark.parametrize("rule", [ChoiceRule.SOFTMAX, ChoiceRule.GRADED])
@pytest.mark.parametrize("observer", OBSERVERS)
def test_samples_agree_with_the_distribution(observer: str, rule: ChoiceRule) -> None:
    (found,) = Batch([TWO]).expect(None, observer, rule)
    p = lattice_probabilities(found.lattice, rule, Parameters())[..., 0, :]
    rng, people = np.random.default_rng(1), 4000
    counts = np.zeros((people, 2), np.int64)
    playing = np.flatnonzero(rng.random(people) >= found.skip)
    while len(playing):  # each of them chooses once more
        upto = p[tuple(counts[playing].T)].cumsum(axis=-1)
        choices = (rng.random((len(playing), 1)) >= upto[:, :-1]).sum(axis=-1)
        playing, watched = playing[choices > 0], choices[choices > 0] - 1
        counts[playing, watched] += 1
    error = 4 * np.array(found.observed_sd) / np.sqrt(people) + 1e-9
    assert (np.abs(counts.mean(axis=0) - found.observed) <= error).all()
    np.testing.assert_allclose(counts.std(axis=0), found.observed_sd, rtol=0.1, atol=0.02)


def test_a_cold_softmax_without_lapses_does_what_the_full_model_does() -> None:
    cold = Parameters(temperature=1e-3, lapse=0)
    for vector in VECTORS[:8]:
        (found,) = Batch([vector.trial]).expect(cold, rule="softmax")
        assert found.observed == pytest.approx(run(vector.trial).observed)


def test_skipping_takes_its_share_of_all_counts() -> None:
    (some,) = Batch([TWO]).expect(Parameters(skip=0.25), rule="graded")
    (none,) = Batch([TWO]).expect(Parameters(skip=0), rule="graded")
    assert some.observed == pytest.approx([0.75 * count for count in none.observed])
    np.testing.assert_array_equal(some.stop, none.stop)
    assert some.probability.sum() == pytest.approx(1)
    assert some.probability[0, 0] == pytest.approx(0.25 + 0.75 * none.probability[0, 0])


def test_plain_data_lists_every_combination_the_last_npc_fastest() -> None:
    (found,) = Batch([TWO]).expect(rule="softmax")
    plain = found.to_dict() | found.plain_lattice()
    combinations = [row[0] for row in plain["lattice"]]
    assert combinations == [row[0] for row in plain["stop"]] == sorted(combinations)
    assert plain["lattice"][0][1:] == [
        -found.lattice.values[0, 0, 0],
        (-found.lattice.values[0, 0, 1:]).tolist(),
    ]
    assert plain["lattice"][-1][2] == [None, None]
    assert sum(p for _, p in plain["stop"]) == pytest.approx(1)
    assert plain["expected"] == list(found.observed)


@pytest.mark.parametrize("observer", [Glance(), Alternating()])
def test_observers_written_in_python_have_a_lattice(observer: Observer) -> None:
    (found,) = Batch([TWO]).expect(observer=observer)
    result = observer(TWO)
    assert found.observed == result.observed
    assert found.cost == result.cost
    assert found.lattice.takes_turns == (observer.name == "alternating")


def test_the_plain_lattice_is_the_compiled_one() -> None:
    class Own(find_observer("mentalizing_observer").__class__):  # type: ignore[misc]
        def decide(self, engine: Engine, view: View, choices: Sequence[str] = ()) -> Decision:
            decision: Decision = super().decide(engine, view, choices)
            return decision

    (own,) = Batch([TWO]).lattices(None, Own())
    (compiled,) = Batch([TWO]).lattices(None, "mentalizing_observer")
    np.testing.assert_allclose(own.values, compiled.values)
    np.testing.assert_array_equal(own.chosen[1:, 1:], compiled.chosen[1:, 1:])
    np.testing.assert_array_equal(own.actions, compiled.actions)
    np.testing.assert_array_equal(own.interactions, compiled.interactions)
    for rule in ("hard", "softmax"):
        one, other = (
            Batch([TWO]).expect(None, Own(), rule),
            Batch([TWO]).expect(None, "mentalizing_observer", rule),
        )
        assert one[0].observed == pytest.approx(other[0].observed)


def test_soft_rules_need_values() -> None:
    with pytest.raises(ValueError, match=r"'glance' has no method values\(engine, view, choices\)"):
        Batch([TWO]).expect(observer=Glance(), rule="softmax")
    assert rule_for(Glance()) is ChoiceRule.HARD
    (found,) = Batch([TWO]).expect(observer=Weighing(), rule="softmax")
    assert isinstance(found, Expectation)
    assert found.observed[0] == pytest.approx(found.observed[1], rel=0.5)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (None, "expected Values, not None"),
        (Values(0.0, (1.0,)), "expected 2 values of watching, not 1"),
        (Values(0.0, (1.0, None)), "expected a value of watching for each NPC"),
        (Values(float("nan"), (1.0, 1.0)), "expected numbers"),
    ],
)
def test_values_that_cannot_be_are_named(values: Values, reason: str) -> None:
    class Odd(Weighing):
        def values(self, engine: Engine, view: View, choices: Sequence[str]) -> Values:
            return values

    with pytest.raises(ObserverError, match=f"two experts: values: {reason}"):
        Batch([TWO]).lattices(None, Odd())
