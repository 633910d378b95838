"""Compiled: the world of a trial, who needs what, and room for its costs.

Cells are the squares that are not walls, numbered row by row. Sets of amulets and of wizards are
bits. A lane is a hypothesis about an NPC: `goal * assignments + h`, where `h` is an assignment of
holders, the last colour's changing fastest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.game import Expertise
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.packing import KINDS, WALL, Packed
from onlooker.planning.structures import (
    Bools2,
    Floats1,
    Floats2,
    Ints1,
    Ints2,
    Points2,
    Points3,
    axes,
    structure,
)

FAR = 1 << 30  # points: there is no way; more than any tour within the limits of a trial costs
# Of numpy's types, so that functions are compiled for any number and not for each constant.
NONE: Any = np.int64(-1)
EMPTY: Any = np.int64(0)  # no amulets, no wizards
EXPERT: Any = np.int64(KINDS.index(Expertise.EXPERT))
NOVICE: Any = np.int64(KINDS.index(Expertise.NOVICE))
TEACHER: Any = np.int64(KINDS.index(Expertise.TEACHER))
YES: Any = np.bool_(True)
NO: Any = np.bool_(False)


@structure
class World:
    """A trial: its map, its agents, who needs what, and the costs that are known so far."""

    # the sizes of the axes
    cells: int
    colours: int
    masks: int  # sets of amulets
    wizards: int
    goals: int
    assignments: int  # of holders
    lanes: int  # goals × assignments
    npcs: int
    trial: int  # its number among those that are packed

    # the map
    square: Ints1 = axes("cells")  # its number on the grid, walls included
    ahead: Ints2 = axes("cells", 4)  # the cell that an action heads for, NONE for a wall
    degree: Ints1 = axes("cells")  # how many cells lie beside it
    near: Ints2 = axes("cells", 4)  # these cells
    closed: Ints1 = axes("cells")  # the amulet that opens a cell, 0 for floor
    wizard_at: Ints1 = axes("cells")  # or NONE
    wizard_cell: Ints1 = axes("wizards")
    wizard_colour: Ints1 = axes("wizards")
    chest_cell: Ints1 = axes("goals")
    holder_of: Ints2 = axes("assignments", "colours")  # the wizard
    refusal: Points2 = axes("wizards", "lanes")  # 0 if the wizard is a holder, else FAR

    # the agents
    npc_cell: Ints1 = axes("npcs")
    npc_goal: Ints1 = axes("npcs")
    npc_told: Ints1 = axes("npcs")  # of KINDS: what the player is told it is
    npc_care: Floats1 = axes("npcs")  # how much a teacher cares for the learner
    care: float  # the same where the trial does not say
    kinds: int  # that an NPC may be, 1 if that is told, else goals are in turn of each
    kind: Ints1 = axes("kinds")  # these kinds
    kind_p: Floats2 = axes("npcs", "kinds")  # how likely each is, before anything was seen
    script_length: Ints1 = axes("npcs")  # how many actions are fixed, NONE if it plans by itself
    script: Ints2 = axes("npcs", "script")
    main_cell: int
    main_goal: int
    truth: int  # the assignment of holders that is true
    reveals: bool  # whether the outcome of an NPC's interaction is seen
    need: Ints2 = axes("everybody", "goals")  # amulets, NONE: no way; the main agent is last
    needed: int  # amulets that the main agent needs
    open: int  # those of them whose colour has several wizards

    # what actions cost
    move: int
    interact: int
    observe: int

    # costs in points, each worked out when it is first asked for (`costs`)
    source_cell: Ints1 = axes("sources")  # where walks end: the chests, then cells beside wizards
    sides: Ints1 = axes("wizards")  # how many cells lie beside a wizard
    beside: Ints2 = axes("wizards", 4)  # the sources that these cells are, in reading order
    distance: Points3 = axes("sources", "masks", "cells")  # a walk that asks nobody
    distance_known: Bools2 = axes("sources", "masks")
    expert: Points3 = axes("masks", "cells", "lanes")  # to the chest, if one knows the holders
    expert_known: Bools2 = axes("masks", "cells")
    queue: Ints1 = axes("cells")  # those to look at next
    cell_of: Ints1 = axes("squares")  # the number of a cell, NONE for a wall
    region: Ints2 = axes("masks", "cells")  # the same for cells between which one can walk


@compiled
def lay_out(world: World, packed: Packed, trial: int) -> None:
    """Make the world that of a trial; nothing is known of its costs yet."""
    numbers = packed.numbers[trial]
    world.colours, world.masks = numbers["colours"], 1 << numbers["colours"]
    world.wizards, world.goals = numbers["wizards"], numbers["goals"]
    world.npcs, world.reveals = numbers["npcs"], numbers["reveals"] != 0
    world.main_goal, world.truth = numbers["main_goal"], numbers["truth"]
    world.kinds, world.trial = len(packed.kind), trial
    lay_map(world, packed, trial)
    lay_agents(world, packed, trial)
    lay_holders(world)
    lay_needs(world)
    lay_sources(world)


@inlined
def lay_map(world: World, packed: Packed, trial: int) -> None:
    """Number the cells, and say what lies beside and on them."""
    width, height = packed.numbers[trial]["width"], packed.numbers[trial]["height"]
    grid = packed.grid[trial]
    cell_of = world.cell_of
    cells = 0
    for square in range(width * height):
        cell_of[square] = NONE
        if grid[square] != WALL:
            cell_of[square] = cells
            cells += 1
    world.cells = cells
    square_of, ahead, closed, wizard_at = world.square, world.ahead, world.closed, world.wizard_at
    for square in range(width * height):
        cell = cell_of[square]
        if cell != NONE:
            x, y = square % width, square // width
            square_of[cell], wizard_at[cell] = square, NONE
            closed[cell] = 1 << (grid[square] - 1) if grid[square] else 0
            ahead[cell, 0] = cell_of[square - width] if y > 0 else NONE
            ahead[cell, 1] = cell_of[square + width] if y < height - 1 else NONE
            ahead[cell, 2] = cell_of[square - 1] if x > 0 else NONE
            ahead[cell, 3] = cell_of[square + 1] if x < width - 1 else NONE
            world.degree[cell] = 0
            for action in range(4):
                if ahead[cell, action] != NONE:
                    world.near[cell, world.degree[cell]] = ahead[cell, action]
                    world.degree[cell] += 1
    for wizard in range(world.wizards):
        cell, colour = cell_of[packed.wizard[trial, wizard, 0]], packed.wizard[trial, wizard, 1]
        world.wizard_cell[wizard], world.wizard_colour[wizard] = cell, colour
        wizard_at[cell], closed[cell] = wizard, 1 << colour
    for goal in range(world.goals):
        world.chest_cell[goal] = cell_of[packed.chest[trial, goal]]


@inlined
def lay_agents(world: World, packed: Packed, trial: int) -> None:
    """Where the agents start, and what is fixed of what they do."""
    cell_of = world.cell_of
    for index in range(world.kinds):
        world.kind[index] = packed.kind[index]
    for npc in range(world.npcs):
        row = packed.npc[trial, npc]
        world.npc_cell[npc], world.npc_goal[npc] = cell_of[row[0]], row[1]
        world.npc_told[npc], world.script_length[npc] = row[3], row[4]
        care = packed.care[trial, npc]
        world.npc_care[npc] = world.care if np.isnan(care) else care
        for index in range(world.kinds):
            world.kind_p[npc, index] = packed.kind_p[trial, npc, index]
        for step in range(row[4]):
            world.script[npc, step] = packed.script[trial, npc, step]
    world.main_cell = cell_of[packed.numbers[trial]["main_square"]]


@inlined
def lay_holders(world: World) -> None:
    """Every assignment of holders, the last colour's changing fastest."""
    assignments = 1
    for colour in range(world.colours):
        assignments *= wizards_of(world, colour)
    world.assignments, world.lanes = assignments, assignments * world.goals
    for h in range(assignments):
        rest = h
        for colour in range(world.colours - 1, -1, -1):
            count = wizards_of(world, colour)
            rank, rest = rest % count, rest // count
            for wizard in range(world.wizards):
                if world.wizard_colour[wizard] == colour:
                    if rank == 0:
                        world.holder_of[h, colour] = wizard
                    for lane in range(h, world.lanes, assignments):
                        world.refusal[wizard, lane] = 0 if rank == 0 else FAR
                    rank -= 1


