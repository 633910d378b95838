"""The parameters as controls: their labels, ranges and meanings."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, log10
from typing import Any

from typing_extensions import TypedDict

from onlooker.inference.declaring import Parameter
from onlooker.inference.parameters import SOFT
from onlooker.observers import ChoiceRule, Observer, Parameters, parameters_class, soft_parameters


class Control(TypedDict):
    """One parameter."""

    name: str
    label: str
    help: str
    value: str  # the default
    options: list[str]  # empty for a number
    range: list[float]  # least, most, step


RULE = "rule"  # a control beside those of the parameters
OWN_RULE = "own"


def controls(of: type[Parameters] = Parameters) -> list[Control]:
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
    return [rule, *_parameters(of)]


def _parameters(of: type[Parameters]) -> Iterator[Control]:
    for name, declared in of.declared().items():
        unit = f" ({declared.unit})" if declared.unit else ""
        yield {
            "name": name,
            "label": f"{declared.symbol} ({name})" if len(declared.symbol) == 1 else name,
            "help": f"{declared.meaning[:1].upper()}{declared.meaning[1:]}{unit}",
            "value": str(declared.default),
            "options": list(declared.words),
            "range": [0, 0, 0] if declared.words else [*declared.range, _step(declared)],
        }


def _step(parameter: Parameter[Any]) -> float:
    """A round number, of which a slider has about a hundred."""
    low, high = parameter.range
    return 1 if parameter.whole else float(10 ** floor(log10(high - low) - 1.5))


def controls_used(observer: Observer, rule: ChoiceRule) -> list[str]:
    """The names of the controls that change something if an observer chooses by a rule."""
    soft, known = soft_parameters(observer, rule), parameters_class([observer])
    return [c["name"] for c in controls(known) if c["name"] not in SOFT or c["name"] in soft]
