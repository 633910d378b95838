"""What a language model reads of a trial: the rules once, and each turn as text.

The rules are in the words of the tutorial that people read. They, the round and the choices are the
same in every variant; a variant is how a map is written: as a grid with a legend, as coordinates
or in prose.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol

from onlooker.game import Act, Expertise, Observe, PlayerView, Wizard
from onlooker.game.player_view import PricedChoice

TextVariant = Literal["grid", "coordinates", "prose"]
VARIANTS: tuple[TextVariant, ...] = ("grid", "coordinates", "prose")


class MapWriter(Protocol):
    """How a variant writes a map."""

    def whole(self, view: PlayerView) -> str:
        """The map at the start of a round, with all that is needed to read it."""

    def now(self, view: PlayerView) -> str:
        """Where everybody is later on."""


@cache
def instructions() -> dict[str, Any]:
    """All texts, by table and name."""
    return tomllib.loads(Path(__file__).with_name("instructions.toml").read_text("utf-8"))


def text(table: str, name: str, /, **values: object) -> str:
    """A text with its values filled in."""
    return str(instructions()[table][name]).strip("\n").format(**values)


def points(number: int) -> str:
    """A number of points.

    >>> points(1), points(-3)
    ('1 point', '-3 points')
    """
    return f"{number} point{'' if number == 1 else 's'}"


def rules_text(view: PlayerView) -> str:
    """The rules of the game as far as a trial needs them, and how to answer."""
    costs = {name: points(getattr(view.costs, name)) for name in ("move", "interact", "observe")}
    found = [text("rules", "welcome"), text("rules", "moving", **costs)]
    found += [line.format(**costs) for line in instructions()["rules"]["wizards"]]
    if view.npcs:
        found += _others(view, costs["observe"])
    found.append(text("rules", "points", empty=text("rules", "below_zero")))
    found.append(text("rules", "turns"))
    found.append(text("rules", "answer", examples=_examples(view)))
    return "\n\n".join(found)


def _others(view: PlayerView, cost: str) -> list[str]:
    """The rules about other agents."""
    kinds = {npc.expertise for npc in view.npcs}
    if None in kinds:  # whom nothing is said about
        found = [text("rules", "alone")]
    elif kinds == {Expertise.EXPERT}:
        found = [f"{text('rules', 'alone')} {text('rules', 'experts')}"]
    else:
        found = [f"{text('rules', 'alone')} {text('rules', 'some_experts')}"]
    if Expertise.NOVICE in kinds:
        found.append(f"{text('rules', 'novices')} {text('rules', 'roles')}")
    if Expertise.TEACHER in kinds:
        found.append(f"{text('rules', 'teachers')} {text('rules', 'teacher_roles')}")
    outcome = text("rules", "revealed" if view.reveals_outcomes else "hidden")
    found.append(text("rules", "observing", outcome=outcome, observe=cost))
    if len(view.npcs) > 1:
        found.append(text("rules", "several"))
    found.append(text("rules", "way"))
    if len(view.map.chests) > 1:
        found += instructions()["rules"]["chests"]
    return found


def _examples(view: PlayerView) -> str:
    """Answers that show the form, the same in every turn of a trial."""
    examples = ["up", *(f"observe {npc.id}" for npc in view.npcs[:1])]
    return "\n\nor\n\n".join(f"CHOICE: {choice}" for choice in examples)


def first_text(view: PlayerView, writer: MapWriter) -> str:
    """What is said before the first choice of a round."""
    budget = points(view.budget)
    lines = [text("round", "goal", letter=view.main.goal, points=budget)]
    lines += [text("round", npc.expertise or "untold", name=npc.name) for npc in view.npcs]
    return "\n\n".join(["\n".join(lines), writer.whole(view), *_standing(view)])


def next_text(view: PlayerView, writer: MapWriter) -> str:
    """What is said before a later choice: what happened, and where everything stands."""
    assert view.last is not None
    arrived = [text("round", "arrived", name=npc.name) for npc in view.npcs if npc.arrived]
    happened = " ".join([view.last.text, *arrived])
    return "\n\n".join([happened, writer.now(view), *_standing(view)])


def repair_text(view: PlayerView, problem: str) -> str:
    """What is said after an answer that is none."""
    listed = "\n".join(str(priced.choice) for priced in view.choices)
    return text("round", "repair", problem=problem, choices=listed)


def _standing(view: PlayerView) -> list[str]:
    """The points, the amulets and the choices."""
    amulets = ", ".join(view.main.amulets) or text("round", "none")
    left = text("round", "left", points=points(view.left), amulets=amulets)
    listed = [_choice_line(view, priced) for priced in view.choices]
    return [left, "\n".join([text("round", "choices"), *listed])]


def _choice_line(view: PlayerView, priced: PricedChoice) -> str:
    values: dict[str, object] = {"choice": priced.choice, "points": points(priced.cost)}
    match priced.choice:
        case Observe(npc=npc_id):
            name = next(npc.name for npc in view.npcs if npc.id == npc_id)
            return text("round", "observe", name=name, **values)
        case Act(action=action) if priced.kind == "interaction":
            wizard = view.map.thing(action.from_cell(view.main.at))
            assert isinstance(wizard, Wizard)
            return text("round", "ask", colour=wizard.colour, **values)
    return text("round", "step", **values)
