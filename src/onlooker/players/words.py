"""What a player knows as text: the map, the legend, what was seen so far and what can be chosen."""

from __future__ import annotations

import io
import string
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from onlooker.drawing import view_texts
from onlooker.game import PlayerView, Stage, player_view
from onlooker.players.arrays import Layout

ANSWERS = {"hidden": "", "nothing": " (no amulet)", "given": " (gets the amulet)"}
CHARACTERS = frozenset(string.digits + string.ascii_letters + string.punctuation + " \n")


def in_words(views: Sequence[PlayerView]) -> str:
    """What a player knows, from the views it was given since the start.

    >>> from onlooker.game import load_trial, replay
    >>> from onlooker.planning import stage
    >>> game = stage(load_trial("examples/early-turn.map"), budget="map")
    >>> turns = replay(game, ["observe agent2", "right"])
    >>> print(in_words([player_view(game, turns[:n]) for n in range(3)]).split("\\n\\n")[2])
    points left: 91 of 95
    you hold: nothing
    you: right
    agent2: up
    you can choose: left (3), right (3), observe agent2 (1)
    """
    return _told(views).plain


def for_terminal(views: Sequence[PlayerView]) -> str:
    """The same in colours, unless NO_COLOR is set."""
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor")
    with console.capture() as captured:
        console.print(_told(views), soft_wrap=True, highlight=False)
    return captured.get()


def characters(stages: Sequence[Stage]) -> frozenset[str]:
    """Every character that a text about these trials can have."""
    firsts = (in_words([player_view(stage, [])]) for stage in stages)
    return CHARACTERS.union(*firsts)


def longest(layout: Layout, stages: Sequence[Stage]) -> int:
    """No text about these trials is longer than this, whatever is chosen and seen."""
    first = max(len(in_words([player_view(stage, [])])) for stage in stages)
    ids = [wizard.id for stage in stages for wizard in stage.trial.map.wizards]
    step = len(", asks ") + max(map(len, ids), default=0) + max(map(len, ANSWERS.values()))
    wider = 200  # more digits, more choices, amulets held
    return first + wider + layout.limit * max(step, len(", right"))


def _told(views: Sequence[PlayerView]) -> Text:
    now = views[-1]
    map, legend = view_texts(now)
    return Text("\n\n").join([map, legend, Text("\n".join(_lines(now, views)))])


def _lines(now: PlayerView, views: Sequence[PlayerView]) -> Iterator[str]:
    yield f"points left: {now.left} of {now.budget}"
    held = ", ".join(f"the {colour} amulet" for colour in now.main.amulets)
    yield f"you hold: {held or 'nothing'}"
    yield f"you: {_steps(views, 'main')}"
    for npc in now.npcs:
        arrived = ", has arrived" if npc.arrived else ""
        yield f"{npc.id}: {_steps(views, npc.id)}{arrived}"
    choices = ", ".join(f"{priced.choice} ({priced.cost})" for priced in now.choices)
    yield f"you can choose: {choices or 'nothing, the trial is over'}"


def _steps(views: Sequence[PlayerView], who: str) -> str:
    """What an agent was seen to do."""
    steps = []
    for view in views[1:]:
        if (turn := view.last) is None or turn.who != who:
            continue
        if turn.wizard is None or turn.outcome is None:
            steps.append(str(turn.action))
        else:
            steps.append(f"asks {turn.wizard}{ANSWERS[turn.outcome]}")
    return ", ".join(steps) or "nothing yet"
