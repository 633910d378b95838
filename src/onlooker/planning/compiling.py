"""How functions are compiled: by numba when they are first called, and then kept on disk."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from onlooker.planning.digest import source_digest

F = TypeVar("F", bound=Callable[..., Any])

_njit: Any = numba.njit  # its stubs do not know all of its options
OPTIONS = {"error_model": "numpy", "nogil": True}


def compiled(function: F) -> F:
    """A function that only compiled functions call."""
    return cast(F, _njit(**OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function))


def inlined(function: F) -> F:
    """A function that is part of the one that calls it.

    Whatever calls a compiled function is optimised together with it, once more on every level of
    calls. A function that is called from one place costs no such level if it is inlined.
    """
    return cast(F, _njit(**OPTIONS, inline="always")(function))


class Entry:
    """A compiled function that Python calls. Compiling it takes a while and is announced."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        # What is compiled is kept on disk under the function's name. With the sources in it,
        # nothing that was compiled from others is ever found.
        function.__qualname__ = f"{function.__qualname__}_{source_digest()}"
        self._called = False

    def __call__(self, *arguments: Any) -> Any:
        """Call it; the first call ever compiles it."""
        if self._called:
            return self._dispatcher(*arguments)
        marker = self._marker
        if marker and not marker.exists():
            announce()
        result = self._dispatcher(*arguments)
        self._called = True
        if marker:
            marker.touch()
        return result

    @cached_property
    def _dispatcher(self) -> Any:
        try:
            return _njit(**OPTIONS, no_cfunc_wrapper=True, cache=True)(self.function)
        except RuntimeError:  # there is nowhere to keep it
            return _njit(**OPTIONS, no_cfunc_wrapper=True)(self.function)

    @property
    def _marker(self) -> Path | None:
        """A file beside what is kept on disk that says that it is there."""
        folder = getattr(getattr(self._dispatcher, "stats", None), "cache_path", None)
        if not folder:
            return None
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        return Path(folder) / f"{name}-numba-{numba.__version__}"


@cache
def announce() -> None:
    """Say, once in a process, what takes so long."""
    message = "Compiling the engine, once on this machine: about half a minute …"
    print(message, file=sys.stderr, flush=True)
