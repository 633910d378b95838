from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from left_out import LeftOut
from onlooker.observers.warm import compile_engine

# Time depends on the machine, so no test is failed for it.
settings.register_profile(
    "default", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)
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
        compile_engine(everything=True)
        config.pluginmanager.register(LeftOut())
