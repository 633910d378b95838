"""What the engine imagines, as paths: an NPC's way under a hypothesis, the tour behind C_self."""

from __future__ import annotations

from dataclasses import dataclass, replace

from onlooker.game import Action, Cell, Chest, Holders, State, Step, Wizard, step
from onlooker.observers.engine import Engine
from onlooker.observers.results import Candidates, Leg, View
from onlooker.planning import Steps


@dataclass(frozen=True, slots=True)
class Tour:
    """The way through all candidates and on to the chest."""

    stops: tuple[str, ...]  # wizards, in the order of the visits
    actions: tuple[Action, ...]
    cells: tuple[Cell, ...]  # the present one first; an interaction adds none


def imagined_path(engine: Engine, view: View, npc: int, goal: str, holders: Holders) -> Steps:
    """What an NPC would do from now on under a hypothesis, to its arrival.

    It would be watched for the first T steps of a particle. ValueError if what has been seen rules
    the hypothesis out.

    >>> from onlooker.game import load_trial
    >>> engine = Engine(load_trial("examples/early-turn.map"))
    >>> path = imagined_path(engine, engine.opening, 0, "A", {"blue": "w2"})
    >>> [str(taken.action) for taken in path[:3]], len(path)
    (['up', 'up', 'right'], 17)
    """
    trial, agent = engine.trial, engine.trial.npcs[npc]
    seen = [taken.action for taken in engine.paths[npc][: view.histories[npc].steps]]
    state, path = State(agent.at), []
    for action in (*seen, *engine.future(view, npc, goal, holders)):
        after = step(trial.map, state, action, goal, holders, engine.parameters.costs)
        if not isinstance(after, Step):
            raise ValueError(f"{agent.id} could not have gone {action}: {after.reason}")
        path.append(after)
        state = after.state
    return tuple(path[len(seen) :])


def tour_path(engine: Engine, view: View, candidates: Candidates) -> Tour | None:
    """The tour through some candidates whose cost is C_self; None if there is no way.

    >>> from onlooker.game import load_trial
    >>> engine = Engine(load_trial("examples/near-wizards.map"))
    >>> tour = tour_path(engine, engine.opening, {"blue": ("w1", "w2")})
    >>> tour.stops, [str(action) for action in tour.actions[:4]]
    (('w1', 'w2'), ['up', 'up', 'down', 'right'])
    """
    trial, order = engine.trial, engine.tour(view.main, engine.wizards(candidates))
    stops: tuple[Wizard | Chest, ...] = (*order, trial.map.chest(trial.main.goal))
    here, legs, cells = view.main, list[Leg](), [view.main.cell]
    for number, target in enumerate(stops):
        left = {wizard.colour for wizard in order[number:]}
        held = {wizard.colour for wizard in order} - left if left else set(trial.needed)
        leg = engine.leg(replace(here, amulets=view.main.amulets | held), target)
        if leg.end is None:
            return None
        legs.append(leg)
        here = leg.end
        # A leg to a wizard ends with asking it, from where the agent stands.
        for action in leg.actions[:-1] if left else leg.actions:
            cells.append(action.from_cell(cells[-1]))
    actions = tuple(action for leg in legs for action in leg.actions)
    return Tour(tuple(wizard.id for wizard in order), actions, tuple(cells))
