"""How functions are compiled: by numba when they are first called, and then kept on disk."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

_njit: Any = numba.njit  # its stubs do not know all of its options
OPTIONS = {"error_model": "numpy", "nogil": True}
PACKAGE = Path(__file__).resolve().parent.parent
SOURCES = ("planning/kernels.py", "inference/kernels/*.py", "observers/kernels/*.py")


def compiled(function: F) -> F:
    """A function that only compiled functions call."""
    return cast(F, _njit(**OPTIONS, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function))


class Entry:
    """A compiled function that Python calls. Compiling it takes a while and is announced."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
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
            return _njit(**OPTIONS, cache=True)(self.function)
        except RuntimeError:  # there is nowhere to keep it
            return _njit(**OPTIONS)(self.function)

    @property
    def _marker(self) -> Path | None:
        """A file beside what is kept on disk that says that it is there."""
        folder = self._dispatcher.stats.cache_path
        if not folder:
            return None
        made = f"{sources_digest()}-numba-{numba.__version__}"
        return Path(folder) / f"{self.function.__module__}.{self.function.__name__}-{made}"


@cache
def announce() -> None:
    """Say, once in a process, what takes so long."""
    told = "Compiling the engine, once on this machine: about half a minute …"
    print(told, file=sys.stderr, flush=True)


@cache
def sources_digest() -> str:
    """A word that changes with the source of anything compiled."""
    files = (file for pattern in SOURCES for file in sorted(PACKAGE.glob(pattern)))
    text = b"".join(file.read_bytes() for file in files)
    return hashlib.sha256(text).hexdigest()[:16]