@compiled
def wizards_of(world: World, colour: int) -> int:
    """How many wizards a colour has."""
    count = 0
    for wizard in range(world.wizards):
        count += world.wizard_colour[wizard] == colour
    return count


@inlined
def lay_needs(world: World) -> None:
    """Which amulets each agent needs to each chest: the fewest that open a walk."""
    regions = world.region
    for mask in range(world.masks):
        number_regions(world, mask)
    for agent in range(world.npcs + 1):
        start = world.npc_cell[agent] if agent < world.npcs else world.main_cell
        for goal in range(world.goals):
            need = NONE
            for mask in range(world.masks):
                region = regions[mask]
                if region[start] != NONE and region[start] == region[world.chest_cell[goal]]:
                    need = mask if need == NONE else simpler(world, mask, need)
            world.need[agent, goal] = need
    world.needed = max(world.need[world.npcs, world.main_goal], 0)
    seen, twice = 0, 0
    for wizard in range(world.wizards):
        amulet = 1 << world.wizard_colour[wizard]
        twice |= seen & amulet
        seen |= amulet
    world.open = world.needed & twice


@compiled
def simpler(world: World, mask: int, other: int) -> int:
    """Of two sets of amulets the one that has fewer, or comes first in alphabetical order."""
    more = 0
    for colour in range(world.colours):
        more += (mask >> colour & 1) - (other >> colour & 1)
    first = (mask ^ other) & -(mask ^ other)  # amulet that only one has
    return mask if more < 0 or (more == 0 and mask & first) else other


