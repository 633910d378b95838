"""Bonuses: by the log, once."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest

from onlooker.web.researcher import bonuses as ledger
from onlooker.web.settings import Payment
from onlooker.web.store import Store
from onlooker.web.store.models import SessionRow
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


def due(study: Study, payment: Payment | None = None) -> ledger.OpenBonuses:
    return ledger.open_bonuses(study.store, payment or study.settings.payment, study.courses)


def test_the_bonus_is_the_share_of_the_points_that_could_be_left(study: Study) -> None:
    bonuses = due(study)
    assert bonuses.on_hold == []
    assert len(bonuses.due) == 2
    course = study.courses[1]
    for item in bonuses.due:
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
    batch = ledger.record_bonuses(study.store, first.due, "$", TIME)
    assert batch is not None
    assert due(study).due == []
    assert ledger.record_bonuses(study.store, first.due, "$", TIME) is None
    [entered] = ledger.payment_batches(study.store)
    assert (entered.name, entered.people, entered.total) == (batch, 2, first.total)
    lines = (ledger.payment_file(study.store, batch) or "").splitlines()
    amounts = [str(item.amount) for item in first.due]
    assert lines == [f"anna,{amounts[0]}", f"bert,{amounts[1]}"]
    assert ledger.payment_file(study.store, "other") is None


def test_newcomers_come_into_a_batch_of_their_own(study: Study) -> None:
    ledger.record_bonuses(study.store, due(study).due, "$", TIME)
    study.complete("emma")
    second = due(study)
    assert len(second.due) == 1
    batch = ledger.record_bonuses(study.store, second.due, "$", TIME)
    assert (ledger.payment_file(study.store, batch or "") or "").startswith("emma,")
    assert len(ledger.payment_batches(study.store)) == 2


def test_a_bonus_that_was_shown_otherwise_is_on_hold(study: Study) -> None:
    changed = study.settings.payment.model_copy(update={"bonus_max": Decimal("5.00")})
    bonuses = due(study, changed)
    assert bonuses.due == []
    assert all("the last page showed" in item.problem for item in bonuses.on_hold)


def test_a_log_that_cannot_be_replayed_is_on_hold(study: Study) -> None:
    with study.store.write() as tx:
        session = tx.orm.get(SessionRow, 1)
        assert session is not None
        session.state_hash = "0"
    bonuses = due(study)
    assert [len(bonuses.due), len(bonuses.on_hold)] == [1, 1]


def test_nothing_is_not_in_the_file_but_in_the_ledger(study: Study) -> None:
    nothing = [ledger.BonusDue(1, "p1", Decimal("0.00"))]
    batch = ledger.record_bonuses(study.store, nothing, "$", TIME)
    assert ledger.payment_file(study.store, batch or "") == ""
    assert len(due(study).due) == 1


def test_the_ledger_is_there_on_both_systems(any_store: Store) -> None:
    assert ledger.payment_batches(any_store) == []
    assert ledger.record_bonuses(any_store, [], "$", TIME) is None
