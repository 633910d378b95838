"""The memory of compiled functions for one trial: Python's questions and names become numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from operator import contains, index
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from onlooker.game import ACTIONS, Action, Chest, State, Trial, Wizard
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.kernels.tree import ARRIVED, GAVE, OUTCOMES, REFUSED, Tree
from onlooker.inference.parameters import Parameters
from onlooker.inference.room import room_for
from onlooker.observers.decoding import Ingredients, Plain, cell_of, failure_in
from onlooker.observers.errors import check_searchable
from onlooker.observers.kernels import questions
from onlooker.observers.kernels.findings import Search
from onlooker.observers.kernels.lookahead import decide_ahead
from onlooker.observers.kernels.parts import Appraisal, Rule
from onlooker.observers.kernels.plans import Lookahead
from onlooker.observers.kernels.questions import About, Question
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.results import Belief, History, Sight, View
from onlooker.observers.running import Parts, check_parts
from onlooker.observers.teaching import with_real_paths
from onlooker.planning.compiling import LOADING, choose, is_compiled
from onlooker.planning.packing import NONE, Packed
from onlooker.planning.world import World

GAVES = {GAVE: True, REFUSED: False}  # outcomes that show what a wizard did


class Answer(NamedTuple):
    """An answer in points, or as a whole number such as a set of wizards."""

    points: float
    number: int


class Memory:
    """What compiled functions store about a trial, and the arrays of it that Python reads."""

    def __init__(
        self, trial: Trial, packed: Packed, parameters: Parameters, hypotheses: Hypotheses
    ) -> None:
        self.trial, self.parameters, self.hypotheses = trial, parameters, hypotheses
        prepare, self._set_view, self._ask, self._decide_ahead = choose(
            questions.prepare_engine,
            questions.set_view,
            questions.ask,
            decide_ahead,
            seconds=LOADING,  # it may be asked for long
        )
        packed = with_real_paths(packed, parameters.settings)
        self._room = room_for(packed, parameters.settings, is_compiled(prepare), Thoughts, About)
        self._call(prepare, World, Tree, Thoughts, packed)
        world = self._room[World]
        self._square = world.square[: world.cells]

    def _call(self, entry: Callable[..., Any], *arguments: Any) -> Any:
        """What an entry returns; the error that it leaves is raised."""
        answer = self._room.call(entry, *arguments)
        if self._room[Tree].error:
            raise failure_in(self.trial, self.parameters, self._room)
        return answer

    def ask(
        self,
        question: Question,
        view: View | None = None,
        belief: Belief | None = None,
        **about: int,
    ) -> Answer:
        """The answer to a question about a view, the view of the last question if none is given.

        `about` are fields of `About`, those that the question takes. Without a belief all wizards
        are equally likely.
        """
        if view is not None:
            self._set(view)
        asked = self._room[About]
        asked.chances[:] = 1.0
        for of_colour in (belief or {}).values():
            for wizard, p in of_colour.items():
                asked.chances[self.hypotheses.wizard_index[wizard]] = p
        for name, number in about.items():
            setattr(asked, name, int(number))
        points, number = self._call(self._ask, World, Tree, Thoughts, About, int(question))
        return Answer(float(points), int(number))

    def decide(self, parts: Parts, view: View, last: int = NONE) -> int:
        """The choice at a view if NPC `last` was watched last: the NPC to watch, −1 to act.

        What it was made of is left in `thoughts`.
        """
        appraisal, rule, _ = check_parts(parts)
        if appraisal.looks_ahead:
            return self._look_ahead(rule, last, view)
        return self.ask(Question.DECIDE, view, appraisal=appraisal, rule=rule, npc=last).number

    def _look_ahead(self, rule: Rule, last: int, view: View) -> int:
        self._make_room_ahead()
        self._set(view)
        used = (World, Tree, Thoughts, Search, Lookahead)
        return int(self._call(self._decide_ahead, *used, int(rule), last))

    def _make_room_ahead(self) -> None:
        if Search not in self._room.structures:
            check_searchable([self.trial], self.parameters)
            self._room.add(Search, Lookahead, numbers=self.parameters.settings)

    def sights(self, view: View, npc: int) -> Sight:
        """What could be seen of an NPC from a view on, and what acting and watching cost there."""
        self._make_room_ahead()
        trees = self._room[Lookahead].trees
        self._look_ahead(Rule.BEST, NONE, view)
        tree, ahead = self._room[Tree], self._room[Lookahead]

        def sight(node: int, p: float, acting: float) -> Sight:
            # What hypotheses lead to, in their order, where they are possible now.
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

        root = sight(view.histories[self.npc(npc)].node, 1.0, float(self.thoughts.c_self[0]))
        return replace(root, action=None, gave=None, arrived=False)

    def _set(self, view: View) -> None:
        """Ask about a view from now on; ValueError if it is a view of another engine."""
        if not self._knows(view):
            raise ValueError(f"{self.trial.label}: expected a view of this engine, not of another")
        nodes = np.array([history.node for history in view.histories], dtype=np.int64)
        cell, amulets = self.standing(view.main)
        self._set_view(self._room[Tree], nodes, cell, amulets, view.own_evidence)

    def _knows(self, view: View) -> bool:
        """Whether a view's numbers are from this memory: compiled functions trust them."""
        return (
            len(view.histories) == len(self.histories)
            and len(view.own_evidence) == len(self.hypotheses.holders)
            and view.main.cell in self.cells
            and all(map(contains, self.histories, view.histories))
        )

    def npc(self, number: object) -> int:
        """The number of an NPC; IndexError if there is none: compiled functions do not check."""
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

    @property
    def thoughts(self) -> Thoughts:
        """What the last answer left."""
        return self._room[Thoughts]

    def ingredients(self, appraisal: Appraisal) -> Plain:
        """The ingredients of an appraisal that the last answer left, as lists."""
        row = self.thoughts.ingredients.reshape(1, -1)
        [found] = Ingredients(row, self._room.lengths).plain(slice(None), appraisal)
        return found

    def route(self) -> tuple[Action, ...]:
        """The actions that the last answer left."""
        taken = self.thoughts.route[: self.thoughts.actions]
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

    def standing(self, agent: State) -> tuple[int, int]:
        """The cell where an agent stands and the amulets that it holds, as numbers."""
        return self.cells[agent.cell], self.amulets(agent.amulets)

    def target(self, target: Chest | Wizard) -> int:
        """The number of where a walk ends: chests come first, then wizards."""
        if isinstance(target, Chest):
            return self.hypotheses.goal_number(target.letter)
        return self.hypotheses.shape[0] + self.hypotheses.wizard_index[target.id]

    def amulets(self, colours: Iterable[str]) -> int:
        """A set of amulets as bits."""
        known = self.trial.map.colours
        return sum(1 << known.index(colour) for colour in colours)

    def wizards(self, wizards: Iterable[Wizard]) -> int:
        """A set of wizards as bits."""
        return sum(1 << self.hypotheses.wizard_index[wizard.id] for wizard in wizards)
