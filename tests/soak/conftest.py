"""The fixtures of tests/web that the long runs use."""

from __future__ import annotations

from web.conftest import any_url, postgres_server, system

__all__ = ["any_url", "postgres_server", "system"]
