"""The parts that observers are made of.

An appraisal gives acting and watching each NPC a value, a choice rule makes a choice of these, and
trust says which wizards the observer goes for once it acts. `observers.compositions` names three
for each observer. `reference` is the plain version.

How Rational Mentalizing decides at a step:

1. Under a hypothesis θ = (goal, holders) an NPC takes action a with P(a | θ) ∝ exp(−β Q(a | θ)),
   where Q is the least points to its end: `behaviour`, on `costs`.
2. What was seen of an NPC is a node of the tree, with w(θ) = Π P(a | θ): `tree`, `histories`.
3. P(θ) ∝ w(θ) · Π over other NPCs of their mean w given the holders; the belief is its marginal
   over each colour's holder, the candidates are its likely wizards: `posteriors`.
4. C_self is the cost of the tour through the candidates to the chest: `tours`.
5. For each NPC the likely θ are imagined on until that says enough, T steps later:
   Q_obs = Σ P(θ) (observe · T + C_self of the belief there): `imagining`.
6. It watches the NPC of the least Q_obs if that is below C_self, else it acts: `imagined_costs`
   and `best` below, in `decide`.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property

import numpy as np

from onlooker.inference.kernels.histories import has_arrived
from onlooker.inference.kernels.posteriors import assess_present, candidates, settled
from onlooker.inference.kernels.tree import Tree
from onlooker.inference.parameters import MARGIN, TOLERANCE
from onlooker.observers.kernels.imagining import belief_distance, residual, watching_costs
from onlooker.observers.kernels.thoughts import Thoughts
from onlooker.observers.kernels.tours import c_self, colours_of
from onlooker.planning.compiling import compiled, inlined
from onlooker.planning.world import EMPTY, NONE, NOVICE, World


class Appraisal(IntEnum):
    """What acting and watching are worth to an observer."""

    IMAGINED_COSTS = 0  # what each would cost, as it imagines: points
    BELIEF_DISTANCE = 1  # how much it could still learn, whatever that costs
    MEETING_COSTS = 2  # what waiting for somebody's first interaction saves: points
    MEETINGS = 3  # whether somebody's relevant interaction is still to come
    LOOKAHEAD_COSTS = 4  # what each would cost if one watched as long as it pays (`lookahead`)

    @cached_property
    def looks_ahead(self) -> bool:
        """Whether it searches what could be seen; that has compiled functions of its own."""
        return self is Appraisal.LOOKAHEAD_COSTS

    @cached_property
    def plans_ahead(self) -> bool:
        """Whether it is of what was planned at the start, and of no belief."""
        return plans_ahead(self)

    @cached_property
    def uses_truth(self) -> bool:
        """Whether it uses what no player is shown."""
        return self is Appraisal.MEETING_COSTS

    @cached_property
    def shows(self) -> tuple[str, ...]:
        """What decisions show of it; numbers for each NPC are the fields of `Thoughts`."""
        return _SHOWS[self]


_SHOWS = {
    Appraisal.IMAGINED_COSTS: ("belief", "goals", "c_self", "q_obs", "particles"),
    Appraisal.BELIEF_DISTANCE: ("belief", "goals", "distances"),
    Appraisal.MEETING_COSTS: ("c_self", "q_obs"),
    Appraisal.MEETINGS: (),
    Appraisal.LOOKAHEAD_COSTS: ("belief", "goals", "c_self", "q_obs"),
}


class Rule(IntEnum):
    """How an observer chooses."""

    BEST = 0  # the highest value, acting among equals
    IN_TURN = 1  # the next NPC in turn that is worth more than acting, judged afresh
    AS_PLANNED = 2  # the next NPC in turn that was not watched as long as planned at the start


class Trust(IntEnum):
    """Which wizards an observer goes for."""

    BELIEF = 0  # the candidates of its belief
    SEEN_ASKED = 1  # those that it saw asked; all wizards of a colour of which it saw none


@inlined
def decide(
    world: World,
    tree: Tree,
    thoughts: Thoughts,
    appraisal: int,
    rule: int,
    last: int,
    thorough: bool,
) -> int:
    """Appraise and choose: the NPC to watch, NONE to act. Its ingredients are left in thoughts."""
    appraise(world, tree, thoughts, appraisal, thorough)
    return choose(world, tree, thoughts, rule, last)


@compiled
def appraise(world: World, tree: Tree, thoughts: Thoughts, appraisal: int, thorough: bool) -> None:
    """Give acting and watching each NPC a value.

    An appraisal that need not be thorough may stop as soon as the choice is clear.
    """
    start_thinking(world, thoughts, appraisal)
    if appraisal == Appraisal.IMAGINED_COSTS:
        imagined_costs(world, tree, thoughts)
    elif appraisal == Appraisal.BELIEF_DISTANCE:
        belief_distances(world, tree, thoughts, thorough)
    elif appraisal == Appraisal.MEETING_COSTS:
        meeting_costs(world, tree, thoughts)
    elif appraisal == Appraisal.MEETINGS:
        meetings(world, tree, thoughts)
    rule_out_arrived(world, tree, thoughts)


@inlined
def rule_out_arrived(world: World, tree: Tree, thoughts: Thoughts) -> None:
    """Nobody is worth watching any more who has arrived."""
    for npc in range(world.npcs):
        if has_arrived(tree, npc):
            thoughts.value[1 + npc] = -np.inf


@inlined
def start_thinking(world: World, thoughts: Thoughts, appraisal: int) -> None:
    """Nothing is worked out yet of an appraisal, and nothing is left of what another planned."""
    thoughts.c_self[0] = np.nan
    if not plans_ahead(appraisal) and thoughts.planned != appraisal:
        thoughts.planned = appraisal
        for npc in range(world.npcs):
            thoughts.until[npc] = 0
    for npc in range(world.npcs):
        thoughts.q_obs[npc] = thoughts.looks[npc] = thoughts.distances[npc] = np.nan
        thoughts.unwatched[npc] = 0.0
        for lane in range(world.lanes):
            thoughts.particle_p[npc, lane] = 0.0


@inlined
def plans_ahead(appraisal: int) -> bool:
    """Whether an appraisal is of what was planned at the start, and of no belief."""
    return appraisal == Appraisal.MEETING_COSTS or appraisal == Appraisal.MEETINGS


@inlined
def imagined_costs(world: World, tree: Tree, thoughts: Thoughts) -> None:
    """C_self, and Q_obs with at least one look, which is all there is without an open colour."""
    assess_present(world, tree)
    thoughts.c_self[0] = residual(world, tree, thoughts, tree.history[0])
    thoughts.value[0] = -thoughts.c_self[0]
    uncertain = world.open & ~tree.amulets_now != 0
    for npc in range(world.npcs):
        thoughts.value[1 + npc] = -(thoughts.c_self[0] + world.observe)
        if uncertain and not has_arrived(tree, npc):
            watching_costs(world, tree, thoughts, npc)
            left = 0.0
            for lane in range(world.lanes):
                p = thoughts.particle_p[npc, lane]
                if p > 0:
                    left += p * thoughts.particle_residual[npc, lane]
            thoughts.value[1 + npc] = -(world.observe * thoughts.looks[npc] + left)


@inlined
def belief_distances(world: World, tree: Tree, thoughts: Thoughts, thorough: bool) -> None:
    """How far beyond ε watching could move the belief; nowhere if that is settled."""
    belief = assess_present(world, tree)
    learning = world.open & ~tree.amulets_now != 0 and not settled(world, tree, belief)
    enough = np.inf if thorough else thoughts.epsilon + TOLERANCE
    thoughts.value[0] = 0.0
    for npc in range(world.npcs):
        thoughts.value[1 + npc] = -thoughts.epsilon
        if learning and not has_arrived(tree, npc):
            distance = belief_distance(world, tree, thoughts, npc, enough)
            thoughts.distances[npc] = distance
            thoughts.value[1 + npc] = distance - thoughts.epsilon


@inlined
def meeting_costs(world: World, tree: Tree, thoughts: Thoughts) -> None:
    """What it saves to watch an NPC to its first interaction and then know the holders."""
    if thoughts.planned != Appraisal.MEETING_COSTS:
        plan_meeting_costs(world, tree, thoughts)
    experts_pay = False
    for npc in range(world.npcs):
        experts_pay |= world.npc_told[npc] != NOVICE and thoughts.until[npc] > 0
    thoughts.value[0] = 0.0
    for npc in range(world.npcs):
        steps = tree.steps[tree.history[npc]]
        left = thoughts.meeting_step[npc] - steps
        value = -float(world.observe)
        if world.open and left > 0 and (world.npc_told[npc] != NOVICE or not experts_pay):
            value = thoughts.alone - (world.observe * left + thoughts.informed)
        thoughts.value[1 + npc] = value
        if thoughts.meeting_step[npc] != NONE:
            thoughts.q_obs[npc] = world.observe * thoughts.meeting_step[npc] + thoughts.informed
    thoughts.c_self[0] = thoughts.alone


@inlined
def plan_meeting_costs(world: World, tree: Tree, thoughts: Thoughts) -> None:
    """Before the first step: watch the experts that are worth it, or else the novices."""
    thoughts.planned = Appraisal.MEETING_COSTS
    every, holders = EMPTY, EMPTY
    for wizard in range(world.wizards):
        colour = world.wizard_colour[wizard]
        if world.needed >> colour & 1:
            every |= 1 << wizard
            if world.holder_of[world.truth, colour] == wizard:
                holders |= 1 << wizard
    cell, amulets = tree.cell_now, tree.amulets_now
    tree.cell_now, tree.amulets_now = world.main_cell, EMPTY
    alike = np.ones(world.wizards)
    thoughts.alone = c_self(world, tree, thoughts, every, alike)
    thoughts.informed = c_self(world, tree, thoughts, holders, alike)
    tree.cell_now, tree.amulets_now = cell, amulets
    for npc in range(world.npcs):
        thoughts.until[npc] = 0
        thoughts.meeting_step[npc] = first_meeting(world, tree, npc, world.masks - 1)
    for novices in range(2):
        found = False
        for npc in range(world.npcs):
            steps = thoughts.meeting_step[npc]
            cost = world.observe * steps + thoughts.informed
            pays = steps != NONE and cost < thoughts.alone - MARGIN
            if world.open and pays and (world.npc_told[npc] == NOVICE) == (novices == 1):
                thoughts.until[npc], found = steps, True
        if found:
            break


@compiled
def first_meeting(world: World, tree: Tree, npc: int, amulets: int) -> int:
    """After how many steps an NPC first asks a wizard of some colours, NONE if it never does."""
    for step in range(tree.path_length[npc]):
        wizard = tree.met[npc, step]
        if wizard != NONE and amulets >> world.wizard_colour[wizard] & 1:
            return step + 1
    return NONE


@inlined
def meetings(world: World, tree: Tree, thoughts: Thoughts) -> None:
    """Whether an expert's relevant interaction, or its arrival, is still to come."""
    if thoughts.planned != Appraisal.MEETINGS:
        thoughts.planned = Appraisal.MEETINGS
        for npc in range(world.npcs):
            thoughts.until[npc] = 0
            if world.open and (thoughts.anyone or world.npc_told[npc] != NOVICE):
                amulets = world.masks - 1 if thoughts.anyone else world.open
                steps = first_meeting(world, tree, npc, amulets)
                thoughts.until[npc] = tree.path_length[npc] if steps == NONE else steps
    thoughts.value[0] = 0.0
    for npc in range(world.npcs):
        waits = tree.steps[tree.history[npc]] < thoughts.until[npc]
        thoughts.value[1 + npc] = 1.0 if waits else -1.0


