"""Orderings fill evenly, on both databases."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from onlooker.web.participant.service import StudyService
from onlooker.web.store.models import timestamp
from web.person import Person, Watch
from web.records import ordering_counts


def spread(counts: dict[int, int]) -> int:
    return max(counts.values()) - min(counts.values())


@pytest.mark.parametrize("people", [41, pytest.param(321, marks=pytest.mark.slow)])
def test_simultaneous_arrivals_with_drop_outs_fill_the_orderings_evenly(
    service: StudyService, people: int
) -> None:
    """Three in ten leave on the way, before they have an ordering or after it."""

    def take_part(number: int) -> None:
        person = Person(service, f"p{number}")
        if number % 10 == 0:
            return
        person.to_first_card()
        if number % 10 in (1, 2):
            person.send("withdraw")

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(take_part, range(people)))
    sessions = service.store.sessions()
    assert len(sessions) == people
    given = Counter(s.ordering for s in sessions if s.ordering)
    assert len(given) == 8
    assert len({s.seed for s in sessions}) == people
    # Those who left make room for those who come after them.
    with ThreadPoolExecutor(16) as pool:
        more = [f"more{number}" for number in range(sum(given.values()) // 2)]
        list(pool.map(lambda pid: Person(service, pid).to_first_card(), more))
    counts = ordering_counts(service.store, 1, 8, "2025-03-01")
    assert spread(counts) <= 1


def test_drop_outs_before_the_rounds_do_not_unbalance_anything(service: StudyService) -> None:
    def take_part(number: int) -> None:
        person = Person(service, f"p{number}")
        if number % 10 > 2:
            person.to_first_card()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(take_part, range(60)))
    given = Counter(s.ordering for s in service.store.sessions() if s.ordering)
    assert sum(given.values()) == 42
    assert spread({number: given[number] for number in range(1, 9)}) <= 1


def test_the_silent_do_not_count(service: StudyService, watch: Watch) -> None:
    first = Person(service, "anna").to_first_card()
    watch.forward(minutes=31)
    sessions = service.store.sessions()
    cutoff = timestamp(watch() - timedelta(minutes=30))
    assert sum(ordering_counts(service.store, 1, 8, cutoff).values()) == 0
    first.send("next")
    assert ordering_counts(service.store, 1, 8, cutoff)[sessions[0].ordering] == 1


def test_test_runs_are_spread_by_themselves_and_never_counted(service: StudyService) -> None:
    for number in range(8):
        Person(service, f"test-{number}").to_first_card()
    assert {s.ordering for s in service.store.sessions(test=True)} == set(range(1, 9))
    assert service.store.sessions() == []
    assert sum(ordering_counts(service.store, 1, 8, "2025").values()) == 0


def test_how_an_ordering_was_given_can_be_retraced(service: StudyService) -> None:
    from onlooker.web.participant.assignment import least_filled

    for number in range(5):
        Person(service, f"p{number}").to_first_card()
    for session in service.store.sessions():
        counts = {int(number): count for number, count in session.counts.items()}
        assert least_filled(counts, session.seed) == session.ordering
