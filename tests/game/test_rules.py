from __future__ import annotations

import pytest

from onlooker.game import (
    Action,
    Barrier,
    Chest,
    Costs,
    Interaction,
    Map,
    Move,
    State,
    Step,
    Unavailable,
    Wizard,
    step,
)

# #.w   w is w1 (blue); = is a blue barrier; A and B are chests
# A=B
ROOM = Map(
    3,
    2,
    walls=frozenset({(0, 0)}),
    barriers=(Barrier((1, 1), "blue"),),
    wizards=(Wizard("w1", (2, 0), "blue"),),
    chests=(Chest("A", (0, 1)), Chest("B", (2, 1))),
)
BLUE = frozenset({"blue"})


def take(state: State, action: Action, holder: str = "w1", goal: str = "A") -> Step:
    result = step(ROOM, state, action, goal, {"blue": holder}, Costs())
    assert isinstance(result, Step)
    return result


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Action.UP, "up leads off the grid"),
        (Action.LEFT, "left leads into the wall at (0, 0)"),
        (Action.DOWN, "down leads into the blue barrier at (1, 1) without the blue amulet"),
    ],
)
def test_an_unavailable_action_says_why(action: Action, reason: str) -> None:
    result = step(ROOM, State((1, 0)), action, "A", {"blue": "w1"}, Costs())
    assert result == Unavailable(reason)


def test_asking_the_holder_gives_the_amulet_and_the_agent_stays() -> None:
    result = take(State((1, 0)), Action.RIGHT)
    assert result.event == Interaction(cost=5, wizard="w1", colour="blue", gave=True)
    assert result.state == State((1, 0), BLUE, frozenset({"w1"}))


def test_asking_a_decoy_costs_the_same_every_time() -> None:
    once = take(State((1, 0)), Action.RIGHT, holder="w2")
    again = take(once.state, Action.RIGHT, holder="w2")
    assert once.event == again.event == Interaction(5, "w1", "blue", gave=False)
    assert again.state == State((1, 0), frozenset(), frozenset({"w1"}))


def test_with_the_amulet_a_wizard_is_walked_onto() -> None:
    result = take(State((1, 0), BLUE), Action.RIGHT)
    assert result.event == Move(3, (2, 0))
    assert result.state.cell == (2, 0)


def test_with_the_amulet_a_barrier_is_passed() -> None:
    assert take(State((1, 0), BLUE), Action.DOWN).event == Move(3, (1, 1), barrier="blue")


def test_only_its_own_chest_ends_a_run() -> None:
    other = take(State((1, 1), BLUE), Action.RIGHT)
    own = take(State((1, 1), BLUE), Action.LEFT)
    assert (other.event, other.state.arrived) == (Move(3, (2, 1), chest="B"), False)
    assert (own.event, own.state.arrived) == (Move(3, (0, 1), chest="A", arrived=True), True)
    after = step(ROOM, own.state, Action.RIGHT, "A", {"blue": "w1"}, Costs())
    assert after == Unavailable("it has arrived at chest A")


@pytest.mark.parametrize("costs", [{"move": 0}, {"interact": -1}, {"observe": 0.5}, {"move": True}])
def test_costs_are_whole_points(costs: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(costs))} must be a whole number"):
        Costs(**costs)
