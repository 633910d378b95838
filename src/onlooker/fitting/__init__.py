"""Fitting observers to the single decisions of single people, and selecting among them.

Names are imported when they are first asked for, so that the commands can say how to get the
libraries of the extra.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from onlooker.support.extras import names_of, needs_extra

if TYPE_CHECKING:
    from onlooker.fitting.comparing import compare_people
    from onlooker.fitting.selection import Selection, bms, exceedance, fixed_effects

__all__ = ["Selection", "bms", "compare_people", "exceedance", "fit_extra", "fixed_effects"]

LIBRARIES = ("arviz_stats", "pandas", "pandera", "scipy")

_HOMES = {
    "comparing": ("compare_people",),
    "selection": ("Selection", "bms", "exceedance", "fixed_effects"),
}


def fit_extra() -> AbstractContextManager[None]:
    """Import fits within this block; MissingExtraError says how to get their libraries."""
    return needs_extra("fit", "fitting people", *LIBRARIES)


__getattr__ = names_of(__name__, _HOMES)
