"""Budgets on the cost-to-go tables, and whether they give the holders away."""

from __future__ import annotations

from functools import partial

from onlooker.game import BudgetHint, BudgetRule, Holders, Trial, budget_hint, budget_of
from onlooker.planning.errors import no_way
from onlooker.planning.reference import Tables


def least_cost(tables: Tables, trial: Trial, holders: Holders) -> float:
    """What the main agent's way costs if it knows the holders and they are these."""
    states = tables.states
    table = tables.expert(trial.main.goal, holders)
    return float(table[states.mask(()), states.cell(trial.main.at)])


def budget(tables: Tables, trial: Trial, rule: BudgetRule = "paper") -> int:
    """The points the player starts with."""
    points = budget_of(trial, rule, partial(least_cost, tables, trial))
    if points is None:
        raise no_way(trial.map, trial.main.at, trial.main.goal, holders=trial.holders)
    return points


def hint(tables: Tables, trial: Trial) -> BudgetHint:
    """What the paper's budget says about the holders whom the main agent needs."""
    return budget_hint(trial, partial(least_cost, tables, trial))
