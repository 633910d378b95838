"""A study served by whatever onlooker is imported: this version, or 0.1.0 out of the history."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

PASSWORD = "for tests"


def settings_file(folder: Path, changes: Mapping[str, str] | None = None) -> Path:
    """The example's settings, which let test runs in; texts in it can be replaced."""
    from onlooker.web.settings import EXAMPLE

    text = EXAMPLE.read_text("utf-8")
    wanted = {"# allow_test_runs = false": "allow_test_runs = true", **(changes or {})}
    for old, new in wanted.items():
        if old not in text:
            raise ValueError(f"the example's settings have no {old!r}")
        text = text.replace(old, new, 1)
    file = folder / "study.toml"
    file.write_text(text, "utf-8")
    return file


def courses(settings: Path) -> Any:
    """The courses of the version at hand."""
    from onlooker.web.settings import load_settings

    try:
        from onlooker.web.study.course import load_courses
    except ImportError:  # of version 0.1.0
        from onlooker.web.course import (  # type: ignore[import-not-found,no-redef,unused-ignore]
            load_courses,
        )
    return load_courses(load_settings(settings))


class Served:
    """`onlooker serve` in a process of its own, for as long as the block lasts."""

    def __init__(self, settings: Path, database: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url, self.database = f"http://127.0.0.1:{self.port}", database
        self.log = settings.with_name("server.log")
        self.command = [sys.executable, "-m", "onlooker", "serve", "--settings", str(settings)]
        self.command += ["--database", database, "--port", str(self.port)]

    def __enter__(self) -> Served:
        environment = os.environ | {"ONLOOKER_PASSWORD": PASSWORD}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, env=environment)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urlopen(f"{self.url}/healthz", timeout=5):
                    return self
            except (URLError, OSError):
                time.sleep(0.1)
        self.process.kill()
        raise RuntimeError(f"the server did not start:\n{self.log.read_text()}")

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End the server; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(60)

    @property
    def pids(self) -> list[int]:
        """The server's process."""
        return [self.process.pid]
