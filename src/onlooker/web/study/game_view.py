"""A round as the page draws it: the player's view of the game as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from onlooker.game import Stage, Trial, Turn, player_view
from onlooker.game.grid import reading_order
from onlooker.game.player_view import NpcLabel, PlayerView, VisibleTurn, npc_labels
from onlooker.web.study.turn_words import turn_words
from onlooker.web.study.view_types import (
    GameView,
    LastTurnView,
    NpcLabelView,
    PastTurnView,
    ResultView,
)
from onlooker.web.texts import Texts, load_texts

ENGLISH = load_texts("en")
UNTOLD = "untold"  # of an NPC whose kind the player is not told


def game_view(
    stage: Stage,
    turns: Sequence[Turn],
    tutorial: bool,
    texts: Texts = ENGLISH,
    history: bool = False,
    too_long: bool = False,
) -> GameView:
    """The round after some turns; with `history` all that was shown before the last one.

    `too_long`: it ends here, though the chest was not reached.
    """
    view = player_view(stage, turns)
    map, main = view.map, view.main
    return {
        "width": map.width,
        "height": map.height,
        "walls": [list(cell) for cell in sorted(map.walls, key=reading_order)],
        "barriers": [{"at": list(b.at), "colour": b.colour} for b in map.barriers],
        "wizards": [{"id": w.id, "at": list(w.at), "colour": w.colour} for w in map.wizards],
        "chests": [{"letter": chest.letter, "at": list(chest.at)} for chest in map.chests],
        "main": {
            "at": list(main.at),
            "goal": main.goal,
            "amulets": list(main.amulets),
            "arrived": main.arrived,
        },
        "npcs": [
            {
                **_label(npc, texts),
                "at": list(npc.at),
                "arrived": npc.arrived,
                "observed": npc.observed,
            }
            for npc in view.npcs
        ],
        "points": {"budget": view.budget, "left": view.left},
        "costs": {
            "move": view.costs.move,
            "interact": view.costs.interact,
            "observe": view.costs.observe,
        },
        "choices": [
            {"choice": str(priced.choice), "kind": priced.kind, "cost": priced.cost}
            for priced in ([] if too_long else view.choices)
        ],
        "last": None if view.last is None else _last(view.last, turn_words(view, view.last, texts)),
        "history": _history(stage, turns, texts) if history else [],
        "tutorial": tutorial,
        "finished": view.finished or too_long,
        "result": _result(view, too_long),
    }


def _result(view: PlayerView, too_long: bool) -> ResultView | None:
    if view.finished:
        return {"unspent": view.left, "too_long": False}
    return {"unspent": min(0, view.left), "too_long": True} if too_long else None


def _history(stage: Stage, turns: Sequence[Turn], texts: Texts) -> list[PastTurnView]:
    shown = (player_view(stage, turns[:count]) for count in range(1, len(turns)))
    return [
        {"kind": view.last.kind, "text": turn_words(view, view.last, texts)}
        for view in shown
        if view.last is not None
    ]


def npc_label_views(trial: Trial, texts: Texts = ENGLISH, told: bool = True) -> list[NpcLabelView]:
    """Who the NPCs of a trial are, so far as the player is told."""
    return [_label(npc, texts) for npc in npc_labels(trial, told)]


def _label(npc: NpcLabel, texts: Texts) -> NpcLabelView:
    return {"id": npc.id, "name": texts.agent(npc.name), "expertise": npc.expertise or UNTOLD}


def _last(turn: VisibleTurn, text: str) -> LastTurnView:
    return {
        "who": turn.who,
        "action": str(turn.action),
        "kind": turn.kind,
        "from": list(turn.start),
        "to": list(turn.end),
        "wizard": turn.wizard,
        "outcome": turn.outcome,
        "barrier": turn.barrier,
        "chest": turn.chest,
        "arrived": turn.arrived,
        "text": text,
    }
