"""A browser that calls the application within this process, from an address that tests choose."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from fastapi import FastAPI


class Browser:
    """Keeps its cookies between calls; follows no redirects."""

    def __init__(self, app: FastAPI, address: str = "203.0.113.7") -> None:
        self.app, self.address = app, address
        self.cookies = httpx.Cookies()

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        return asyncio.run(self._request(method, path, **more))

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.request("POST", path, **more)

    async def _request(self, method: str, path: str, **more: Any) -> httpx.Response:
        transport = httpx.ASGITransport(
            self.app, raise_app_exceptions=False, client=(self.address, 50_000)
        )
        async with httpx.AsyncClient(
            transport=transport, base_url="http://study.example", cookies=self.cookies
        ) as client:
            response = await client.request(method, path, **more)
            self.cookies = client.cookies
            return response
