"""How likely each action of an NPC is under every hypothesis about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from onlooker.game import Expertise, Npc, Wizard, needs
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.parameters import Parameters
from onlooker.planning import Tables
from onlooker.planning.states import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Policy:
    """What an NPC would do in one place under every hypothesis."""

    log_p: FloatArray  # (actions, goals, holders): Boltzmann, -inf where it cannot
    best: IntArray  # (goals, holders): its best action, -1 where it has none
    moves: BoolArray  # (actions, holders): the action would be a move
    ahead: list[int]  # (actions): the cell it heads for
    wizard: list[int]  # (actions): the wizard that stands there, -1 for none


class NpcModel:
    """The observer's model of one NPC.

    Which wizards an NPC has asked is seen, so under a hypothesis it holds the amulets of exactly
    those holders that are among them: its state is its cell and the set of wizards asked, as bits.
    """

    def __init__(
        self, tables: Tables, hypotheses: Hypotheses, npc: Npc, parameters: Parameters
    ) -> None:
        self.tables, self.hypotheses, self.npc = tables, hypotheses, npc
        self.beta = parameters.beta
        self.costs = parameters.costs
        self.start = tables.states.cell(npc.at)
        self.needs = needs(tables.map, npc.at)  # colours by chest
        states = tables.states
        off_grid = np.zeros((1, states.masks), dtype=np.bool_)
        self._walkable = np.concatenate([states.walkable.T, off_grid])  # (cells + 1, masks)
        self._wizard_at = {
            states.cell(wizard.at): index for index, wizard in enumerate(tables.map.wizards)
        }
        self._needed = np.array(
            [states.mask(self.needs[goal] or ()) for goal in hypotheses.goals], dtype=np.int64
        )
        self._values: dict[int, FloatArray] = {}
        self._policies: dict[tuple[int, int], Policy] = {}

    def amulets(self, asked: int) -> IntArray:
        """The amulets held under each assignment of holders, as masks."""
        hypotheses = self.hypotheses
        bits = asked >> np.arange(len(hypotheses.amulet_bits)) & 1
        return hypotheses.holds @ (bits * hypotheses.amulet_bits)

    def values(self, asked: int) -> FloatArray:
        """V under every hypothesis, wizards being asked: (cells and off the grid, goals, holders).

        V is +inf where the NPC cannot stand, and off the grid.
        """
        if asked not in self._values:
            make = self._expert if self.npc.expertise is Expertise.EXPERT else self._novice
            values = make(asked).transpose(2, 0, 1)
            off_grid = np.full((1, *values.shape[1:]), np.inf)
            self._values[asked] = np.concatenate([values, off_grid])
        return self._values[asked]

    def policy(self, cell: int, asked: int) -> Policy:
        """What the NPC would do in a cell, having asked some wizards."""
        key = (cell, asked)
        if key not in self._policies:
            self._policies[key] = self._policy(cell, asked)
        return self._policies[key]

    # -- cost-to-go ----------------------------------------------------------------------------

    def _expert(self, asked: int) -> FloatArray:
        hypotheses, states = self.hypotheses, self.tables.states
        lanes = [(goal, holders) for goal in hypotheses.goals for holders in hypotheses.holders]
        tables = self.tables.experts(lanes)
        shape = (len(hypotheses.goals), len(hypotheses.holders), states.masks, states.cells)
        masks = self.amulets(asked)
        values: FloatArray = tables.reshape(shape)[:, np.arange(shape[1]), masks]
        return values

    def _novice(self, asked: int) -> FloatArray:
        """Least points to asking a wizard for what it lacks or, lacking nothing, to its chest."""
        hypotheses, map = self.hypotheses, self.tables.map
        masks = self.amulets(asked)
        values = np.full((len(hypotheses.goals), len(masks), self.tables.states.cells), np.inf)
        for goal, letter in enumerate(hypotheses.goals):
            for mask in set(masks.tolist()):
                lacking = int(self._needed[goal]) & ~mask
                ends = self._unchecked(asked, lacking) if lacking else [map.chest(letter)]
                walks = [self.tables.walk(end)[mask] for end in ends]
                if walks:
                    values[goal, masks == mask] = np.min(walks, axis=0)
        return values

    def _unchecked(self, asked: int, lacking: int) -> list[Wizard]:
        bits = self.hypotheses.amulet_bits
        return [
            wizard
            for index, wizard in enumerate(self.tables.map.wizards)
            if lacking & int(bits[index]) and not asked >> index & 1
        ]

    # -- actions -------------------------------------------------------------------------------

    def _policy(self, cell: int, asked: int) -> Policy:
        ahead = self.tables.states.ahead[cell]
        masks = self.amulets(asked)
        moves = self._walkable[ahead][:, masks]  # (actions, holders)
        q = self.costs.move + self.values(asked)[ahead]  # (actions, goals, holders)
        # A wizard or barrier that blocks is +inf to the holders under which it does.
        chosen = q.copy()  # without what the NPC would never choose
        wizards = [self._wizard_at.get(there, -1) for there in ahead.tolist()]
        for action, wizard in enumerate(wizards):
            if wizard >= 0:
                asking, wanted = self._asking(cell, asked, wizard, masks)
                asks = ~moves[action]
                q[action] = np.where(asks, asking, q[action])
                chosen[action] = np.where(asks & wanted, asking, chosen[action])
        best = np.where(chosen.min(axis=0) < np.inf, chosen.argmin(axis=0), -1)
        return Policy(self._boltzmann(q), best, moves, ahead.tolist(), wizards)

    def _asking(
        self, cell: int, asked: int, wizard: int, masks: IntArray
    ) -> tuple[FloatArray, BoolArray]:
        """Q of asking a wizard under every hypothesis, and under which one it would be a goal."""
        after = self.values(asked | 1 << wizard)[cell]
        if self.npc.expertise is Expertise.EXPERT:
            return self.costs.interact + after, np.ones(after.shape, dtype=np.bool_)
        bit = int(self.hypotheses.amulet_bits[wizard])
        lacking = (self._needed[:, None] & ~masks & bit) > 0
        wanted = lacking & (not asked >> wizard & 1)
        return self.costs.interact + np.where(wanted, 0.0, after), wanted

    def _boltzmann(self, q: FloatArray) -> FloatArray:
        """log P(a) ∝ −β Q, over the actions of finite Q."""
        least = q.min(axis=0)
        least[least == np.inf] = 0.0
        behind = q - least
        log_p = -self.beta * behind if self.beta > 0 else np.where(behind < np.inf, 0.0, -np.inf)
        total = np.exp(log_p).sum(axis=0)
        total[total == 0.0] = 1.0  # no action at all: every probability stays 0
        result: FloatArray = log_p - np.log(total)
        return result
