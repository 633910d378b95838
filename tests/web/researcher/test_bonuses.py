"""Bonuses: what was promised, once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from onlooker.web.researcher import bonuses as ledger
from onlooker.web.settings import Payment
from onlooker.web.store import Store
from onlooker.web.store.models import SessionRow
from onlooker.web.study.flow import bonus_amount
from web.short_study import Study

pytestmark = pytest.mark.server

TIME = "2025-03-01T12:00:00.000Z"


def people(study: Study) -> None:
    study.complete("anna", "bert")
    study.visitor("carl").go_to(study.courses[1], "trial")
    study.complete("test-dora")


@pytest.fixture
def study(after: Callable[..., Study]) -> Study:
    return after(people)


def due(study: Study, payment: Payment | None = None) -> list[ledger.BonusDue]:
    return ledger.open_bonuses(study.store, payment or study.settings.payment, study.courses)


def test_the_bonus_is_the_share_of_the_points_that_could_be_left(study: Study) -> None:
    bonuses = due(study)
    assert [item.note for item in bonuses] == ["", ""]
    course = study.courses[1]
    for item in bonuses:
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
    [batch] = ledger.record_bonuses(study.store, first, TIME)
    assert due(study) == []
    assert ledger.record_bonuses(study.store, first, TIME) == []
    [entered] = ledger.payment_batches(study.store)
    total = ledger.totals(first)["$"]
    assert (entered.name, entered.people, entered.total) == (batch, 2, total)
    lines = (ledger.payment_file(study.store, batch) or "").splitlines()
    amounts = [str(item.amount) for item in first]
    assert lines == [f"anna,{amounts[0]}", f"bert,{amounts[1]}"]
    assert ledger.payment_file(study.store, "other") is None


def test_newcomers_come_into_a_batch_of_their_own(study: Study) -> None:
    ledger.record_bonuses(study.store, due(study), TIME)
    study.complete("emma")
    [batch] = ledger.record_bonuses(study.store, due(study), TIME)
    assert (ledger.payment_file(study.store, batch) or "").startswith("emma,")
    assert len(ledger.payment_batches(study.store)) == 2


def test_what_was_promised_is_paid_whatever_the_settings_say(study: Study) -> None:
    promised = due(study)
    changed = study.settings.payment.model_copy(
        update={"bonus_max": Decimal("5.00"), "currency": "€"}
    )
    later = due(study, changed)
    assert [(d.amount, d.currency) for d in later] == [(d.amount, "$") for d in promised]
    assert all(item.note.startswith("the log and the present settings give") for item in later)


def test_a_log_that_cannot_be_replayed_is_a_note_and_no_stop(study: Study) -> None:
    promised = due(study)
    with study.store.write() as tx:
        session = tx.orm.get(SessionRow, 1)
        assert session is not None
        session.state_hash = "0"
    later = due(study)
    assert [d.amount for d in later] == [d.amount for d in promised]
    assert [bool(d.note) for d in later] == [True, False]
    study.sign_in()
    assert "not where its log leads" in study.client.get("/researcher/bonus").text


def test_currencies_have_batches_of_their_own(study: Study) -> None:
    dollars, euros = due(study)
    euros = replace(euros, currency="€")
    batches = ledger.record_bonuses(study.store, [dollars, euros], TIME)
    assert len(batches) == 2
    assert {b.currency for b in ledger.payment_batches(study.store)} == {"$", "€"}


def test_nothing_is_not_in_the_file_but_in_the_ledger(study: Study) -> None:
    nothing = [ledger.BonusDue(1, "p1", Decimal("0.00"), "$")]
    [batch] = ledger.record_bonuses(study.store, nothing, TIME)
    assert ledger.payment_file(study.store, batch) == ""
    assert len(due(study)) == 1


def test_the_ledger_is_there_on_both_systems(any_store: Store) -> None:
    assert ledger.payment_batches(any_store) == []
    assert ledger.record_bonuses(any_store, [], TIME) == []
    assert ledger.payment_file(any_store, "no such batch") is None
