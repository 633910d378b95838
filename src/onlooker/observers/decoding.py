"""Decisions with names, read out of the arrays that compiled functions leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from math import prod
from typing import Any

from onlooker.game import Cell, Expertise, Trial
from onlooker.inference.errors import failure
from onlooker.inference.hypotheses import Hypotheses, Kinds
from onlooker.inference.kernels.tree import Tree
from onlooker.inference.parameters import Parameters
from onlooker.observers.kernels.parts import Appraisal
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.results import ACT, Belief, Candidates, Decision, Goals, Particle
from onlooker.observers.stopping import with_reason
from onlooker.planning.structures import WORD, Room, axes_of, layout_of, spanned
from onlooker.planning.world import World
from onlooker.support.arrays import FloatArray

Plain = dict[str, Any]  # what one decision was made of, as lists
# The ingredients that fields of decisions are made of, where these have another name
MADE_OF = {
    "goals": ("goal_p",),
    "particles": ("particle_p", "particle_steps", "particle_residual"),
}
FIELDS = set(Decision._fields)


class Ingredients:
    """What decisions were made of, by the names of the fields of `Thoughts`; a row for each."""

    def __init__(self, rows: FloatArray, lengths: Mapping[str, int]) -> None:
        self.rows = rows  # (decisions, ingredients)
        self.places = _places(tuple(lengths[axis] for axis in AXES))

    def plain(self, part: slice, appraisal: Appraisal) -> list[Plain]:
        """What some of the rows show of an appraisal, as lists, which are faster to read."""
        rows = self.rows[part]
        names = [name for shown in appraisal.shows for name in MADE_OF.get(shown, (shown,))]
        if not names:
            return [{} for _ in rows]
        columns = (
            rows[:, at].reshape(len(rows), *shape).tolist()
            for at, shape in map(self.places.__getitem__, names)
        )
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


AXES = tuple(axis for axis in axes_of(Thoughts) if axis != "nodes")  # which no ingredient has


@cache
def _places(lengths: tuple[int, ...]) -> dict[str, tuple[slice, tuple[int, ...]]]:
    """Where each ingredient is in a row, and its shape."""
    known = dict(zip(AXES, lengths, strict=True)) | {"nodes": 0}
    arrays = layout_of(Thoughts, tuple(known[axis] for axis in axes_of(Thoughts))).arrays
    found, begin = {}, arrays["ingredients"][2]
    for name in spanned(Thoughts, "ingredients"):
        shape, _, offset = arrays[name]
        start = (offset - begin) // WORD
        found[name] = slice(start, start + prod(shape)), shape
    return found


def cell_of(trial: Trial, square: int) -> Cell:
    """The cell of a number on the grid."""
    return square % trial.map.width, square // trial.map.width


def colours_of(trial: Trial, amulets: int) -> tuple[str, ...]:
    """The names of a set of amulets."""
    return tuple(colour for bit, colour in enumerate(trial.map.colours) if amulets >> bit & 1)


def failure_in(trial: Trial, parameters: Parameters, room: Room) -> Exception:
    """The exception for the error that a kernel left."""
    world, tree = room[World], room[Tree]
    place = cell_of(trial, int(world.square[tree.error_cell]))
    lacking = colours_of(trial, world.needed & ~tree.error_amulets)
    return failure(trial, parameters, tree.error, tree.error_npc, tree.error_step, place, lacking)


class Decoder:
    """The names behind the numbers of one trial.

    Where the observer is not told of which kind an NPC is, a chest is a goal of each kind.
    """

    def __init__(self, trial: Trial, kinds: Kinds = (None,)) -> None:
        self.trial, self.kinds = trial, kinds
        self.hypotheses = Hypotheses(trial.map, kinds)
        self.npcs = tuple(npc.id for npc in trial.npcs)
        self._candidates: dict[tuple[int, int], Candidates] = {}

    def decision(
        self,
        appraisal: Appraisal,
        choice: int,
        found: Plain,
        colours: Sequence[str],
        first: bool,
    ) -> Decision:
        """What an appraisal computed and what was chosen; `first` if nothing was watched before."""
        if not first and appraisal.plans_ahead:
            return self.bare[choice]
        shown = {name: self._shown(name, found, colours) for name in appraisal.shows}
        more = {name: shown.pop(name) for name in appraisal.shows if name not in FIELDS}
        decision = Decision(self.choice(choice), **shown, more=more or None)
        if self.kinds == (None,) or decision.goals is None:
            return decision
        kinds = self.kinds_of(found["goal_p"])
        novices = {npc: p[Expertise.NOVICE] for npc, p in kinds.items() if Expertise.NOVICE in p}
        return decision._replace(novices=novices or None, kinds=kinds)

    def _shown(self, name: str, found: Plain, colours: Sequence[str]) -> Any:
        """A field of a decision; what is not listed here is a number for each NPC."""
        match name:
            case "belief":
                return self.belief(found["belief"], colours)
            case "goals":
                return self.goals(found["goal_p"])
            case "c_self":
                return found["c_self"][0]
            case "particles":
                return tuple([self.particles(found, npc) for npc in range(len(self.npcs))])
        values: list[float] = found[name][: len(self.npcs)]
        return tuple([None if value != value else value for value in values])

    @cached_property
    def bare(self) -> dict[int, Decision]:
        """For each choice the decision of which only that is known."""
        return {choice: Decision(self.choice(choice)) for choice in range(-1, len(self.trial.npcs))}

    def choice(self, npc: int) -> str:
        """The name of a choice: an NPC's id, or to act if the number is negative."""
        return self.trial.npcs[npc].id if npc >= 0 else ACT

    def candidates(self, wizards: int, amulets: int) -> Candidates:
        """A set of wizards by colours, for some colours."""
        known = self._candidates.get((wizards, amulets))
        if known is None:
            known = {
                colour: tuple(
                    wizard.id
                    for index, wizard in enumerate(self.trial.map.wizards)
                    if wizard.colour == colour and wizards >> index & 1
                )
                for colour in colours_of(self.trial, amulets)
            }
            self._candidates[wizards, amulets] = known
        return dict(known)

    def belief(self, chances: Sequence[float], colours: Sequence[str]) -> Belief:
        """For each of some colours, how likely each wizard is its holder."""
        return {
            colour: {wizard: chances[index] for wizard, index in self._wizards[colour]}
            for colour in colours
        }

    @cached_property
    def _wizards(self) -> dict[str, list[tuple[str, int]]]:
        """The wizards of each colour and their numbers."""
        index = self.hypotheses.wizard_index
        return {
            colour: [(wizard.id, index[wizard.id]) for wizard in wizards]
            for colour, wizards in self.trial.map.wizards_of.items()
        }

    def goals(self, goal_p: Any) -> tuple[Goals, ...]:
        """How likely each chest is each NPC's goal."""
        letters, npcs, kinds = self.hypotheses.goals, len(self.npcs), len(self.kinds)
        if kinds > 1:
            starts = range(0, kinds * len(letters), kinds)
            goal_p = [[sum(row[start : start + kinds]) for start in starts] for row in goal_p]
        return tuple([dict(zip(letters, row, strict=False)) for row in goal_p[:npcs]])

    def kinds_of(self, goal_p: Any) -> dict[str, dict[Expertise, float]]:
        """How likely each NPC is of each kind, to somebody who is not told."""
        count = len(self.kinds) * len(self.hypotheses.goals)
        return {
            npc.id: {
                kind: sum(row[first : count : len(self.kinds)])
                for first, kind in enumerate(self.kinds)
                if kind is not None
            }
            for npc, row in zip(self.trial.npcs, goal_p, strict=False)
        }

    def particles(self, found: Plain, npc: int) -> tuple[Particle, ...]:
        """The hypotheses about an NPC that were imagined."""
        likely, steps, residual = (
            found[name][npc] for name in ("particle_p", "particle_steps", "particle_residual")
        )
        lanes = zip(self.hypotheses.lanes, likely, steps, residual, strict=False)
        return tuple(
            [
                Particle(goal, holders, p, int(looks), left, kind)
                for (goal, kind, holders), p, looks, left in lanes
                if p > 0
            ]
        )


