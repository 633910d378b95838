"""The online experiment: settings, store, the study's flow and the participant's HTTP API."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).with_name("static")  # the browser's files
