"""What a player may see of a trial: never the holders, an NPC's goal or what it will do next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from onlooker.game.grid import Action, Cell, Map
from onlooker.game.play import (
    Choice,
    Observe,
    Situation,
    Stage,
    Turn,
    has_arrived,
    next_turns,
    opening,
)
from onlooker.game.rules import Costs, Interaction, Move
from onlooker.game.trial import Expertise, Trial

EventKind = Literal["move", "interaction"]
ChoiceKind = Literal["move", "interaction", "observation"]
Outcome = Literal["given", "nothing", "hidden"]

SIDES = {
    Action.UP: "above",
    Action.DOWN: "below",
    Action.LEFT: "on the left",
    Action.RIGHT: "on the right",
}


@dataclass(frozen=True, slots=True)
class VisibleMain:
    """The player's own agent."""

    at: Cell
    goal: str
    amulets: tuple[str, ...]  # colours, sorted
    arrived: bool


@dataclass(frozen=True, slots=True)
class NpcLabel:
    """Who an NPC is."""

    id: str
    name: str  # for people to read
    expertise: Expertise | None  # None if the player is not told


@dataclass(frozen=True, slots=True)
class VisibleNpc(NpcLabel):
    """An NPC on the map."""

    at: Cell
    arrived: bool
    observed: int  # steps watched


@dataclass(frozen=True, slots=True)
class PricedChoice:
    """A choice that is available now, and its cost."""

    choice: Choice
    kind: ChoiceKind
    cost: int


@dataclass(frozen=True, slots=True)
class VisibleTurn:
    """What the last choice showed."""

    who: str  # "main" or an NPC's id
    action: Action
    kind: EventKind
    start: Cell
    end: Cell
    text: str  # in a sentence
    wizard: str | None = None  # the one that was asked
    outcome: Outcome | None = None  # what the wizard answered
    barrier: str | None = None  # colour of the barrier it passed
    chest: str | None = None  # letter of the chest it came to
    arrived: bool = False


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A trial as its player sees it after some turns."""

    map: Map
    main: VisibleMain
    npcs: tuple[VisibleNpc, ...]
    budget: int
    left: int  # points; negative when more was spent than there was
    costs: Costs
    choices: tuple[PricedChoice, ...]
    reveals_outcomes: bool  # does watching an interaction show whether the amulet was given?
    last: VisibleTurn | None  # None before the first choice
    finished: bool


def player_view(stage: Stage, turns: Sequence[Turn]) -> PlayerView:
    """What the player sees after some turns.

    >>> from onlooker.game import load_trial
    >>> trial = load_trial("examples/two-experts.map")
    >>> view = player_view(Stage(trial, ((), ()), budget=50), [])
    >>> [(str(priced.choice), priced.cost) for priced in view.choices][0]
    ('up', 3)
    """
    situation = turns[-1].situation if turns else opening(stage)
    main = situation.main
    return PlayerView(
        map=stage.trial.map,
        main=VisibleMain(
            main.cell, stage.trial.main.goal, tuple(sorted(main.amulets)), main.arrived
        ),
        npcs=tuple(_npcs(stage, situation)),
        budget=stage.budget,
        left=stage.budget - situation.spent,
        costs=stage.costs,
        choices=tuple(_priced(situation, turn) for turn in next_turns(stage, situation)),
        reveals_outcomes=stage.trial.reveals_outcomes,
        last=last_turn(stage, turns),
        finished=situation.over,
    )


def npc_labels(trial: Trial, told: bool = True) -> list[NpcLabel]:
    """Who the NPCs of a trial are, so far as the player is told."""
    return [NpcLabel(npc.id, npc_name(npc.id), npc.label if told else None) for npc in trial.npcs]


def npc_name(npc_id: str) -> str:
    """What an NPC is called in sentences.

    >>> npc_name("agent2"), npc_name("old_owl")
    ('Agent 2', 'Old owl')
    """
    words = re.sub(r"(?<=[A-Za-z])(?=\d)|[_-]+", " ", npc_id).strip()
    return words[:1].upper() + words[1:]


def _npcs(stage: Stage, situation: Situation) -> Iterator[VisibleNpc]:
    for index, npc in enumerate(npc_labels(stage.trial, stage.told)):
        cell, observed = situation.npcs[index].cell, situation.observed[index]
        arrived = has_arrived(stage, situation, index)
        yield VisibleNpc(npc.id, npc.name, npc.expertise, cell, arrived, observed)


def _priced(situation: Situation, turn: Turn) -> PricedChoice:
    kind: ChoiceKind = "interaction" if isinstance(turn.event, Interaction) else "move"
    if isinstance(turn.choice, Observe):
        kind = "observation"
    return PricedChoice(turn.choice, kind, turn.situation.spent - situation.spent)


def last_turn(stage: Stage, turns: Sequence[Turn]) -> VisibleTurn | None:
    """What the last turn showed the player."""
    if not turns:
        return None
    turn = turns[-1]
    before = turns[-2].situation if len(turns) > 1 else opening(stage)
    if isinstance(turn.choice, Observe):
        index = stage.trial.npc_index(turn.choice.npc)
        who, name = turn.choice.npc, npc_name(turn.choice.npc)
        start, end = before.npcs[index].cell, turn.situation.npcs[index].cell
        action = stage.scripts[index][before.observed[index]]
        outcome_shown = stage.trial.reveals_outcomes
    else:
        who, name, action, outcome_shown = "main", "You", turn.choice.action, True
        start, end = before.main.cell, turn.situation.main.cell
    if isinstance(turn.event, Interaction):
        return _interaction(who, name, action, start, turn.event, outcome_shown)
    return _move(who, name, action, start, end, turn.event)


def _interaction(
    who: str, name: str, action: Action, cell: Cell, event: Interaction, outcome_shown: bool
) -> VisibleTurn:
    asked = f"{name} asked the {event.colour} wizard {SIDES[action]}"
    asker = "you" if who == "main" else "it"
    outcome: Outcome
    if not outcome_shown:
        outcome, text = "hidden", f"{asked}. You are not told what the wizard answered."
    elif event.gave:
        outcome, text = "given", f"{asked}, and it gave {asker} the {event.colour} amulet."
    else:
        outcome, text = "nothing", f"{asked}, but it does not have the amulet."
    return VisibleTurn(
        who, action, "interaction", cell, cell, text, wizard=event.wizard, outcome=outcome
    )


def _move(who: str, name: str, action: Action, start: Cell, end: Cell, event: Move) -> VisibleTurn:
    its = "your" if who == "main" else "its"
    text = f"{name} moved {action}"
    if event.barrier:
        text += f", through the {event.barrier} barrier"
    if event.arrived:
        text += f", and reached {its} chest, {event.chest}"
    elif event.chest:
        text += f", past chest {event.chest}"
    return VisibleTurn(
        who,
        action,
        "move",
        start,
        end,
        f"{text}.",
        barrier=event.barrier,
        chest=event.chest,
        arrived=event.arrived,
    )
