"""The rules: what an action does. Model, server, bots and replay all come through here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from onlooker.game.grid import Action, Barrier, Cell, Chest, Map, Wizard
from onlooker.game.trial import Holders

MAX_COST = 1000  # points of one action


@dataclass(frozen=True, slots=True)
class Costs:
    """What an action costs, in whole points."""

    move: int = 3
    interact: int = 5
    observe: int = 1

    def __post_init__(self) -> None:
        for name, least in (("move", 1), ("interact", 1), ("observe", 0)):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= MAX_COST:
                raise ValueError(
                    f"{name} must be a whole number of points from {least} to {MAX_COST},"
                    f" not {value!r}"
                )

    def total(self, looks: Any, moves: Any, interactions: Any) -> Any:
        """What so many looks, moves and interactions cost, numbers or arrays of them."""
        return self.observe * looks + self.move * moves + self.interact * interactions


@dataclass(frozen=True, slots=True)
class State:
    """Where one agent is, what it holds and which wizards it has asked."""

    cell: Cell
    amulets: frozenset[str] = frozenset()  # colours
    checked: frozenset[str] = frozenset()  # wizard ids
    arrived: bool = False  # at its own chest: its run is over


@dataclass(frozen=True, slots=True)
class Move:
    """The agent went onto a cell."""

    cost: int
    to: Cell
    barrier: str | None = None  # colour of the barrier it passed
    chest: str | None = None  # letter of the chest it came to
    arrived: bool = False  # that chest is its own


@dataclass(frozen=True, slots=True)
class Interaction:
    """The agent asked a wizard for the amulet and stayed where it was."""

    cost: int
    wizard: str
    colour: str
    gave: bool  # the wizard is the holder


Event = Move | Interaction


@dataclass(frozen=True, slots=True)
class Step:
    """An action that was available and what it led to."""

    action: Action
    state: State
    event: Event


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Why an action cannot be taken."""

    reason: str


class Effect(Enum):
    """What heading for a cell does."""

    BLOCKED = "blocked"
    INTERACTION = "interaction"
    MOVE = "move"


def effect(map: Map, cell: Cell, amulets: frozenset[str]) -> Effect:
    """What heading for `cell` does to an agent that holds `amulets`."""
    if not map.contains(cell) or cell in map.walls:
        return Effect.BLOCKED
    match map.thing(cell):
        case Barrier(colour=colour) if colour not in amulets:
            return Effect.BLOCKED
        case Wizard(colour=colour) if colour not in amulets:
            return Effect.INTERACTION
    return Effect.MOVE


def step(
    map: Map, state: State, action: Action, goal: str, holders: Holders, costs: Costs
) -> Step | Unavailable:
    """The next state and what happened, or why the action is not available.

    >>> room = Map(3, 1, wizards=(Wizard("w1", (1, 0), "blue"),), chests=(Chest("A", (2, 0)),))
    >>> step(room, State((0, 0)), Action.RIGHT, "A", {"blue": "w1"}, Costs()).event
    Interaction(cost=5, wizard='w1', colour='blue', gave=True)
    >>> step(room, State((0, 0)), Action.UP, "A", {"blue": "w1"}, Costs())
    Unavailable(reason='up leads off the grid')
    """
    if state.arrived:
        return Unavailable(f"it has arrived at chest {goal}")
    cell = action.from_cell(state.cell)
    match effect(map, cell, state.amulets):
        case Effect.BLOCKED:
            return Unavailable(f"{action} leads {_obstacle(map, cell)}")
        case Effect.INTERACTION:
            wizard = map.thing(cell)
            assert isinstance(wizard, Wizard)
            return _interact(state, action, wizard, holders, costs)
    thing = map.thing(cell)
    chest = thing.letter if isinstance(thing, Chest) else None
    barrier = thing.colour if isinstance(thing, Barrier) else None
    arrived = chest == goal
    return Step(
        action,
        State(cell, state.amulets, state.checked, arrived),
        Move(costs.move, cell, barrier, chest, arrived),
    )


def _interact(state: State, action: Action, wizard: Wizard, holders: Holders, costs: Costs) -> Step:
    gave = holders[wizard.colour] == wizard.id
    amulets = state.amulets | {wizard.colour} if gave else state.amulets
    return Step(
        action,
        State(state.cell, amulets, state.checked | {wizard.id}),
        Interaction(costs.interact, wizard.id, wizard.colour, gave),
    )


def _obstacle(map: Map, cell: Cell) -> str:
    if not map.contains(cell):
        return "off the grid"
    if cell in map.walls:
        return f"into the wall at {cell}"
    thing = map.thing(cell)
    assert isinstance(thing, Barrier)
    return f"into the {thing.colour} barrier at {cell} without the {thing.colour} amulet"