@compiled
def number_regions(world: World, mask: int) -> None:
    """Give cells between which one can walk with some amulets the same number, others NONE."""
    near, degree, closed = world.near, world.degree, world.closed
    region, queue = world.region[mask], world.queue
    for cell in range(world.cells):
        region[cell] = NONE
    for start in range(world.cells):
        if region[start] != NONE or not walkable(world, start, mask):
            continue
        region[start], queue[0] = start, start
        head, tail = 0, 1
        while head < tail:
            cell = queue[head]
            head += 1
            for index in range(degree[cell]):
                there = near[cell, index]
                if region[there] == NONE and not closed[there] & ~mask:
                    region[there], queue[tail] = start, there
                    tail += 1


@inlined
def lay_sources(world: World) -> None:
    """Where walks end: the chests, then the cells beside wizards."""
    sources, source_at = world.goals, world.queue
    for cell in range(world.cells):
        source_at[cell] = NONE
        for mask in range(world.masks):
            world.expert_known[mask, cell] = False
    for goal in range(world.goals):
        world.source_cell[goal] = world.chest_cell[goal]
    for wizard in range(world.wizards):
        sides = 0
        for action in (0, 2, 3, 1):  # up, left, right, down
            cell = world.ahead[world.wizard_cell[wizard], action]
            if cell != NONE:
                if source_at[cell] == NONE:
                    source_at[cell], world.source_cell[sources] = sources, cell
                    sources += 1
                world.beside[wizard, sides] = source_at[cell]
                sides += 1
        world.sides[wizard] = sides
    for source in range(sources):
        for mask in range(world.masks):
            world.distance_known[source, mask] = False


@inlined
def kind_of(world: World, npc: int, goal: int) -> int:
    """The kind of NPC that a goal is a hypothesis about; a teacher that does not care: expert."""
    kind = world.npc_told[npc] if world.kinds == 1 else world.kind[goal % world.kinds]
    return int(EXPERT if kind == TEACHER and world.npc_care[npc] == 0 else kind)


@compiled
def walkable(world: World, cell: int, amulets: int) -> bool:
    """Whether an agent that holds some amulets can enter a cell."""
    return bool(world.closed[cell] & ~amulets == 0)
