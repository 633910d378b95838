"""Inverse planning: hypotheses about NPCs, how likely they make what is seen, posteriors."""

from onlooker.inference.errors import UnexplainedError
from onlooker.inference.history import History, Seen
from onlooker.inference.hypotheses import Hypotheses
from onlooker.inference.likelihood import NpcModel, Policy
from onlooker.inference.parameters import Parameters
from onlooker.inference.posterior import holders_posterior, joint_posterior
from onlooker.inference.tables import GoalRow, HoldersRow, Posterior, posterior

__all__ = [
    "GoalRow",
    "History",
    "HoldersRow",
    "Hypotheses",
    "NpcModel",
    "Parameters",
    "Policy",
    "Posterior",
    "Seen",
    "UnexplainedError",
    "holders_posterior",
    "joint_posterior",
    "posterior",
]
