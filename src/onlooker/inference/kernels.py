"""Compiled: how likely an NPC's actions are under every hypothesis, and what they tell.

A node is what has been seen of an NPC so far. Nodes form a tree for each NPC that grows as it is
asked for, and real steps, imagined ones and all observers share it: a future that was imagined is
there when it comes true. Which wizards an NPC has asked is seen, so under a hypothesis it holds
the amulets of exactly those holders that are among them.

`reference` is the plain version. `planning.memory` says what the arguments are.
"""

from __future__ import annotations

import math

import numpy as np

from onlooker.inference.parameters import TOLERANCE
from onlooker.planning.compiling import Entry, compiled
from onlooker.planning.kernels import ahead, begin, experts, fill, walk, walkable
from onlooker.planning.memory import EMPTY, FAR, NONE, Floats, Ints, Points, Record, Records

OUTCOMES = 5  # of what is seen of an action: `action * OUTCOMES` and one of
MOVED, ARRIVED, ASKED, REFUSED, GAVE = range(OUTCOMES)  # ASKED: the outcome is hidden

# Errors: no room for another node or a longer path; and what `workspace.failure` makes of others.
FULL, TOO_LONG, UNEXPLAINED, NPC_STUCK, MAIN_STUCK = range(1, 6)
CLIPPED = (1 << 15) - 1  # points behind the best action that are too many for a key
UNKNOWN = -2


@compiled
def plant(s: Record, i: Ints, f: Floats) -> None:
    """The tree of each NPC before anything was seen of it."""
    s.node_count = 0
    fill(i, s.log_key, s.logs, NONE)
    fill(f, s.own, s.holders, 0.0)
    for npc in range(max(s.npcs, 1)):  # a belief needs a node even where there is no NPC
        node = new_node(s, i, npc, i[s.npc_cell + npc], EMPTY)
        fill(f, s.log_w + node * s.lanes, s.lanes, 0.0)
        i[s.history + npc] = node
    fill(i, s.assessed, s.agents * s.agents, NONE)
    s.version_count = 0
    fill(i, s.version, s.agents, 0)


@compiled
def new_node(s: Record, i: Ints, npc: int, cell: int, asked: int) -> int:
    """Room for one more node, NONE if there is none."""
    node = s.node_count
    if node >= s.nodes:
        s.error = FULL
        return NONE
    s.node_count = node + 1
    i[s.node_npc + node], i[s.node_cell + node], i[s.node_asked + node] = npc, cell, asked
    i[s.node_steps + node] = i[s.node_arrived + node] = 0
    i[s.node_ready + node] = i[s.node_version + node] = 0
    fill(i, s.child + node * s.seen, s.seen, NONE)
    return node


# -- what an NPC would do ----------------------------------------------------------------------


@compiled
def hold(s: Record, i: Ints, asked: int) -> None:
    """Note the amulets held under each assignment of holders when some wizards were asked."""
    for h in range(s.holders):
        amulets = EMPTY
        for colour in range(s.colours):
            amulets |= (asked >> i[s.holder_of + h * s.colours + colour] & 1) << colour
        i[s.mask_of + h] = amulets


@compiled
def novice_value(
    s: Record, i: Ints, c: Points, npc: int, goal: int, amulets: int, asked: int, cell: int
) -> int:
    """Least points to asking a wizard for what it lacks or, lacking nothing, to its chest."""
    lacking = max(i[s.need + npc * s.goals + goal], 0) & ~amulets
    if not lacking:
        return int(c[walk(s, i, c, goal, amulets) + cell])
    least = FAR
    for wizard in range(s.wizards):
        if lacking >> i[s.wizard_colour + wizard] & 1 and not asked >> wizard & 1:
            least = min(least, int(c[walk(s, i, c, s.goals + wizard, amulets) + cell]))
    return least


@compiled
def expert_costs(s: Record, i: Ints, c: Points, node: int, action: int) -> None:
    """Q of an action in every lane, for an agent that knows the holders."""
    cell = i[s.node_cell + node]
    there = ahead(s, cell, action)
    wizard = i[s.wizard_at + there]
    q = c[s.q + action * s.lanes : s.q + (action + 1) * s.lanes]
    for h in range(s.holders):
        amulets = i[s.mask_of + h]
        place, cost = there, s.move
        if not walkable(s, i, there, amulets):
            if wizard == NONE:
                for goal in range(s.goals):
                    q[goal * s.holders + h] = FAR
                continue
            place, cost = cell, s.interact
            colour = i[s.wizard_colour + wizard]
            if i[s.holder_of + h * s.colours + colour] == wizard:
                amulets |= 1 << colour
        table = s.expert + (amulets * s.cells + place) * s.lanes + h
        for goal in range(s.goals):
            q[goal * s.holders + h] = c[table + goal * s.holders] + cost


