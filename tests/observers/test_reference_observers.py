from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest
from hypothesis import given

from maps import STUCK_BUT_MOVING
from onlooker.game import State, Trial, read_map_text
from onlooker.inference.errors import UnexplainedError
from onlooker.inference.parameters import Parameters
from onlooker.observers.reference import REFERENCE_OBSERVERS, advise_reference, run_reference
from onlooker.observers.reference.tour import Walker, candidates_of, everyone, is_settled, kept
from onlooker.observers.results import ACT, Result
from onlooker.planning import NoPathError, Tables
from strategies import trials
from vectors import VECTORS, Vector

every_vector = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)


@cache
def tables_of(name: str) -> Tables:
    vector = next(vector for vector in VECTORS if vector.name == name)
    return Tables(vector.trial.map, vector.costs)


@cache
def run(name: str, observer: str) -> Result:
    vector = next(vector for vector in VECTORS if vector.name == name)
    return run_reference(vector.trial, observer, Parameters(**vector.params), tables_of(name))


def comparable(value: Any) -> Any:
    """Plain data with its numbers to 1e-9 and the particles of an NPC in one order."""
    if isinstance(value, float):
        return pytest.approx(value, rel=0, abs=1e-9)
    if isinstance(value, list):
        if value and isinstance(value[0], dict) and "T" in value[0]:
            value = sorted(value, key=lambda p: (p["goal"], sorted(p["holders"].items())))
        return [comparable(item) for item in value]
    if isinstance(value, dict):
        return {key: comparable(item) for key, item in value.items()}
    return value


# -- the worked cases ------------------------------------------------------------------------------


@every_vector
@pytest.mark.parametrize("observer", REFERENCE_OBSERVERS)
def test_vectors(vector: Vector, observer: str) -> None:
    result = run(vector.name, observer)
    found = result.to_dict(trace=observer == "rational_mentalizing")
    expected = vector.expect["observers"][observer]
    assert found.keys() == expected.keys()
    for decision in found.get("trace", []):
        for particles in decision["particles"]:
            particles.sort(key=lambda p: (p["goal"], sorted(p["holders"].items())))
    for key in expected:
        assert found[key] == comparable(expected[key]), key


@pytest.mark.parametrize("vector", VECTORS[::3], ids=lambda vector: vector.name)
def test_advice_follows_the_models_own_run(vector: Vector) -> None:
    result = run(vector.name, "rational_mentalizing")
    log = [f"observe {npc}" for npc in result.choices]
    for count in {0, len(log) // 2, len(log)}:
        parameters, tables = Parameters(**vector.params), tables_of(vector.name)
        advice = advise_reference(vector.trial, log[:count], parameters, tables)
        assert advice == result.trace[count]


def test_only_the_full_model_leaves_a_trace() -> None:
    for observer in REFERENCE_OBSERVERS:
        assert bool(run("random_exp1_1", observer).trace) == (observer == "rational_mentalizing")


def test_an_observer_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match=r"one of rational_mentalizing, .*, not 'oracle'"):
        run_reference(VECTORS[0].trial, "oracle", Parameters())


# -- acting alone ----------------------------------------------------------------------------------

HALL = """
name: hall
map:
b##c#h###
..@....=A

legend:
@ = main agent, goal A
b = blue wizard
c = blue wizard
h = blue wizard, holder
= = blue barrier
"""

NICHE = """
name: niche
; One blue wizard is behind a red barrier, and the chest does not need red.
map:
h####d###
%####.r##
..@....=A

legend:
@ = main agent, goal A
h = blue wizard{h}
d = blue wizard{d}
r = red wizard, holder
% = red barrier
= = blue barrier
"""


def walker(trial: Trial, needed: tuple[str, ...] = ("blue",), **parameters: Any) -> Walker:
    return Walker(trial, Tables(trial.map), Parameters(**parameters), needed)


@pytest.mark.parametrize(
    ("order", "visits", "cost"), [("chain", "w2 w3 w1", 63), ("fixed", "w2 w1 w3", 51)]
)
def test_the_tour_of_the_candidates(order: str, visits: str, cost: int) -> None:
    trial = read_map_text(HALL)
    agent = walker(trial, order=order)
    tour = agent.tour(State(trial.main.at), everyone(trial.map, ["blue"]))
    assert " ".join(wizard.id for wizard in tour.order) == visits
    assert tour.worst == cost


def test_the_expected_cost_of_a_tour() -> None:
    trial = read_map_text(HALL)
    agent, start = walker(trial, exploration="expected"), State(trial.main.at)
    assert agent.c_self(start, {"blue": ("w1", "w2", "w3")}) == pytest.approx((23 + 28 + 63) / 3)
    belief = {"blue": {"w1": 0.2, "w2": 0.5, "w3": 0.3}}
    cost = agent.c_self(start, {"blue": ("w1", "w2", "w3")}, belief)
    assert cost == pytest.approx(0.5 * 23 + 0.3 * 28 + 0.2 * 63)
    # Without w1 the order is the same, and the other two have the belief to themselves.
    cost = agent.c_self(start, {"blue": ("w2", "w3")}, belief)
    assert cost == pytest.approx((0.5 * 23 + 0.3 * 28) / 0.8)


