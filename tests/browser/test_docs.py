"""The documentation opened from disk: search works, and nothing is asked for from elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from running import ROOT


@pytest.mark.slow
def test_search_works_from_disk(browser: Browser, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", tmp_path],
        check=True,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "true"},
    )
    page = browser.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith("http") and problems.append(asked.url))
    page.goto((tmp_path / "model.html").as_uri())
    page.locator("input[name=query]").click()
    page.locator("input[name=query]").press_sequentially("novice")
    page.locator(".md-search-result__item").first.wait_for()
    assert page.locator("math").count() > 10
    assert problems == []
    page.close()
