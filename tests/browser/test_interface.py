"""The pictures of the interface in the package show the interface as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browser.interface import PICTURES, RECORD, record, take
from onlooker.analysis.report.pictures import SHOTS, interface

AGAIN = "the interface has changed since its pictures were taken; take them again: make pictures"


@pytest.mark.slow
def test_the_pictures_show_the_interface_as_it_is(browser: Browser, tmp_path: Path) -> None:
    shots = list(take(browser, tmp_path))
    assert [shot.name for shot in shots] == list(SHOTS)
    there, now = json.loads(RECORD.read_text("utf-8")), json.loads(record(shots))
    for name, shown in now["shown"].items():
        assert there["shown"][name]["text"] == shown["text"], AGAIN
        assert there["shown"][name]["sha256"] == shown["sha256"], f"{name}: {AGAIN}"
    assert there["styles"] == now["styles"], AGAIN


def test_the_pictures_are_small_and_all_there() -> None:
    pictures = interface()
    assert {path.stem for path in PICTURES.glob("*.png")} == set(SHOTS)
    assert all(picture.png.startswith(b"\x89PNG") for picture in pictures)
    assert sum(len(picture.png) for picture in pictures) < 500_000
