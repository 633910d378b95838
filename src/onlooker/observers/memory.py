"""The memory of compiled functions for one trial, and the questions that Python asks of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from operator import contains, index
from typing import NamedTuple, SupportsIndex

import numpy as np

from onlooker.game import ACTIONS, Action, Trial, Wizard
from onlooker.inference.kernels.tree import ARRIVED, GAVE, OUTCOMES, REFUSED, Tree
from onlooker.inference.parameters import Parameters
from onlooker.inference.room import room_for
from onlooker.observers.decoding import Decoder, Ingredients, Plain, cell_of, failure_in
from onlooker.observers.kernels import questions
from onlooker.observers.kernels.findings import Search
from onlooker.observers.kernels.lookahead import decide_ahead
from onlooker.observers.kernels.parts import Appraisal, Rule
from onlooker.observers.kernels.plans import Lookahead
from onlooker.observers.kernels.questions import About, Question
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.results import Belief, History, Sight, View
from onlooker.observers.teaching import with_real_paths
from onlooker.planning.compiling import LOADING, choose, is_compiled
from onlooker.planning.packing import Packed
from onlooker.planning.world import World
from onlooker.support.arrays import FloatArray

GAVES = {GAVE: True, REFUSED: False}  # outcomes that show what a wizard did


class Answer(NamedTuple):
    """What was asked for: points, or a whole number such as a set of wizards."""

    points: float
    number: int


class Memory:
    """What compiled functions keep of a trial, and the arrays of it that Python reads."""

    def __init__(
        self, trial: Trial, packed: Packed, parameters: Parameters, decoder: Decoder
    ) -> None:
        self.trial, self.parameters, self.decoder = trial, parameters, decoder
        prepare, self._set_view, self._ask, self._decide_ahead = choose(
            questions.prepare_engine,
            questions.set_view,
            questions.ask,
            decide_ahead,
            seconds=LOADING,  # it may be asked for long
        )
        packed = with_real_paths(packed, parameters.settings)
        self._room = room_for(packed, parameters.settings, is_compiled(prepare), Thoughts, About)
        self._room.call(prepare, World, Tree, Thoughts, packed)
        self._raise()
        world = self._room[World]
        self._square = world.square[: world.cells]

    def ask(
        self,
        question: Question,
        view: View | None = None,
        chances: FloatArray | float = 1.0,
        **about: int,
    ) -> Answer:
        """Ask something about a view, the one that was asked about last if none is given.

        `about` are fields of `About`, those that the question takes.
        """
        if view is not None:
            self._set(view)
        asked = self._room[About]
        asked.chances[:] = chances
        for name, number in about.items():
            setattr(asked, name, int(number))
        points, number = self._room.call(self._ask, World, Tree, Thoughts, About, int(question))
        self._raise()
        return Answer(float(points), int(number))

    def look_ahead(self, rule: Rule, last: int, view: View) -> int:
        """The choice at a view by looking ahead: the NPC to watch, −1 to act."""
        self._make_room_ahead()
        self._set(view)
        used = (World, Tree, Thoughts, Search, Lookahead)
        choice = self._room.call(self._decide_ahead, *used, int(rule), last)
        self._raise()
        return int(choice)

    def _make_room_ahead(self) -> None:
        if Search not in self._room.structures:
            self._room.add(Search, Lookahead, numbers=self.parameters.settings)

    def sights(self, view: View, npc: int) -> Sight:
        """What could be seen of an NPC from a view on, and what acting and watching cost there."""
        self._make_room_ahead()
        trees = self._room[Lookahead].trees
        self.look_ahead(Rule.BEST, -1, view)
        tree, ahead = self._room[Tree], self._room[Lookahead]

        def sight(node: int, p: float, acting: float) -> Sight:
            # What hypotheses lead to, in their order, as far as they are possible now.
            imagined = dict.fromkeys(tree.imagined[node].tolist() if tree.expanded[node] else ())
            following = [n for n in imagined if n >= 0 and ahead.in_tree[n] > trees]
            children = [sight(n, float(ahead.mass[n]), float(ahead.cost[n])) for n in following]
            on = None
            if children:
                after = ahead.cost_after[node] / ahead.mass_after[node]
                on = self.parameters.observe + float(after)
            action, outcome = divmod(int(tree.seen[node]), OUTCOMES)
            gave = GAVES.get(outcome)
            arrived = outcome == ARRIVED
            return Sight(ACTIONS[action], gave, arrived, p, acting, on, tuple(children))

        root = sight(view.histories[self.npc(npc)].node, 1.0, float(self.found.c_self[0]))
        return replace(root, action=None, gave=None, arrived=False)

    def _set(self, view: View) -> None:
        """Let what follows be asked about a view; ValueError if it is one of another engine."""
        if not self._knows(view):
            raise ValueError(f"{self.trial.label}: expected a view of this engine, not of another")
        nodes = np.array([history.node for history in view.histories], dtype=np.int64)
        cell, amulets = self.cells[view.main.cell], self.amulets(view.main.amulets)
        self._set_view(self._room[Tree], nodes, cell, amulets, view.own_evidence)

    def _knows(self, view: View) -> bool:
        """Whether a view's numbers are those of this memory: compiled functions trust them."""
        return (
            len(view.histories) == len(self.histories)
            and len(view.own_evidence) == len(self.decoder.hypotheses.holders)
            and view.main.cell in self.cells
            and all(map(contains, self.histories, view.histories))
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

    def _raise(self) -> None:
        """Raise the error of the last answer, if there was one."""
        if self._room[Tree].error:
            raise failure_in(self.trial, self.parameters, self._room)

    @property
    def found(self) -> Thoughts:
        """What was left by the last answer."""
        return self._room[Thoughts]

    def plain(self, appraisal: Appraisal) -> Plain:
        """What the last answer left of an appraisal, as lists."""
        row = self.found.ingredients.reshape(1, -1)
        [found] = Ingredients(row, self._room.lengths).plain(slice(None), appraisal)
        return found

    def route(self) -> tuple[Action, ...]:
        """The actions that the last answer came with."""
        taken = self.found.route[: self.found.actions]
        return tuple(ACTIONS[action] for action in taken.tolist())

    @cached_property
    def histories(self) -> tuple[tuple[History, ...], ...]:
        """For each NPC, what has been seen of it after none, one … all of its real steps."""
        tree, found = self._room[Tree], []
        for npc in range(len(self.trial.npcs)):
            first, *others = tree.path[npc, : tree.path_length[npc] + 1].tolist()
            seen = [History(first, 0, None, False)]
            for steps, node in enumerate(others, start=1):
                action, outcome = divmod(int(tree.seen[node]), OUTCOMES)
                seen.append(History(node, steps, ACTIONS[action], outcome == ARRIVED))
            found.append(tuple(seen))
        return tuple(found)

    @cached_property
    def cells(self) -> dict[tuple[int, int], int]:
        """The number of each cell that is not a wall."""
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
        """A belief as (wizards); every wizard counts the same where there is none."""
        chances = np.ones(len(self.trial.map.wizards))
        for of_colour in (belief or {}).values():
            for wizard, p in of_colour.items():
                chances[self.decoder.hypotheses.wizard_index[wizard]] = p
        return chances
