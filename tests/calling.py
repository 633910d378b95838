"""HTTP clients for servers of this machine."""

from __future__ import annotations

from typing import Any

import httpx

from waiting import HANG


def client_of(url: str, **more: Any) -> httpx.Client:
    """A client that waits as long as a call takes and loads no certificates, which takes longer."""
    return httpx.Client(base_url=url, timeout=HANG, verify=False, **more)
