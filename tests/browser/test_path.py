"""The whole way of a participant, in every experiment, with the mouse and with the keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit
from browser.study import Study


@pytest.mark.parametrize(("experiment", "keyboard"), [(1, False), (2, True), (3, False), (4, True)])
def test_from_consent_to_the_completion_link(
    visit: Visit, study: Study, experiment: int, keyboard: bool
) -> None:
    person = visit(study, experiment, keyboard=keyboard)
    stops = list(person.walk(observations=2))
    assert stops.count("card") == stops.count("trial result") == 10
    link = person.page.locator(".completion a")
    expect(link).to_have_attribute("href", "https://app.prolific.com/submissions/complete?cc=DONE")
    expect(person.page.locator("#completion-code")).to_have_text("DONE")
    session = study.session(person.pid)
    assert study.store.verify(session.id, study.courses) == []
    assert session.end_reason == "complete"
    observed = [log[:2] for log in study.state(person.pid).logs]
    assert all(log[0].startswith("observe") for log in observed)
    looks = sum(choice.startswith("observe") for log in observed for choice in log)
    assert looks >= 2 * len(observed) - 2  # a few NPCs arrive with their first step
