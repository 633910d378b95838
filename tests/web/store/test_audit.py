"""What a session's log does not explain is found."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from onlooker.web.participant.service import StudyService
from web.person import Person


@pytest.mark.parametrize(
    ("tampering", "told"),
    [
        (
            "UPDATE sessions SET state = replace(state, 'check', 'card')",
            "state is not where",
        ),
        ("UPDATE sessions SET ordering = 3", "ordering or screen"),
        ("UPDATE events SET state_hash = 'x' WHERE seq = 0", "leads to another state"),
        ("UPDATE events SET kind = 'back' WHERE seq = 0", "event 0 \\(back\\)"),
        ("DELETE FROM events WHERE seq = 0", "expected events 0 to 1, found 1"),
    ],
)
def test_what_the_log_does_not_explain_is_found(
    service: StudyService, tampering: str, told: str
) -> None:
    person = Person(service, "anna").send("consent", agree=True)
    person.send("next")
    session = service.store.sessions()[0]
    assert service.store.verify(session.id, service.courses) == []
    with service.store.write() as tx:
        tx.orm.execute(text(tampering))
    problems = service.store.verify(session.id, service.courses)
    assert problems
    with pytest.raises(AssertionError, match=told):
        raise AssertionError("; ".join(problems))
