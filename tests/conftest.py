from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from left_out import LeftOut
from onlooker.observers.warm import compile_engine
from onlooker.planning.compiling import on_disk
from own_archive import write_archive
from running import made_once

# Time depends on the machine, so no test is failed for it.
settings.register_profile(
    "default", deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("few", settings.get_profile("default"), max_examples=2)
settings.register_profile("soak", settings.get_profile("default"), max_examples=3000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_xdist_auto_num_workers() -> int:
    """Two workers for each core: tests in a browser, and of servers, wait most of the time."""
    return 2 * (os.cpu_count() or 1)


def pytest_configure(config: pytest.Config) -> None:
    """Have the engine compiled before workers start: once, and not while a browser waits."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # so it is for a shell's background job
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        if not (config.option.collectonly or on_disk()):
            compile_engine()
        config.pluginmanager.register(LeftOut())


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests where there may be some: among tests it would import all helpers twice."""
    found = yield
    if not found or b">>>" in file_path.read_bytes():
        return found
    return [each for each in found if not isinstance(each, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Spare the garbage collector the modules and tests, which stay: it would visit them often."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)  # after the folders have marked their tests
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that wait for other processes, so that none of them is left at the end."""
    items.sort(key=lambda item: not any(map(item.get_closest_marker, ("browser", "server"))))


@pytest.fixture(scope="session")
def own_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive in the authors' layout, of maps and people of our own."""
    return made_once(tmp_path_factory, "own-archive", write_archive)
