"""What must hold on any trial."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given

from comparing import in_order, same
from onlooker.game import (
    Barrier,
    Chest,
    Map,
    Npc,
    Trial,
    TrialError,
    Wizard,
    replay,
    score,
    validate,
)
from onlooker.observers import ACT, OBSERVERS, Engine, Parameters, Result
from onlooker.observers.reference import run_reference
from onlooker.planning import NoPathError
from strategies import parameters, trials


def run_all(trial: Trial, settings: Parameters | None = None) -> dict[str, Result]:
    """All observers on a trial; trials in which somebody gets stuck are left out."""
    engine = Engine(trial, settings)
    try:
        return {name: observer().run(engine) for name, observer in OBSERVERS.items()}
    except NoPathError:
        assume(False)
        raise


@given(trials(), parameters)
def test_the_engine_agrees_with_the_plain_reference(trial: Trial, settings: Parameters) -> None:
    for name, result in run_all(trial, settings).items():
        trace = name == "rational_mentalizing"
        expected = run_reference(trial, name, settings).to_dict(trace)
        assert same(in_order(result.to_dict(trace)), in_order(expected)), name


@given(trials())
def test_posteriors_sum_to_one_and_costs_are_not_negative(trial: Trial) -> None:
    for result in run_all(trial).values():
        for decision in result.trace:
            for goals in decision.goals or ():
                assert sum(goals.values()) == pytest.approx(1)
            for chances in (decision.belief or {}).values():
                assert sum(chances.values()) == pytest.approx(1)
            for particles in decision.particles or ():
                assert not particles or sum(p.p for p in particles) == pytest.approx(1)
                assert all(p.steps >= 0 and p.residual >= 0 for p in particles)
            assert decision.c_self is None or decision.c_self >= 0
            assert all(q is None or q >= 0 for q in decision.q_obs or ())
        assert result.cost >= 0


@given(trials())
def test_mentalizers_do_not_watch_on_once_settled(trial: Trial) -> None:
    engine = Engine(trial)
    results = run_all(trial)
    for name in ("rational_mentalizing", "mentalizing_observer"):
        for decision in results[name].trace:
            assert decision.belief is not None
            if engine.settled(decision.belief):
                assert decision.choice == ACT


@given(trials())
def test_what_an_observer_did_can_be_played(trial: Trial) -> None:
    engine = Engine(trial)
    for result in run_all(trial).values():
        log = [f"observe {npc}" for npc in result.choices] + [str(a) for a in result.route]
        outcome = score(engine.stage, replay(engine.stage, log))
        assert outcome.arrived
        assert (outcome.spent, outcome.observed) == (result.cost, result.observed)
        assert (outcome.moves, outcome.interactions) == (result.moves, result.interactions)


def renamed(trial: Trial) -> Trial:
    """Other names for wizards, chests, colours and NPCs, in the same order."""
    wizard = {w.id: f"x{i:02}" for i, w in enumerate(trial.map.wizards)}
    letter = dict(zip(trial.map.letters, "PQR", strict=False))
    colour = {"blue": "amber", "green": "brown", "red": "cyan"}
    world = Map(
        trial.map.width,
        trial.map.height,
        trial.map.walls,
        tuple(Barrier(b.at, colour[b.colour]) for b in trial.map.barriers),
        tuple(Wizard(wizard[w.id], w.at, colour[w.colour]) for w in trial.map.wizards),
        tuple(Chest(letter[c.letter], c.at) for c in trial.map.chests),
    )
    return replace(
        trial,
        map=world,
        holders={colour[c]: wizard[w] for c, w in trial.holders.items()},
        main=replace(trial.main, goal=letter[trial.main.goal]),
        npcs=tuple(
            Npc(f"other{i}", npc.at, letter[npc.goal], npc.expertise)
            for i, npc in enumerate(trial.npcs)
        ),
    )


@given(trials())
def test_renaming_changes_nothing_but_names(trial: Trial) -> None:
    for one, other in zip(run_all(trial).values(), run_all(renamed(trial)).values(), strict=True):
        assert (one.observed, one.route, one.cost) == (other.observed, other.route, other.cost)
        for mine, theirs in zip(one.trace, other.trace, strict=True):
            assert mine.c_self == pytest.approx(theirs.c_self)
            assert mine.q_obs == pytest.approx(theirs.q_obs)


@given(trials())
def test_a_walled_in_wizard_that_nobody_needs_changes_nothing(trial: Trial) -> None:
    world = trial.map
    width, height = world.width, world.height + 2
    wall = frozenset((x, world.height) for x in range(width))
    rest = frozenset((x, world.height + 1) for x in range(1, width))
    hermit = Wizard("hermit", (0, world.height + 1), "zinc")
    larger = Map(
        width,
        height,
        world.walls | wall | rest,
        world.barriers,
        (*world.wizards, hermit),
        world.chests,
    )
    other = replace(trial, map=larger, holders={**trial.holders, "zinc": "hermit"})
    try:
        validate(other)
    except TrialError:
        assume(False)
    for one, two in zip(run_all(trial).values(), run_all(other).values(), strict=True):
        assert (one.observed, one.route, one.cost) == (two.observed, two.route, two.cost)
        assert one.candidates == two.candidates
