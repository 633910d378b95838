"""How agents behave: best actions and whole paths, read off the cost-to-go tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf

from onlooker.game import (
    ACTIONS,
    Action,
    Chest,
    Costs,
    Expertise,
    Holders,
    Interaction,
    Map,
    Npc,
    State,
    Step,
    Trial,
    Unavailable,
    Wizard,
    needed,
    step,
)
from onlooker.planning.errors import NoPathError, in_the_way, no_way
from onlooker.planning.tables import Tables
from onlooker.support.extras import later

Steps = tuple[Step, ...]
CostToGo = Callable[[Step], float]  # V after a step: the least points from there on


def steps(tables: Tables, state: State, goal: str, holders: Holders) -> list[Step]:
    """What each available action leads to, in the order up, down, left, right."""
    results = (step(tables.map, state, a, goal, holders, tables.costs) for a in ACTIONS)
    return [result for result in results if isinstance(result, Step)]


def best_step(possible: Iterable[Step], to_go: CostToGo) -> Step | None:
    """The step with the least cost-to-go Q(s, a), the first among equals; None if none is finite.

    Q(s, a) is the cost of the action and V of where it leads.
    """
    best, least = None, inf
    for candidate in possible:
        value = candidate.event.cost + to_go(candidate)
        if value < least:
            best, least = candidate, value
    return best


def expert_to_go(tables: Tables, goal: str, holders: Holders) -> CostToGo:
    """What an expert still has to spend to its chest."""
    table = tables.expert(goal, holders)
    return lambda after: table[after.state.cell, after.state.amulets]


def unchecked(map: Map, state: State, lacking: Iterable[str]) -> list[Wizard]:
    """The wizards of the lacking colours that the agent has not asked yet, in reading order."""
    colours = set(lacking)
    return [w for w in map.wizards if w.colour in colours and w.id not in state.checked]


def novice_to_go(tables: Tables, state: State, goal: str, needs: tuple[str, ...]) -> CostToGo:
    """What a novice in a state still has to spend to its next end.

    That is asking a wizard for an amulet that it lacks or, when it lacks none, its chest.
    """
    lacking = [colour for colour in needs if colour not in state.amulets]
    ends: list[Chest | Wizard]
    ends = [*unchecked(tables.map, state, lacking)] if lacking else [tables.map.chest(goal)]
    asks = {end.id for end in ends if isinstance(end, Wizard)}
    walks = [tables.walk(end) for end in ends]

    def to_go(after: Step) -> float:
        if isinstance(after.event, Interaction) and after.event.wizard in asks:
            return 0.0
        place = after.state.cell, after.state.amulets
        return min((walk[place] for walk in walks), default=inf)

    return to_go


def novice_step(
    tables: Tables, state: State, goal: str, needs: tuple[str, ...], possible: Iterable[Step]
) -> Step | None:
    """What a novice does: it goes for the nearest wizard of a lacking colour that it has not asked.

    On its way it asks nobody else, even where another amulet would help.
    """
    asks = {wizard.id for wizard in unchecked(tables.map, state, set(needs) - state.amulets)}
    own = [
        after
        for after in possible
        if not isinstance(after.event, Interaction) or after.event.wizard in asks
    ]
    return best_step(own, novice_to_go(tables, state, goal, needs))


def expert_path(tables: Tables, start: State, goal: str, holders: Holders) -> Steps:
    """The least-cost path of an agent that knows the holders."""
    to_go = expert_to_go(tables, goal, holders)
    path: list[Step] = []
    state = start
    while not state.arrived:
        best = best_step(steps(tables, state, goal, holders), to_go)
        if best is None:
            raise no_way(tables.map, state.cell, goal, state.amulets, holders)
        path.append(best)
        state = best.state
    return tuple(path)


def novice_path(tables: Tables, start: State, goal: str, holders: Holders) -> Steps:
    """The path of an agent that asks the nearest wizards until it has what its chest needs."""
    needs = needed(tables.map, start.cell, goal)
    if needs is None:
        raise no_way(tables.map, start.cell, goal)
    path: list[Step] = []
    state = start
    while not state.arrived:
        best = novice_step(tables, state, goal, needs, steps(tables, state, goal, holders))
        if best is None:
            lacking = [colour for colour in needs if colour not in state.amulets]
            end = f"the {' or '.join(lacking)} wizards left" if lacking else f"chest {goal}"
            left = unchecked(tables.map, state, lacking)
            to = [wizard.at for wizard in left] or [tables.map.chest(goal).at]
            why = in_the_way(tables.map, state.cell, to, state.amulets)
            raise NoPathError(f"it cannot get from {state.cell} to {end}: {why}")
        path.append(best)
        state = best.state
    return tuple(path)


def taken_path(trial: Trial, npc: Npc, actions: Iterable[Action], costs: Costs) -> Steps:
    """What an NPC's actions lead to; NoPathError if one is not available."""
    path: list[Step] = []
    state = State(npc.at)
    for count, action in enumerate(actions):
        result = step(trial.map, state, action, npc.goal, trial.holders, costs)
        if isinstance(result, Unavailable):
            raise NoPathError(f"action {count + 1} ({action}) is not available: {result.reason}")
        path.append(result)
        state = result.state
    return tuple(path)


def teaches(npc: Npc) -> bool:
    """Whether what an NPC does follows from what somebody who watches it would believe."""
    return npc.expertise is Expertise.TEACHER and npc.actions is None and npc.care != 0


def npc_path(tables: Tables, trial: Trial, npc: Npc) -> Steps:
    """Everything an NPC does in a trial; NoPathError names the NPC that gets stuck."""
    try:
        if npc.actions is not None:
            return taken_path(trial, npc, npc.actions, tables.costs)
        if teaches(npc):
            path: Steps = later("teacher_path")(trial, npc, tables.costs)
            return path
        plan = novice_path if npc.expertise is Expertise.NOVICE else expert_path
        return plan(tables, State(npc.at), npc.goal, trial.holders)
    except NoPathError as error:
        raise NoPathError(f"{npc.id} ({npc.expertise}): {error}") from None


def npc_paths(tables: Tables, trial: Trial) -> tuple[Steps, ...]:
    """What each NPC does."""
    return tuple(npc_path(tables, trial, npc) for npc in trial.npcs)


def main_path(tables: Tables, trial: Trial) -> Steps:
    """The main agent's least-cost path if it knew the holders."""
    return expert_path(tables, State(trial.main.at), trial.main.goal, trial.holders)


def path_cost(path: Steps) -> int:
    """What a path costs."""
    return sum(taken.event.cost for taken in path)
