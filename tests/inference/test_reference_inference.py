from __future__ import annotations

import math

import pytest
from hypothesis import given

from onlooker.game import (
    Action,
    Costs,
    Interaction,
    Move,
    State,
    Step,
    Trial,
    Unavailable,
    read_map_text,
    step,
)
from onlooker.inference.errors import UnexplainedError
from onlooker.inference.reference import Hypothesis, Mind, NpcModel, assignments, looks_like
from onlooker.planning import NoPathError, Tables, npc_paths
from strategies import trials

CORRIDOR = """
; The NPC stands between two wizards; its chest is behind the barrier.
outcomes: {outcomes}
map:
b.2@h
##.##
##=##
##A##

legend:
@ = main agent, goal A
2 = {expertise} agent2, goal A
b = blue wizard
h = blue wizard, holder
= = blue barrier
"""


def corridor(expertise: str = "expert", outcomes: str = "revealed") -> Trial:
    return read_map_text(CORRIDOR.format(expertise=expertise, outcomes=outcomes))


def mind_of(trial: Trial, told: dict[str, bool] | None = None, beta: float = 0.5) -> Mind:
    tables = Tables(trial.map)
    return Mind.fresh(trial, [NpcModel(tables, npc, beta) for npc in trial.npcs], told)


def taken(trial: Trial, action: Action, state: State | None = None, npc: int = 0) -> Step:
    at, goal = trial.npcs[npc].at, trial.npcs[npc].goal
    result = step(trial.map, state or State(at), action, goal, trial.holders, Costs())
    assert not isinstance(result, Unavailable)
    return result


def test_every_goal_with_every_world() -> None:
    mind = mind_of(corridor())
    assert assignments(mind.trial.map) == [("w1",), ("w2",)]
    assert list(mind.npcs[0].weights) == [Hypothesis("A", ("w1",)), Hypothesis("A", ("w2",))]
    assert mind.belief(["blue"]) == {"blue": {"w1": 0.5, "w2": 0.5}}
    assert mind.goals(0) == {"A": 1.0}


def test_the_probability_of_an_action_falls_with_its_cost_to_go() -> None:
    trial = corridor()
    model = mind_of(trial).npcs[0].model
    expected = model.expected(Hypothesis("A", ("w2",)), State((2, 0)))
    # To w2, back and down to the chest is 3 + 5 + 3 + 3 * 3 points; elsewhere and back is 6 more.
    q = {Action.DOWN: 26, Action.LEFT: 26, Action.RIGHT: 20}
    total = sum(math.exp(-0.5 * value) for value in q.values())
    assert {option.action: math.exp(log_p) for option, log_p in expected} == {
        action: pytest.approx(math.exp(-0.5 * value) / total) for action, value in q.items()
    }


def test_watching_an_expert_step_towards_a_wizard() -> None:
    trial = corridor()
    mind = mind_of(trial).after(0, taken(trial, Action.RIGHT))
    # Under w1 the step leads 6 points astray.
    odds = math.exp(0.5 * 6)
    assert mind.belief(["blue"])["blue"]["w2"] == pytest.approx(odds / (odds + 1))
    assert mind.npcs[0].seen == 1


def test_an_outcome_that_is_revealed_settles_the_matter() -> None:
    trial = corridor()
    first = taken(trial, Action.RIGHT)
    mind = mind_of(trial).after(0, first).after(0, taken(trial, Action.RIGHT, first.state))
    assert mind.belief(["blue"]) == {"blue": {"w1": 0.0, "w2": 1.0}}


def test_an_outcome_that_is_not_revealed_leaves_the_useless_interaction_possible() -> None:
    trial = corridor(outcomes="hidden")
    assert not trial.reveals_outcomes
    first = taken(trial, Action.RIGHT)
    mind = mind_of(trial).after(0, first).after(0, taken(trial, Action.RIGHT, first.state))
    assert 0 < mind.belief(["blue"])["blue"]["w1"] < 0.05
    # Each hypothesis keeps its own amulets; only under one does the NPC hold the amulet now.
    held = {h.assignment: w.state.amulets for h, w in mind.npcs[0].weights.items()}
    assert held == {("w1",): frozenset(), ("w2",): {"blue"}}


def test_what_an_event_shows() -> None:
    gave, kept = (Interaction(5, "w1", "blue", gave) for gave in (True, False))
    there, past = (Move(3, (1, 1), chest="A", arrived=arrived) for arrived in (True, False))
    assert looks_like(gave, gave, True)
    assert not looks_like(gave, kept, True)
    assert looks_like(gave, kept, False)
    assert not looks_like(there, past, False)
    assert not looks_like(past, gave, False)


