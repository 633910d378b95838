"""Importance weights smoothed by Pareto's distribution (PSIS), by arviz-stats."""

from __future__ import annotations

from typing import Any

import numpy as np
from arviz_stats import base
from scipy.special import logsumexp

from onlooker.support.arrays import FloatArray

MOST_K = 0.7  # Pareto's k above which importance weights cannot be trusted


def smoothed(log_ratio: FloatArray) -> tuple[FloatArray, float]:
    """The log weights behind log importance ratios, which sum to 1, and Pareto's k."""
    statistics: Any = base.array_stats  # type: ignore[attr-defined]
    log_w, k_hat = statistics.psislw(-(log_ratio - log_ratio.max()))  # it takes the other sign
    return np.asarray(log_w) - float(logsumexp(log_w)), float(np.asarray(k_hat))


def left_out(log_p: FloatArray, log_weight: FloatArray | None = None) -> tuple[float, float]:
    """The log probability of something given all else, from its log probability in draws.

    `log_weight` are weights of the draws, if they differ. Also Pareto's k.
    """
    before = np.zeros(len(log_p)) if log_weight is None else log_weight
    log_w, k_hat = smoothed(before - log_p)
    return float(logsumexp(log_w + log_p)), k_hat
