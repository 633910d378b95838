"""The parameters as controls: their labels, ranges and meanings."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import get_args, get_type_hints

from typing_extensions import TypedDict

from onlooker.inference.parameters import SOFT
from onlooker.observers import Parameters


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
}


def controls() -> list[Control]:
    """The parameters of the paper's observers in their order.

    >>> [control["name"] for control in controls()][:4]
    ['move', 'interact', 'observe', 'beta']
    """
    hints = get_type_hints(Parameters)
    return [
        {
            "name": field.name,
            "label": _TEXTS[field.name].label,
            "help": _TEXTS[field.name].help,
            "value": str(field.default),
            "options": list(get_args(hints[field.name])),
            "range": list(_TEXTS[field.name].range),
        }
        for field in fields(Parameters)
        if field.name not in SOFT
    ]
