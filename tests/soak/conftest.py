"""The fixtures of tests/web that the long runs use."""

from __future__ import annotations

from web.conftest import postgres_server

__all__ = ["postgres_server"]
