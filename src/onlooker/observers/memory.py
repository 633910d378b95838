"""The memory of compiled functions for one trial, and the questions that Python asks of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from operator import index
from typing import Any, SupportsIndex

import numpy as np

from onlooker.game import ACTIONS, Action, Trial, Wizard
from onlooker.inference.failures import failure
from onlooker.inference.kernels.errors import FULL
from onlooker.inference.kernels.tree import ARRIVED, OUTCOMES, make_room
from onlooker.inference.parameters import Parameters
from onlooker.observers.decoding import Decoder, Ingredients, cell_of, colours_of
from onlooker.observers.kernels import questions
from onlooker.observers.kernels.parts import Rule
from onlooker.observers.kernels.questions import Question
from onlooker.observers.kernels.thoughts import make_head_room
from onlooker.observers.results import Belief
from onlooker.observers.running import NODES
from onlooker.observers.views import History, View
from onlooker.planning.packing import Packed
from onlooker.support.arrays import FloatArray


class Memory:
    """What compiled functions keep of a trial, and the arrays of it that Python reads."""

    found: Ingredients  # of what was asked last
    order: Any  # of the tour asked for last, as (wizards)
    log_weight: Any  # (lanes)

    def __init__(
        self, trial: Trial, packed: Packed, parameters: Parameters, decoder: Decoder
    ) -> None:
        self.trial, self.parameters, self.decoder = trial, parameters, decoder
        error, nodes = FULL, NODES
        while error == FULL:
            prepared = questions.prepare_engine(packed, parameters.settings, nodes)
            self._world, self._tree, self._thoughts, facts, answers = prepared
            numbers, self._square, self._path_length, self._path, self._seen = facts
            error, npc, self._needed, _ = numbers.tolist()
            nodes *= 2
        if error:
            raise failure(trial, parameters, error, npc)
        *found, self.order, self._route, self.log_weight = answers
        self.found = Ingredients(*found)
        self._actions = 0
        self._ahead: Any = None  # what looking ahead needs, once somebody does

    def ask(
        self,
        question: Question,
        a: int = 0,
        b: int = 0,
        d: int = 0,
        chances: FloatArray | None = None,
        view: View | None = None,
    ) -> float:
        """Ask something about a view, the one that was asked about last if none is given."""
        if view is not None:
            self._stand(view)
        if chances is None:
            chances = np.ones(len(self.trial.map.wizards))
        words = (int(question), int(a), int(b), int(d), chances)
        while True:
            answer, self._actions, error = questions.ask(
                self._world, self._tree, self._thoughts, *words
            )
            if not self._was_full(error):
                return float(answer)

    def look_ahead(self, packed: Packed, rule: Rule, last: int, view: View) -> int:
        """The choice at a view by looking ahead: the NPC to watch, −1 to act."""
        from onlooker.observers.kernels.lookahead import decide_ahead, prepare_lookahead

        if self._ahead is None:
            caution = float(self.parameters.caution)
            self._ahead = prepare_lookahead(packed, caution, NODES)
        self._stand(view)
        memory = (self._world, self._tree, self._thoughts, *self._ahead)
        while True:
            choice, error = decide_ahead(*memory, int(rule), last)
            if not self._was_full(error):
                return int(choice)

    def _stand(self, view: View) -> None:
        """Let what follows be asked about a view; ValueError if it is one of another engine."""
        if not self._knows(view):
            raise ValueError(f"{self.trial.label}: expected a view of this engine, not of another")
        nodes = np.array([history.node for history in view.histories], dtype=np.int64)
        cell, amulets = self.cells[view.main.cell], self.amulets(view.main.amulets)
        questions.stand(self._tree, nodes, cell, amulets, view.own_evidence)

    def _knows(self, view: View) -> bool:
        """Whether a view's numbers are those of this memory: compiled functions trust them."""
        return (
            len(view.histories) == len(self.trial.npcs)
            and len(view.own_evidence) == len(self.decoder.hypotheses.holders)
            and view.main.cell in self.cells
            and all(
                0 <= history.steps <= self.steps(npc)
                and history.node == self._path[npc, history.steps]
                for npc, history in enumerate(view.histories)
            )
        )

    def npc(self, number: object) -> int:
        """The number of an NPC; IndexError if there is none: compiled functions do not look."""
        count = len(self.trial.npcs)
        if not isinstance(number, SupportsIndex):
            raise TypeError(
                f"{self.trial.label}: expected the number of an NPC, 0 for the first one,"
                f" not {number!r}"
            )
        if not 0 <= index(number) < count:
            raise IndexError(
                f"{self.trial.label}: there is no NPC {number}; expected a number from 0 to"
                f" {count - 1}"
            )
        return index(number)

    def _was_full(self, error: Any) -> bool:
        """Whether there was no room for an answer; now there is. Other errors are raised."""
        if error[0] == FULL:
            make_head_room(self._thoughts, make_room(self._tree))
            return True
        if error[0]:
            code, npc, step, cell, amulets = error
            lacking = colours_of(self.trial, self._needed & ~amulets)
            raise failure(self.trial, self.parameters, code, npc, step, self.place(cell), lacking)
        return False

    def plain(self) -> Ingredients:
        """What was found last, as lists."""
        found = self.found.plain()
        return found._replace(c_self=found.c_self[0])

    def route(self) -> tuple[Action, ...]:
        """The actions that the last answer came with."""
        return tuple(ACTIONS[action] for action in self._route[: self._actions].tolist())

    def steps(self, npc: int) -> int:
        """How many steps an NPC takes."""
        return int(self._path_length[npc])

    def history(self, npc: int, steps: int) -> History:
        """What has been seen of an NPC after so many of its real steps."""
        node, seen = int(self._path[npc, steps]), int(self._seen[npc, steps]) if steps else 0
        action = ACTIONS[seen // OUTCOMES] if steps else None
        return History(node, steps, action, steps > 0 and seen % OUTCOMES == ARRIVED)

    def actions(self, npc: int) -> list[Action]:
        """Everything that an NPC really does."""
        seen = self._seen[npc, 1 : self.steps(npc) + 1].tolist()
        return [ACTIONS[number // OUTCOMES] for number in seen]

    @cached_property
    def cells(self) -> dict[tuple[int, int], int]:
        """The number of each cell that is no wall."""
        squares = self._square.tolist()
        return {cell_of(self.trial, square): cell for cell, square in enumerate(squares)}

    def place(self, cell: int) -> tuple[int, int]:
        """The cell of a number."""
        return cell_of(self.trial, int(self._square[cell]))

    def amulets(self, colours: Iterable[str]) -> int:
        """A set of amulets as bits."""
        known = self.trial.map.colours
        return sum(1 << known.index(colour) for colour in colours)

    def wizards(self, wizards: Iterable[Wizard]) -> int:
        """A set of wizards as bits."""
        index = self.decoder.hypotheses.wizard_index
        return sum(1 << index[wizard.id] for wizard in wizards)

    def chances(self, belief: Belief | None) -> FloatArray:
        """A belief as (wizards); every wizard counts alike where there is none."""
        chances = np.ones(len(self.trial.map.wizards))
        for of_colour in (belief or {}).values():
            for wizard, p in of_colour.items():
                chances[self.decoder.hypotheses.wizard_index[wizard]] = p
        return chances
