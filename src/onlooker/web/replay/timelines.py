"""The timelines of a replay: what each player chose, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from onlooker.experiments.regret import REFUSED
from onlooker.game import Act, Choice, Interaction, Observe, Turn
from onlooker.game import replay as play
from onlooker.observers import ACT, KNOWN_OBSERVERS, OBSERVERS, Engine, Observer, Result
from onlooker.web.replay import words
from onlooker.web.replay.document_types import ChoiceMade, ChoiceMadeKind, Mind, Player, Timeline

FULL = "rational_mentalizing"


def advised(thought: Mind) -> ChoiceMade:
    """What the model would have chosen."""
    acts = thought["choice"] == ACT
    return {
        "choice": thought["choice"],
        "kind": "act" if acts else "observation",
        "who": "main" if acts else thought["choice"],
        "action": "",
        "words": thought["words"],
    }


def done(turn: Turn) -> ChoiceMade:
    """What was chosen in a turn."""
    choice, event = turn.choice, turn.event
    kind: ChoiceMadeKind = "interaction" if isinstance(event, Interaction) else "move"
    return {
        "choice": str(choice),
        "kind": "observation" if isinstance(choice, Observe) else kind,
        "who": choice.npc if isinstance(choice, Observe) else "main",
        "action": "" if isinstance(choice, Observe) else str(choice.action),
        "words": words.chosen(choice, event),
    }


def turning_points(turns: Sequence[Turn]) -> list[int]:
    """The steps at which the player watches another NPC, starts to act or asks a wizard."""
    found, before = [], None
    for step, turn in enumerate(turns):
        doing = turn.choice.npc if isinstance(turn.choice, Observe) else ACT
        asks = doing == ACT and isinstance(turn.event, Interaction)
        if doing != before or asks:
            found.append(step)
        before = doing
    return [*found, len(turns)]


def results_of(engine: Engine, *more: Observer, exact: bool = True) -> dict[str, Result]:
    """The results of the paper's observers, of `more`, and of all others that can run here.

    Unless `exact`, the others are left out.
    """
    wanted = {name: kind() for name, kind in OBSERVERS.items()}
    asked = {observer.name: observer for observer in more}
    others = {name: kind() for name, kind in KNOWN_OBSERVERS.items() if exact}
    found = {}
    for name, observer in (wanted | others | asked).items():
        try:
            found[name] = observer.run(engine)
        except REFUSED:
            if name in wanted or name in asked:
                raise
    return found


def log_of(result: Result) -> list[Choice]:
    """Everything that an observer did."""
    return [*(Observe(npc) for npc in result.choices), *(Act(action) for action in result.route)]


def observer_lines(
    engine: Engine,
    results: dict[str, Result],
    current: Player | None = None,
    more: Sequence[Observer] = (),
) -> list[Timeline]:
    """The observers' timelines, including `more`; the player's is marked as current."""
    titles = {name: kind.title for name, kind in KNOWN_OBSERVERS.items()}
    titles |= {observer.name: observer.title for observer in more}
    full = log_of(results[FULL])
    lines: list[Timeline] = []
    for name, result in results.items():
        log = log_of(result)
        lines.append(
            {
                "id": name,
                "title": titles[name],
                "cells": [done(turn) for turn in play(engine.stage, log)],
                "diverges_at": _divergence(full, log),
                "observed": list(result.observed),
                "cost": result.cost,
                "current": current is not None and current["id"] == name,
            }
        )
    return lines


def _divergence(full: Sequence[Choice], other: Sequence[Choice]) -> int | None:
    """The first choice in which two logs differ; None if they do not."""
    for step, (one, two) in enumerate(zip(full, other, strict=False)):
        if one != two:
            return step
    return None if len(full) == len(other) else min(len(full), len(other))
