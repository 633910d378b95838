"""Who gets a session: people whose link is good, while there is a place."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from onlooker.game import ExperimentName
from onlooker.web.participant import assignment
from onlooker.web.participant.arrivals import Newcomer, NotNowError, refusal
from onlooker.web.participant.links import (
    InvalidTokenError,
    LinkIds,
    NoKeysError,
    PublicKeys,
    SignedLinks,
    is_signed,
)
from onlooker.web.settings import Settings
from onlooker.web.store import Store
from onlooker.web.store.models import Clock
from onlooker.web.store.transaction import Transaction
from onlooker.web.study.view_types import RefusalReason

logger = logging.getLogger("onlooker.web")


class Admission:
    """Decides who gets in; whoever has a session is only asked for a link that was good once."""

    def __init__(self, settings: Settings, store: Store, clock: Clock) -> None:
        self.settings, self.store, self.clock = settings, store, clock
        admission = settings.admission
        self._prolific = None
        if admission.prolific == "signed":
            keys = PublicKeys(admission.prolific_keys)
            self._prolific = SignedLinks(admission.prolific_audience or "", keys)

    def check_link(self, newcomer: Newcomer) -> None:
        """ArrivalError if a link is not signed as the settings ask for; outside of transactions.

        A link that has expired still leads back to the session that it opened.
        """
        if newcomer.test:
            return
        if self.settings.admission.link_key_env is not None:
            self._check_own(newcomer)
        if self._prolific is not None:
            self._check_prolific(self._prolific, newcomer)

    def _check_own(self, newcomer: Newcomer) -> None:
        link, texts = newcomer.link, self.settings.spoken
        key = self.settings.admission.link_key
        if not is_signed(key, newcomer.pid, newcomer.study_id, link.expires, link.signature):
            raise refusal(texts, "unsigned_link")
        if self.clock().timestamp() > link.expires and not self._has_session(newcomer):
            raise refusal(texts, "expired_link")

    def _check_prolific(self, links: SignedLinks, newcomer: Newcomer) -> None:
        ids = LinkIds(newcomer.pid, newcomer.study_id, newcomer.prolific_session)
        texts = self.settings.spoken
        try:
            links.check(newcomer.link.token, ids, expiry=False)
            if not self._has_session(newcomer):
                links.check(newcomer.link.token, ids, expiry=True)
        except InvalidTokenError as error:
            logger.warning("a link was refused: %s", error)
            expired = str(error) == "ExpiredSignatureError"
            raise refusal(texts, "expired_link" if expired else "unsigned_link") from None
        except NoKeysError as error:
            logger.warning("a link could not be checked: %s", error)
            raise NotNowError(503, "unconfirmed", texts.line("arrival.unconfirmed"), 5) from None

    def _has_session(self, newcomer: Newcomer) -> bool:
        with self.store.read() as orm:
            found = Transaction(orm).session_in(newcomer.pid, newcomer.study_id, lock=False)
        return found is not None

    def refusal(
        self, tx: Transaction, newcomer: Newcomer, paused: Mapping[ExperimentName, bool]
    ) -> RefusalReason | None:
        """Why a newcomer gets no session now; nothing is recorded, and everybody may come again."""
        if paused.get(newcomer.experiment):
            return "paused"
        quota = self.settings.quota.get(newcomer.experiment)
        if newcomer.test or quota is None:
            return None
        active = assignment.cutoff(self.clock(), self.settings.timeouts.active_minutes)
        taken = assignment.places_taken(tx.orm, newcomer.experiment, active)
        return "full" if taken >= quota else None
