"""Signed links: only somebody who has the lab's key can make one for a participant."""

from __future__ import annotations

import hashlib
import hmac
from urllib.parse import urlencode


def signature(key: str, pid: str, study_id: str, expires: int) -> str:
    """The signature of a participant's id in a study, until a time in seconds since 1970.

    >>> signature("key", "anna", "pilot", 1_800_000_000)[:8]
    '7e33baf7'
    """
    message = f"{pid}\n{study_id}\n{expires}".encode()  # ids contain no line breaks
    return hmac.new(key.encode(), message, hashlib.sha256).hexdigest()


def is_signed(key: str, pid: str, study_id: str, expires: int, given: str) -> bool:
    """Whether a signature is that of the ids; an empty key signs nothing."""
    return bool(key) and hmac.compare_digest(signature(key, pid, study_id, expires), given)


def signed_link(address: str, key: str, pid: str, study_id: str, expires: int) -> str:
    """A participant's link to the study at an address."""
    ids = {
        "PROLIFIC_PID": pid,
        "STUDY_ID": study_id,
        "EXPIRES": expires,
        "SIGNATURE": signature(key, pid, study_id, expires),
    }
    return f"{address.rstrip('/')}/?{urlencode(ids)}"
