"""A round as the player may see it: never the holders, an NPC's goal or what it will do next."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onlooker.game import (
    Action,
    Cell,
    Choice,
    Interaction,
    Move,
    Observe,
    Situation,
    Stage,
    Trial,
    Turn,
    choices,
    has_arrived,
    opening,
    take,
)
from onlooker.game.grid import reading_order
from onlooker.web.study.view_types import ChoiceView, Game, Kind, Last, NpcName, NpcView

_WHERE = {
    Action.UP: "above",
    Action.DOWN: "below",
    Action.LEFT: "on the left",
    Action.RIGHT: "on the right",
}


def game_view(stage: Stage, turns: Sequence[Turn], tutorial: bool) -> Game:
    """The round after some turns."""
    trial, map = stage.trial, stage.trial.map
    situation = turns[-1].situation if turns else opening(stage)
    left = stage.budget - situation.spent
    return {
        "width": map.width,
        "height": map.height,
        "walls": [list(cell) for cell in sorted(map.walls, key=reading_order)],
        "barriers": [{"at": list(b.at), "colour": b.colour} for b in map.barriers],
        "wizards": [{"id": w.id, "at": list(w.at), "colour": w.colour} for w in map.wizards],
        "chests": [{"letter": chest.letter, "at": list(chest.at)} for chest in map.chests],
        "main": {
            "at": list(situation.main.cell),
            "goal": trial.main.goal,
            "amulets": sorted(situation.main.amulets),
            "arrived": situation.main.arrived,
        },
        "npcs": [_npc(stage, situation, index) for index in range(len(trial.npcs))],
        "points": {"budget": stage.budget, "left": left},
        "costs": {
            "move": stage.costs.move,
            "interact": stage.costs.interact,
            "observe": stage.costs.observe,
        },
        "choices": [_choice(stage, situation, choice) for choice in choices(stage, situation)],
        "last": _last(stage, turns),
        "tutorial": tutorial,
        "finished": situation.over,
        "result": {"unspent": left} if situation.over else None,
    }


def npc_names(trial: Trial) -> list[NpcName]:
    """Who the NPCs of a trial are."""
    return [
        {"id": npc.id, "name": npc_name(npc.id), "expertise": str(npc.expertise)}
        for npc in trial.npcs
    ]


def npc_name(npc_id: str) -> str:
    """What an NPC is called on the screen.

    >>> npc_name("agent2"), npc_name("old_owl")
    ('Agent 2', 'Old owl')
    """
    words = re.sub(r"(?<=[A-Za-z])(?=\d)|[_-]+", " ", npc_id).strip()
    return words[:1].upper() + words[1:]


def _npc(stage: Stage, situation: Situation, index: int) -> NpcView:
    npc = stage.trial.npcs[index]
    return {
        "id": npc.id,
        "name": npc_name(npc.id),
        "at": list(situation.npcs[index].cell),
        "expertise": str(npc.expertise),
        "arrived": has_arrived(stage, situation, index),
        "observed": situation.observed[index],
    }


def _choice(stage: Stage, situation: Situation, choice: Choice) -> ChoiceView:
    if isinstance(choice, Observe):
        return {"choice": str(choice), "kind": "observation", "cost": stage.costs.observe}
    turn = take(stage, situation, choice)
    assert isinstance(turn, Turn)
    kind: Kind = "interaction" if isinstance(turn.event, Interaction) else "move"
    return {"choice": str(choice), "kind": kind, "cost": turn.event.cost}


def _last(stage: Stage, turns: Sequence[Turn]) -> Last | None:
    """What the last turn showed."""
    if not turns:
        return None
    turn = turns[-1]
    before = turns[-2].situation if len(turns) > 1 else opening(stage)
    if isinstance(turn.choice, Observe):
        index = stage.trial.npc_index(turn.choice.npc)
        who, name = turn.choice.npc, npc_name(turn.choice.npc)
        start, end = before.npcs[index].cell, turn.situation.npcs[index].cell
        action = stage.scripts[index][before.observed[index]]
        told = stage.trial.reveals_outcomes
    else:
        who, name, action, told = "main", "You", turn.choice.action, True
        start, end = before.main.cell, turn.situation.main.cell
    if isinstance(turn.event, Interaction):
        return _interaction(who, name, action, start, turn.event, told)
    return _move(who, name, action, start, end, turn.event)


def _interaction(
    who: str, name: str, action: Action, cell: Cell, event: Interaction, told: bool
) -> Last:
    asked = f"{name} asked the {event.colour} wizard {_WHERE[action]}"
    it = "you" if who == "main" else "it"
    if not told:
        text = f"{asked}. You are not told what the wizard answered."
    elif event.gave:
        text = f"{asked}, and it gave {it} the {event.colour} amulet."
    else:
        text = f"{asked}, but it does not have the amulet."
    return {
        "who": who,
        "action": str(action),
        "kind": "interaction",
        "from": list(cell),
        "to": list(cell),
        "wizard": event.wizard,
        "outcome": ("given" if event.gave else "nothing") if told else "hidden",
        "barrier": None,
        "chest": None,
        "arrived": False,
        "text": text,
    }


def _move(who: str, name: str, action: Action, start: Cell, end: Cell, event: Move) -> Last:
    its = "your" if who == "main" else "its"
    text = f"{name} moved {action}"
    if event.barrier:
        text += f", through the {event.barrier} barrier"
    if event.arrived:
        text += f", and reached {its} chest, {event.chest}"
    elif event.chest:
        text += f", past chest {event.chest}"
    return {
        "who": who,
        "action": str(action),
        "kind": "move",
        "from": list(start),
        "to": list(end),
        "wizard": None,
        "outcome": None,
        "barrier": event.barrier,
        "chest": event.chest,
        "arrived": event.arrived,
        "text": text + ".",
    }
