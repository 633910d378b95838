"""Compiled: the world of a trial, who needs what, and room for its costs.

Cells are the squares that are no walls, numbered row by row. Sets of amulets and of wizards are
bits. A lane is a hypothesis about an NPC: `goal * holders + h`, where `h` is an assignment of
holders, the last colour's changing fastest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.packing import WALL, Packed
from onlooker.planning.structures import (
    Bools2,
    Ints1,
    Ints2,
    Points3,
    borrow,
    structure,
)

FAR = 1 << 30  # points: there is no way; more than any tour within the limits of a trial costs
# Of numpy's type, so that functions are compiled for whole numbers and not for each constant.
NONE: Any = np.int64(-1)
EMPTY: Any = np.int64(0)  # no amulets, no wizards


@structure
class World:
    """A trial: its map, its agents, who needs what, and the costs that are known so far."""

    # the sizes of the axes
    cells: int
    colours: int
    masks: int  # sets of amulets
    wizards: int
    goals: int
    holders: int  # assignments of holders
    lanes: int  # goals × holders
    npcs: int

    # the map
    square: Ints1  # (cells): its number on the grid, walls included
    ahead: Ints2  # (cells, actions): the cell that an action heads for, NONE for a wall
    degree: Ints1  # (cells): how many cells lie beside it
    near: Ints2  # (cells, degree): these cells
    closed: Ints1  # (cells): the amulet that opens a cell, 0 for floor
    wizard_at: Ints1  # (cells): or NONE
    wizard_cell: Ints1  # (wizards)
    wizard_colour: Ints1  # (wizards)
    chest_cell: Ints1  # (goals)
    holder_of: Ints2  # (holders, colours): the wizard

    # the agents
    npc_cell: Ints1  # (npcs)
    npc_goal: Ints1  # (npcs)
    npc_expert: Ints1  # (npcs)
    script_length: Ints1  # (npcs): how many actions are fixed, NONE if it plans by itself
    script: Ints2  # (npcs, actions)
    main_cell: int
    main_goal: int
    truth: int  # the assignment of holders that is true
    reveals: bool  # whether the outcome of an NPC's interaction is seen
    need: Ints2  # (agents, goals): amulets, NONE if there is no way; the main agent comes last
    needed: int  # amulets that the main agent needs
    open: int  # those of them whose colour has several wizards

    # what actions cost
    move: int
    interact: int
    observe: int

    # costs in points, each worked out when it is first asked for (`costs`)
    source_cell: Ints1  # (sources): where walks end: the chests, then cells beside wizards
    beside: Ints2  # (wizards, actions): the source that lies there, NONE for a wall
    distance: Points3  # (sources, masks, cells): a walk that asks nobody
    distance_known: Bools2  # (sources, masks)
    expert: Points3  # (masks, cells, lanes): the way to the chest of one who knows the holders
    expert_known: Bools2  # (masks, cells)
    queue: Ints1  # (cells)


@compiled
def lay_out(packed: Packed, trial: int, move: int, interact: int, observe: int) -> World:
    """The world of a packed trial."""
    numbers = packed.numbers[trial]
    kept = World()
    world = borrow(kept)
    world.colours, world.masks = numbers["colours"], 1 << numbers["colours"]
    world.wizards, world.goals = numbers["wizards"], numbers["goals"]
    world.npcs, world.reveals = numbers["npcs"], numbers["reveals"] != 0
    world.main_goal, world.truth = numbers["main_goal"], numbers["truth"]
    world.move, world.interact, world.observe = move, interact, observe
    cell_of = lay_map(world, packed, trial)
    lay_agents(world, packed, trial, cell_of)
    lay_holders(world)
    lay_needs(world, packed.mask_order[trial])
    lay_costs(world)
    return kept


@inlined
def lay_map(world: World, packed: Packed, trial: int) -> Any:
    """Number the cells; the number of each square, NONE for a wall."""
    width, height = packed.numbers[trial]["width"], packed.numbers[trial]["height"]
    grid = packed.grid[trial]
    cell_of = np.empty(width * height, np.int64)
    cells = 0
    for square in range(width * height):
        cell_of[square] = NONE
        if grid[square] != WALL:
            cell_of[square] = cells
            cells += 1
    world.cells = cells
    world.square, world.closed = np.empty(cells, np.int64), np.empty(cells, np.int64)
    world.ahead, world.wizard_at = np.empty((cells, 4), np.int64), np.empty(cells, np.int64)
    world.degree, world.near = np.empty(cells, np.int64), np.empty((cells, 4), np.int64)
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
    world.wizard_cell = np.empty(world.wizards, np.int64)
    world.wizard_colour = np.empty(world.wizards, np.int64)
    for wizard in range(world.wizards):
        cell, colour = cell_of[packed.wizard[trial, wizard, 0]], packed.wizard[trial, wizard, 1]
        world.wizard_cell[wizard], world.wizard_colour[wizard] = cell, colour
        wizard_at[cell], closed[cell] = wizard, 1 << colour
    world.chest_cell = np.empty(world.goals, np.int64)
    for goal in range(world.goals):
        world.chest_cell[goal] = cell_of[packed.chest[trial, goal]]
    return cell_of


@inlined
def lay_agents(world: World, packed: Packed, trial: int, cell_of: Any) -> None:
    """Where the agents start, and what is fixed of what they do."""
    npcs = world.npcs
    world.npc_cell, world.npc_goal = np.empty(npcs, np.int64), np.empty(npcs, np.int64)
    world.npc_expert, world.script_length = np.empty(npcs, np.int64), np.empty(npcs, np.int64)
    world.script = np.empty((npcs, packed.script.shape[2]), np.int64)
    for npc in range(npcs):
        row = packed.npc[trial, npc]
        world.npc_cell[npc], world.npc_goal[npc] = cell_of[row[0]], row[1]
        world.npc_expert[npc], world.script_length[npc] = row[2], row[3]
        for step in range(row[3]):
            world.script[npc, step] = packed.script[trial, npc, step]
    world.main_cell = cell_of[packed.numbers[trial]["main_square"]]


@inlined
def lay_holders(world: World) -> None:
    """Every assignment of holders, the last colour's changing fastest."""
    holders = 1
    for colour in range(world.colours):
        holders *= wizards_of(world, colour)
    world.holders, world.lanes = holders, holders * world.goals
    world.holder_of = np.empty((holders, world.colours), np.int64)
    for h in range(holders):
        rest = h
        for colour in range(world.colours - 1, -1, -1):
            count = wizards_of(world, colour)
            rank, rest = rest % count, rest // count
            for wizard in range(world.wizards):
                if world.wizard_colour[wizard] == colour:
                    if rank == 0:
                        world.holder_of[h, colour] = wizard
                    rank -= 1


