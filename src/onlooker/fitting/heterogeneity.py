"""Whether people differ in a parameter, or could all have the same value of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.interpolate import CubicSpline
from scipy.special import logsumexp

from onlooker.fitting.individual import PersonFit
from onlooker.fitting.models import Fitted
from onlooker.fitting.parameters import Estimated
from onlooker.support.arrays import FloatArray

FINE = 4001  # values at which the evidence of a shared value is summed
SMALLEST = 1e-300  # of a posterior weight whose logarithm is taken


def heterogeneity(fitted: Fitted) -> pd.DataFrame:
    """A row for each free parameter: its values over people, and whether they differ.

    `log_bayes` is the log evidence of everybody having a value of their own minus that of all
    sharing one, the other parameters being everybody's own either way. Above 0, people differ.
    """
    return pd.DataFrame(
        _row(parameter, index, fitted.fits)
        for index, parameter in enumerate(fitted.model.space.free)
    )


def person_rows(fitted: Fitted) -> pd.DataFrame:
    """A row for each person and free parameter: the posterior mean and its 95 % interval."""
    return pd.DataFrame(
        {
            "participant": who,
            "parameter": parameter.name,
            "estimate": float(parameter.natural(fit.mean[index])),
            "low": float(parameter.natural(fit.low[index])),
            "high": float(parameter.natural(fit.high[index])),
        }
        for who, fit in zip(fitted.people, fitted.fits, strict=True)
        for index, parameter in enumerate(fitted.model.space.free)
    )


def _row(parameter: Estimated, index: int, fits: Sequence[PersonFit]) -> dict[str, Any]:
    means = np.array([fit.mean[index] for fit in fits])
    least, middle, most = parameter.natural(np.percentile(means, [10, 50, 90]))
    return {
        "parameter": parameter.name,
        "people": len(fits),
        "median": float(middle),
        "tenth": float(least),
        "ninetieth": float(most),
        "log_bayes": _own_or_shared(parameter, [fit.marginals[index] for fit in fits]),
    }


def _own_or_shared(
    parameter: Estimated, marginals: Sequence[tuple[FloatArray, FloatArray]]
) -> float:
    """The log Bayes factor for a value for each person against one that all share.

    A person's posterior divided by the prior is the likelihood of a value, up to the person's
    evidence, which both sides have. Of many people it is narrow, so it is interpolated.
    """
    axis = marginals[0][0]
    log_prior = -0.5 * ((axis - parameter.mean) / parameter.sd) ** 2
    log_prior -= logsumexp(log_prior)
    weights = np.stack([weight for _, weight in marginals])
    total = (np.log(np.maximum(weights, SMALLEST)) - log_prior).sum(axis=0)
    fine = np.linspace(axis[0], axis[-1], FINE)
    density = -0.5 * ((fine - parameter.mean) / parameter.sd) ** 2
    density -= logsumexp(density)
    return -float(logsumexp(density + CubicSpline(axis, total)(fine)))
