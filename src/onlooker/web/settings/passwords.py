"""Passwords: as salted scrypt hashes, and which ones are too weak."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

MIN_PASSWORD = 10  # characters

_N, _R, _P = 2**14, 8, 1
_FORM = re.compile(r"scrypt\$(\d+)\$(\d+)\$(\d+)\$([0-9a-f]{32})\$([0-9a-f]{64})")


def weakness(password: str) -> str:
    """What is wrong with a password; empty if nothing is.

    >>> weakness("open sesame"), weakness("sesame")
    ('', 'it has fewer than 10 characters')
    """
    if len(password) < MIN_PASSWORD:
        return f"it has fewer than {MIN_PASSWORD} characters"
    return "it has fewer than 4 different characters" if len(set(password)) < 4 else ""


def hash_password(password: str) -> str:
    """A password's hash as the settings file keeps it.

    >>> check_password("open sesame", hash_password("open sesame"))
    True
    """
    salt = secrets.token_bytes(16)
    return f"scrypt${_N}${_R}${_P}${salt.hex()}${_derive(password, salt, _N, _R, _P).hex()}"


def is_password_hash(text: str) -> bool:
    """Whether a text is a hash that `hash_password` could have made."""
    match = _FORM.fullmatch(text)
    if match is None:
        return False
    n, r, p = (int(match[group]) for group in (1, 2, 3))
    return 2**10 <= n <= 2**20 and n & (n - 1) == 0 and 1 <= r <= 32 and 1 <= p <= 16


def check_password(password: str, hashed: str) -> bool:
    """Whether this is the password of the hash; takes the same time either way."""
    match = _FORM.fullmatch(hashed)
    if match is None:
        return False
    n, r, p = (int(match[group]) for group in (1, 2, 3))
    derived = _derive(password, bytes.fromhex(match[4]), n, r, p)
    return hmac.compare_digest(derived, bytes.fromhex(match[5]))


def _derive(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    limit = 128 * r * (n + p + 2) * 2
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, dklen=32, maxmem=limit)
