"""Values anywhere: at single views, on the whole lattice, and as the plain reference has them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given

from maps import IDLE, IDLE_SETTINGS
from onlooker.game import Trial, load_trial, read_map_text
from onlooker.observers import (
    ACT,
    OBSERVERS,
    Batch,
    ComposedObserver,
    Engine,
    Lattice,
    LatticeError,
    Parameters,
    lattice,
    run,
)
from onlooker.observers.reference import advise_reference, run_reference
from onlooker.planning import NoPathError, Tables
from running import ROOT
from strategies import parameters, trials
from vectors import VECTORS, Vector

TWO = load_trial(ROOT / "examples" / "two-experts.map")
COMPOSED = [observer() for observer in OBSERVERS.values() if issubclass(observer, ComposedObserver)]


def combinations(found: Lattice) -> list[tuple[int, ...]]:
    return list(product(*(range(steps + 1) for steps in found.steps)))


@pytest.mark.parametrize("observer", COMPOSED, ids=lambda observer: observer.name)
@pytest.mark.parametrize("vector", VECTORS[::3], ids=lambda vector: vector.name)
def test_the_lattice_is_the_values_at_each_view(vector: Vector, observer: ComposedObserver) -> None:
    settings = Parameters(**vector.params)
    engine = Engine(vector.trial, settings)
    (found,) = Batch([vector.trial]).lattices(settings, observer)
    np.testing.assert_array_equal(found.values, engine.lattice(observer.parts).values)
    for steps in combinations(found)[::5]:
        values = engine.values(observer.parts, engine.view_at(steps))
        assert found.values[steps].tolist() == pytest.approx(
            [values.act, *(-np.inf if value is None else value for value in values.watch)]
        )


@given(trials(), parameters)
def test_values_are_those_of_the_reference(trial: Trial, settings: Parameters) -> None:
    try:
        (found,) = Batch([trial]).lattices(settings)
    except NoPathError:
        assume(False)
        raise
    tables = Tables(trial.map, settings.costs)
    for steps in combinations(found)[:: max(1, found.values.size // 40)]:
        log = [
            f"observe {npc.id}" for npc, n in zip(trial.npcs, steps, strict=True) for _ in range(n)
        ]
        decision = advise_reference(trial, log, settings, tables)
        act, *watch = found.values[steps].tolist()
        assert act == pytest.approx(-decision.c_self)
        assert decision.particles is not None
        for npc, value in enumerate(watch):
            if steps[npc] == found.steps[npc]:
                assert value == -np.inf
            elif decision.q_obs is None or decision.q_obs[npc] is None:
                assert value == pytest.approx(-(decision.c_self + settings.observe))
            else:
                paid = sum(
                    p.p * (settings.observe * max(p.steps, 1) + p.residual)
                    for p in decision.particles[npc]
                )
                assert value == pytest.approx(-paid)


@given(trials(), parameters)
def test_the_values_lead_to_the_same_choices(trial: Trial, settings: Parameters) -> None:
    """Paying for at least one look changes no choice of the full model."""
    full = COMPOSED[0]
    try:
        engine = Engine(trial, settings)
        (found,) = Batch([trial]).lattices(settings, full)
    except NoPathError:
        assume(False)
        raise
    for steps in combinations(found)[:: max(1, found.values.size // 20)]:
        decision = full.decide(engine, engine.view_at(steps))
        costs = [q for q in decision.q_obs or () if q is not None]
        assert decision.c_self is not None
        cheaper = min(costs, default=np.inf) < decision.c_self - 1e-9
        assert (decision.choice != ACT) is cheaper


def test_what_costs_no_look_is_free_by_the_hard_rule_only() -> None:
    trial, settings = read_map_text(IDLE), Parameters(**IDLE_SETTINGS)
    plain = run_reference(trial, "rational_mentalizing", settings)
    full = run(trial, "rational_mentalizing", settings)
    assert full.choices == plain.choices == ("agent2",) * 3
    engine = Engine(trial, settings)
    values = COMPOSED[0].values(engine, engine.opening)
    assert full.trace[0].q_obs == (pytest.approx(22 - 1 / 3),)
    assert values == (-22, (pytest.approx(-22),))
    (found,) = Batch([trial]).lattices(settings, COMPOSED[0])
    assert found.chosen[0, 0] == 1


def test_too_many_combinations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice, "MOST_COMBINATIONS", 20)
    with pytest.raises(
        LatticeError, match=r"two experts: [0-9]+ combinations of steps are more than 20"
    ):
        Batch([TWO]).lattices()
