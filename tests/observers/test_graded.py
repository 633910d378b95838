"""Graded Mentalizing: the vectors, the plain reference, and where it is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from observers.lookahead_reference import Lookahead
from onlooker.experiments.regret import worlds_of
from onlooker.game import Trial, load_trial, parse_trial
from onlooker.observers import ACT, Batch, Engine, GradedMentalizing, Parameters
from onlooker.observers.errors import SearchError
from onlooker.observers.results import Sight
from onlooker.planning import NoPathError
from running import ROOT
from strategies import parameters, trials
from vectors import BEYOND

VECTORS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(BEYOND.glob("*.json"))}
TWO = load_trial(ROOT / "examples" / "two-experts.map")


def settings_of(vector: dict[str, Any]) -> Parameters:
    return Parameters(**vector["params"], **vector["graded"])


@pytest.mark.parametrize("name", VECTORS)
def test_the_vectors(name: str) -> None:
    vector = VECTORS[name]
    trial = parse_trial(json.dumps(vector["trial"]))
    (found,) = Batch([trial]).expect(settings_of(vector), "graded_mentalizing")
    plain, expected = found.to_dict() | found.plain_lattice(), vector["expect"]["graded"]
    assert plain["expected"] == pytest.approx(expected["expected"], abs=1e-9)
    for mine, theirs in zip(plain["lattice"], expected["lattice"], strict=True):
        assert mine[0] == theirs[0]
        assert mine[1] == pytest.approx(theirs[1], abs=1e-9)
        assert mine[2] == [None if q is None else pytest.approx(q, abs=1e-9) for q in theirs[2]]
    for mine, theirs in zip(plain["stop"], expected["stop"], strict=True):
        assert mine == [theirs[0], pytest.approx(theirs[1], abs=1e-9)]


softness = st.builds(
    dict,
    caution=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    temperature=st.sampled_from([0.3, 1.0, 4.0]),
    curiosity=st.sampled_from([-2.0, 0.0, 2.0]),
)


@given(trials(), parameters, softness)
def test_values_are_those_of_the_reference(
    trial: Trial, given: Parameters, soft: dict[str, float]
) -> None:
    both = Parameters(**{name: getattr(given, name) for name in given.__slots__} | soft)
    try:
        (found,) = Batch([trial]).lattices(both, GradedMentalizing())
        plain = Lookahead.at_start(trial, both)
    except NoPathError:
        assume(False)
        raise
    engine = Engine(trial, both, warn=False)
    combinations = list(np.ndindex(found.values.shape[:-1]))
    for steps in combinations[:: max(1, len(combinations) // 4)]:
        mind = plain.mind_after(steps)
        act, *watch = found.values[steps].tolist()
        assert -act == pytest.approx(plain.acting(mind), abs=1e-9)
        view = engine.opening
        for npc, count in enumerate(steps):
            for _ in range(count):
                view = engine.observe(view, npc)
        for npc, value in enumerate(watch):
            if steps[npc] == found.steps[npc]:
                assert value == -np.inf
                assert not engine.sights(view, npc).children
                continue
            root = plain.tree(mind, npc)
            assert -value == pytest.approx(plain.cost_at(root), abs=1e-9)
            if trial.open_colours:
                assert_same_tree(engine.sights(view, npc), root)
        alone = GradedMentalizing().values(engine, view)
        assert alone.act == pytest.approx(act, abs=1e-9)
        assert [-np.inf if v is None else pytest.approx(v, abs=1e-9) for v in alone.watch] == watch


def assert_same_tree(one: Sight, other: Sight) -> None:
    """The same can be seen there, as likely, and it costs the same."""
    assert numbers(one) == pytest.approx(numbers(other), abs=1e-9, nan_ok=True)
    mine, theirs = sorted(one.children, key=event), sorted(other.children, key=event)
    assert [event(child) for child in mine] == [event(child) for child in theirs]
    for child, its_other in zip(mine, theirs, strict=True):
        assert_same_tree(child, its_other)


def numbers(sight: Sight) -> list[float]:
    return [sight.p, sight.acting, np.nan if sight.on is None else sight.on, sight.value]


def event(sight: Sight) -> tuple[str, str, bool]:
    return str(sight.action), str(sight.gave), sight.arrived


def test_it_decides_acts_and_runs_like_other_observers() -> None:
    engine = Engine(TWO)
    result = GradedMentalizing().run(engine)
    (found,) = Batch([TWO]).expect(None, GradedMentalizing(), "hard")
    assert found.observed == result.observed
    assert found.cost == result.cost
    assert Batch([TWO]).run(None, [GradedMentalizing()]).observed.tolist() == [
        [list(result.observed)]
    ]
    first = result.trace[0]
    assert first.c_self is not None
    assert first.q_obs is not None
    assert first.belief is not None
    assert result.trace[-1].choice == ACT


def test_values_hold_after_the_main_agent_has_moved() -> None:
    """Off the lattice: what was found out counts, and the search starts where one stands."""
    engine = Engine(TWO)
    start = GradedMentalizing().values(engine, engine.opening)
    route, _ = engine.act(engine.candidates(engine.belief(engine.opening)))
    log = [str(action) for action in route[:-1]]
    later = GradedMentalizing().values(engine, engine.view_after(log))
    assert later.act == pytest.approx(-engine.parameters.move)
    assert later.act > start.act
    assert later.watch == tuple(later.act - 1 for _ in TWO.npcs)


def test_worlds_of_a_trial_share_what_can_be_seen() -> None:
    """Together with others, with another trial between them, and each by itself."""
    worlds, graded = worlds_of(TWO), GradedMentalizing()
    mixed = [*worlds[:3], crowded(3), TWO, *worlds[3:]]
    together = Batch(mixed).lattices(None, graded)
    for trial, found in zip(mixed, together, strict=True):
        (alone,) = Batch([trial]).lattices(None, graded)
        np.testing.assert_allclose(found.values, alone.values, rtol=0, atol=1e-9)
        for name in ("chosen", "actions", "interactions"):
            np.testing.assert_array_equal(getattr(found, name), getattr(alone, name))


def crowded(wizards: int) -> Trial:
    """A trial with so many wizards of one colour."""
    return parse_trial(
        f"""
map:
A=@2{"." * (wizards - 2)}
##{"." * wizards}
##{"b" * (wizards - 1)}h

legend:
@ = main agent, goal A
2 = expert agent2, goal A
b = blue wizard
h = blue wizard, holder
= = blue barrier
"""
    )


def test_too_many_wizards_are_refused_with_their_number() -> None:
    with pytest.raises(SearchError, match="13 wizards of the needed colours are more than 12"):
        Batch([crowded(13)]).expect(observer="graded_mentalizing")
    with pytest.raises(SearchError, match="13 wizards"):
        GradedMentalizing()(crowded(13), Parameters(prune=0.05))
    worst = Parameters(caution=1, prune=0.05)
    assert Batch([crowded(13)]).expect(worst, "graded_mentalizing")[0].observed[0] >= 0
