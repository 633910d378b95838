"""What tests of the replay share: addresses, maps and what they read from a page."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

SIZES = [(1280, 800), (1920, 1080)]


TWO = "/replay?trial=gallery/two-experts"


NAMED = """map:
...2...
.#####.
.b.@.h.
###.###
###=###
###A###

legend:
@ = main agent, goal A
2 = expert agent2, goal A
b = blue wizard radagast
h = blue wizard gandalf_the_grey_pilgrim, holder
= = blue barrier
"""


Open = Callable[..., Page]


def step(page: Page) -> str:
    return page.locator(".where").inner_text()


def at(page: Page, number: int) -> None:
    expect(page.locator(".where")).to_have_text(re.compile(rf"^{number} / "))
    expect(page).to_have_url(re.compile(rf"step={number}\b"))


# Whether the present step of the timelines can be seen beside the names.
IN_SIGHT = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const [now, who, all] = [".line .now", ".line .who", ".scroller"].map(box);
  return now.left >= who.right && now.right <= all.right;
}"""

# The same after each of some presses of a key; nothing need be painted in between.
STEPS_IN_SIGHT = f"""([key, times]) => Array.from({{ length: times }}, () => {{
  document.body.dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true }}));
  return ({IN_SIGHT})();
}})"""


def focus_of(page: Page) -> str:
    element = "document.activeElement"
    return str(page.evaluate(f"{element}.getAttribute('aria-label') ?? {element}.textContent"))


# Longer than the page waits for a slider to rest (PAUSE_MS of main.js), by its own clock.
SETTLED = "() => new Promise((resolve) => setTimeout(resolve, 60))"


BUSY = """([status, seconds]) => {  // refuse calls while `busy` is true
  const real = window.fetch;
  window.busy = true;
  window.fetch = async (address, options) => {
    if (!String(address).endsWith("/document") || !window.busy) return real(address, options);
    const body = { error: "busy", message: "Too many.", problems: [] };
    const headers = { "Retry-After": seconds };
    return new Response(JSON.stringify(body), { status, headers });
  };
}"""
