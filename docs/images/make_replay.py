"""Make replay.png, the picture of the replay: `python docs/images/make_replay.py`.

It needs Chromium and the packages that the browser tests need.
"""

from __future__ import annotations

import shutil
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from onlooker.web.server.app import create_app
from onlooker.web.server.run import serving
from onlooker.web.settings import default_settings
from onlooker.web.store import Store

LINK = "/replay?trial=gallery/many-wizards&player=rational_mentalizing&step=6"
OUT = Path(__file__).with_name("replay.png")
COLOURS = 64  # so that the picture is small
NAMES = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """Open the replay, point at an imagined path and take the picture."""
    browser_path = next(filter(None, map(shutil.which, NAMES)), None)
    with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/study.db") as store:
        app = create_app(default_settings(4), store)
        with serving(app) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=browser_path, args=["--headless", "--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1280, "height": 884})
            page.goto(url + LINK)
            page.locator(".particles .show").first.click()
            page.mouse.move(640, 30)
            page.locator(".mind").evaluate("panel => (panel.scrollTop = 0)")
            page.locator(".map .trail").wait_for()
            drawn = Image.open(BytesIO(page.screenshot())).convert("RGB")
            drawn.quantize(COLOURS, dither=Image.Dither.NONE).save(OUT, optimize=True)
            browser.close()
    print(OUT)


if __name__ == "__main__":
    main()
