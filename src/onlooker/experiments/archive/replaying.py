"""A person's log replayed on our game: which keys were choices, and what got lost."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from onlooker.experiments.archive.session import Block, Kind, Row
from onlooker.game import (
    ACTIONS,
    Act,
    Action,
    Cell,
    Choice,
    Event,
    Interaction,
    Observe,
    Situation,
    Stage,
    Turn,
    Unavailable,
    opening,
    take,
)
from onlooker.game.grid import Wizard
from onlooker.game.rules import Effect, effect

_CHOICES = (Kind.KEY, Kind.LOOK)


@dataclass
class Replayed:
    """What a block of a log comes to on our game."""

    choices: list[Choice] = field(default_factory=list)
    times: list[float | None] = field(default_factory=list)  # of each; None of what was put in
    without_effect: int = 0  # keys and looks that did nothing
    repairs: list[tuple[int, int]] = field(default_factory=list)  # line, moves put in before it
    arrived: bool = False
    stopped: tuple[int, str] | None = None  # the line from which it cannot be replayed, and why

    @property
    def repaired(self) -> int:
        """How many moves were put in."""
        return sum(moves for _, moves in self.repairs)


def replay_block(stage: Stage, block: Block) -> Replayed:
    """Replay a block as far as it goes."""
    replaying = _Replaying(stage)
    # The last key may stand below the row that says that the level is completed.
    rows = [row for row in block.rows if row.kind in _CHOICES]
    rows += [row for row in block.rows if row.kind is Kind.COMPLETE][:1]
    for row, after in zip(rows, _next_places(rows), strict=True):
        reason = replaying.row(row, after)
        if reason is not None:
            replaying.found.stopped = row.line, reason
            break
    replaying.found.arrived = replaying.situation.main.arrived
    return replaying.found


def npc_cells(stage: Stage) -> dict[str, list[Cell]]:
    """Where each NPC is at the start and after each of its steps."""
    found = {}
    for index, npc in enumerate(stage.trial.npcs):
        situation = opening(stage)
        cells = [situation.npcs[index].cell]
        while isinstance(turn := take(stage, situation, Observe(npc.id)), Turn):
            situation = turn.situation
            cells.append(situation.npcs[index].cell)
        found[npc.id] = cells
    return found


def agreement(cells: dict[str, list[Cell]], block: Block) -> tuple[int, int]:
    """How many logged positions of watched NPCs are those of our trial, and of how many."""
    agree = checked = 0
    looks = dict.fromkeys(cells, 0)
    for row in block.rows:
        if row.kind is Kind.LOOK and row.agent in cells:
            path = cells[row.agent]
            looks[row.agent] = min(looks[row.agent] + 1, len(path) - 1)
            if row.npc is not None:
                checked += 1
                agree += row.npc == path[looks[row.agent]]
    return agree, checked


class _Replaying:
    """The game in the middle of a log."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.situation: Situation = opening(stage)
        self.found = Replayed()

    def row(self, row: Row, after: Cell | None) -> str | None:
        """Take what a row says; why that cannot be, if it cannot."""
        if row.kind is Kind.COMPLETE:
            return self.complete(row)
        if self.situation.over:
            self.found.without_effect += 1
            return None
        if row.player is not None and row.player != self.situation.main.cell:
            here = self.situation.main.cell
            if not self.walk_to(row.player, row.line):
                return f"the player is at {row.player}, where no walk leads from {here}"
        if row.kind is Kind.LOOK:
            return self.look(row)
        self.key(row, after)
        return None

    def key(self, row: Row, after: Cell | None) -> None:
        """A key: a choice if it has an effect on our game that the next position does not deny."""
        assert row.action is not None
        turn = take(self.stage, self.situation, Act(row.action))
        if isinstance(turn, Unavailable) or self.denied(turn.event, after):
            self.found.without_effect += 1
        else:
            self.keep(turn, row.time)

    def denied(self, event: Event, after: Cell | None) -> bool:
        """Whether something that our game offers did not happen in the authors'.

        There a wizard that was asked before does nothing, and a key that is held down is logged
        more often than it moves. So a move onto a wizard counts only if the player is seen there.
        """
        here = self.situation.main
        if isinstance(event, Interaction):
            return event.wizard in here.checked
        onto_wizard = isinstance(self.stage.trial.map.thing(event.to), Wizard)
        return after == here.cell or (onto_wizard and after != event.to)

    def look(self, row: Row) -> str | None:
        """A look at an NPC, which must then be where it is in our trial."""
        assert row.agent is not None
        index = self.stage.trial.npc_index(row.agent)
        turn = take(self.stage, self.situation, Observe(row.agent))
        after = self.situation if isinstance(turn, Unavailable) else turn.situation
        cell = after.npcs[index].cell
        if row.npc is not None and row.npc != cell:
            return f"{row.agent} is at {row.npc}; in our trial it is then at {cell}"
        if isinstance(turn, Unavailable):
            self.found.without_effect += 1
        else:
            self.keep(turn, row.time)
        return None

    def complete(self, row: Row) -> str | None:
        """The level was completed, so the player came to the chest."""
        if self.situation.main.arrived:
            return None
        chest = chest_of(self.stage)
        if not self.walk_to(chest, row.line):
            here = self.situation.main.cell
            return f"the level is completed, but no walk leads from {here} to the chest at {chest}"
        return None

    def walk_to(self, cell: Cell, line: int) -> bool:
        """Put in the fewest moves that lead to a cell before a line; whether there is a way."""
        walk = fewest_moves(self.stage, self.situation, cell)
        for action in walk or ():
            turn = take(self.stage, self.situation, Act(action))
            assert isinstance(turn, Turn)
            self.keep(turn, None)
        if walk:
            self.found.repairs.append((line, len(walk)))
        return walk is not None

    def keep(self, turn: Turn, time: float | None) -> None:
        """Make a turn part of the log."""
        self.found.choices.append(turn.choice)
        self.found.times.append(time)
        self.situation = turn.situation


def chest_of(stage: Stage) -> Cell:
    """Where the main agent's chest is."""
    trial = stage.trial
    return next(chest.at for chest in trial.map.chests if chest.letter == trial.main.goal)


def fewest_moves(stage: Stage, situation: Situation, to: Cell) -> list[Action] | None:
    """The shortest walk to a cell on which no wizard is asked, None if there is none."""
    map, state = stage.trial.map, situation.main
    goal = chest_of(stage)
    ways: dict[Cell, list[Action]] = {state.cell: []}
    queue = deque([state.cell])
    while queue and to not in ways:
        cell = queue.popleft()
        if cell == goal:  # there the trial is over
            continue
        for action in ACTIONS:
            ahead = action.from_cell(cell)
            if ahead not in ways and effect(map, ahead, state.amulets) is Effect.MOVE:
                ways[ahead] = [*ways[cell], action]
                queue.append(ahead)
    return ways.get(to)


def _next_places(rows: Sequence[Row]) -> Iterator[Cell | None]:
    """Where the player is at the next key or look after each row, if that is known.

    Where it is said to be when a level is completed is not asked: that is beside the chest.
    """
    places: list[Cell | None] = []
    after: Cell | None = None
    for row in reversed(rows):
        places.append(after)
        if row.kind in _CHOICES and row.player is not None:
            after = row.player
    return reversed(places)