def test_evidence_of_all_npcs_counts_together() -> None:
    text = CORRIDOR.format(expertise="expert", outcomes="revealed").replace("##.##", "##3##")
    trial = read_map_text(text + "3 = expert agent3, goal A\n")
    mind = mind_of(trial)
    mind = mind.after(0, taken(trial, Action.RIGHT))
    alone = mind.belief(["blue"])["blue"]["w2"]
    up = taken(trial, Action.UP, npc=1)
    mind = mind.after(1, up).after(1, taken(trial, Action.RIGHT, up.state, npc=1))
    together = mind.belief(["blue"])["blue"]["w2"]
    assert together > alone
    for npc in (0, 1):
        assert mind.posterior(npc)[Hypothesis("A", ("w2",))] == pytest.approx(together)


def test_what_the_player_was_told_counts_too() -> None:
    assert mind_of(corridor(), {"w1": False}).belief(["blue"]) == {"blue": {"w1": 0.0, "w2": 1.0}}
    assert mind_of(corridor(), {"w1": True}).belief(["blue"]) == {"blue": {"w1": 1.0, "w2": 0.0}}


def test_an_action_that_nothing_explains_is_an_error() -> None:
    trial = corridor()
    first = taken(trial, Action.DOWN)
    second = Step(Action.DOWN, State((2, 2)), Move(3, (2, 2), barrier="blue"))
    with pytest.raises(
        UnexplainedError, match="unnamed trial: no hypothesis explains step 2 of agent2"
    ) as caught:
        mind_of(trial).after(0, first).after(0, second)
    assert (caught.value.npc, caught.value.step) == ("agent2", 2)


def test_an_npc_against_what_the_player_was_told_is_an_error() -> None:
    trial = corridor()
    first = taken(trial, Action.RIGHT)
    mind = mind_of(trial, {"w2": False}).after(0, first)
    with pytest.raises(UnexplainedError, match="step 2 of agent2"):
        mind.after(0, taken(trial, Action.RIGHT, first.state))


def test_a_novice_goes_for_the_nearest_wizard_whoever_is_the_holder() -> None:
    trial = corridor("novice")
    model = mind_of(trial).npcs[0].model
    for held in (("w1",), ("w2",)):
        best = model.best(Hypothesis("A", held), State((2, 0)))
        assert best is not None
        assert best.action is Action.LEFT  # as near as the right; left comes first
    mind = mind_of(trial).after(0, taken(trial, Action.RIGHT))
    assert mind.belief(["blue"])["blue"]["w2"] == pytest.approx(0.5)


def test_passing_a_chest_tells_that_it_is_not_the_goal() -> None:
    trial = read_map_text(
        "map:\n@2A.B\n\nlegend:\n@ = main agent, goal A\n2 = expert agent2, goal B\n"
    )
    mind = mind_of(trial).after(0, taken(trial, Action.RIGHT))
    assert mind.goals(0) == {"A": 0.0, "B": 1.0}


def test_long_watching_does_not_underflow() -> None:
    trial = corridor()
    mind = mind_of(trial, beta=40.0)
    state = State(trial.npcs[0].at)
    for action in [Action.LEFT, Action.RIGHT] * 60:
        seen = taken(trial, action, state)
        mind, state = mind.after(0, seen), seen.state
    assert mind.belief(["blue"])["blue"]["w1"] == pytest.approx(0.5)


@given(trials())
def test_the_true_hypothesis_survives_and_posteriors_agree(trial: Trial) -> None:
    try:
        paths = npc_paths(Tables(trial.map), trial)
    except NoPathError:
        return
    tables = Tables(trial.map)
    mind = Mind.fresh(trial, [NpcModel(tables, npc, 0.5) for npc in trial.npcs])
    held = tuple(trial.holders[colour] for colour in trial.map.colours)
    for npc, path in enumerate(paths):
        for seen in path:
            mind = mind.after(npc, seen)
        assert (
            mind.npcs[npc].weights[Hypothesis(trial.npcs[npc].goal, held)].state == path[-1].state
        )
        assert mind.goals(npc)[trial.npcs[npc].goal] == pytest.approx(1.0)
    belief = mind.belief(trial.map.colours)
    for npc in range(len(trial.npcs)):
        for index, colour in enumerate(trial.map.colours):
            for wizard, p in belief[colour].items():
                read = sum(
                    q for h, q in mind.posterior(npc).items() if h.assignment[index] == wizard
                )
                assert read == pytest.approx(p)