@compiled
def choose(world: World, tree: Tree, thoughts: Thoughts, rule: int, last: int) -> int:
    """The NPC to watch, NONE to act; `last` is the one that was watched last, or NONE."""
    choice = NONE
    if rule == Rule.BEST:
        choice = best(world, thoughts)
    elif rule == Rule.IN_TURN or rule == Rule.AS_PLANNED:
        for turn in range(world.npcs, 0, -1):  # the next in turn comes last and stays
            npc = (last + turn) % world.npcs
            if rule == Rule.IN_TURN:
                wanted = thoughts.value[1 + npc] > thoughts.value[0] + TOLERANCE
            else:
                wanted = tree.steps[tree.history[npc]] < thoughts.until[npc]
            if wanted and not has_arrived(tree, npc):
                choice = npc
    return choice


@inlined
def best(world: World, thoughts: Thoughts) -> int:
    """The first NPC of the highest value if that is higher than acting's, else NONE."""
    highest = -np.inf
    for npc in range(world.npcs):
        highest = max(highest, worth(world, thoughts, npc))
    if highest > thoughts.value[0] + MARGIN:
        for npc in range(world.npcs):
            if worth(world, thoughts, npc) >= highest - MARGIN:
                return npc
    return NONE


@inlined
def worth(world: World, thoughts: Thoughts, npc: int) -> float:
    """The value of watching an NPC by the paper's Q_obs, in which not watching costs no look."""
    return float(thoughts.value[1 + npc] + world.observe * thoughts.unwatched[npc])


@inlined
def wanted_wizards(world: World, tree: Tree, trust: int) -> int:
    """The wizards that an observer goes for once it acts, as bits."""
    if trust == Trust.BELIEF:
        return candidates(world, tree, assess_present(world, tree))
    trusted = EMPTY
    for npc in range(world.npcs):
        trusted |= tree.asked[tree.history[npc]]
    colours, wizards = colours_of(world, trusted), EMPTY
    for wizard in range(world.wizards):
        amulet = 1 << world.wizard_colour[wizard]
        if world.needed & amulet and (trusted >> wizard & 1 or not colours & amulet):
            wizards |= 1 << wizard
    return wizards