class LazyTrace(Sequence[Decision]):
    """The decisions of a run, made into objects when one of them is read."""

    def __init__(
        self, decoder: Decoder, appraisal: Appraisal, chosen: tuple[int, ...], rows: Ingredients,
        start: int, colours: Sequence[str], parameters: Parameters,
    ) -> None:  # fmt: skip
        """The decisions behind some choices, whose ingredients are in the rows from one on."""
        self._decoder, self._appraisal, self._colours = decoder, appraisal, colours
        self._chosen, self._rows, self._start = chosen, rows, start
        self._parameters = parameters

    @cached_property
    def _decisions(self) -> tuple[Decision, ...]:
        chosen = self._chosen
        count = 1 if self._appraisal.plans_ahead else len(chosen)  # whose ingredients are read
        rows = self._rows.plain(slice(self._start, self._start + count), self._appraisal)
        decisions = [
            self._decoder.decision(
                self._appraisal, chosen[row], found, self._colours, first=row == 0
            )
            for row, found in enumerate(rows)
        ]
        decisions += (self._decoder.bare[choice] for choice in chosen[count:])
        decisions[-1] = with_reason(
            decisions[-1],
            self._decoder.trial,
            self._parameters,
            began=len(chosen) > 1,
            plans=self._appraisal.plans_ahead,
        )
        return tuple(decisions)

    def __len__(self) -> int:
        return len(self._chosen)

    def __getitem__(self, index: Any) -> Any:
        return self._decisions[index]

    def __iter__(self) -> Iterator[Decision]:
        return iter(self._decisions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._decisions == tuple(other)

    __hash__ = None  # type: ignore[assignment] # it is equal to any sequence of these decisions

    def __repr__(self) -> str:
        return repr(self._decisions)