@compiled
def novice_costs(s: Record, i: Ints, c: Points, node: int, action: int) -> None:
    """Q of an action in every lane, for an agent that does not know the holders.

    Asking a wizard that it has no use for is an action like any other but never its choice.
    """
    npc, cell, asked = i[s.node_npc + node], i[s.node_cell + node], i[s.node_asked + node]
    there = ahead(s, cell, action)
    wizard = i[s.wizard_at + there]
    bit = 0 if wizard == NONE else 1 << i[s.wizard_colour + wizard]
    for goal in range(s.goals):
        needed = max(i[s.need + npc * s.goals + goal], 0)
        before, q, wanted = NONE, FAR, False
        for h in range(s.holders):
            amulets = i[s.mask_of + h]
            moves = walkable(s, i, there, amulets)
            after = amulets
            if (
                bit
                and not moves
                and i[s.holder_of + h * s.colours + i[s.wizard_colour + wizard]] == wizard
            ):
                after |= bit
            if before != (amulets << 32 | after):  # else as under the assignment before
                before = amulets << 32 | after
                wanted = bool(needed & ~amulets & bit) and not asked >> wizard & 1
                if moves:
                    q = s.move + novice_value(s, i, c, npc, goal, amulets, asked, there)
                elif not bit:
                    q = FAR
                elif wanted:
                    q = s.interact
                else:
                    now = asked | 1 << wizard
                    q = s.interact + novice_value(s, i, c, npc, goal, after, now, cell)
            lane = action * s.lanes + goal * s.holders + h
            c[s.q + lane] = q
            c[s.chosen + lane] = q if moves or wanted else FAR


@compiled
def expand(s: Record, i: Ints, f: Floats, c: Points, node: int) -> None:
    """Work out what the NPC would do at a node: log P of each action, and its best one."""
    if i[s.node_ready + node]:
        return
    i[s.node_ready + node] = 1
    hold(s, i, i[s.node_asked + node])
    expert = i[s.npc_expert + i[s.node_npc + node]]
    if expert and not s.has_experts:
        experts(s, i, c)
        s.has_experts = 1
    for action in range(4):
        if expert:
            expert_costs(s, i, c, node, action)
        else:
            novice_costs(s, i, c, node, action)
    lanes = s.lanes
    chosen = s.q if expert else s.chosen
    fill(i, s.imagined + node * lanes, lanes, UNKNOWN)
    for lane in range(lanes):
        least, best = FAR, NONE
        for action in range(4):
            cost = c[chosen + action * lanes + lane]
            if cost < least:
                least, best = cost, action
        i[s.best + node * lanes + lane] = best
        boltzmann(s, i, f, c, node, lane)


@compiled
def boltzmann(s: Record, i: Ints, f: Floats, c: Points, node: int, lane: int) -> None:
    """log P of each action at a node in one lane: ∝ −β Q, over the actions of finite Q."""
    q = s.q + lane
    least = min(min(c[q], c[q + s.lanes]), min(c[q + 2 * s.lanes], c[q + 3 * s.lanes]))
    log_p = s.log_p + node * 4 * s.lanes + lane
    if least >= FAR:
        for action in range(4):
            f[log_p + action * s.lanes] = -np.inf
        return
    key, slot, remembered = 0, 0, True
    for action in range(4):
        behind = CLIPPED
        if c[q + action * s.lanes] < FAR:
            behind = c[q + action * s.lanes] - least
            remembered &= behind < CLIPPED
        key = key << 16 | behind
        slot = slot * 7 + behind
    slot &= s.logs - 1
    if not remembered or i[s.log_key + slot] != key:
        total = 0.0
        for action in range(4):
            cost = c[q + action * s.lanes]
            if cost < FAR:
                total += math.exp(-s.beta * (cost - least))
        i[s.log_key + slot] = key if remembered else NONE
        f[s.log_value + slot] = math.log(total)
    log_total = f[s.log_value + slot]
    for action in range(4):
        cost = c[q + action * s.lanes]
        if cost < FAR:
            f[log_p + action * s.lanes] = -s.beta * (cost - least) - log_total
        else:
            f[log_p + action * s.lanes] = -np.inf


# -- what is seen ------------------------------------------------------------------------------


@compiled
def after(s: Record, i: Ints, f: Floats, c: Points, node: int, seen: int) -> int:
    """The node after something was seen; it may leave no hypothesis (see `explained`)."""
    slot = s.child + node * s.seen + seen
    if i[slot] == NONE:
        i[slot] = grow(s, i, f, c, node, seen)
    return i[slot]


