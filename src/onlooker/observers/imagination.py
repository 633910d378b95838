"""What the engine imagines, as paths: an NPC's way under a hypothesis, the tour behind C_self."""

from __future__ import annotations

from dataclasses import dataclass

from onlooker.game import (
    Action,
    Cell,
    Expertise,
    Holders,
    Interaction,
    State,
    Step,
    needed,
    step,
)
from onlooker.observers.engine import Engine, View
from onlooker.observers.exploration import Leg
from onlooker.observers.results import Candidates
from onlooker.planning import Path, best_step, expert_to_go, novice_to_go, steps


@dataclass(frozen=True, slots=True)
class Tour:
    """The way through all candidates and on to the chest."""

    stops: tuple[str, ...]  # wizards, in the order of the visits
    actions: tuple[Action, ...]
    cells: tuple[Cell, ...]  # the present one first; an interaction adds none


def imagined_state(engine: Engine, view: View, npc: int, goal: str, holders: Holders) -> State:
    """Where an NPC stands, and what it holds, if a hypothesis is true of it.

    ValueError if the hypothesis is ruled out by what has been seen.
    """
    agent, trial = engine.trial.npcs[npc], engine.trial
    state = State(agent.at)
    for taken in engine.paths[npc][: view.histories[npc].steps]:
        after = step(trial.map, state, taken.action, goal, holders, engine.parameters.costs)
        if not isinstance(after, Step):
            raise ValueError(f"{agent.id} could not have gone {taken.action}: {after.reason}")
        state = after.state
    return state


def imagined_path(engine: Engine, view: View, npc: int, goal: str, holders: Holders) -> Path:
    """What an NPC would do from now on under a hypothesis, to its arrival.

    A particle's first T steps are those that it would be watched for.

    >>> from onlooker.game import load_trial
    >>> engine = Engine(load_trial("examples/early-turn.map"))
    >>> path = imagined_path(engine, engine.opening, 0, "A", {"blue": "w2"})
    >>> [str(taken.action) for taken in path[:3]], len(path)
    (['up', 'up', 'right'], 17)
    """
    agent, tables = engine.trial.npcs[npc], engine.tables
    state = imagined_state(engine, view, npc, goal, holders)
    knows = agent.expertise is Expertise.EXPERT
    needs = () if knows else needed(tables.map, agent.at, goal) or ()
    to_go = expert_to_go(tables, goal, holders)
    path: list[Step] = []
    while not state.arrived:
        possible = steps(tables, state, goal, holders)
        if knows:
            best = best_step(possible, to_go)
        else:
            possible = [after for after in possible if _novice_would(state, needs, after)]
            best = best_step(possible, novice_to_go(tables, state, goal, needs))
        if best is None:
            break
        path.append(best)
        state = best.state
    return tuple(path)


def _novice_would(state: State, needs: tuple[str, ...], after: Step) -> bool:
    """Whether a step is a move, or asks a wizard that a novice goes for."""
    event = after.event
    if not isinstance(event, Interaction):
        return True
    lacking = event.colour in needs and event.colour not in state.amulets
    return lacking and event.wizard not in state.checked


def tour_path(engine: Engine, view: View, candidates: Candidates) -> Tour | None:
    """The tour through some candidates that C_self is the cost of; None if there is no way.

    >>> from onlooker.game import load_trial
    >>> engine = Engine(load_trial("examples/near-wizards.map"))
    >>> tour = tour_path(engine, engine.opening, {"blue": ("w1", "w2")})
    >>> tour.stops, [str(action) for action in tour.actions[:4]]
    (('w1', 'w2'), ['up', 'up', 'down', 'right'])
    """
    states, exploration = engine.tables.states, engine.exploration
    mask, cell = states.mask(view.main.amulets), states.cell(view.main.cell)
    wizards = engine.wizards(candidates)
    order = exploration.tour(mask, cell, wizards)
    legs: list[Leg] = []
    for number, wizard in enumerate(order):
        visited = {w.colour for w in wizards} - {w.colour for w in order[number:]}
        legs.append(exploration.leg(mask | states.mask(visited), cell, wizard))
        cell = legs[-1].end
    legs.append(exploration.leg(mask | states.mask(engine.needed), cell, exploration.chest))
    if any(leg.cost == float("inf") for leg in legs):
        return None
    cells = [view.main.cell]
    for leg in legs:
        # A leg to a wizard ends with asking it, from where the agent stands.
        moves = leg.actions if leg is legs[-1] else leg.actions[:-1]
        for action in moves:
            cells.append(action.from_cell(cells[-1]))
    actions = tuple(action for leg in legs for action in leg.actions)
    return Tour(tuple(wizard.id for wizard in order), actions, tuple(cells))
