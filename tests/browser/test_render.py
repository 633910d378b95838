"""`render` of game.js: a pure function of the game, for maps of any size."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from browser.study import Study

RENDER = """async ([game, options]) => {
  const { render } = await import("/shared/game.js");
  const before = JSON.stringify(game);
  const [one, two] = [render(game, options), render(game, options)];
  if (JSON.stringify(game) !== before) throw new Error("the game was changed");
  if (one.outerHTML !== two.outerHTML) throw new Error("not the same picture twice");
  return one.outerHTML;
}"""

WITH_LAYERS = """async (game) => {
  const { centre, render } = await import("/shared/game.js");
  const { s } = await import("/shared/dom.js");
  const [cx, cy] = centre([1, 0]);
  const mark = s("circle", { class: "mark", cx, cy, r: 10 });
  return render(game, { over: [mark], last: false }).outerHTML;
}"""


def game(width: int, height: int, **more: Any) -> dict[str, Any]:
    return {
        "width": width,
        "height": height,
        "walls": [[width - 1, height - 1]],
        "barriers": [{"at": [2, 0], "colour": "octarine"}],
        "wizards": [{"id": "w1", "at": [0, 1], "colour": "octarine"}],
        "chests": [{"letter": "A", "at": [1, 1]}, {"letter": "B", "at": [2, 1]}],
        "main": {"at": [0, 0], "goal": "A", "amulets": [], "arrived": False},
        "npcs": [npc("agent2", [0, 0], "expert"), npc("owl", [2, 1], "novice")],
        "points": {"budget": 50, "left": 44},
        "costs": {"move": 3, "interact": 5, "observe": 1},
        "choices": [],
        "last": None,
        "history": [],
        "tutorial": False,
        "finished": False,
        "result": None,
        **more,
    }


def npc(name: str, at: list[int], expertise: str) -> dict[str, Any]:
    return {
        "id": name,
        "name": name.title(),
        "at": at,
        "expertise": expertise,
        "arrived": False,
        "observed": 0,
    }


@pytest.fixture
def page(tab: Page, short: Study) -> Page:
    """A page of the study's server: from any of them the module can be imported."""
    tab.goto(f"{short.url}/healthz")
    return tab


@pytest.mark.parametrize(("width", "height"), [(3, 2), (11, 12), (40, 30)])
def test_it_draws_any_size_and_changes_nothing(page: Any, width: int, height: int) -> None:
    drawn = page.evaluate(RENDER, [game(width, height), {}])
    assert drawn.count('role="gridcell"') == width * height
    for label in ("octarine wizard w1", "octarine barrier", "chest A, your goal", "wall"):
        assert f'aria-label="{label};' in drawn
    assert 'aria-label="floor; you, M; Agent2, expert; column 1, row 1"' in drawn
    assert "style=" not in drawn


def test_paths_and_layers(page: Any) -> None:
    paths = [{"cells": [[0, 0], [1, 0]], "agent": "owl"}]
    assert 'class="trail"' in page.evaluate(RENDER, [game(3, 2), {"paths": paths}])
    assert '<circle class="mark" cx="150" cy="50"' in page.evaluate(WITH_LAYERS, game(3, 2))


@pytest.mark.parametrize("outcome", ["given", "nothing", "hidden"])
def test_what_a_wizard_answered_is_in_a_bubble(page: Any, outcome: str) -> None:
    last = {
        "who": "owl",
        "action": "down",
        "kind": "interaction",
        "from": [0, 0],
        "to": [0, 0],
        "wizard": "w1",
        "outcome": outcome,
        "barrier": None,
        "chest": None,
        "arrived": False,
        "text": "Owl asked.",
    }
    asked = game(3, 2, last=last)
    assert f'class="bubble {outcome}"' in page.evaluate(RENDER, [asked, {}])
    assert "bubble" not in page.evaluate(RENDER, [asked, {"last": False}])
