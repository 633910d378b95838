"""Researchers' sign-ins in the database: the key of their cookies, and those that were ended."""

from __future__ import annotations

import hashlib

from sqlalchemy import delete, select

from onlooker.web.store.models import EndedSignInRow, KeyRow
from onlooker.web.store.store import Store


def cookie_key(store: Store) -> bytes:
    """The key that signs cookies; it is the same after a restart and in every process."""
    with store.read() as orm:
        return bytes.fromhex(
            orm.scalars(select(KeyRow.value).where(KeyRow.name == "cookies")).one()
        )


def has_ended(store: Store, sign_in: str) -> bool:
    """Whether a sign-in was ended."""
    with store.read() as orm:
        return orm.get(EndedSignInRow, _hashed(sign_in)) is not None


def end_sign_in(store: Store, sign_in: str, time: str, forget_before: str) -> None:
    """End a sign-in; forget those whose cookies have expired anyway."""
    with store.write() as tx:
        tx.orm.execute(delete(EndedSignInRow).where(EndedSignInRow.ended_at < forget_before))
        tx.orm.merge(EndedSignInRow(sign_in_hash=_hashed(sign_in), ended_at=time))


def _hashed(sign_in: str) -> str:
    return hashlib.sha256(sign_in.encode()).hexdigest()
