"""Wrong passwords from one address: each makes the next attempt wait longer.

Addresses are not kept: the key of an entry is a hash with a secret of this process.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from fastapi import Request

FREE = 5  # wrong passwords without a delay
LONGEST = 300.0  # seconds of delay
MOST_KEYS = 10_000
OURS = tuple(  # where a proxy of the study can be: this machine, or a private network
    map(
        ipaddress.ip_network,
        ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7"),
    )
)


class Attempts:
    """Counts attempts by address; each is taken for a wrong one until it has succeeded.

    >>> times = iter([0, 0, 0, 0, 0, 0, 0.5, 1, 2, 0])
    >>> attempts = Attempts(clock=lambda: next(times))
    >>> [attempts.begin("203.0.113.7") for _ in range(9)]
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 1.0]
    >>> attempts.begin("203.0.113.8")
    0.0
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._secret = clock, secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._attempts: OrderedDict[bytes, tuple[int, float]] = OrderedDict()  # and until when

    def begin(self, address: str) -> float:
        """Count an attempt: 0, or the seconds until the next one is allowed."""
        key, now = self._key(address), self._clock()
        with self._lock:
            count, until = self._attempts.pop(key, (0, now))
            if now >= until:
                count, until = count + 1, now
                if count > FREE:
                    until += min(LONGEST, 2.0 ** min(count - FREE - 1, 30))
                wait = 0.0
            else:
                wait = until - now
            self._attempts[key] = count, until
            if len(self._attempts) > MOST_KEYS:
                self._attempts.popitem(last=False)
            return wait

    def succeeded(self, address: str) -> None:
        """Forget an address, whose user knows the password."""
        with self._lock:
            self._attempts.pop(self._key(address), None)

    def _key(self, address: str) -> bytes:
        return hmac.new(self._secret, _network(address).encode(), hashlib.sha256).digest()


def caller_address(request: Request) -> str | None:
    """The address that calls; None if a proxy does, which limits attempts and names nobody.

    Only a proxy on this machine or in its own network is believed.
    """
    address = request.client.host if request.client else ""
    if "x-forwarded-proto" in request.headers and _is_ours(address):
        return None
    return address


def _is_ours(address: str) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return True  # a Unix socket
    return any(parsed in network for network in OURS)


def _network(address: str) -> str:
    """What belongs to one customer: an IPv4 address, or the first half of an IPv6 one."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False))
