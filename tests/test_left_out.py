"""Tests that do not run are counted by reason in the last lines, and are a failure in CI."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

PLUGIN = """
from left_out import LeftOut

def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(LeftOut())
"""
BROWSER = """
import pytest

@pytest.fixture(scope="module")
def browser():
    pytest.skip("no browser: the download failed")

@pytest.mark.parametrize("number", range(3))
def test_page(browser, number):
    pass

def test_other():
    pass
"""
AUTHORS = """
import pytest

@pytest.mark.skipif(True, reason="the authors' data is not here")
def test_archive():
    pass

def test_figure():
    pytest.skip("the authors' data is not beside the project")
"""


@pytest.fixture
def last_lines(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """The status and the last lines of a run of the files."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def run(*options: str, ci: bool = False, **files: str) -> tuple[int, list[str]]:
        monkeypatch.setenv("CI", "true") if ci else monkeypatch.delenv("CI", raising=False)
        pytester.makeconftest(PLUGIN)
        pytester.makepyfile(**files)
        result = pytester.runpytest_inprocess("-p", "no:cacheprovider", *options)
        above = next(n for n, line in enumerate(result.outlines) if line.startswith("====") and " in " in line)  # fmt: skip
        return result.ret, result.outlines[above + 1 :]

    return run


@pytest.mark.parametrize("workers", ["0", "1"])
def test_what_is_missing_comes_last_with_its_number_of_tests(last_lines, workers: str) -> None:
    status, lines = last_lines("-n", workers, test_b=BROWSER, test_a=AUTHORS)
    assert status == 0
    assert lines == [
        "3 tests did not run: no browser: the download failed",
        "2 tests did not run: the authors' data is not here",
    ]


def test_in_ci_a_missing_program_is_a_failure(last_lines) -> None:
    status, lines = last_lines("-n", "0", ci=True, test_b=BROWSER)
    assert status == 1
    assert lines[0] == "3 tests did not run: no browser: the download failed"
    assert lines[-1] == "In CI all tests must run, so this is a failure."


def test_in_ci_a_skip_for_any_other_reason_is_a_failure(last_lines) -> None:
    module = 'import pytest\npytest.skip("not today", allow_module_level=True)\n'
    status, lines = last_lines("-n", "0", ci=True, test_m=module, test_a=AUTHORS)
    assert status == 1
    assert lines[0] == "1 module did not run: not today (test_m.py)"


def test_in_ci_the_authors_data_may_be_missing_but_is_named(last_lines) -> None:
    status, lines = last_lines("-n", "0", ci=True, test_a=AUTHORS)
    assert status == 0
    assert lines[0] == "2 tests did not run: the authors' data is not here"


def test_a_module_with_an_error_is_named(last_lines) -> None:
    status, lines = last_lines("-n", "0", test_e="import no_such_module\n")
    assert status != 0
    assert lines == ["1 module did not run: it cannot be imported (test_e.py)"]


def test_a_failed_test_stays_a_failure_and_nothing_else_is_said(last_lines) -> None:
    status, lines = last_lines("-n", "0", test_f="def test_fails():\n    assert False\n")
    assert (status, lines) == (1, ["No test was left out."])
