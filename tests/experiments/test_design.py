from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onlooker.experiments.design import choose, draw_pool
from onlooker.experiments.diagnostics import diagnose, shortfalls
from onlooker.experiments.generator import MapStyle, draw_layout, make_trial, usable
from onlooker.experiments.inventory import EXPERIMENTS
from onlooker.experiments.layout import too_alike
from onlooker.game import ACTIONS, Map, validate
from onlooker.observers import OBSERVERS


@given(st.integers(0, 2**32), st.sampled_from(sorted(EXPERIMENTS)))
def test_usable_layouts_make_valid_trials(seed: int, number: int) -> None:
    experiment, rng = EXPERIMENTS[number], random.Random(seed)
    layout = draw_layout(rng, experiment, MapStyle())
    if layout is None or not usable(layout, experiment):
        return
    for letter in layout.map.letters:
        goals = (letter,) * len(layout.starts)
        validate(make_trial(layout, experiment, goals, experiment.npcs))
    assert len(layout.map.chests) == experiment.chests


@given(st.integers(0, 2**32))
def test_wizards_stand_in_niches(seed: int) -> None:
    layout = draw_layout(random.Random(seed), EXPERIMENTS[2], MapStyle())
    if layout is None:
        return
    world: Map = layout.map
    floor = set(world.cells()) - world.walls - {wizard.at for wizard in world.wizards}
    for wizard in world.wizards:
        assert any(action.from_cell(wizard.at) in floor for action in ACTIONS)


def test_jobs_do_not_matter_and_maps_are_unlike() -> None:
    experiment = EXPERIMENTS[1]
    alone = draw_pool(experiment, 5, 40, MapStyle(), jobs=1)
    together = draw_pool(experiment, 5, 40, MapStyle(), jobs=2)
    assert alone == together
    chosen = choose(experiment, alone, random.Random(5))
    maps = [candidate.trials[0].map for candidate in chosen]
    assert len(maps) == experiment.maps
    assert not any(too_alike(a, b) for i, a in enumerate(maps) for b in maps[:i])


def test_a_pool_that_is_too_small_is_refused() -> None:
    experiment = EXPERIMENTS[1]
    pool = draw_pool(experiment, 5, 10, MapStyle(), jobs=1)
    with pytest.raises(ValueError, match="only 10 of 10 candidate maps"):
        choose(experiment, pool, random.Random(5))


def test_shortfalls_are_said_in_words() -> None:
    pool = draw_pool(EXPERIMENTS[4], 5, 2, MapStyle(), jobs=1)
    trials = [trial for candidate in pool for trial in candidate.trials]
    same = [{name: [1, 1] for name in OBSERVERS} for _ in trials]
    found = shortfalls(diagnose(4, trials, same))
    assert "it does not observe in 0% of the trials" in found
    assert "agent2: counts from 1 to 1" in found
    assert "it watches mainly the novice in 0% of the trials" in found
