"""Posteriors: what the histories of all NPCs say together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from onlooker.inference.history import History
from onlooker.planning.states import FloatArray


def holders_posterior(evidence: FloatArray) -> FloatArray:
    """P(holders) from log evidence (…, holders) for each assignment."""
    weights = np.exp(evidence - evidence.max(axis=-1, keepdims=True))
    result: FloatArray = weights / weights.sum(axis=-1, keepdims=True)
    return result


def joint_posterior(histories: Sequence[History], others: FloatArray) -> FloatArray:
    """P(goal, holders) of one NPC after each of some histories, (histories, goals, holders).

    `others` is the log evidence for each assignment of holders from everything but this NPC: which
    wizard holds an amulet is one fact, whoever it is learned from.
    """
    log_w = np.stack([history.log_w for history in histories]) + others
    weights = np.exp(log_w - log_w.max(axis=(1, 2), keepdims=True))
    result: FloatArray = weights / weights.sum(axis=(1, 2), keepdims=True)
    return result
