"""Compiled: exact costs-to-go, each worked out when it is first asked for.

`reference` is the plain version of the same costs.
"""

from __future__ import annotations

from onlooker.planning.compiling import compiled
from onlooker.planning.structures import Points1
from onlooker.planning.world import FAR, NONE, World, walkable


@compiled
def distance_to(world: World, source: int, mask: int) -> Points1:
    """The least points of a walk from each cell to a source, asking nobody."""
    distance: Points1 = world.distance[source, mask]
    if world.distance_known[source, mask]:
        return distance
    world.distance_known[source, mask] = True
    for cell in range(world.cells):
        distance[cell] = FAR
    end = world.source_cell[source]
    if not walkable(world, end, mask):
        return distance
    queue, ahead, move = world.queue, world.ahead, world.move
    queue[0], distance[end] = end, 0
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        points = distance[cell] + move
        for action in range(4):
            there = ahead[cell, action]
            if there != NONE and distance[there] == FAR and walkable(world, there, mask):
                distance[there], queue[tail] = points, there
                tail += 1
    return distance


@compiled
def asking(world: World, wizard: int, mask: int) -> Points1:
    """The least points from each cell to having asked a wizard and nobody else.

    There is no asking a wizard whose amulet is held.
    """
    points: Points1 = world.asking[wizard, mask]
    if world.asking_known[wizard, mask]:
        return points
    world.asking_known[wizard, mask] = True
    for cell in range(world.cells):
        points[cell] = FAR
    if mask >> world.wizard_colour[wizard] & 1:
        return points
    for action in range(4):
        source = world.beside[wizard, action]
        if source != NONE:
            distance = distance_to(world, source, mask)
            for cell in range(world.cells):
                if distance[cell] < FAR:
                    points[cell] = min(points[cell], distance[cell] + world.interact)
    return points


@compiled
def expert_costs(world: World, mask: int, cell: int) -> Points1:
    """The least points to the chest of each lane for one who knows its holders.

    It walks to the chest, or to a holder whose amulet it lacks, asks, and goes on from there.
    """
    costs: Points1 = world.expert[mask, cell]
    if world.expert_known[mask, cell]:
        return costs
    world.expert_known[mask, cell] = True
    holders, goals = world.holders, world.goals
    for goal in range(goals):
        walk = distance_to(world, goal, mask)[cell]
        for h in range(holders):
            costs[goal * holders + h] = walk
    for wizard in range(world.wizards):
        colour = world.wizard_colour[wizard]
        if mask >> colour & 1:
            continue
        for action in range(4):
            source = world.beside[wizard, action]
            if source == NONE:
                continue
            walk = distance_to(world, source, mask)[cell]
            if walk >= FAR:
                continue
            after = expert_costs(world, mask | 1 << colour, world.source_cell[source])
            for h in range(holders):
                if world.holder_of[h, colour] == wizard:
                    for lane in range(h, world.lanes, holders):
                        points = after[lane] + walk + world.interact
                        costs[lane] = min(costs[lane], points)
    return costs
