"""Many trials in one compiled call: the same behaviour as one by one, and as the reference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from maps import STUCK_BUT_MOVING
from onlooker.game import Action, Expertise, Npc, Trial, load_trial, read_map_text
from onlooker.inference import UnexplainedError, room
from onlooker.observers import (
    ACT,
    OBSERVERS,
    Batch,
    Decision,
    Engine,
    Observer,
    Parameters,
    Result,
    run,
    running,
)
from onlooker.observers.reference import run_reference
from onlooker.planning import NoPathError
from running import ROOT
from strategies import parameters, trials
from vectors import VECTORS, Vector

TWO = load_trial(ROOT / "examples" / "two-experts.map")
EARLY = load_trial(ROOT / "examples" / "early-turn.map")
NAMES = tuple(OBSERVERS)


class Glance(Observer):
    name, title = "glance", "One glance"

    def decide(self, engine, view, choices):  # type: ignore[no-untyped-def]
        return Decision(ACT if choices else engine.trial.npcs[0].id)


def plain(result: Result) -> dict[str, object]:
    return {"observer": result.observer, **result.to_dict()}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_the_vectors(vector: Vector) -> None:
    [results] = Batch([vector.trial]).results(Parameters(**vector.params))
    for result in results:
        expected = vector.expect["observers"][result.observer]
        assert result.to_dict() == {key: expected[key] for key in result.to_dict()}


@given(st.lists(trials(), min_size=1, max_size=3), parameters)
def test_a_batch_does_what_the_reference_does(some: list[Trial], settings: Parameters) -> None:
    try:
        found = Batch(some).results(settings)
    except NoPathError:
        assume(False)
        raise
    for trial, results in zip(some, found, strict=True):
        for result in results:
            expected = run_reference(trial, result.observer, settings)
            assert plain(result) == plain(expected)


def test_a_batch_counts_what_its_results_say() -> None:
    some = Batch([vector.trial for vector in VECTORS])
    settings = Parameters(observe=2)
    outcomes, results = some.run(settings), some.results(settings)
    assert outcomes.observers == NAMES
    for row, of_trial in enumerate(results):
        for column, result in enumerate(of_trial):
            watched = outcomes.observed[row, column].tolist()
            assert watched == [*result.observed, *[0] * (len(watched) - len(result.observed))]
            assert outcomes.moves[row, column] == result.moves
            assert outcomes.interactions[row, column] == result.interactions
            assert outcomes.cost[row, column] == result.cost


def test_what_was_run_before_leaves_no_trace() -> None:
    trials_of = [vector.trial for vector in VECTORS]
    forward, backward = Batch(trials_of), Batch(trials_of[::-1])
    for settings in (Parameters(), Parameters(beta=3, converge=0.7), Parameters()):
        ahead, back = forward.run(settings), backward.run(settings)
        assert np.array_equal(ahead.observed, back.observed[::-1])
        assert np.array_equal(ahead.cost, back.cost[::-1])


def test_memory_grows_as_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = {name: run(TWO, name) for name in NAMES}
    monkeypatch.setitem(room.AT_FIRST, "nodes", 2)
    monkeypatch.setattr(running, "ROOM", (1, 1, 1))
    monkeypatch.setattr(running, "LEAST", (0, 0, 0))
    [results] = Batch([TWO]).results(trace=True)
    assert [plain(result) for result in results] == [plain(expected[name]) for name in NAMES]
    assert [result.trace for result in results] == [expected[name].trace for name in NAMES]
    small = Engine(TWO)
    for name, observer in OBSERVERS.items():
        view = small.opening
        for decision in expected[name].trace:
            assert observer().decide(small, view, ()).belief == decision.belief
            if decision.choice != ACT:
                view = small.observe(view, TWO.npc_index(decision.choice))


@pytest.mark.parametrize("beta", [0.0, 5.0, 50.0, 5000.0])
def test_nothing_underflows(beta: float) -> None:
    settings = Parameters(beta=beta)
    for trial in (TWO, EARLY):
        [results] = Batch([trial]).results(settings)
        for result in results:
            assert plain(result) == plain(run_reference(trial, result.observer, settings))


def test_nobody_to_watch() -> None:
    lonely = replace(TWO, npcs=())
    outcomes = Batch([lonely, TWO]).run()
    assert not outcomes.observed[0].any()
    assert outcomes.cost[0].tolist() == [run(lonely, name).cost for name in NAMES]
    assert Batch([]).run().observed.shape == (0, 4, 0)
    assert Batch([]).results() == []


def test_no_wizards() -> None:
    legend = "@ = main agent, goal A\n2 = expert agent2, goal B\n"
    trial = read_map_text(f"map:\n@.A\n2.B\n\nlegend:\n{legend}")
    outcomes = Batch([trial]).run()
    assert outcomes.cost[0].tolist() == [run(trial, name).cost for name in NAMES] == [6] * 4


def test_more_npcs_than_fit_into_a_byte() -> None:
    legend = "@ = main agent, goal A\nb = blue wizard\nh = blue wizard, holder\n= = blue barrier\n"
    trial = read_map_text("map:\nA=@b\n##.h\n" + "....\n" * 35 + "\nlegend:\n" + legend)
    npcs = tuple(
        Npc(f"n{number}", (number % 4, 2 + number // 4), "A", Expertise.EXPERT)
        for number in range(140)
    )
    trial = replace(trial, npcs=npcs)
    [[result]] = Batch([trial]).results(observers=["naive_observer"])
    assert result.choices == run(trial, "naive_observer").choices
    assert {npc.id for npc in npcs} == set(result.choices)


def test_results_are_of_composed_observers() -> None:
    with pytest.raises(ValueError, match="expected observers composed of parts, not 'glance'"):
        Batch([EARLY]).results(observers=[Glance()])  # type: ignore[list-item]


def test_numbers_out_of_arrays() -> None:
    settings = Parameters(observe=np.int64(2), beta=np.float32(0.5))  # type: ignore[arg-type]
    assert settings == Parameters(observe=2, beta=0.5)
    assert type(settings.observe) is int


def test_an_observer_of_ones_own_among_the_compiled() -> None:
    outcomes = Batch([EARLY]).run(Parameters(), ["naive_observer", Glance(), "rational_observer"])
    assert outcomes.observers == ("naive_observer", "glance", "rational_observer")
    assert outcomes.observed[0, :, 0].tolist() == [
        7,
        1,
        run(EARLY, "rational_observer").observed[0],
    ]


def test_a_trial_that_cannot_be_run_is_told() -> None:
    stuck = read_map_text(STUCK_BUT_MOVING)
    with pytest.raises(NoPathError) as alone:
        run(stuck)
    with pytest.raises(NoPathError) as among:
        Batch([EARLY, stuck]).run()
    assert "the main agent cannot get from" in str(among.value)
    assert str(among.value) == str(alone.value)
    odd = replace(EARLY, npcs=(replace(EARLY.npcs[0], actions=(Action.DOWN,) * 40),))
    with pytest.raises((UnexplainedError, NoPathError), match="agent2"):
        Batch([odd]).run()


def test_pruning_everything_is_told_once() -> None:
    with pytest.warns(
        UserWarning, match=r"prune=0.6 prunes all wizards .* in 2 of 2 trials"
    ) as told:
        Batch([EARLY, TWO]).run(Parameters(prune=0.6))
    assert len(told) == 1


def test_the_largest_costs_on_a_large_map() -> None:
    rows = ["." * 100, "#" * 99 + ".", "." * 100, "." + "#" * 99] * 25  # to and fro, all the way
    rows[0] = "b2" + "." * 98
    rows[48] = "." * 50 + "@" + "." * 49
    rows[98] = "h." + "." * 96 + "=A"
    rows[97] = "#" * 97 + ".##"
    rows[99] = "#." + "#" * 98
    legend = "@ = main agent, goal A\n2 = expert agent2, goal A\nb = blue wizard\n"
    legend += "h = blue wizard, holder\n= = blue barrier\n"
    trial = read_map_text("map:\n" + "\n".join(rows) + "\n\nlegend:\n" + legend)
    outcomes = Batch([trial]).run(Parameters(move=1000, interact=1000, observe=1000))
    one = Engine(trial, Parameters(move=1000, interact=1000, observe=1000))
    assert 1e6 < one.c_self(one.opening) < 1e8
    assert (outcomes.moves > 100).all()
