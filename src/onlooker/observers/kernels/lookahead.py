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
    believe,
    candidates,
    gather,
    weigh,
    weigh_holders,
    weigh_in_logs,
)
from onlooker.inference.kernels.tree import TINY, Tree, longer
from onlooker.observers.kernels.findings import Search, new_search
from onlooker.observers.kernels.parts import Appraisal, choose
from onlooker.observers.kernels.plans import Plans, lay_plans, new_plans, search_cost
from onlooker.observers.kernels.runs import explain
from onlooker.observers.kernels.search import share_out
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.kernels.tours import c_self
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.packing import Packed
from onlooker.planning.structures import Floats1, Ints1, borrow, structure
from onlooker.planning.world import EMPTY, NONE, World


@structure
class Lookout:
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
def new_lookout(packed: Packed, caution: float, nodes: int) -> Lookout:
    """Room for what could be seen in any of some packed trials."""
    kept = Lookout()
    lookout = borrow(kept)
    lookout.caution = caution
    lookout.cost, lookout.cost_version = np.empty(1), np.zeros(1, np.int64)
    lookout.in_tree, lookout.order = np.zeros(1, np.int64), np.empty(1, np.int64)
    lookout.before, lookout.mass = np.empty(1, np.int64), np.empty(1)
    lookout.mass_after, lookout.cost_after = np.empty(1), np.empty(1)
    lookout.place = np.empty(packed.lanes, np.int64)
    lookout.weight = np.empty(packed.lanes)
    make_lookout_room(lookout, nodes)
    return kept


@compiled
def make_lookout_room(lookout: Lookout, nodes: int) -> None:
    """Room for so many nodes, if there is less."""
    if len(lookout.cost) >= nodes:
        return
    lookout.cost = longer(lookout.cost, nodes)
    lookout.cost_version = longer(lookout.cost_version, nodes)
    lookout.in_tree = longer(lookout.in_tree, nodes)
    lookout.order = longer(lookout.order, nodes)
    lookout.before, lookout.mass = longer(lookout.before, nodes), longer(lookout.mass, nodes)
    lookout.mass_after = longer(lookout.mass_after, nodes)
    lookout.cost_after = longer(lookout.cost_after, nodes)


@compiled
def forget_costs(lookout: Lookout) -> None:
    """Forget what acting costs, for another trial."""
    for node in range(len(lookout.cost_version)):
        lookout.cost_version[node] = 0


@compiled
def look_around(world: World, tree: Tree, search: Search, plans: Plans, lookout: Lookout) -> None:
    """Get ready to look ahead from where the main agent stands."""
    make_lookout_room(lookout, len(tree.npc))
    if lookout.caution < 1:
        lay_plans(world, search, plans, tree.cell_now, tree.amulets_now)


@compiled
def acting_cost(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    search: Search,
    plans: Plans,
    lookout: Lookout,
    node: int,
) -> float:
    """C: what acting would cost with the belief at a node of an NPC whose evidence is gathered."""
    version, caution = tree.version[tree.npc[node]], lookout.caution
    if lookout.cost_version[node] != version:
        if weigh_holders(world, tree, node) < TINY:
            weigh_in_logs(world, tree, node)
        cost = 0.0
        if caution > 0:
            believe(world, tree, node)
            belief = tree.belief[node]
            wizards = candidates(world, tree, belief)
            cost += caution * c_self(world, tree, thoughts, wizards, belief)
        if caution < 1:
            share_out(world, search, tree.holder_p)
            cost += (1 - caution) * search_cost(world, search, plans)
        lookout.cost[node], lookout.cost_version[node] = cost, version
    return float(lookout.cost[node])


@compiled
def watching_cost(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    search: Search,
    plans: Plans,
    lookout: Lookout,
    npc: int,
) -> float:
    """Q: what one look at an NPC costs, then watching it as long as it pays, then acting."""
    gather(world, tree, npc)
    start, count = tree.history[npc], 0
    if world.open & ~tree.amulets_now:  # else nothing can be learnt
        count = look_ahead(world, tree, lookout, start)
    if tree.error:
        return np.nan
    mass_after, cost_after = lookout.mass_after, lookout.cost_after
    for index in range(count - 1, -1, -1):
        node = lookout.order[index]
        cost = acting_cost(world, tree, thoughts, search, plans, lookout, node)
        if mass_after[node] > 0:
            cost = min(cost, world.observe + cost_after[node] / mass_after[node])
        before, mass = lookout.before[node], lookout.mass[node]
        mass_after[before] += mass
        cost_after[before] += mass * cost
    if count:
        return float(world.observe + cost_after[start] / mass_after[start])
    return world.observe + acting_cost(world, tree, thoughts, search, plans, lookout, start)


@inlined
def look_ahead(world: World, tree: Tree, lookout: Lookout, start: int) -> int:
    """The tree of what could be seen from a node on, into `order`; how many nodes follow it.

    Every hypothesis that is possible now is followed to the NPC's arrival, one step of all of them
    after the other.
    """
    weigh(world, tree, start)
    place, weight = lookout.place, lookout.weight
    for lane in range(world.lanes):
        weight[lane] = tree.joint[lane]
        place[lane] = start if weight[lane] > 0 else NONE
    lookout.trees += 1
    lookout.mass_after[start] = lookout.cost_after[start] = 0.0
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
                if lookout.in_tree[node] != lookout.trees:
                    lookout.in_tree[node], lookout.before[node] = lookout.trees, place[lane]
                    lookout.order[count] = node
                    count += 1
                    lookout.mass[node] = 0.0
                    lookout.mass_after[node] = lookout.cost_after[node] = 0.0
                lookout.mass[node] += weight[lane]
                goes_on = True
            place[lane] = node
    return count


@inlined
def appraise_ahead(
    world: World, tree: Tree, thoughts: Thoughts, search: Search, plans: Plans, lookout: Lookout
) -> None:
    """Give acting and watching each NPC a value, as `parts.appraise` does for other appraisals."""
    look_around(world, tree, search, plans, lookout)
    start_thinking(world, thoughts)
    gather(world, tree, EMPTY)
    node = tree.history[0]
    thoughts.c_self[0] = acting_cost(world, tree, thoughts, search, plans, lookout, node)
    thoughts.value[0] = -thoughts.c_self[0]
    for npc in range(world.npcs):
        thoughts.value[1 + npc] = -np.inf
        if not has_arrived(tree, npc) and not tree.error:
            cost = watching_cost(world, tree, thoughts, search, plans, lookout, npc)
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
    return new_search(packed), new_plans(packed), new_lookout(packed, caution, nodes)


def _decide_ahead(
    kept_world: World,
    kept_tree: Tree,
    kept_thoughts: Thoughts,
    kept_search: Search,
    kept_plans: Plans,
    kept_lookout: Lookout,
    rule: int,
    last: int,
) -> Any:
    """The choice at the present view, by looking ahead, and an error; the rest is in thoughts."""
    world, tree, thoughts = borrow(kept_world), borrow(kept_tree), borrow(kept_thoughts)
    search, plans, lookout = borrow(kept_search), borrow(kept_plans), borrow(kept_lookout)
    appraise_ahead(world, tree, thoughts, search, plans, lookout)
    choice = NONE
    if not tree.error:
        choice = choose(world, tree, thoughts, rule, last)
        explain(world, tree, thoughts)
    error = (tree.error, tree.error_npc, tree.error_step, tree.cell_now, tree.amulets_now)
    return choice, error


prepare_lookahead, decide_ahead = Entry(_prepare_lookahead), Entry(_decide_ahead)
