"""When kernels run compiled, and how: by numba, where that is worth the time that it takes.

Kernels are plain Python functions on plain structures, and run as such. Their compiled twins are
made when an entry is first compiled: the same functions, among whose globals all kernels are
replaced by their twins. So both can be used in one process, and numba is imported only where
something runs compiled.

- What was compiled before is kept on disk and used, except for work of less than `LOADING` seconds:
  to import numba and read it takes longer.
- Where there is none, kernels run as they are, until that has taken `PATIENCE` seconds in this
  process or is about to. Then what is needed next is compiled, which is announced.
- `ONLOOKER_COMPILE=always` compiles in any case, `ONLOOKER_COMPILE=never` nothing.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from functools import cache, cached_property
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import RLock
from time import perf_counter
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

from onlooker.planning.digest import KERNELS, digest_of

F = TypeVar("F", bound=Callable[..., Any])

VARIABLE = "ONLOOKER_COMPILE"
PATIENCE = 10.0  # seconds without compilation
LOADING = 0.5  # seconds that it takes to load what is compiled, about
OPTIONS = {"error_model": "numpy", "nogil": True}
# numba uses what it kept only while the function's file is the same to the letter, and its line.
UNCHANGING = Path(__file__).parents[1] / "py.typed"

_lock = RLock()  # one thread at a time makes twins
_options: dict[Any, dict[str, Any]] = {}  # of numba, by the plain function
_twins: dict[Any, Any] = {}
_globals: dict[int, dict[str, Any]] = {}  # by the plain ones
_entries: list[Entry] = []


class CompilingError(ValueError):
    """The environment asks for a way of compiling that does not exist."""


class _Process:
    """What this process has done so far."""

    plain_seconds = 0.0  # in kernels that were not compiled
    may_compile = True


def compiled(function: F) -> F:
    """A function that only compiled functions call."""
    _options[function] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return function


def inlined(function: F) -> F:
    """A function that is part of the one that calls it.

    Whatever calls a compiled function is optimised together with it, once more on every level of
    calls. A function that is called from one place costs no such level if it is inlined.
    """
    _options[function] = {"inline": "always"}
    return function


def _compile(function: Callable[..., Any], name: str | None = None, **options: Any) -> Any:
    """The function as numba compiles it, on twins, and keeps it on disk if it has a name there."""
    plain = cast(FunctionType, function)
    code = plain.__code__
    if name is not None:  # which says all that matters of the sources
        code = code.replace(co_filename=os.fspath(UNCHANGING), co_firstlineno=1)
    copy = FunctionType(code, _twin_globals(plain.__globals__), plain.__name__, plain.__defaults__)
    copy.__module__, copy.__qualname__ = plain.__module__, name or plain.__qualname__
    return load_numba().njit(**OPTIONS, **options)(copy)


def _twin_globals(plain: dict[str, Any]) -> dict[str, Any]:
    """The globals of a module of kernels, with the twins of all kernels."""
    if id(plain) not in _globals:
        found = _globals[id(plain)] = dict(plain)
        for name, value in plain.items():
            if isinstance(value, FunctionType) and value in _options:
                found[name] = _twin(value)
    return _globals[id(plain)]


def _twin(plain: Callable[..., Any]) -> Any:
    if plain not in _twins:
        _twins[plain] = _compile(plain, **_options[plain])
    return _twins[plain]


class Entry:
    """A kernel that Python calls. It may be compiled, and is then kept on disk."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._called = self._found = False
        _entries.append(self)

    def __call__(self, *arguments: Any) -> Any:
        """Call it, compiled or not."""
        [call] = choose(self)
        return call(*arguments)

    def plain(self, *arguments: Any) -> Any:
        """Call it as it is."""
        start = perf_counter()
        with np.errstate(all="ignore"):
            result = self.function(*arguments)
        _Process.plain_seconds += perf_counter() - start
        return result

    def compiled(self, *arguments: Any) -> Any:
        """Call its compiled twin; the first call ever compiles it."""
        if self._called:
            return self._dispatcher(*arguments)
        with _lock:
            dispatcher, known = self._dispatcher, self.on_disk
            if not known:
                announce()
            result = dispatcher(*arguments)
            if not known:
                self._remember()
            self._called = True
            return result

    @property
    def on_disk(self) -> bool:
        """Whether it was compiled before, from these sources, for this machine."""
        self._found = self._found or self._look_up()
        return self._found

    def _look_up(self) -> bool:
        for folder in _folders():
            try:
                index = (folder / self._marker).read_text("utf-8")
            except OSError:
                continue
            return Path(index).exists()
        return False

    @cached_property
    def _name(self) -> str:
        # What is compiled is kept on disk under the function's name. With the sources in it,
        # nothing that was compiled from others is ever found.
        return f"{self.function.__module__}.{self.function.__qualname__}_{digest_of(*KERNELS)}"

    @property
    def _marker(self) -> str:
        return f"{self._name}.{_machine()}.compiled"

    @cached_property
    def _dispatcher(self) -> Any:
        with _lock:
            try:
                return _compile(self.function, self._name, no_cfunc_wrapper=True, cache=True)
            except RuntimeError:  # there is nowhere to keep it
                return _compile(self.function, self._name, no_cfunc_wrapper=True)

    def _remember(self) -> None:
        """Note where it is kept, so that this can be looked up without numba."""
        kept = getattr(getattr(self._dispatcher, "stats", None), "cache_path", None)
        pattern = f"*{self._name}-*.py{sys.version_info.major}{sys.version_info.minor}*.nbi"
        for index in Path(kept).glob(pattern) if kept else ():
            for folder in _folders():
                try:
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / self._marker).write_text(os.fspath(index), "utf-8")
                except OSError:
                    continue
                self._found = True
                break


