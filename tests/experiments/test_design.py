from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlooker.experiments.design import choose, draw_pool
from onlooker.experiments.diagnostics import Behaviour, behaviour, diagnose, shortfalls
from onlooker.experiments.generator import Layout, MapStyle, draw_layout, make_trial, usable
from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.experiments.layout import too_alike
from onlooker.game import ACTIONS, Map, load_trial, validate
from onlooker.observers import OBSERVERS, run
from onlooker.planning import Tables, hint, stage
from running import ROOT


@given(st.integers(0, 2**32), st.sampled_from(sorted(PAPER_EXPERIMENTS)))
def test_usable_layouts_make_valid_trials(seed: int, number: int) -> None:
    experiment, rng = PAPER_EXPERIMENTS[number], random.Random(seed)
    layout = draw_layout(rng, experiment, MapStyle())
    if layout is None or not usable(layout, experiment):
        return
    for letter in layout.map.letters:
        goals = (letter,) * len(layout.starts)
        validate(make_trial(layout, experiment, goals, experiment.npcs))
    assert len(layout.map.chests) == experiment.chests


@given(st.integers(0, 2**32))
def test_wizards_stand_in_niches(seed: int) -> None:
    layout = draw_layout(random.Random(seed), PAPER_EXPERIMENTS[2], MapStyle())
    if layout is None:
        return
    world: Map = layout.map
    floor = set(world.cells()) - world.walls - {wizard.at for wizard in world.wizards}
    for wizard in world.wizards:
        assert any(action.from_cell(wizard.at) in floor for action in ACTIONS)


def test_jobs_do_not_matter_and_maps_are_unlike() -> None:
    experiment = PAPER_EXPERIMENTS[1]
    alone = draw_pool(experiment, 5, 40, MapStyle(), jobs=1)
    together = draw_pool(experiment, 5, 40, MapStyle(), jobs=2)
    assert alone == together
    chosen = choose(experiment, alone, random.Random(5))
    maps = [candidate.trials[0].map for candidate in chosen]
    assert len(maps) == experiment.maps
    assert not any(too_alike(a, b) for i, a in enumerate(maps) for b in maps[:i])


def test_a_pool_that_is_too_small_is_refused() -> None:
    experiment = PAPER_EXPERIMENTS[1]
    pool = draw_pool(experiment, 5, 10, MapStyle(), jobs=1)
    with pytest.raises(ValueError, match="only 10 of 10 candidate maps"):
        choose(experiment, pool, random.Random(5))


def test_shortfalls_are_said_in_words() -> None:
    pool = draw_pool(PAPER_EXPERIMENTS[4], 5, 2, MapStyle(), jobs=1)
    trials = [trial for candidate in pool for trial in candidate.trials]
    ones, tens = {name: [1, 1] for name in OBSERVERS}, dict.fromkeys(OBSERVERS, 10)
    same = Behaviour(ones, tens, 7, 5, "everything")
    found = shortfalls(diagnose(4, trials, [same] * len(trials)))
    assert "it does not observe in 0% of the trials" in found
    assert "agent2: counts from 1 to 1" in found
    assert "it watches mainly the novice in 0% of the trials" in found
    assert "its execution cost or its observation cost does not vary" in found
    assert "it leaves 0% of the points that could be left" in found
    assert "the paper's budget names the holder in 100% of the trials" in found


def test_a_tradeoff_the_wrong_way_round_is_a_shortfall() -> None:
    trials = [
        make_trial(layout, PAPER_EXPERIMENTS[1], ("A",), PAPER_EXPERIMENTS[1].npcs)
        for layout in some(5)
    ]
    seen = [
        Behaviour(
            {name: [count] for name in OBSERVERS}, dict.fromkeys(OBSERVERS, cost), 20, 5, "nothing"
        )
        for count, cost in ((0, 50), (2, 40), (4, 30), (6, 40), (8, 10))
    ]
    down = diagnose(1, trials, seen)
    assert down.slopes["rational_mentalizing"] == pytest.approx(-160 / 920)
    assert "a slope of -0.174 of observation cost on execution cost" in shortfalls(down)
    assert "r = -0.83 of observation cost and execution cost" in shortfalls(down)
    turned = [
        replace(each, execution=dict.fromkeys(OBSERVERS, 60 - each.execution["naive_observer"]))
        for each in seen
    ]
    up = shortfalls(diagnose(1, trials, turned))
    assert "a slope of 0.174 of Naive Observer" in up
    assert not any(
        "on execution cost" in said or "r = " in said for said in up if "with" not in said
    )


def test_behaviour_is_what_the_observers_do() -> None:
    trial = load_trial(ROOT / "examples" / "early-turn.map")
    seen = behaviour(trial)
    for name in OBSERVERS:
        result = run(trial, name)
        assert tuple(seen.watched[name]) == result.observed
        assert seen.execution[name] == result.cost - sum(result.observed)
    game = stage(trial)
    assert (seen.spare, seen.least_cost) == (game.budget - 74, 74)
    assert seen.hint == hint(Tables(trial.map), trial)


def some(count: int) -> list[Layout]:
    """Usable layouts of Experiment 1."""
    rng, found = random.Random(3), []
    while len(found) < count:
        layout = draw_layout(rng, PAPER_EXPERIMENTS[1], MapStyle())
        if layout is not None and usable(layout, PAPER_EXPERIMENTS[1]):
            found.append(layout)
    return found