@compiled
def wizards_of(world: World, colour: int) -> int:
    """How many wizards a colour has."""
    count = 0
    for wizard in range(world.wizards):
        count += world.wizard_colour[wizard] == colour
    return count


@inlined
def lay_needs(world: World, mask_order: Any) -> None:
    """Which amulets each agent needs to each chest: the fewest that open a walk."""
    regions = np.empty((world.masks, world.cells), np.int64)
    queue = np.empty(world.cells, np.int64)
    for mask in range(world.masks):
        number_regions(world, mask, regions[mask], queue)
    world.queue = queue
    world.need = np.empty((world.npcs + 1, world.goals), np.int64)
    for agent in range(world.npcs + 1):
        start = world.npc_cell[agent] if agent < world.npcs else world.main_cell
        for goal in range(world.goals):
            world.need[agent, goal] = NONE
            for index in range(world.masks):
                region = regions[mask_order[index]]
                if region[start] != NONE and region[start] == region[world.chest_cell[goal]]:
                    world.need[agent, goal] = mask_order[index]
                    break
    world.needed = max(world.need[world.npcs, world.main_goal], 0)
    seen, twice = 0, 0
    for wizard in range(world.wizards):
        amulet = 1 << world.wizard_colour[wizard]
        twice |= seen & amulet
        seen |= amulet
    world.open = world.needed & twice


@compiled
def number_regions(world: World, mask: int, region: Any, queue: Any) -> None:
    """Give cells between which one can walk with some amulets the same number, others NONE."""
    near, degree, closed = world.near, world.degree, world.closed
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
def lay_costs(world: World) -> None:
    """Room for costs, none of which is known yet."""
    cells, masks = world.cells, world.masks
    world.beside = np.empty((world.wizards, 4), np.int64)
    source_cell = np.empty(world.goals + 4 * world.wizards, np.int64)
    source_at = np.empty(cells, np.int64)
    for cell in range(cells):
        source_at[cell] = NONE
    sources = world.goals
    for goal in range(world.goals):
        source_cell[goal] = world.chest_cell[goal]
    for wizard in range(world.wizards):
        for action in range(4):
            cell = world.ahead[world.wizard_cell[wizard], action]
            if cell != NONE and source_at[cell] == NONE:
                source_at[cell], source_cell[sources] = sources, cell
                sources += 1
            world.beside[wizard, action] = NONE if cell == NONE else source_at[cell]
    world.source_cell = source_cell[:sources]
    world.distance = np.empty((sources, masks, cells), np.int32)
    world.distance_known = np.zeros((sources, masks), np.bool_)
    world.expert = np.empty((masks, cells, world.lanes), np.int32)
    world.expert_known = np.zeros((masks, cells), np.bool_)


@compiled
def walkable(world: World, cell: int, amulets: int) -> bool:
    """Whether an agent that holds some amulets can enter a cell."""
    return bool(world.closed[cell] & ~amulets == 0)