def choose(*entries: Entry, seconds: float = 0.0) -> list[Callable[..., Any]]:
    """How to call entries that share structures: all of them compiled, or none.

    `seconds` is about what the work takes that is not compiled.
    """
    if _compiles(entries, seconds):
        return [entry.compiled for entry in entries]
    return [entry.plain for entry in entries]


def is_compiled(call: Callable[..., Any]) -> bool:
    """Whether what `choose` gave runs compiled."""
    return call.__name__ == Entry.compiled.__name__


def _compiles(entries: tuple[Entry, ...], seconds: float) -> bool:
    wish = _wish()
    if wish:
        return wish == "always"
    work = _Process.plain_seconds + seconds
    if work < LOADING and "numba" not in sys.modules:
        return False
    if all(entry.on_disk for entry in entries):
        return True
    return _Process.may_compile and work > PATIENCE


def compiles_nothing() -> bool:
    """Whether it was asked for that nothing runs compiled."""
    return _wish() == "never"


def _wish() -> str:
    """What the environment asks for: always, never or nothing."""
    wish = os.environ.get(VARIABLE, "")
    if wish not in ("", "always", "never"):
        raise CompilingError(f"{VARIABLE}={wish}: expected always or never")
    return wish if os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0") else "never"


def on_disk() -> bool:
    """Whether every entry was compiled before."""
    return all(entry.on_disk for entry in _entries)


def leave_compiling() -> None:
    """Compile nothing in this process any more: it has others to answer."""
    _Process.may_compile = False


def expect_much() -> None:
    """Compile whatever is needed in this process: it has much to do."""
    _Process.plain_seconds = np.inf


@cache
def announce() -> None:
    """Say, once in a process, what takes so long."""
    message = "Compiling the engine, once on this machine: about half a minute …"
    print(message, file=sys.stderr, flush=True)


@cache
def load_numba() -> Any:
    """Import numba with nothing beside it that is not used here, which takes a fifth less.

    Else it imports scipy, for linear algebra, and looks for extensions in all that is installed.
    """
    if "numba" not in sys.modules:
        name = "scipy.linalg.cython_blas"
        hidden = name not in sys.modules
        if hidden:
            sys.modules[name] = None  # type: ignore[assignment] # to be found missing
        try:
            import numba.core.entrypoints as extensions
            import numba.np.arraymath
        finally:
            if hidden:
                del sys.modules[name]
        if hasattr(extensions, "_already_initialized"):
            extensions._already_initialized = True
    import numba

    return numba


def _folders() -> list[Path]:
    """Where it may be noted what is on disk."""
    if own := os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(own)]
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return [UNCHANGING.parent / "__pycache__", home / "onlooker"]


@cache
def _machine() -> str:
    """What compiled code fits to: numba, Python and the processor."""
    about = [version("numba"), platform.python_version(), platform.machine()]
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        about += {line for line in lines if line.startswith(("model name", "flags", "Features"))}
    except OSError:
        about.append(platform.processor())
    return sha256("\n".join(sorted(about)).encode()).hexdigest()[:16]
