"""What teachers do, for kernels that need to know; `lessons` has the same for commands and pages.

A kernel that comes to a teacher's node does not know what the teacher would do there. It leaves the
error UNTAUGHT, and `Teachers` answers it: a search (`kernels.teaching`) finds the teacher's values
there and at all nodes that may be imagined next, and the kernel is called again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import inf

import numpy as np

from onlooker.inference.kernels.tree import KNOWN, OPEN, OUTCOMES, UNTAUGHT, Tree
from onlooker.inference.parameters import Settings
from onlooker.inference.room import ANSWERS, room_for
from onlooker.observers.kernels.lessons import Lesson
from onlooker.observers.kernels.questions import prepare_engine
from onlooker.observers.kernels.teaching import plan, teach
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.planning.compiling import choose, is_compiled
from onlooker.planning.packing import NONE, Packed
from onlooker.planning.structures import Room
from onlooker.planning.world import EXPERT, TEACHER, World
from onlooker.support.arrays import FloatArray, IntArray

USED = (World, Tree, Thoughts, Lesson)
HEAP = 256  # histories that can wait, at first
Seen = tuple[int, ...]  # what was seen of an NPC, one number for each step


def watched_alone(packed: Packed, trial: int, npc: int) -> Packed:
    """A trial as the literal learner sees it: with one NPC, which is an expert.

    Arrays are copied where they would have gaps: numba would compile the engine again for these.
    """
    numbers, kinds = packed.numbers[trial : trial + 1].copy(), len(packed.kind)
    numbers["goals"] //= kinds
    numbers["main_goal"] //= kinds
    numbers["npcs"] = 1
    square, goal, *_ = packed.npc[trial, npc]
    return packed._replace(
        numbers=numbers,
        grid=packed.grid[trial : trial + 1],
        wizard=packed.wizard[trial : trial + 1],
        chest=packed.chest[trial : trial + 1, ::kinds].copy(),
        npc=np.array([[[square, goal // kinds, EXPERT, EXPERT, NONE]]], np.int64),
        script=np.zeros((1, 1, 0), packed.script.dtype),
        care=np.zeros((1, 1)),
        kind=np.zeros(1, np.int64),
        kind_p=np.ones((1, 1, 1)),
        lanes=packed.lanes // kinds,
    )


def seen_up_to(tree: Tree, node: int) -> Seen:
    """What was seen of an NPC up to a node."""
    history = list[int]()
    while tree.parent[node] >= 0:
        history.insert(0, int(tree.seen[node]))
        node = int(tree.parent[node])
    return tuple(history)


@dataclass(frozen=True)
class Found:
    """What a teacher would do after a history, by lanes of chest and holders."""

    q: FloatArray  # (lanes, 4): infinite for what cannot be
    best: IntArray  # (lanes): the action, or NONE
    next: IntArray  # (2, lanes): what would be seen of it, and of an expert; or NONE


class Teacher:
    """One NPC of a trial as a teacher."""

    def __init__(self, packed: Packed, settings: Settings, care: float) -> None:
        prepare, self._plan, self._teach = choose(prepare_engine, plan, teach)
        self.room = room_for(packed, settings, is_compiled(prepare), *USED[2:], heap=HEAP)
        self.room[Lesson].care = care
        self.room.call(prepare, World, Tree, Thoughts, packed)
        self.lanes = self.room[World].lanes
        self._found: dict[Seen, Found | int] = {}

    def plan(self, only: int = NONE) -> Lesson:
        """What it does under each hypothesis, or under one; an error is left in the tree."""
        self.room.call(self._plan, *USED, only)
        return self.room[Lesson]

    def after(self, history: Seen) -> Found | int:
        """What it would do after a history, or the number of an error."""
        if history not in self._found:
            self.room.call(self._teach, *USED, np.array(history, np.int64))
            found, error = self.room[Lesson], self.room[Tree].error
            every = slice(self.lanes)
            self._found[history] = error or Found(
                found.q[every].copy(), found.best[every].copy(), found.next[:, every].copy()
            )
        return self._found[history]


class Teachers:
    """The teachers of some packed trials; kernels ask what they would do."""

    def __init__(self, packed: Packed, settings: Settings) -> None:
        self.packed, self.settings = packed, settings
        self._known: dict[tuple[int, int, float], Teacher] = {}

    def _teacher(self, trial: int, npc: int, care: float) -> Teacher:
        key = trial, npc, care
        if key not in self._known:
            alone = watched_alone(self.packed, trial, npc)
            self._known[key] = Teacher(alone, self.settings, care)
        return self._known[key]

    def __call__(self, room: Room) -> None:
        """Answer the question that a kernel left."""
        world, tree = room[World], room[Tree]
        npc, kinds = int(tree.npc[tree.full]), int(world.kinds)
        history = seen_up_to(tree, tree.full)
        told = [world.npc_told[npc]] if kinds == 1 else world.kind[:kinds].tolist()
        teacher = self._teacher(world.trial, npc, float(world.npc_care[npc]))
        start = npc
        for seen in history:
            start = _after(room, start, seen)
        taught = [kind == TEACHER for kind in told]
        for kind, lane in product(range(2), range(teacher.lanes)):  # all that may be imagined next
            place, so_far = start, history
            while isinstance(found := teacher.after(so_far), Found):
                if room[Tree].lesson_state[place] == OPEN:
                    _write(room, place, found, taught, self.settings.beta)
                seen = int(found.next[kind, lane])
                if seen == NONE:
                    break
                place, so_far = _after(room, place, seen), (*so_far, seen)
            else:
                room[Tree].lesson_state[place] = -found


def with_real_paths(packed: Packed, settings: Settings) -> Packed:
    """The same trials with fixed actions for NPCs whose kind is not what the observer is told.

    What such an NPC really does follows from none of the hypotheses about it.
    """
    if not packed.disguised:  # as in most trials
        return packed
    kind, told, script = packed.npc[:, :, 2], packed.npc[:, :, 3], packed.npc[:, :, 4]
    there = np.arange(kind.shape[1]) < packed.numbers["npcs"][:, np.newaxis]
    known = np.isin(kind, packed.kind) if len(packed.kind) > 1 else kind == told
    trials, npcs = np.nonzero(there & ~known & (script == NONE))
    paths = {
        (trial, npc): _real_path(packed, trial, npc, settings)
        for trial, npc in zip(trials.tolist(), npcs.tolist(), strict=True)
    }
    longest = max(packed.script.shape[2], *map(len, paths.values()))
    scripts = np.zeros((*packed.script.shape[:2], longest), packed.script.dtype)
    scripts[:, :, : packed.script.shape[2]] = packed.script
    rows = packed.npc.copy()
    for (trial, npc), path in paths.items():
        scripts[trial, npc, : len(path)] = path
        rows[trial, npc, 4] = len(path)
    return packed._replace(npc=rows, script=scripts, disguised=False)


def _real_path(packed: Packed, trial: int, npc: int, settings: Settings) -> list[int]:
    """The actions of an NPC, planned as the kind that it really is."""
    alone = watched_alone(packed, trial, npc)
    alone.npc[0, 0, 2:4] = packed.npc[trial, npc, 2]
    alone.care[0, 0] = packed.care[trial, npc]
    [prepare] = choose(prepare_engine)
    room = room_for(alone, settings, is_compiled(prepare), Thoughts)
    room.call(prepare, World, Tree, Thoughts, alone)
    tree = room[Tree]
    if tree.error:
        return []  # the trial's own run says what is wrong
    nodes = tree.path[0, 1 : tree.path_length[0] + 1]
    return list((tree.seen[nodes] // OUTCOMES).tolist())


def _after(room: Room, place: int, seen: int) -> int:
    """The number of the lesson after one more step was seen, made if there is none yet."""
    tree = room[Tree]
    if tree.lesson_after[place, seen] == NONE:
        number = int(tree.lessons)
        if number == len(tree.lesson_state):
            room.grow("lessons")
            tree = room[Tree]
        tree.lessons = number + 1
        tree.lesson_after[place, seen] = number
        tree.lesson_after[number] = NONE
        tree.lesson_state[number] = OPEN
    return int(tree.lesson_after[place, seen])


def _write(room: Room, place: int, found: Found, taught: Sequence[bool], beta: float) -> None:
    """Store what a teacher would do where kernels look it up.

    P ∝ exp(−β Q), as in `behaviour.boltzmann`, which takes whole points only.
    """
    tree, assignments = room[Tree], room[World].assignments
    kinds, chests = len(taught), len(found.q) // assignments
    log_p = np.full_like(found.q, -inf)
    possible = found.q < inf
    log_p[possible] = -beta * found.q[possible]
    some = possible.any(axis=1)
    log_p[some] -= np.logaddexp.reduce(log_p[some], axis=1, keepdims=True)
    tree.lesson_log_p[place] = np.nan
    for chest, kind in product(range(chests), range(kinds)):
        if taught[kind]:
            goal = chest * kinds + kind
            lanes = slice(goal * assignments, (goal + 1) * assignments)
            rows = slice(chest * assignments, (chest + 1) * assignments)
            tree.lesson_log_p[place, :, lanes] = log_p[rows].T
            tree.lesson_best[place, lanes] = found.best[rows]
    tree.lesson_state[place] = KNOWN


ANSWERS[UNTAUGHT] = Teachers
