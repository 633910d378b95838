"""Reading what people did, and comparing it with what the observers predict.

Nothing here imports pandas, so that the commands can say how to get it; the modules beside do.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from onlooker.support.extras import needs_extra
from onlooker.support.problems import DataError

__all__ = ["DataError", "analysis_extra"]

LIBRARIES = ("pandas", "pandera")


def analysis_extra() -> AbstractContextManager[None]:
    """Import the analysis within this block; MissingExtraError says how to get its libraries."""
    return needs_extra("analysis", "the analysis", *LIBRARIES)