@compiled
def grow(s: Record, i: Ints, f: Floats, c: Points, node: int, seen: int) -> int:
    """Weigh every hypothesis by the probability of what was seen, 0 where it cannot have been."""
    expand(s, i, f, c, node)
    action, outcome = seen // OUTCOMES, seen % OUTCOMES
    npc, cell, asked = i[s.node_npc + node], i[s.node_cell + node], i[s.node_asked + node]
    there = ahead(s, cell, action)
    wizard = i[s.wizard_at + there]
    moved = outcome in (MOVED, ARRIVED)
    if moved:
        new = new_node(s, i, npc, there, asked)
    else:
        new = new_node(s, i, npc, cell, asked | 1 << wizard)
    if new == NONE:
        return NONE
    i[s.node_steps + new] = i[s.node_steps + node] + 1
    i[s.node_seen + new] = seen
    i[s.node_arrived + new] = outcome == ARRIVED
    hold(s, i, asked)
    lanes = s.lanes
    for h in range(s.holders):
        possible = walkable(s, i, there, i[s.mask_of + h]) == moved
        if not moved and outcome != ASKED and possible:
            gives = i[s.holder_of + h * s.colours + i[s.wizard_colour + wizard]] == wizard
            possible = gives == (outcome == GAVE)
        for goal in range(s.goals):
            lane = goal * s.holders + h
            takes_chest = i[s.chest_cell + goal] == there
            if possible and (not moved or takes_chest == (outcome == ARRIVED)):
                log_p = f[s.log_p + (node * 4 + action) * lanes + lane]
                f[s.log_w + new * lanes + lane] = f[s.log_w + node * lanes + lane] + log_p
            else:
                f[s.log_w + new * lanes + lane] = -np.inf
    return new


@compiled
def imagined(s: Record, i: Ints, f: Floats, c: Points, node: int, lane: int) -> int:
    """The node after the NPC's best action in a lane, NONE if it has none."""
    if i[s.node_arrived + node]:
        return NONE
    expand(s, i, f, c, node)
    slot = s.imagined + node * s.lanes + lane
    if i[slot] == UNKNOWN:
        action = i[s.best + node * s.lanes + lane]
        following = NONE
        if action != NONE:
            following = after(s, i, f, c, node, would_see(s, i, node, lane, action))
            if following == NONE:  # there was no room for it
                return NONE
        i[slot] = following
    return i[slot]


@compiled
def would_see(s: Record, i: Ints, node: int, lane: int, action: int) -> int:
    """What would be seen of an available action if a lane were the truth."""
    goal, h = lane // s.holders, lane % s.holders
    there = ahead(s, i[s.node_cell + node], action)
    wizard = i[s.wizard_at + there]
    if wizard != NONE:
        colour = i[s.wizard_colour + wizard]
        holder = i[s.holder_of + h * s.colours + colour]
        if not i[s.node_asked + node] >> holder & 1:
            if not s.reveals:
                return action * OUTCOMES + ASKED
            return action * OUTCOMES + (GAVE if holder == wizard else REFUSED)
    return action * OUTCOMES + (ARRIVED if there == i[s.chest_cell + goal] else MOVED)


@compiled
def explained(s: Record, f: Floats, node: int) -> bool:
    """Whether some hypothesis explains everything seen of an NPC."""
    for lane in range(s.lanes):
        if f[s.log_w + node * s.lanes + lane] > -np.inf:
            return True
    return False


@compiled
def together(s: Record, i: Ints, f: Floats) -> bool:
    """Whether some assignment of holders explains everything seen of all NPCs."""
    for h in range(s.holders):
        possible = f[s.own + h] > -np.inf
        for npc in range(s.npcs):
            some = False
            for goal in range(s.goals):
                some |= f[s.log_w + i[s.history + npc] * s.lanes + goal * s.holders + h] > -np.inf
            possible &= some
        if possible:
            return True
    return False


# -- what the NPCs really do -------------------------------------------------------------------


