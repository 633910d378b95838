"""Calls of the replay page, as tests make them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import httpx

from onlooker.experiments.stimuli import stimuli
from onlooker.game import dump_map_text
from onlooker.web.settings import default_settings
from onlooker.web.store import Store
from onlooker.web.study.course import Courses
from web.short_study import Study, short_study

OPEN, RESEARCHER = "/api/replay", "/researcher/replay"


TEXT = dump_map_text(stimuli(3)[0])


def live_study(store: Store, courses: Courses) -> AbstractContextManager[Study]:
    """A study with completion codes of its own."""
    codes = default_settings(1).completion.model_copy(update={"complete": "C1234"})
    return short_study(store, courses, completion=codes)


def ask(client: httpx.Client, base: str = OPEN, **body: Any) -> httpx.Response:
    return client.post(f"{base}/document", json=body)


def offered(client: httpx.Client, base: str = OPEN, **query: str) -> dict[str, Any]:
    response = client.get(f"{base}/offer", params=query)
    assert response.status_code == 200
    return response.json()


def ids(groups: list[dict[str, Any]]) -> set[str]:
    return {entry["id"] for group in groups for entry in group["entries"]}
