"""Trials played fast: what choices lead to is asked of the game once and remembered.

What an own action leads to depends on the state of the main agent alone, and what watching shows
on the steps watched of that NPC alone. So both are asked for once, with `take` and `player_view`,
and later looked up. Tests hold this to `arrays.encode` on the views of the plain game.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from onlooker.game import (
    ACTIONS,
    Act,
    Observe,
    Stage,
    State,
    Turn,
    Unavailable,
    opening,
    player_view,
    take,
)
from onlooker.players.arrays import Arrays, Layout, asked_at, encode


@dataclass(slots=True, eq=False)
class Place:
    """A state of the main agent: the turn that first led to it, and what its actions do."""

    turn: Turn | None  # None at the start
    amulets: npt.NDArray[np.uint8]
    over: bool
    exits: list[Exit | None] | None = None  # None: not asked for yet; in it: not available


@dataclass(slots=True, eq=False)
class Exit:
    """An action of the main agent: what it costs and where it leads."""

    cost: int
    start: tuple[int, int]  # row and column
    end: tuple[int, int]
    asked: tuple[int, int, int] | None  # row and column of the wizard, and its answer
    place: Place


@dataclass(slots=True, eq=False)
class Sight:
    """A step of an NPC as watching it shows it."""

    cost: int
    start: tuple[int, int]  # row and column
    end: tuple[int, int]
    asked: tuple[int, int, int] | None
    arrived: bool


@dataclass(eq=False)
class QuickGame:
    """One trial of a set, with all that was already asked of the game."""

    stage: Stage
    layout: Layout
    start: Place = field(init=False)
    sights: list[list[Sight]] = field(init=False)  # of each NPC, in order
    first: Arrays = field(init=False)  # what is seen before the first choice
    _places: dict[State, Place] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        situation = opening(self.stage)
        self.first = encode(self.layout, [player_view(self.stage, [])])
        self.start = Place(None, self.first["amulets"], situation.over)
        self._places[situation.main] = self.start
        self.sights = [self._watched(npc.id, row) for row, npc in enumerate(self.stage.trial.npcs)]

    def exits(self, place: Place) -> list[Exit | None]:
        """What each action does at a place; None for those that are not available."""
        if place.exits is None:
            place.exits = [self._exit(place, Act(action)) for action in ACTIONS]
        return place.exits

    def _exit(self, place: Place, choice: Act) -> Exit | None:
        before = [place.turn] if place.turn else []
        situation = place.turn.situation if place.turn else opening(self.stage)
        turn = take(self.stage, situation, choice)
        if isinstance(turn, Unavailable):
            return None
        view = player_view(self.stage, [*before, turn])
        assert view.last is not None
        state = turn.situation.main
        if state not in self._places:
            amulets = np.zeros_like(self.first["amulets"])
            amulets[[self.layout.colours.index(colour) for colour in view.main.amulets]] = 1
            self._places[state] = Place(turn, amulets, turn.situation.over)
        return Exit(
            turn.event.cost,
            view.last.start[::-1],
            view.last.end[::-1],
            asked_at(view.map, view.last),
            self._places[state],
        )

    def _watched(self, npc: str, row: int) -> list[Sight]:
        """Every step of an NPC in order."""
        sights: list[Sight] = []
        situation, turns = opening(self.stage), list[Turn]()
        while isinstance(turn := take(self.stage, situation, Observe(npc)), Turn):
            cost = turn.situation.spent - situation.spent
            turns, situation = [*turns[-1:], turn], turn.situation
            view = player_view(self.stage, turns)
            assert view.last is not None
            ends = view.last.start[::-1], view.last.end[::-1]
            asked = asked_at(view.map, view.last)
            sights.append(Sight(cost, *ends, asked, view.npcs[row].arrived))
        return sights


class Round:
    """One play of a trial; numbers stand for choices as in `arrays.choice_at`."""

    def __init__(self, game: QuickGame) -> None:
        self.game, self.place = game, game.start
        self.watched = [0] * len(game.sights)
        self.spent = 0
        self.over = game.start.over
        self.log: list[int] = []
        self._exits = game.exits(game.start)
        first, layout = game.first, game.layout
        self._budget, self._main = game.stage.budget, layout.main
        self._grid, self._seen, self._asked = (
            first[name].copy() for name in ("grid", "seen", "asked")
        )
        self._npcs, self._points = first["npcs"].copy(), first["points"].copy()
        self._mask = np.zeros(len(ACTIONS) + layout.npcs, np.int8)
        self._set_mask()
        for row, sights in enumerate(game.sights):
            self._mask[len(ACTIONS) + row] = bool(sights) and not self.over

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """1 for each choice that is available now, 0 for the others."""
        return self._mask.copy()

    def choose(self, index: int) -> int | None:
        """Make a choice: the points that it costs, or None if it is not available."""
        if not self._mask[index]:
            return None
        self.log.append(index)
        if index < len(ACTIONS):
            return self._act(index)
        return self._watch(index - len(ACTIONS))

    def arrays(self) -> Arrays:
        """What is known now; the arrays are the caller's."""
        return {
            "grid": self._grid.copy(),
            "seen": self._seen.copy(),
            "asked": self._asked.copy(),
            "amulets": self.place.amulets.copy(),
            "npcs": self._npcs.copy(),
            "points": self._points.copy(),
            "reveals_outcomes": self.game.first["reveals_outcomes"].copy(),
        }

    def _act(self, index: int) -> int:
        taken = self._exits[index]
        assert taken is not None
        self.place = taken.place
        self._grid[self._main][taken.start] = 0
        self._grid[self._main][taken.end] = 1
        if taken.asked:
            y, x, answer = taken.asked
            self._asked[0, y, x] = answer
        self._exits = self.game.exits(taken.place)
        self.over = taken.place.over
        self._set_mask()
        if self.over:
            self._mask[:] = 0
        return self._pay(taken.cost)

    def _watch(self, row: int) -> int:
        sights = self.game.sights[row]
        count = self.watched[row]
        sight = sights[count]
        self.watched[row] = count = count + 1
        plane = self._grid[self._main + 1 + row]
        plane[sight.start] = 0
        plane[sight.end] = 1
        self._seen[row][sight.end] = 1 + count
        if sight.asked:
            y, x, answer = sight.asked
            self._asked[1 + row, y, x] = answer
        self._npcs[row, 1:] = sight.arrived, count
        if count == len(sights):
            self._mask[len(ACTIONS) + row] = 0
        return self._pay(sight.cost)

    def _pay(self, cost: int) -> int:
        self.spent += cost
        self._points[0] = self._budget - self.spent
        return cost

    def _set_mask(self) -> None:
        for index, taken in enumerate(self._exits):
            self._mask[index] = taken is not None
