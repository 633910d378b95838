"""The paper's stories on small maps that show them; each is an example map."""

from __future__ import annotations

from pathlib import Path

import pytest

from onlooker.game import load_trial
from onlooker.observers import OBSERVERS, Engine, Result

EXAMPLES = Path(__file__).parents[2] / "examples"


def run_all(name: str) -> dict[str, Result]:
    engine = Engine(load_trial(EXAMPLES / f"{name}.map"))
    return {observer: make().run(engine) for observer, make in OBSERVERS.items()}


def test_near_wizards_are_tried_without_watching() -> None:
    results = run_all("near-wizards")
    assert sum(results["rational_mentalizing"].observed) == 0
    assert sum(results["mentalizing_observer"].observed) > 0


def test_watching_stops_at_an_early_diagnostic_turn() -> None:
    results = run_all("early-turn")
    full = results["rational_mentalizing"]
    assert full.observed == (3,)  # up, up, and the turn
    before, after = full.trace[2].belief, full.trace[3].belief
    assert before is not None
    assert after is not None
    assert before["blue"]["w1"] == pytest.approx(0.5)
    assert after["blue"]["w1"] >= 0.95
    assert results["naive_observer"].observed > full.observed
    assert results["rational_observer"].observed > full.observed


def test_of_two_experts_the_one_that_bears_on_its_own_amulet_is_watched() -> None:
    results = run_all("two-experts")
    agent2, agent3 = results["rational_mentalizing"].observed
    assert agent2 == 0 < agent3
    assert results["naive_observer"].observed[0] > 0
    assert results["rational_observer"].observed[0] > 0
    assert results["mentalizing_observer"].observed[0] > 0


def test_with_few_wizards_the_novice_beside_one_is_watched() -> None:
    results = run_all("expert-and-novice")
    expert, novice = results["rational_mentalizing"].observed
    assert expert == 0 < novice
    for name in ("rational_observer", "naive_observer"):
        assert results[name].observed[0] > results[name].observed[1] == 0


def test_with_many_wizards_the_expert_is_watched() -> None:
    results = run_all("many-wizards")
    expert, novice = results["rational_mentalizing"].observed
    assert expert > novice == 0
    assert results["mentalizing_observer"].observed[1] > 0


def test_what_a_goal_needs_for_certain_is_not_watched_for() -> None:
    engine = Engine(load_trial(EXAMPLES / "three-goals.map"))
    assert engine.trial.needed == engine.trial.open_colours == ("blue",)
    assert sum(OBSERVERS["rational_mentalizing"]().run(engine).observed) > 0
