"""Compiled: watching as long as it pays, the appraisal of Graded Mentalizing.

What an NPC could be seen to do from now on forms a tree. At each of its nodes watching may end, and
acting then costs a mixture of the expected search and the worst case. `reference.lookahead` is the
plain version.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from onlooker.inference.kernels.histories import has_arrived, imagine_step
from onlooker.inference.kernels.posteriors import (
    assess,
    gather,
    weigh,
    weigh_in_logs,
    weigh_marginals,
)
from onlooker.inference.kernels.tree import Tree, longer
from onlooker.observers.kernels.findings import Search, new_search
from onlooker.observers.kernels.imagining import residual
from onlooker.observers.kernels.parts import Appraisal, choose
from onlooker.observers.kernels.runs import explain
from onlooker.observers.kernels.search import expected_cost, set_out, weigh_holders
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Floats1, Ints1, borrow, structure
from onlooker.planning.world import EMPTY, NONE, World


@structure
class Outlook:
    """What could be seen of an NPC from now on, and what acting would cost there."""

    caution: float  # between the expected cost (0) and the worst case (1)
    cost: Floats1  # (nodes): of acting with the belief at a node
    cost_version: Ints1  # (nodes): of the evidence

    # the tree of what could be seen of the NPC at hand
    trees: int  # how many there were
    in_tree: Ints1  # (nodes): the last one that it was in
    order: Ints1  # (nodes): those in it, each after the one that it follows
    before: Ints1  # (nodes): the one that it follows
    mass: Floats1  # (nodes): the chance of coming through it
    mass_after: Floats1  # (nodes): of coming through one that follows it
    cost_after: Floats1  # (nodes): that chance times the cost from there
    place: Ints1  # (lanes): the node that a hypothesis has come to, NONE if it ends
    weight: Floats1  # (lanes): its present probability


@compiled
def new_outlook(packed: Packed, caution: float, nodes: int) -> Outlook:
    """Room for what could be seen in any of some packed trials."""
    kept = Outlook()
    outlook = borrow(kept)
    outlook.caution = caution
    outlook.cost, outlook.cost_version = np.empty(1), np.zeros(1, np.int64)
    outlook.in_tree, outlook.order = np.zeros(1, np.int64), np.empty(1, np.int64)
    outlook.before, outlook.mass = np.empty(1, np.int64), np.empty(1)
    outlook.mass_after, outlook.cost_after = np.empty(1), np.empty(1)
    outlook.place = np.empty(packed.lanes, np.int64)
    outlook.weight = np.empty(packed.lanes)
    make_outlook_room(outlook, nodes)
    return kept


@compiled
def make_outlook_room(outlook: Outlook, nodes: int) -> None:
    """Room for so many nodes, if there is less."""
    if len(outlook.cost) >= nodes:
        return
    outlook.cost = longer(outlook.cost, nodes)
    outlook.cost_version = longer(outlook.cost_version, nodes)
    outlook.in_tree, outlook.order = longer(outlook.in_tree, nodes), longer(outlook.order, nodes)
    outlook.before, outlook.mass = longer(outlook.before, nodes), longer(outlook.mass, nodes)
    outlook.mass_after = longer(outlook.mass_after, nodes)
    outlook.cost_after = longer(outlook.cost_after, nodes)


@compiled
def look_around(world: World, tree: Tree, search: Search, outlook: Outlook) -> None:
    """Get ready to look ahead from where the main agent stands."""
    make_outlook_room(outlook, len(tree.npc))
    if outlook.caution < 1:
        set_out(world, search, tree.cell_now, tree.amulets_now, EMPTY)


@compiled
def acting_cost(
    world: World, tree: Tree, thoughts: Thoughts, search: Search, outlook: Outlook, node: int
) -> float:
    """C: what acting would cost with the belief at a node of an NPC whose evidence is gathered."""
    version = tree.version[tree.npc[node]]
    if outlook.cost_version[node] != version:
        outlook.cost_version[node] = version
        caution, cost = outlook.caution, 0.0
        if caution > 0:
            assess(world, tree, node)
            cost += caution * residual(world, tree, thoughts, node)
        if caution < 1:
            if not weigh_marginals(world, tree, node):
                weigh_in_logs(world, tree, node)
            weigh_holders(world, search, tree.holder_p)
            cost += (1 - caution) * expected_cost(world, search)
        outlook.cost[node] = cost
    return float(outlook.cost[node])


@compiled
def watching_cost(
    world: World, tree: Tree, thoughts: Thoughts, search: Search, outlook: Outlook, npc: int
) -> float:
    """Q: what one look at an NPC costs, then watching it as long as it pays, then acting."""
    gather(world, tree, npc)
    start = tree.history[npc]
    if world.open & ~tree.amulets_now == 0:  # nothing can be learnt
        return world.observe + acting_cost(world, tree, thoughts, search, outlook, start)
    count = look_ahead(world, tree, outlook, start)
    if tree.error:
        return np.nan
    mass_after, cost_after = outlook.mass_after, outlook.cost_after
    for index in range(count - 1, -1, -1):
        node = outlook.order[index]
        cost = acting_cost(world, tree, thoughts, search, outlook, node)
        if mass_after[node] > 0:
            cost = min(cost, world.observe + cost_after[node] / mass_after[node])
        before, mass = outlook.before[node], outlook.mass[node]
        mass_after[before] += mass
        cost_after[before] += mass * cost
    if mass_after[start] > 0:
        return float(world.observe + cost_after[start] / mass_after[start])
    return world.observe + acting_cost(world, tree, thoughts, search, outlook, start)


@compiled
def look_ahead(world: World, tree: Tree, outlook: Outlook, start: int) -> int:
    """The tree of what could be seen from a node on, into `order`; how many nodes follow it.

    Every hypothesis that is possible now is followed to the NPC's arrival, one step of all of them
    after the other.
    """
    weigh(world, tree, start)
    place, weight = outlook.place, outlook.weight
    for lane in range(world.lanes):
        weight[lane] = tree.joint[lane]
        place[lane] = start if weight[lane] > 0 else NONE
    outlook.trees += 1
    outlook.mass_after[start] = outlook.cost_after[start] = 0.0
    count, goes_on = 0, True
    while goes_on:
        goes_on = False
        for lane in range(world.lanes):
            if place[lane] == NONE:
                continue
            node = imagine_step(world, tree, place[lane], lane)
            if tree.error:
                return 0
            if node != NONE:
                if outlook.in_tree[node] != outlook.trees:
                    outlook.in_tree[node], outlook.before[node] = outlook.trees, place[lane]
                    outlook.order[count] = node
                    count += 1
                    outlook.mass[node] = 0.0
                    outlook.mass_after[node] = outlook.cost_after[node] = 0.0
                outlook.mass[node] += weight[lane]
                goes_on = True
            place[lane] = node
    return count


@inlined
def appraise_ahead(
    world: World, tree: Tree, thoughts: Thoughts, search: Search, outlook: Outlook
) -> None:
    """Give acting and watching each NPC a value, as `parts.appraise` does for other appraisals."""
    look_around(world, tree, search, outlook)
    start_thinking(world, thoughts)
    gather(world, tree, EMPTY)
    node = tree.history[0]
    thoughts.c_self[0] = acting_cost(world, tree, thoughts, search, outlook, node)
    thoughts.value[0] = -thoughts.c_self[0]
    for npc in range(world.npcs):
        thoughts.value[1 + npc] = -np.inf
        if not has_arrived(tree, npc) and not tree.error:
            cost = watching_cost(world, tree, thoughts, search, outlook, npc)
            thoughts.q_obs[npc], thoughts.value[1 + npc] = cost, -cost


@inlined
def start_thinking(world: World, thoughts: Thoughts) -> None:
    """Nothing is worked out yet, and nothing is planned."""
    thoughts.planned = Appraisal.LOOKAHEAD_COSTS
    thoughts.c_self[0] = np.nan
    for npc in range(world.npcs):
        thoughts.until[npc] = 0
        thoughts.q_obs[npc] = thoughts.looks[npc] = thoughts.distance[npc] = np.nan
        for lane in range(world.lanes):
            thoughts.particle_p[npc, lane] = 0.0


def _prepare_lookahead(packed: Packed, caution: float, nodes: int) -> Any:
    """What looking ahead in a trial needs."""
    return new_search(packed), new_outlook(packed, caution, nodes)


def _decide_ahead(
    kept_world: World,
    kept_tree: Tree,
    kept_thoughts: Thoughts,
    kept_search: Search,
    kept_outlook: Outlook,
    rule: int,
    last: int,
) -> Any:
    """The choice at the present view, by looking ahead, and an error; the rest is in thoughts."""
    world, tree, thoughts = borrow(kept_world), borrow(kept_tree), borrow(kept_thoughts)
    appraise_ahead(world, tree, thoughts, borrow(kept_search), borrow(kept_outlook))
    choice = NONE
    if not tree.error:
        choice = choose(world, tree, thoughts, rule, last)
        explain(world, tree, thoughts)
    error = (tree.error, tree.error_npc, tree.error_step, tree.cell_now, tree.amulets_now)
    return choice, error


prepare_lookahead, decide_ahead = Entry(_prepare_lookahead), Entry(_decide_ahead)
