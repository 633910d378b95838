"""What a choice showed, in a sentence of the study's language."""

from __future__ import annotations

from onlooker.game.player_view import PlayerView, VisibleTurn
from onlooker.web.texts import Texts


def turn_words(view: PlayerView, turn: VisibleTurn, texts: Texts) -> str:
    """The sentence about a turn; in English it is the game's own."""
    if texts.language == "en":
        return turn.text
    main = turn.who == "main"
    name = next((npc.name for npc in view.npcs if npc.id == turn.who), "")
    who = texts.line("turn.you") if main else texts.agent(name)

    def line(key: str, **values: object) -> str:
        own = f"turn.{key}_you"
        return texts.line(own if main and texts.has(own) else f"turn.{key}", **values)

    if turn.kind == "interaction":
        wizard = next(each for each in view.map.wizards if each.id == turn.wizard)
        colour, side = texts.colour(wizard.colour), texts.line(f"turn.side_{turn.action}")
        asked = line("asked", who=who, colour=colour, side=side)
        return asked + line(str(turn.outcome), colour=colour)
    said = line("moved", who=who, direction=texts.line(f"turn.{turn.action}"))
    if turn.barrier:
        said += line("through", colour=texts.colour(turn.barrier))
    if turn.chest:
        said += line("reached" if turn.arrived else "past", chest=turn.chest)
    return said + "."
