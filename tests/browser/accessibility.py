"""What axe finds on a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SCRIPT = Axe().axe_script

# Only what is said of a finding leaves the page: the whole report takes longer than the search.
RUN = """async () => {
  const found = await axe.run({ resultTypes: ["violations"] });
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${JSON.stringify(target)}`));
}"""


def findings(page: Page) -> list[str]:
    """What axe finds to be serious or critical, with where it is."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT)
    return [str(found) for found in page.evaluate(RUN)]
