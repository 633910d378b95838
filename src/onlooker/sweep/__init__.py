"""Many parameter settings over many trials: on the cores of this machine, or on a cluster.

Nothing here imports the libraries of the extra, so that the commands can say how to get them; the
modules beside do.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from onlooker.support.extras import needs_extra

LIBRARIES = ("pandas", "pyarrow", "scipy")


class SweepError(ValueError):
    """A sweep cannot be run as it is asked for; the text says where and what was expected."""


def sweep_extra() -> AbstractContextManager[None]:
    """Import sweeps within this block; MissingExtraError says how to get their libraries."""
    return needs_extra("sweep", "a sweep", *LIBRARIES)


def cluster_extra() -> AbstractContextManager[None]:
    """Import Dask within this block; MissingExtraError says how to get it."""
    return needs_extra("cluster", "a Dask cluster", "dask", "distributed")
