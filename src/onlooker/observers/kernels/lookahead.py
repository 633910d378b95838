"""Compiled: watching as long as it pays, the appraisal of Graded Mentalizing.

What an NPC could be seen to do from now on forms a tree. At each of its nodes watching may end, and
acting then costs a mixture of the expected search and the worst case.
`tests/observers/lookahead_reference.py` is the plain version.
"""

from __future__ import annotations

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
from onlooker.inference.kernels.tree import TINY, Tree
from onlooker.observers.kernels.findings import Search
from onlooker.observers.kernels.parts import Appraisal, choose, start_thinking
from onlooker.observers.kernels.plans import Lookahead, lay_plans, search_cost
from onlooker.observers.kernels.runs import explain
from onlooker.observers.kernels.search import set_holder_weights
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.kernels.tours import c_self
from onlooker.planning.compiling import Entry, compiled, inlined
from onlooker.planning.world import EMPTY, NONE, World


@compiled
def acting_cost(
    world: World, tree: Tree, thoughts: Thoughts, search: Search, ahead: Lookahead, node: int
) -> float:
    """C: what acting would cost with the belief at a node of an NPC whose evidence is gathered."""
    version, caution = tree.version[tree.npc[node]], ahead.caution
    if ahead.cost_version[node] != version:
        if weigh_holders(world, tree, node) < TINY:
            weigh_in_logs(world, tree, node)
        cost = 0.0
        if caution > 0:
            believe(world, tree, node)
            belief = tree.belief[node]
            wizards = candidates(world, tree, belief)
            cost += caution * c_self(world, tree, thoughts, wizards, belief)
        if caution < 1:
            set_holder_weights(world, search, tree.holder_p)
            cost += (1 - caution) * search_cost(world, search, ahead)
        ahead.cost[node], ahead.cost_version[node] = cost, version
    return float(ahead.cost[node])


@compiled
def watching_cost(
    world: World, tree: Tree, thoughts: Thoughts, search: Search, ahead: Lookahead, npc: int
) -> float:
    """Q: what one look at an NPC costs, then watching it as long as it pays, then acting."""
    gather(world, tree, npc)
    start, count = tree.history[npc], 0
    if world.open & ~tree.amulets_now:  # else nothing can be learnt
        count = look_ahead(world, tree, ahead, start)
    if tree.error:
        return np.nan
    mass_after, cost_after = ahead.mass_after, ahead.cost_after
    for index in range(count - 1, -1, -1):
        node = ahead.order[index]
        cost = acting_cost(world, tree, thoughts, search, ahead, node)
        if mass_after[node] > 0:
            cost = min(cost, world.observe + cost_after[node] / mass_after[node])
        before, mass = ahead.before[node], ahead.mass[node]
        mass_after[before] += mass
        cost_after[before] += mass * cost
    if count:
        return float(world.observe + cost_after[start] / mass_after[start])
    return world.observe + acting_cost(world, tree, thoughts, search, ahead, start)


@inlined
def look_ahead(world: World, tree: Tree, ahead: Lookahead, start: int) -> int:
    """The tree of what could be seen from a node on, into `order`; how many nodes follow it.

    Every hypothesis that is possible now is followed to the NPC's arrival, one step of all of them
    after the other.
    """
    weigh(world, tree, start)
    place, weight = ahead.place, ahead.weight
    for lane in range(world.lanes):
        weight[lane] = tree.joint[lane]
        place[lane] = start if weight[lane] > 0 else NONE
    ahead.trees += 1
    ahead.mass_after[start] = ahead.cost_after[start] = 0.0
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
                if ahead.in_tree[node] != ahead.trees:
                    ahead.in_tree[node], ahead.before[node] = ahead.trees, place[lane]
                    ahead.order[count] = node
                    count += 1
                    ahead.mass[node] = 0.0
                    ahead.mass_after[node] = ahead.cost_after[node] = 0.0
                ahead.mass[node] += weight[lane]
                goes_on = True
            place[lane] = node
    return count


@inlined
def appraise_ahead(
    world: World, tree: Tree, thoughts: Thoughts, search: Search, ahead: Lookahead
) -> None:
    """Give acting and watching each NPC a value, as `parts.appraise` does for other appraisals."""
    start_thinking(world, thoughts, Appraisal.LOOKAHEAD_COSTS)
    lay_plans(world, tree, search, ahead)
    if tree.error:
        return
    gather(world, tree, EMPTY)
    node = tree.history[0]
    thoughts.c_self[0] = acting_cost(world, tree, thoughts, search, ahead, node)
    thoughts.value[0] = -thoughts.c_self[0]
    for npc in range(world.npcs):
        thoughts.value[1 + npc] = -np.inf
        if not has_arrived(tree, npc) and not tree.error:
            cost = watching_cost(world, tree, thoughts, search, ahead, npc)
            thoughts.q_obs[npc], thoughts.value[1 + npc] = cost, -cost


def _decide_ahead(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    search: Search,
    ahead: Lookahead,
    rule: int,
    last: int,
) -> int:
    """The choice at the present view, by looking ahead; the rest is left in thoughts."""
    tree.error = 0  # of an earlier question
    appraise_ahead(world, tree, thoughts, search, ahead)
    if tree.error:
        return NONE
    explain(world, tree, thoughts)
    return choose(world, tree, thoughts, rule, last)


decide_ahead = Entry(_decide_ahead)
