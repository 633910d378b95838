"""The folder with the browser's files."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).with_name("static")
