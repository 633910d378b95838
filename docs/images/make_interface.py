"""Take the pictures of the interface that reports show: `make pictures`.

They lie in the package, so that `onlooker reproduce` needs no browser. A test fails when the
interface has changed since. It needs Chromium and the packages that the browser tests need.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, os.fspath(Path(__file__).parents[2] / "tests"))
from browser.interface import PICTURES, RECORD, record, take

NAMES = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """Take all pictures and write them with the record of what is on them."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=["--headless", "--no-sandbox"]
        )
        shots = list(take(browser, Path(folder)))
        browser.close()
    PICTURES.mkdir(exist_ok=True)
    for shot in shots:
        path = PICTURES / f"{shot.name}.png"
        path.write_bytes(shot.png)
        print(path.name, f"{len(shot.png) / 1000:.0f} kB")
    RECORD.write_text(record(shots) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
