"""The imagined paths are those that the engine rolls out; the tour costs what C_self says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from onlooker.experiments.stimuli import stimuli
from onlooker.game import Trial, load_trial
from onlooker.observers import Engine, Parameters
from onlooker.observers.imagination import imagined_path, tour_path
from running import ROOT

TRIALS = [*stimuli(1)[::7], *stimuli(2)[::13], *stimuli(3)[::13], *stimuli(4)[::9]]


def named(trial: Trial) -> str:
    return trial.label


@pytest.mark.parametrize("trial", TRIALS, ids=named)
def test_an_npc_that_a_hypothesis_is_true_of_goes_as_imagined(trial: Trial) -> None:
    engine = Engine(trial)
    for npc, agent in enumerate(trial.npcs):
        for particle in engine.worth(engine.opening, npc)[1]:
            path = imagined_path(engine, engine.opening, npc, particle.goal, particle.holders)
            npcs = list(trial.npcs)
            npcs[npc] = replace(agent, goal=particle.goal, actions=None)
            so = replace(trial, npcs=tuple(npcs), holders=dict(particle.holders))
            assert Engine(so).paths[npc] == path
            assert particle.steps <= len(path)


@pytest.mark.parametrize("trial", TRIALS, ids=named)
def test_what_is_imagined_of_the_truth_is_what_comes(trial: Trial) -> None:
    engine = Engine(trial)
    for npc, agent in enumerate(trial.npcs):
        view, before = engine.opening, None
        while not engine.arrived(view, npc):
            done = view.histories[npc].steps
            path = imagined_path(engine, view, npc, agent.goal, trial.holders)
            assert [step.action for step in path] == [
                step.action for step in engine.paths[npc][done:]
            ]
            steps = [
                particle.steps
                for particle in engine.worth(view, npc)[1]
                if (particle.goal, dict(particle.holders)) == (agent.goal, dict(trial.holders))
            ]
            if before and steps:
                assert steps[0] == before - 1  # one step nearer to where watching would stop
            before = steps[0] if steps else None
            view = engine.observe(view, npc)


def test_a_hypothesis_that_is_ruled_out_has_no_path() -> None:
    trial = load_trial(ROOT / "examples" / "early-turn.map")
    engine = Engine(trial)
    view = engine.opening
    while not engine.arrived(view, 0):
        view = engine.observe(view, 0)
    assert imagined_path(engine, view, 0, trial.npcs[0].goal, trial.holders) == ()
    with pytest.raises(ValueError, match="agent2 could not have gone"):
        imagined_path(engine, view, 0, trial.npcs[0].goal, {"blue": "w2"})


@pytest.mark.parametrize("order", ["chain", "fixed"])
@pytest.mark.parametrize("trial", TRIALS, ids=named)
def test_the_tour_costs_what_acting_now_costs(trial: Trial, order: str) -> None:
    engine = Engine(trial, Parameters(order=order))  # type: ignore[arg-type]
    candidates = engine.candidates(engine.belief(engine.opening))
    tour = tour_path(engine, engine.opening, candidates)
    assert tour is not None
    assert sorted(tour.stops) == sorted(w for ids in candidates.values() for w in ids)
    asks = len(tour.stops)
    costs = engine.parameters.costs
    cost = costs.interact * asks + costs.move * (len(tour.actions) - asks)
    assert cost == engine.c_self(engine.opening)
    assert len(tour.cells) == 1 + len(tour.actions) - asks
    assert tour.cells[0] == trial.main.at
    assert tour.cells[-1] == trial.map.chest(trial.main.goal).at