@compiled
def follow(s: Record, i: Ints, f: Floats, c: Points) -> None:
    """Work out what the NPCs really do: the nodes that they come through and whom they ask."""
    script = s.script
    for npc in range(s.npcs):
        length = i[s.script_length + npc]
        lane = i[s.npc_goal + npc] * s.holders + s.truth
        node, step = i[s.history + npc], 0
        i[s.path + npc * s.steps] = node
        while not i[s.node_arrived + node] and step != length:
            cell = i[s.node_cell + node]
            if length == NONE:
                node = imagined(s, i, f, c, node, lane)
            else:
                node = scripted(s, i, f, c, node, lane, i[script + step])
            if node == NONE or step + 1 >= s.steps:
                s.error_npc = npc
                if not s.error:
                    s.error = NPC_STUCK if node == NONE else TOO_LONG
                return
            action, outcome = i[s.node_seen + node] // OUTCOMES, i[s.node_seen + node] % OUTCOMES
            asked = i[s.wizard_at + ahead(s, cell, action)] if outcome >= ASKED else NONE
            i[s.met + npc * s.steps + step] = asked
            step += 1
            i[s.path + npc * s.steps + step] = node
        if step < length:  # it was to act on after its arrival
            s.error, s.error_npc = NPC_STUCK, npc
            return
        i[s.path_length + npc] = step
        script += max(length, 0)


@compiled
def scripted(s: Record, i: Ints, f: Floats, c: Points, node: int, lane: int, action: int) -> int:
    """The node after an action that the stimulus fixes, NONE if it is not available."""
    seen = would_see(s, i, node, lane, action)
    amulets = EMPTY
    for colour in range(s.colours):
        holder = i[s.holder_of + s.truth * s.colours + colour]
        amulets |= (i[s.node_asked + node] >> holder & 1) << colour
    there = ahead(s, i[s.node_cell + node], action)
    if seen % OUTCOMES < ASKED and not walkable(s, i, there, amulets):
        return NONE
    return after(s, i, f, c, node, seen)


@compiled
def restart(s: Record, i: Ints) -> None:
    """Back to where nothing was seen of any NPC."""
    for npc in range(s.npcs):
        i[s.history + npc] = npc


@compiled
def arrived(s: Record, i: Ints, npc: int) -> bool:
    """Whether an NPC has arrived, or done everything it does."""
    return i[s.node_steps + i[s.history + npc]] >= i[s.path_length + npc]


@compiled
def observe(s: Record, i: Ints, f: Floats, npc: int) -> None:
    """See one more step of an NPC."""
    step = i[s.node_steps + i[s.history + npc]] + 1
    node = i[s.path + npc * s.steps + step]
    i[s.history + npc] = node
    if not explained(s, f, node) or not together(s, i, f):
        s.error, s.error_npc, s.error_step = UNEXPLAINED, npc, step


# -- posteriors --------------------------------------------------------------------------------


@compiled
def gather(s: Record, i: Ints, f: Floats, npc: int) -> None:
    """Collect the evidence about the holders from everything but an NPC, if it has changed."""
    same = i[s.version + npc] > 0
    for k in range(s.npcs):
        if k != npc and i[s.assessed + npc * s.agents + k] != i[s.history + k]:
            i[s.assessed + npc * s.agents + k] = i[s.history + k]
            same = False
    if same:
        return
    s.version_count += 1
    i[s.version + npc] = s.version_count
    for h in range(s.holders):
        total = f[s.own + h]
        for k in range(s.npcs):
            if k != npc:
                total += log_holders(s, f, i[s.history + k], h)
        f[s.others + npc * s.holders + h] = total


@compiled
def log_holders(s: Record, f: Floats, node: int, h: int) -> float:
    """The log of an assignment's weight at a node, summed over goals."""
    top = -np.inf
    for goal in range(s.goals):
        top = max(top, f[s.log_w + node * s.lanes + goal * s.holders + h])
    if top == -np.inf:
        return top
    total = 0.0
    for goal in range(s.goals):
        total += math.exp(f[s.log_w + node * s.lanes + goal * s.holders + h] - top)
    return top + math.log(total)


@compiled
def weigh(s: Record, i: Ints, f: Floats, node: int) -> None:
    """P(goal, holders) at a node into `joint`, with its marginals `goal_p` and `holder_p`."""
    log_w = f[s.log_w + node * s.lanes : s.log_w + (node + 1) * s.lanes]
    others = s.others + i[s.node_npc + node] * s.holders
    others = f[others : others + s.holders]
    joint = f[s.joint : s.joint + s.lanes]
    top = -np.inf
    for goal in range(s.goals):
        for h in range(s.holders):
            lane = goal * s.holders + h
            joint[lane] = log_w[lane] + others[h]
            top = max(top, joint[lane])
    total = 0.0
    for lane in range(s.lanes):
        joint[lane] = math.exp(joint[lane] - top)
        total += joint[lane]
    fill(f, s.holder_p, s.holders, 0.0)
    for goal in range(s.goals):
        p = 0.0
        for h in range(s.holders):
            lane = goal * s.holders + h
            joint[lane] /= total
            p += joint[lane]
            f[s.holder_p + h] += joint[lane]
        f[s.goal_p + goal] = p


