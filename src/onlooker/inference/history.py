"""What has been seen of an NPC, and how well each hypothesis explains it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onlooker.game import ACTIONS, Interaction, Step
from onlooker.inference.likelihood import NpcModel
from onlooker.planning.states import FloatArray


class Seen(NamedTuple):
    """What can be seen of an action."""

    action: int  # number among ACTIONS
    wizard: int  # number of the wizard it asked, -1 for a move
    gave: bool | None  # whether that wizard gave the amulet; None for a move or where it is hidden
    arrived: bool  # it took its chest


class History:
    """The actions seen of one NPC so far; each thing that may be seen next leads to another one.

    Histories form a tree that grows as they are asked for and is shared by all that look at the
    NPC: a future that was imagined is there when it comes true.
    """

    __slots__ = ("_imagined", "_next", "arrived", "asked", "cell", "log_holders", "log_w", "model",
                 "reveals", "steps")  # fmt: skip

    def __init__(
        self,
        model: NpcModel,
        reveals: bool,
        log_w: FloatArray,
        cell: int,
        asked: int = 0,
        arrived: bool = False,
        steps: int = 0,
    ) -> None:
        self.model = model
        self.reveals = reveals  # whether outcomes of interactions are seen
        self.log_w = log_w  # (goals, holders)
        self.log_holders = _log_sum(log_w)  # (holders): log of the sum over goals
        self.cell = cell
        self.asked = asked  # wizards, as bits
        self.arrived = arrived
        self.steps = steps
        self._next: dict[Seen, History] = {}
        self._imagined: dict[tuple[int, int], History | None] = {}

    @classmethod
    def beginning(cls, model: NpcModel, reveals: bool) -> History:
        """Nothing seen yet: every hypothesis alike."""
        shape = (len(model.hypotheses.goals), len(model.hypotheses.holders))
        return cls(model, reveals, np.zeros(shape), model.start)

    def seen(self, step: Step) -> Seen:
        """What an observer sees of a step of the NPC."""
        event, number = step.event, ACTIONS.index(step.action)
        if isinstance(event, Interaction):
            wizard = self.model.hypotheses.wizard_index[event.wizard]
            return Seen(number, wizard, event.gave if self.reveals else None, False)
        return Seen(number, -1, None, event.arrived)

    def after(self, seen: Seen) -> History:
        """The history with one more action; it may leave no hypothesis (see `explained`)."""
        if seen not in self._next:
            self._next[seen] = self._grow(seen)
        return self._next[seen]

    @property
    def explained(self) -> bool:
        """Whether some hypothesis explains everything seen."""
        return bool(np.isfinite(self.log_w).any())

    def imagined(self, goal: int, holders: int) -> History | None:
        """The history after the NPC's best action under a hypothesis; None if it has none."""
        key = (goal, holders)
        if key not in self._imagined:
            self._imagined[key] = None if self.arrived else self._imagine(goal, holders)
        return self._imagined[key]

    def future(self, goal: int, holders: int) -> list[History]:
        """This history and those that would follow under a hypothesis, to the NPC's arrival."""
        path = [self]
        while (following := path[-1].imagined(goal, holders)) is not None:
            path.append(following)
        return path

    def _imagine(self, goal: int, holders: int) -> History | None:
        model = self.model
        policy = model.policy(self.cell, self.asked)
        action = int(policy.best[goal, holders])
        if action < 0:
            return None
        if policy.moves[action, holders]:
            arrived = policy.ahead[action] == model.hypotheses.chest_cells[goal]
            return self.after(Seen(action, -1, None, bool(arrived)))
        wizard = policy.wizard[action]
        gives = bool(model.hypotheses.holds[holders, wizard])
        return self.after(Seen(action, wizard, gives if self.reveals else None, False))

    def _grow(self, seen: Seen) -> History:
        model, hypotheses = self.model, self.model.hypotheses
        policy = model.policy(self.cell, self.asked)
        log_w = self.log_w + policy.log_p[seen.action]
        cell, asked = self.cell, self.asked
        if seen.wizard >= 0:
            possible = ~policy.moves[seen.action]
            if policy.wizard[seen.action] != seen.wizard:
                possible = np.zeros_like(possible)
            if seen.gave is not None:
                possible = possible & (hypotheses.holds[:, seen.wizard] == seen.gave)
            log_w = np.where(possible, log_w, -np.inf)
            asked |= 1 << seen.wizard
        else:
            cell = policy.ahead[seen.action]
            takes_chest = hypotheses.chest_cells == cell
            possible = policy.moves[seen.action] & (takes_chest == seen.arrived)[:, None]
            log_w = np.where(possible, log_w, -np.inf)
        return History(model, self.reveals, log_w, cell, asked, seen.arrived, self.steps + 1)


def _log_sum(log_w: FloatArray) -> FloatArray:
    """The log of the sum over goals, whatever the size of the weights."""
    top = log_w.max(axis=0)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        result: FloatArray = np.log(np.exp(log_w - top).sum(axis=0)) + top
    return result
