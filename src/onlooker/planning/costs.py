"""Compiled: exact costs-to-go, each worked out when it is first asked for.

`tables` has the plain version of the same costs.
"""

from __future__ import annotations

from onlooker.planning.compiling import compiled
from onlooker.planning.world import FAR, World


@compiled
def distance(world: World, source: int, mask: int, cell: int) -> int:
    """The least points of a walk from a cell to a source, asking nobody."""
    if not world.distance_known[source, mask]:
        measure(world, source, mask)
    return int(world.distance[source, mask, cell])


@compiled
def measure(world: World, source: int, mask: int) -> None:
    """Work out the distances of all cells from a source."""
    world.distance_known[source, mask] = True
    points, queue, move = world.distance[source, mask], world.queue, world.move
    near, degree, closed = world.near, world.degree, world.closed
    for cell in range(world.cells):
        points[cell] = FAR
    end = world.source_cell[source]
    if closed[end] & ~mask:
        return
    queue[0], points[end] = end, 0
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        for index in range(degree[cell]):
            there = near[cell, index]
            if points[there] == FAR and not closed[there] & ~mask:
                points[there], queue[tail] = points[cell] + move, there
                tail += 1


@compiled
def asking(world: World, wizard: int, mask: int, cell: int) -> int:
    """The least points from a cell to having asked a wizard and nobody else.

    There is no asking a wizard whose amulet is held.
    """
    least = FAR
    if mask >> world.wizard_colour[wizard] & 1:
        return least
    for side in range(world.sides[wizard]):
        walk = distance(world, world.beside[wizard, side], mask, cell)
        least = min(least, walk + world.interact)
    return least


@compiled
def plan_expert(world: World, mask: int, cell: int) -> None:
    """Work out `expert` at a cell: least points to the chest of each lane, holders known.

    One walks to the chest, or to a holder whose amulet one lacks, asks, and goes on from there.
    """
    if world.expert_known[mask, cell]:
        return
    world.expert_known[mask, cell] = True
    costs = world.expert[mask, cell]
    assignments, lanes, interact = world.assignments, world.lanes, world.interact
    for goal in range(world.goals):
        walk = distance(world, goal, mask, cell)
        for h in range(assignments):
            costs[goal * assignments + h] = walk
    for wizard in range(world.wizards):
        colour = world.wizard_colour[wizard]
        if mask >> colour & 1:
            continue
        for side in range(world.sides[wizard]):
            source = world.beside[wizard, side]
            walk = distance(world, source, mask, cell)
            if walk >= FAR:
                continue
            plan_expert(world, mask | 1 << colour, world.source_cell[source])
            after = world.expert[mask | 1 << colour, world.source_cell[source]]
            spent, refusal = walk + interact, world.refusal[wizard]
            for lane in range(lanes):
                costs[lane] = min(costs[lane], max(after[lane] + spent, refusal[lane]))
