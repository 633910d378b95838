"""The parameters as controls: their labels, ranges and meanings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import get_args, get_type_hints

from typing_extensions import TypedDict

from onlooker.inference.parameters import SOFT
from onlooker.observers import ChoiceRule, Observer, Parameters, soft_parameters


class Control(TypedDict):
    """One parameter."""

    name: str
    label: str
    help: str
    value: str  # the default
    options: list[str]  # empty for a number
    range: list[float]  # least, most, step


@dataclass(frozen=True, slots=True)
class _Text:
    label: str
    help: str
    range: tuple[float, float, float] = (0, 0, 0)


_TEXTS = {
    "move": _Text("move", "Points for a move", (1, 20, 1)),
    "interact": _Text("interact", "Points for asking a wizard", (1, 40, 1)),
    "observe": _Text("observe", "Points for one observation", (0, 20, 1)),
    "beta": _Text("β (beta)", "How surely agents take the better action, per point", (0, 3, 0.05)),
    "converge": _Text("converge", "A wizard that likely settles its colour", (0.5, 1, 0.01)),
    "prune": _Text("prune", "What is less likely is not imagined", (0, 0.5, 0.01)),
    "epsilon": _Text("ε (epsilon)", "Mentalizing Observer: what counts as news", (0, 1, 0.01)),
    "exploration": _Text("exploration", "C_self: the worst case, or the expected cost"),
    "order": _Text("order", "The tour: nearest from each stop, or sorted once"),
    "meeting": _Text("meeting", "Naive Observer: which interactions it waits for"),
    "temperature": _Text(
        "temperature", "Soft rules: points that are easily mistaken", (0.05, 10, 0.05)
    ),
    "lapse": _Text("lapse", "Softmax: how often the choice is random", (0, 1, 0.01)),
    "curiosity": _Text("curiosity", "Graded rule: points a look is worth in itself", (-5, 10, 0.1)),
    "skip": _Text("skip", "Graded rule: chance of not watching at all in a trial", (0, 1, 0.01)),
    "caution": _Text(
        "caution", "Graded Mentalizing: expected cost (0) to worst case (1)", (0, 1, 0.01)
    ),
    "kinds": _Text("kinds", "Untold Mentalizing: what an NPC may be"),
    "care": _Text("care", "Teachers: own points for one of the learner's", (0, 10, 0.1)),
}
RULE = "rule"  # a control beside those of the parameters
OWN_RULE = "own"


def controls() -> list[Control]:
    """The choice rule and all parameters in their order.

    >>> [control["name"] for control in controls()][:4]
    ['rule', 'move', 'interact', 'observe']
    """
    rule: Control = {
        "name": RULE,
        "label": "choices",
        "help": "How the player chooses: by its own rule, or another one",
        "value": OWN_RULE,
        "options": [OWN_RULE, *ChoiceRule],
        "range": [0, 0, 0],
    }
    return [rule, *_parameters()]


def _parameters() -> Iterator[Control]:
    hints = get_type_hints(Parameters)
    for field in fields(Parameters):
        text = _TEXTS[field.name]
        yield {
            "name": field.name,
            "label": text.label,
            "help": text.help,
            "value": str(field.default),
            "options": list(get_args(hints[field.name])),
            "range": list(text.range),
        }


def controls_used(observer: Observer, rule: ChoiceRule) -> list[str]:
    """The names of the controls that change something if an observer chooses by a rule."""
    soft = soft_parameters(observer, rule)
    return [c["name"] for c in controls() if c["name"] not in SOFT or c["name"] in soft]