def test_acting_stops_asking_once_the_amulet_is_held() -> None:
    trial = read_map_text(HALL)
    path = walker(trial).act(State(trial.main.at), everyone(trial.map, ["blue"]))
    words = " ".join(str(taken.action) for taken in path)
    assert words == "right up right right up right right right"


def test_acting_on_decoys_alone_goes_on_to_the_untried() -> None:
    trial = read_map_text(HALL)
    path = walker(trial).act(State(trial.main.at), {"blue": ("w1",)})
    asked = [taken.state.checked for taken in path if taken.event.cost == 5]
    assert asked == [{"w1"}, {"w1", "w2"}, {"w1", "w2", "w3"}]
    assert path[-1].state.arrived


def test_what_is_out_of_reach_comes_last_and_costs_without_end() -> None:
    trial = read_map_text(NICHE.format(h="", d=", holder"))
    agent, start = walker(trial), State(trial.main.at)
    assert [w.id for w in agent.tour(start, {"blue": ("w1", "w2")}).order] == ["w2", "w1"]
    for exploration in ("worst", "expected"):
        agent = walker(trial, exploration=exploration)
        assert agent.c_self(start, {"blue": ("w1", "w2")}) == math.inf
        assert agent.c_self(start, {"blue": ("w2",)}) < math.inf
    assert agent.act(start, {"blue": ("w1",)})[-1].state.arrived


def test_a_main_agent_that_gets_stuck_is_told_of() -> None:
    trial = read_map_text(NICHE.format(h=", holder", d=""))
    stuck = r"niche: the main agent cannot get from \(5, 1\) to the blue wizards left"
    with pytest.raises(NoPathError, match=stuck):
        run_reference(trial, "naive_observer", Parameters())


def test_candidates_and_settled() -> None:
    parameters = Parameters()
    sure, nearly = {"w1": 0.95, "w2": 0.05}, {"w3": 0.1 - 1e-16, "w4": 0.85, "w5": 0.05}
    assert candidates_of({"blue": sure, "red": nearly}, parameters) == {
        "blue": ("w1",),
        "red": ("w3", "w4"),
    }
    assert is_settled({"blue": sure}, 0.95)
    assert not is_settled({"blue": sure, "red": nearly}, 0.95)
    # If everything is pruned, the first among the most likely is left.
    assert kept({"w1": 0.2, "w2": 0.4 - 1e-14, "w3": 0.4}, 0.5) == ["w2"]


# -- watching --------------------------------------------------------------------------------------


def test_an_action_that_nothing_explains_names_trial_npc_and_step() -> None:
    trial = read_map_text(STUCK_BUT_MOVING)
    assert advise_reference(trial, ["observe agent2"], Parameters()).belief == {
        "blue": {"w1": 0.0, "w3": 1.0}
    }
    message = "stuck: no hypothesis explains step 2 of agent2"
    with pytest.raises(UnexplainedError, match=message):
        advise_reference(trial, ["observe agent2"] * 2, Parameters())


def test_imagining_a_novice_that_gets_stuck_ends_there() -> None:
    trial = read_map_text(STUCK_BUT_MOVING.replace("name: stuck", "name: stuck\noutcomes: hidden"))
    decision = advise_reference(trial, [], Parameters())
    assert decision.particles is not None
    # It asks w1 first. If w3 is the holder it does not ask the red wizard, which would help; if w1
    # is, its next step away from there tells so.
    assert {(p.holders["blue"], p.steps) for p in decision.particles[0]} == {("w1", 2), ("w3", 1)}


def test_with_no_open_colour_nobody_is_watched() -> None:
    trial = read_map_text(
        """
map:
b2.@=A

legend:
@ = main agent, goal A
2 = expert agent2, goal A
b = blue wizard, holder
= = blue barrier
"""
    )
    for observer in REFERENCE_OBSERVERS:
        result = run_reference(trial, observer, Parameters(meeting="any", epsilon=0.0))
        assert result.choices == ()
        for decision in result.trace:
            assert (decision.choice, decision.q_obs, decision.particles) == (ACT, (None,), ((),))


# -- any trial -------------------------------------------------------------------------------------


@given(trials())
def test_every_observer_gets_to_the_chest(trial: Trial) -> None:
    tables, parameters = Tables(trial.map), Parameters()
    for observer in REFERENCE_OBSERVERS:
        try:
            result = run_reference(trial, observer, parameters, tables)
        except NoPathError:
            continue
        assert result.moves + result.interactions == len(result.route)
        spent = 3 * result.moves + 5 * result.interactions + sum(result.observed)
        assert result.cost == spent
        assert len(result.choices) == sum(result.observed)
        for decision in result.trace:
            assert decision.belief is not None
            for ps in decision.belief.values():
                assert sum(ps.values()) == pytest.approx(1.0)
