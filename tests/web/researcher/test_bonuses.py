"""Bonuses: by the log, once."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest

from onlooker.web.researcher import bonuses as bonus
from onlooker.web.settings import Payment
from onlooker.web.store.models import SessionRow
from onlooker.web.store.store import Store
from onlooker.web.study.course import Courses
from onlooker.web.study.flow import bonus_amount
from web.short_study import Study, short_study

TIME = "2025-03-01T12:00:00.000Z"


@pytest.fixture
def study(store: Store, courses: Courses) -> Iterator[Study]:
    with short_study(store, courses) as made:
        made.complete("anna", "bert")
        made.visitor("carl").go_to(made.courses[1], "trial")
        made.complete("test-dora")
        yield made


def due(study: Study, payment: Payment | None = None) -> bonus.Reckoning:
    return bonus.reckon(study.store, payment or study.settings.payment, study.courses)


def test_the_bonus_is_the_share_of_the_points_that_could_be_left(study: Study) -> None:
    reckoning = due(study)
    assert reckoning.held == []
    assert len(reckoning.due) == 2
    course = study.courses[1]
    for item in reckoning.due:
        with study.store.read() as orm:
            session = orm.get(SessionRow, item.session_id)
            assert session is not None
            assert session.ordering is not None
        names = course.ordering(session.ordering)
        possible = sum(course.stages[n].budget - course.least_costs[n] for n in names)
        watched = 2 * 2  # each visitor watches two steps in each of two rounds
        assert item.amount == bonus_amount(study.settings.payment, possible - watched, possible)
        assert Decimal(0) < item.amount < Decimal(2)


def test_a_second_run_pays_nothing(study: Study) -> None:
    first = due(study)
    batch = bonus.enter(study.store, first.due, "$", TIME)
    assert batch is not None
    assert due(study).due == []
    assert bonus.enter(study.store, first.due, "$", TIME) is None
    [entered] = bonus.batches(study.store)
    assert (entered.name, entered.people, entered.total) == (batch, 2, first.total)
    lines = (bonus.payment_file(study.store, batch) or "").splitlines()
    amounts = [str(item.amount) for item in first.due]
    assert lines == [f"anna,{amounts[0]}", f"bert,{amounts[1]}"]
    assert bonus.payment_file(study.store, "other") is None


def test_newcomers_come_into_a_batch_of_their_own(study: Study) -> None:
    bonus.enter(study.store, due(study).due, "$", TIME)
    study.complete("emma")
    second = due(study)
    assert len(second.due) == 1
    batch = bonus.enter(study.store, second.due, "$", TIME)
    assert (bonus.payment_file(study.store, batch or "") or "").startswith("emma,")
    assert len(bonus.batches(study.store)) == 2


def test_what_was_told_otherwise_is_held(study: Study) -> None:
    changed = study.settings.payment.model_copy(update={"bonus_max": Decimal("5.00")})
    reckoning = due(study, changed)
    assert reckoning.due == []
    assert all("was told" in item.problem for item in reckoning.held)


def test_a_log_that_cannot_be_replayed_is_held(study: Study) -> None:
    with study.store.write() as tx:
        session = tx.orm.get(SessionRow, 1)
        assert session is not None
        session.state_hash = "0"
    reckoning = due(study)
    assert [len(reckoning.due), len(reckoning.held)] == [1, 1]


def test_nothing_is_not_in_the_file_but_in_the_ledger(study: Study) -> None:
    nothing = [bonus.Due(1, "p1", Decimal("0.00"))]
    batch = bonus.enter(study.store, nothing, "$", TIME)
    assert bonus.payment_file(study.store, batch or "") == ""
    assert len(due(study).due) == 1


def test_the_ledger_is_there_on_both_systems(any_store: Store) -> None:
    assert bonus.batches(any_store) == []
    assert bonus.enter(any_store, [], "$", TIME) is None
