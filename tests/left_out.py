"""A pytest plugin that ends the output with what did not run, and why; in CI that is a failure."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Generator

import pytest

# Nobody but the authors can give their data away, so that CI may be without it.
AUTHORS = re.compile(r"the authors' data\b")


class LeftOut:
    """The reasons for which tests did not run."""

    def __init__(self) -> None:
        self.tests: Counter[str] = Counter()
        self.modules: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self.tests[_reason(report)] += 1

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if not report.passed:
            why = _reason(report) if report.skipped else "it cannot be imported"
            self.modules[f"{why} ({report.nodeid})"] = 1  # each worker reports it

    @pytest.hookimpl(wrapper=True, tryfirst=True)  # after all else has been printed
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, None, None]:
        yield
        if session.config.option.collectonly:
            return
        fatal = [why for why in (*self.tests, *self.modules) if not AUTHORS.match(why)]
        fails = bool(fatal and os.environ.get("CI"))
        if fails and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        terminal = session.config.get_terminal_writer()
        for line in self.lines():
            terminal.line(line, yellow=not fails, red=fails)
        if fails:
            terminal.line("In CI all tests must run, so this is a failure.", red=True)

    def lines(self) -> list[str]:
        """One line for each reason, with how many tests it kept from running."""
        lines = [
            f"{number} {noun if number == 1 else f'{noun}s'} did not run: {why}"
            for reasons, noun in ((self.modules, "module"), (self.tests, "test"))
            for why, number in sorted(reasons.items())
        ]
        return lines or ["No test was left out."]


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    reason = text.removeprefix("Skipped: ")
    return "the authors' data is not here" if AUTHORS.match(reason) else reason
