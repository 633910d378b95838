"""Who gets a session: submissions that the platform knows, while there is a place."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from onlooker.web.participant import assignment
from onlooker.web.participant.arrivals import Newcomer, NotNowError, refusal
from onlooker.web.participant.submissions import (
    Submissions,
    UnavailableError,
    platform_submissions,
)
from onlooker.web.settings import Settings
from onlooker.web.store import Store
from onlooker.web.store.clock import Clock, timestamp
from onlooker.web.store.transaction import Transaction
from onlooker.web.study.view_types import RefusalReason
from onlooker.web.texts import load_texts

logger = logging.getLogger("onlooker.web")


class Doorkeeper:
    """Decides about newcomers; whoever has a session never comes here."""

    def __init__(
        self, settings: Settings, store: Store, clock: Clock, submissions: Submissions | None
    ) -> None:
        self.settings, self.store, self.clock = settings, store, clock
        self.submissions = submissions or platform_submissions(settings.admission)

    def confirm(self, newcomer: Newcomer) -> None:
        """Ask the platform about somebody who has no session yet, outside of any transaction."""
        if newcomer.test or self.submissions is None:
            return
        with self.store.read() as orm:
            if Transaction(orm).session_in(newcomer.pid, newcomer.study_id, lock=False):
                return
        ids = newcomer.prolific_session, newcomer.pid, newcomer.study_id
        try:
            known = self.submissions.exists(*ids)
        except UnavailableError as error:
            logger.warning("a submission could not be checked: %s", error)
            message = "We cannot look up your submission right now. Please wait a moment."
            raise NotNowError(503, "unconfirmed", message, 5) from None
        if not known:
            raise refusal(load_texts(self.settings.study.language), "unknown_submission")

    def refusal(
        self, tx: Transaction, newcomer: Newcomer, paused: Mapping[int, bool]
    ) -> RefusalReason | None:
        """Why a newcomer gets no session now; nothing is recorded, and everybody may come again."""
        if paused.get(newcomer.experiment):
            return "paused"
        if newcomer.test:
            return None
        if self._full(tx, newcomer.experiment):
            return "full"
        now = self.clock()
        recent = assignment.arrivals(tx.orm, assignment.cutoff(now, 1), timestamp(now))
        if recent >= self.settings.admission.arrivals_per_minute:
            message = "Very many people are arriving. Please wait a moment."
            raise NotNowError(429, "crowded", message, 10)
        return None

    def _full(self, tx: Transaction, experiment: int) -> bool:
        quota, now = self.settings.quota.get(experiment), self.clock()
        if quota is None:
            return False
        active = assignment.cutoff(now, self.settings.timeouts.active_minutes)
        reserved = assignment.cutoff(now, self.settings.admission.reservation_minutes)
        taken = assignment.places_taken(tx.orm, experiment, active, reserved, timestamp(now))
        return taken >= quota
