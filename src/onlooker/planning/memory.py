"""Where the compiled engine keeps everything: a record for each trial, and three arrays.

The compiled functions (`planning.kernels`, `inference.kernels`, `observers.kernels`) take a record
`s` and the arrays `i` (whole numbers), `f` (floats) and `c` (points, in 32 bits, so that many go
into one instruction). A field of the record is a number, or the place where a section of an array
begins: `i[s.block + cell]` is what blocks a cell. The last axis of a section runs fastest. A
record and three arrays are all that is handed from function to function; that keeps compiling
short and calls cheap.

Cells are numbered row by row on a grid with a border of walls around it, so that the cells next to
a cell, in the order of the actions, are `cell - s.stride`, `+ s.stride`, `- 1` and `+ 1`. Sets of
amulets and of wizards are bits. A lane is a hypothesis: `goal * s.holders + holders`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onlooker.game import ACTIONS, Cell, Costs, Expertise, Trial
from onlooker.planning.compiling import sources_digest

Record = Any  # one of RECORD
Records = NDArray[np.void]  # of dtype RECORD, one for each trial
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Points = NDArray[np.int32]

WALL = 1 << 62  # a bit that is no amulet's
FAR = 1 << 30  # points: there is no way; more than any tour within the limits of a trial costs
# Of numpy's type, so that functions are compiled for whole numbers and not for each constant.
NONE: Any = np.int64(-1)
EMPTY: Any = np.int64(0)  # no amulets, no wizards
SEEN = 20  # what can be seen of an action: four directions, five outcomes
TOURS = 64  # tours that are remembered
LOGS = 256  # logarithms that are remembered

NUMBERS = (
    # the sizes of the axes
    "cells", "colours", "masks", "wizards", "goals", "holders", "lanes", "npcs",
    "agents",  # the NPCs and, last, the main agent
    "targets",  # chests, then wizards
    "nodes", "steps", "actions", "seen", "tours", "logs", "moves",
    # the trial
    "trial", "trial_size",  # where it lies among all that were packed
    "stride", "main_cell", "main_goal", "truth", "reveals",
    # the parameters
    "move", "interact", "observe", "expected", "fixed", "anyone",
    # what is known so far
    "needed", "open",  # amulets: what the main agent needs, and those of several wizards
    "cell", "amulets",  # of the main agent
    "node_count", "tour_count", "version_count", "has_experts",
    "count",  # actions of the route
    "error", "error_npc", "error_step",
)  # fmt: skip
REALS = ("beta", "converge", "prune", "epsilon")

TRIAL = {  # what a trial is packed into, in this order; then come fixed actions
    "block": ("cells",),  # the amulet that opens a cell, WALL for a wall
    "wizard_at": ("cells",),  # the wizard on a cell or NONE
    "mask_order": ("masks",),  # sets of amulets, the fewest first, then in alphabetical order
    "wizard_cell": ("wizards",),
    "wizard_colour": ("wizards",),
    "chest_cell": ("goals",),
    "npc_cell": ("npcs",),
    "npc_goal": ("npcs",),
    "npc_expert": ("npcs",),
    "script_length": ("npcs",),  # how many actions are fixed, NONE if it plans by itself
    "script": (),  # the fixed actions of all NPCs, one after the other
}
INTS = {
    "holder_of": ("holders", "colours"),  # the wizard
    "region": ("masks", "cells"),  # one can walk between cells of the same number
    "need": ("agents", "goals"),  # amulets, NONE if there is no way
    "queue": ("cells",),
    "queued": ("cells",),
    "walk_done": ("targets", "masks"),
    "path_length": ("npcs",),
    "path": ("npcs", "steps"),  # the node after so many real steps
    "met": ("npcs", "steps"),  # the wizard asked in a step or NONE
    "mask_of": ("holders",),  # the amulets held at the node at hand
    "node_npc": ("nodes",),
    "node_cell": ("nodes",),
    "node_asked": ("nodes",),  # wizards
    "node_steps": ("nodes",),
    "node_seen": ("nodes",),  # what led to it
    "node_arrived": ("nodes",),
    "node_ready": ("nodes",),  # its policy has been worked out
    "node_version": ("nodes",),  # of the evidence under which it was assessed
    "node_stop": ("nodes",),  # imagining ends there
    "node_known": ("nodes",),  # its residual has been worked out
    "child": ("nodes", "seen"),
    "best": ("nodes", "lanes"),  # the best action or NONE
    "imagined": ("nodes", "lanes"),  # the node after the best action, NONE if there is none
    "history": ("agents",),  # the node of each NPC
    "assessed": (
        "agents",
        "agents",
    ),  # the nodes of the others under which an NPC's nodes were assessed last
    "version": ("agents",),
    "order": ("wizards",),  # of a tour
    "digit": ("colours",),
    "particle_steps": ("lanes",),
    "until": ("npcs",),  # how many steps a trusting observer watches of each NPC
    "trusted": ("npcs",),  # the wizard that it then trusts or NONE
    "tour_key": ("tours",),
    "log_key": ("logs",),
    "choices": ("moves",),
    "route": ("moves",),
}
FLOATS = {
    "log_w": ("nodes", "lanes"),
    "log_p": ("nodes", "actions", "lanes"),
    "belief": ("nodes", "wizards"),  # the chance of each wizard to be the holder
    "residual": ("nodes",),  # what acting alone would then cost
    "others": ("agents", "holders"),  # log evidence from everything but the NPC
    "own": ("holders",),  # log evidence from the main agent's own interactions
    "joint": ("lanes",),  # of the node at hand
    "particle_p": ("lanes",),  # 0 for a lane that is no particle
    "particle_residual": ("lanes",),
    "goal_p": ("goals",),
    "holder_p": ("holders",),
    "told": ("wizards",),  # a belief from outside
    "q_obs": ("npcs",),
    "tour_cost": ("tours",),
    "log_value": ("logs",),
}
POINTS = {
    "walk": ("targets", "masks", "cells"),
    "expert": ("masks", "cells", "lanes"),
    "q": ("actions", "lanes"),  # of the node at hand
    "chosen": ("actions", "lanes"),  # the same, FAR for what the NPC would never choose
}

ARRAYS = {"i": TRIAL | INTS, "f": FLOATS, "c": POINTS}
SECTIONS = {name: (array, axes) for array, of in ARRAYS.items() for name, axes in of.items()}
# The last field is named after the sources, so that what was compiled from others is never used:
# compiled functions are kept on disk by the types of their arguments.
RECORD = np.dtype(
    [(name, np.int64) for name in (*NUMBERS, *SECTIONS)]
    + [(name, np.float64) for name in REALS]
    + [(f"source_{sources_digest()}", np.int64)],
    align=True,
)


class Memory(NamedTuple):
    """The records of some trials and the arrays that they share, one trial after the other."""

    records: Records
    i: Ints
    f: Floats
    c: Points


def pack(trials: Sequence[Trial]) -> tuple[Records, Ints]:
    """The trials as numbers: their records, sizes and places filled in, and what they refer to."""
    records = np.zeros(len(trials), dtype=RECORD)
    rows, packed = [], []
    for trial in trials:
        row, numbers = _pack(trial)
        rows.append(row)
        packed.append(numbers)
    if rows:
        for name, column in zip(_PACKED_NUMBERS, np.array(rows).T, strict=True):
            records[name] = column
    sizes = np.array([len(numbers) for numbers in packed], dtype=np.int64)
    records["trial_size"] = sizes
    records["trial"] = np.cumsum(sizes) - sizes
    everything = [number for numbers in packed for number in numbers]
    return records, np.array(everything, dtype=np.int64)


_PACKED_NUMBERS = (
    "stride", "cells", "colours", "masks", "wizards", "goals", "holders", "npcs",
    "main_cell", "main_goal", "truth", "reveals",
)  # fmt: skip


def _pack(trial: Trial) -> tuple[tuple[int, ...], list[int]]:
    map = trial.map
    stride = map.width + 2

    def number(cell: Cell) -> int:
        return (cell[1] + 1) * stride + cell[0] + 1

    colour = {name: index for index, name in enumerate(map.colours)}
    goal = {letter: index for index, letter in enumerate(map.letters)}
    floor = [WALL, *[0] * map.width, WALL]
    block = [WALL] * stride + floor * map.height + [WALL] * stride
    wizard_at = [NONE] * len(block)
    for wall in map.walls:
        block[number(wall)] = WALL
    for barrier in map.barriers:
        # No wizard of its colour: no amulet opens it.
        index = colour.get(barrier.colour)
        block[number(barrier.at)] = WALL if index is None else 1 << index
    for index, wizard in enumerate(map.wizards):
        block[number(wizard.at)] = 1 << colour[wizard.colour]
        wizard_at[number(wizard.at)] = index
    holders, truth = 1, 0
    for name, wizards in map.wizards_of.items():
        holders *= len(wizards)
        ids = [wizard.id for wizard in wizards]
        truth = truth * len(ids) + ids.index(trial.holders[name])
    scripts = [npc.actions for npc in trial.npcs]
    numbers = [
        *block,
        *wizard_at,
        *mask_order(len(colour)),
        *(number(wizard.at) for wizard in map.wizards),
        *(colour[wizard.colour] for wizard in map.wizards),
        *(number(chest.at) for chest in map.chests),
        *(number(npc.at) for npc in trial.npcs),
        *(goal[npc.goal] for npc in trial.npcs),
        *(npc.expertise is Expertise.EXPERT for npc in trial.npcs),
        *(NONE if script is None else len(script) for script in scripts),
        *(ACTIONS.index(action) for script in scripts for action in script or ()),
    ]
    row = (
        stride, len(block), len(colour), 1 << len(colour), len(map.wizards), len(goal), holders,
        len(trial.npcs), number(trial.main.at), goal[trial.main.goal], truth,
        int(trial.reveals_outcomes),
    )  # fmt: skip
    return row, numbers


@cache
def mask_order(colours: int) -> tuple[int, ...]:
    """Every set of amulets, the fewest first, then in alphabetical order.

    >>> [f"{mask:03b}" for mask in mask_order(3)]
    ['000', '001', '010', '100', '011', '101', '110', '111']
    """
    return tuple(
        sum(1 << bit for bit in chosen)
        for size in range(colours + 1)
        for chosen in combinations(range(colours), size)
    )


def lay_out(records: Records, nodes: int, steps: int) -> Memory:
    """Room for trials of up to so many nodes and steps: places in the records, and the arrays."""
    records["lanes"] = records["goals"] * records["holders"]
    records["agents"] = records["npcs"] + 1
    records["targets"] = records["goals"] + records["wizards"]
    for name, size in (
        ("nodes", nodes), ("steps", steps), ("moves", 8 * steps),
        ("actions", 4), ("seen", SEEN), ("tours", TOURS), ("logs", LOGS),
    ):  # fmt: skip
        records[name] = size
    _place(records, TRIAL, np.zeros(len(records), dtype=np.int64))
    ints = _place(records, INTS, records["trial_size"].copy())
    floats = _place(records, FLOATS, np.zeros(len(records), dtype=np.int64))
    points = _place(records, POINTS, np.zeros(len(records), dtype=np.int64))
    return Memory(
        records, np.empty(ints, np.int64), np.empty(floats, np.float64), np.empty(points, np.int32)
    )


def _place(records: Records, sections: dict[str, tuple[str, ...]], at: Ints) -> int:
    """Put sections behind each other from `at` on; the size of the array that holds them all."""
    for name, axes in sections.items():
        records[name] = at
        size = np.ones(len(records), dtype=np.int64)
        for axis in axes:
            size *= records[axis]
        at = at + size
    return int(at.max(initial=0))


def section(memory: Memory, name: str) -> NDArray[Any]:
    """A section of the memory of one trial, with its axes."""
    (record,) = memory.records
    array, axes = SECTIONS[name]
    shape = tuple(int(record[axis]) for axis in axes)
    start = int(record[name])
    values: NDArray[Any] = getattr(memory, array)[start : start + prod(shape)].reshape(shape)
    return values


def grown(memory: Memory) -> Memory:
    """Twice the room for one trial, and in it everything that is known already."""
    (record,) = memory.records
    larger = lay_out(memory.records.copy(), 2 * int(record["nodes"]), 2 * int(record["steps"]))
    size = int(record["trial_size"])
    larger.i[:size] = memory.i[:size]
    for name in (*INTS, *FLOATS, *POINTS):
        known = section(memory, name)
        section(larger, name)[tuple(map(slice, known.shape))] = known
    return larger


def set_costs(records: Records, costs: Costs) -> None:
    """What actions cost."""
    for name in ("move", "interact", "observe"):
        records[name] = getattr(costs, name)
