"""Compiled: where one can walk, and exact costs-to-go for every hypothesis at once.

`reference` is the plain version of the same tables. `memory` says what the arguments are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.planning.compiling import compiled
from onlooker.planning.memory import EMPTY, FAR, NONE, Ints, Points, Record


@compiled
def ahead(s: Record, cell: int, action: int) -> int:
    """The cell that an action heads for: up, down, left or right."""
    if action == 0:
        return cell - s.stride
    if action == 1:
        return cell + s.stride
    return cell - 1 if action == 2 else cell + 1


@compiled
def walkable(s: Record, i: Ints, cell: int, amulets: int) -> bool:
    """Whether an agent that holds some amulets can enter a cell."""
    return i[s.block + cell] & ~amulets == 0


@compiled
def fill(array: Any, start: int, count: int, value: float) -> None:
    """Set a section of an array to one value."""
    array[start : start + count] = value


@compiled
def begin(s: Record, packed: Ints, i: Ints) -> None:
    """Lay a trial out: forget what was known of another one, and work out who needs what."""
    i[: s.trial_size] = packed[s.trial : s.trial + s.trial_size]
    fill(i, s.walk_done, s.targets * s.masks, 0)
    fill(i, s.queued, s.cells, 0)
    s.has_experts = 0
    for h in range(s.holders):
        rest = h
        for colour in range(s.colours - 1, -1, -1):
            count = 0
            for wizard in range(s.wizards):
                count += i[s.wizard_colour + wizard] == colour
            rank, rest = rest % count, rest // count
            for wizard in range(s.wizards):
                if i[s.wizard_colour + wizard] == colour:
                    if rank == 0:
                        i[s.holder_of + h * s.colours + colour] = wizard
                    rank -= 1
    regions(s, i)
    for agent in range(s.agents):
        cell = i[s.npc_cell + agent] if agent < s.npcs else s.main_cell
        for goal in range(s.goals):
            i[s.need + agent * s.goals + goal] = need(s, i, cell, i[s.chest_cell + goal])
    s.needed = max(i[s.need + s.npcs * s.goals + s.main_goal], 0)
    s.open = s.needed & several(s, i)
    s.cell, s.amulets = s.main_cell, 0


@compiled
def regions(s: Record, i: Ints) -> None:
    """Number the regions of cells between which one can walk, for every set of amulets."""
    for mask in range(s.masks):
        region = s.region + mask * s.cells
        fill(i, region, s.cells, NONE)
        for start in range(s.cells):
            if i[region + start] != NONE or not walkable(s, i, start, mask):
                continue
            i[region + start] = start
            i[s.queue] = start
            head, tail = 0, 1
            while head < tail:
                cell = i[s.queue + head]
                head += 1
                for action in range(4):
                    there = ahead(s, cell, action)
                    if i[region + there] == NONE and walkable(s, i, there, mask):
                        i[region + there] = start
                        i[s.queue + tail] = there
                        tail += 1


@compiled
def need(s: Record, i: Ints, start: int, chest: int) -> int:
    """The fewest amulets that open a walk to a chest, NONE if nothing does."""
    for index in range(s.masks):
        mask = i[s.mask_order + index]
        region = s.region + mask * s.cells
        if i[region + start] == i[region + chest]:
            return mask
    return NONE


@compiled
def several(s: Record, i: Ints) -> int:
    """The amulets of colours with several wizards."""
    seen, twice = 0, 0
    for wizard in range(s.wizards):
        bit = 1 << i[s.wizard_colour + wizard]
        twice |= seen & bit
        seen |= bit
    return twice


@compiled
def walk(s: Record, i: Ints, c: Points, target: int, mask: int) -> int:
    """Where the table of walks to a target lies: the least points from each cell, asking nobody.

    Targets are the chests and then the wizards; the cost of asking the wizard is included.
    """
    place = target * s.masks + mask
    table = s.walk + place * s.cells
    if i[s.walk_done + place]:
        return table
    i[s.walk_done + place] = 1
    fill(c, table, s.cells, FAR)
    tail = 0
    if target < s.goals:
        chest = i[s.chest_cell + target]
        if walkable(s, i, chest, mask):
            i[s.queue] = chest
            c[table + chest] = 0
            tail = 1
    elif not mask >> i[s.wizard_colour + target - s.goals] & 1:
        for action in range(4):
            cell = ahead(s, i[s.wizard_cell + target - s.goals], action)
            if walkable(s, i, cell, mask):
                i[s.queue + tail] = cell
                c[table + cell] = s.interact
                tail += 1
    head = 0
    while head < tail:
        cell = i[s.queue + head]
        head += 1
        cost = c[table + cell] + s.move
        for action in range(4):
            there = ahead(s, cell, action)
            if c[table + there] == FAR and walkable(s, i, there, mask):
                c[table + there] = cost
                i[s.queue + tail] = there
                tail += 1
    return table


@compiled
def experts(s: Record, i: Ints, c: Points) -> None:
    """The least points to the chest from every cell with every set of amulets, in every lane.

    Larger sets of amulets come first: asking a holder leads from a set to a larger one. Within a
    set, what can be walked spreads first, and then what goes by way of a holder.
    """
    for mask in range(s.masks - 1, -1, -1):
        table = s.expert + mask * s.cells * s.lanes
        fill(c, table, s.cells * s.lanes, FAR)
        tail = EMPTY
        for goal in range(s.goals):
            cell = i[s.chest_cell + goal]
            if walkable(s, i, cell, mask):
                fill(c, table + cell * s.lanes + goal * s.holders, s.holders, 0)
                tail = enqueue(s, i, cell, tail)
        head = tail = spread(s, i, c, table, mask, EMPTY, tail)
        for wizard in range(s.wizards):
            if mask >> i[s.wizard_colour + wizard] & 1:
                continue
            for action in range(4):
                cell = ahead(s, i[s.wizard_cell + wizard], action)
                if walkable(s, i, cell, mask) and ask(s, i, c, mask, cell, wizard):
                    tail = enqueue(s, i, cell, tail)
        spread(s, i, c, table, mask, head, tail)


@compiled
def ask(s: Record, i: Ints, c: Points, mask: int, cell: int, wizard: int) -> bool:
    """Let points at a cell fall to those of asking a wizard where it is the holder; if any did."""
    colour = i[s.wizard_colour + wizard]
    here = s.expert + (mask * s.cells + cell) * s.lanes
    after = s.expert + ((mask | 1 << colour) * s.cells + cell) * s.lanes
    fell = False
    for h in range(s.holders):
        if i[s.holder_of + h * s.colours + colour] == wizard:
            for lane in range(h, s.lanes, s.holders):
                points = c[after + lane] + s.interact
                if points < c[here + lane]:
                    c[here + lane] = points
                    fell = True
    return fell


@compiled
def enqueue(s: Record, i: Ints, cell: int, tail: int) -> int:
    """Put a cell into the ring of cells to look at, unless it waits there already."""
    if not i[s.queued + cell]:
        i[s.queued + cell] = 1
        i[s.queue + tail] = cell
        tail = 0 if tail + 1 == s.cells else tail + 1
    return tail


@compiled
def spread(s: Record, i: Ints, c: Points, table: int, mask: int, head: int, tail: int) -> int:
    """Let the points of the waiting cells spread a move at a time; the ring's place at the end."""
    while head != tail:
        cell = i[s.queue + head]
        head = 0 if head + 1 == s.cells else head + 1
        i[s.queued + cell] = 0
        here = c[table + cell * s.lanes : table + (cell + 1) * s.lanes]
        for action in range(4):
            there = ahead(s, cell, action)
            if walkable(s, i, there, mask):
                lanes = c[table + there * s.lanes : table + (there + 1) * s.lanes]
                if lower(here, lanes, s.move):
                    tail = enqueue(s, i, there, tail)
    return tail


@compiled
def lower(here: Points, there: Points, move: int) -> bool:
    """Let the points of a cell fall to those of the cell beside it and a move; whether any did."""
    fell = 0
    for lane in range(len(here)):
        before = there[lane]
        after = min(before, here[lane] + np.int32(move))
        fell |= before - after
        there[lane] = after
    return fell != 0