@compiled
def kept_goals(s: Record, f: Floats) -> int:
    """The goals that are likely enough to be kept, as bits: the first most likely if none is."""
    kept, top = 0, 0.0
    for goal in range(s.goals):
        p = f[s.goal_p + goal]
        top = max(top, p)
        if p >= s.prune:
            kept |= 1 << goal
    goal = 0
    while not kept:
        if f[s.goal_p + goal] >= top - TOLERANCE:
            kept = 1 << goal
        goal += 1
    return kept


@compiled
def assess(s: Record, i: Ints, f: Floats, node: int) -> None:
    """What would be believed at a node, and whether imagining ends there: settled, or hopeless."""
    npc = i[s.node_npc + node]
    if i[s.node_version + node] == i[s.version + npc]:
        return
    i[s.node_version + node] = i[s.version + npc]
    i[s.node_known + node] = 0
    weigh(s, i, f, node)
    belief = f[s.belief + node * s.wizards : s.belief + (node + 1) * s.wizards]
    fill(f, s.belief + node * s.wizards, s.wizards, 0.0)
    for h in range(s.holders):
        for colour in range(s.colours):
            belief[i[s.holder_of + h * s.colours + colour]] += f[s.holder_p + h]
    hopeful = False
    kept = kept_goals(s, f)
    for goal in range(s.goals):
        if kept >> goal & 1:
            needed = max(i[s.need + npc * s.goals + goal], 0)
            hopeful |= needed & s.open & ~s.amulets != 0
    i[s.node_stop + node] = not hopeful or settled(s, i, belief)


@compiled
def settled(s: Record, i: Ints, belief: Floats) -> bool:
    """Whether every lacking colour has a wizard that is surely enough its holder."""
    unsettled = s.needed & ~s.amulets
    for wizard in range(s.wizards):
        if belief[wizard] >= s.converge:
            unsettled &= ~(1 << i[s.wizard_colour + wizard])
    return unsettled == 0


@compiled
def candidates(s: Record, i: Ints, belief: Floats) -> int:
    """The wizards of each lacking colour that are worth going to, as bits."""
    bits = 0
    for colour in range(s.colours):
        if not (s.needed & ~s.amulets) >> colour & 1:
            continue
        top = 0.0
        for wizard in range(s.wizards):
            if i[s.wizard_colour + wizard] == colour:
                top = max(top, belief[wizard])
        first, kept = NONE, 0
        for wizard in range(s.wizards):
            if i[s.wizard_colour + wizard] == colour:
                if first == NONE and belief[wizard] >= top - TOLERANCE:
                    first = wizard
                if belief[wizard] >= s.prune:
                    kept |= 1 << wizard
        bits |= 1 << first if top >= s.converge or not kept else kept
    return bits


@compiled
def keep_particles(s: Record, f: Floats) -> None:
    """The hypotheses of `joint` worth imagining into `particle_p`: summing to 1, 0 for others."""
    kept = kept_goals(s, f)
    total = 0.0
    for goal in range(s.goals):
        first = s.joint + goal * s.holders
        top, least = 0.0, s.prune
        for h in range(s.holders):
            top = max(top, f[first + h] / f[s.goal_p + goal])
        if top < s.prune:
            least = top - TOLERANCE
        for h in range(s.holders):
            lane = goal * s.holders + h
            keep = kept >> goal & 1 and f[first + h] / f[s.goal_p + goal] >= least
            f[s.particle_p + lane] = f[first + h] if keep else 0.0
            total += f[s.particle_p + lane]
    for lane in range(s.lanes):
        f[s.particle_p + lane] /= total


# -- from Python -------------------------------------------------------------------------------

PREPARE, FOLLOW, AFTER, IMAGINED, EXPLAINED, ASSESS = range(6)


def _infer(
    records: Records, packed: Ints, i: Ints, f: Floats, c: Points, what: int, node: int, number: int
) -> int:
    """What Python asks of these functions; results that are no number are left in the memory."""
    s = records[0]
    result = EMPTY
    if what == PREPARE:
        begin(s, packed, i)
        plant(s, i, f)
    elif what == FOLLOW:
        follow(s, i, f, c)
    elif what == AFTER:
        result = after(s, i, f, c, node, number)
    elif what == IMAGINED:
        result = imagined(s, i, f, c, node, number)
    elif what == EXPLAINED:
        result = int(explained(s, f, node) and together(s, i, f))
    elif what == ASSESS:
        gather(s, i, f, i[s.node_npc + node])
        assess(s, i, f, node)
        weigh(s, i, f, node)
    return result


infer = Entry(_infer)
