"""The points that a trial starts with, by the paper's rule or the same for every holder.

Both rules start from least costs: what the main agent's way costs if it knows the holders. Whoever
can compute those (a planner) hands in a function of an assignment of holders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import isfinite
from typing import Literal, get_args

from onlooker.game.grid import Map
from onlooker.game.trial import Holders, Trial

BUDGET_BUFFER = 20
BUDGET_MULTIPLE = 5

BudgetRule = Literal["paper", "map"]
BudgetHint = Literal["nothing", "something", "everything"]
LeastCost = Callable[[Holders], float]  # inf where there is no way


def budget_for(least_cost: int) -> int:
    """The points for a least cost: that and a buffer, rounded up.

    >>> budget_for(47)
    70
    """
    return -(-(least_cost + BUDGET_BUFFER) // BUDGET_MULTIPLE) * BUDGET_MULTIPLE


def budget_of(trial: Trial, rule: BudgetRule, least_cost: LeastCost) -> int | None:
    """The points that a trial starts with; None if there is no way to the chest.

    "paper" takes the least cost with the trial's own holders, "map" the largest over all holders
    that there could be, so that it says nothing about who holds what.
    """
    if rule not in get_args(BudgetRule):
        raise ValueError(f"budget must be 'paper' or 'map', not {rule!r}")
    own = least_cost(trial.holders)
    if not isfinite(own):
        return None
    if rule == "paper":
        return budget_for(int(own))
    costs = [least_cost(holders) for holders in possible_holders(trial.map)]
    return budget_for(int(max(cost for cost in costs if isfinite(cost))))


def possible_holders(map: Map) -> Iterator[Holders]:
    """Every assignment of holders, the last colour's changing fastest."""
    ids = ([wizard.id for wizard in map.wizards_of[colour]] for colour in map.colours)
    for chosen in product(*ids):
        yield dict(zip(map.colours, chosen, strict=True))


def budget_hint(trial: Trial, least_cost: LeastCost) -> BudgetHint:
    """What the paper's budget says about the holders whom the main agent needs.

    It says "nothing" if it is the same whoever they are, "everything" if only those that it has fit
    the budget, and "something" in between.
    """
    fits: dict[int, set[tuple[str, ...]]] = {}  # budget -> holders of the needed colours
    for holders in possible_holders(trial.map):
        cost = least_cost(holders)
        if isfinite(cost):
            who = tuple(holders[colour] for colour in trial.needed)
            fits.setdefault(budget_for(int(cost)), set()).add(who)
    if len(set().union(*fits.values())) < 2 or len(fits) < 2:
        return "nothing"
    alone = len(fits[budget_for(int(least_cost(trial.holders)))]) == 1
    return "everything" if alone else "something"
