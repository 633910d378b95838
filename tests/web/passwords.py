"""The researcher's password in tests."""

from __future__ import annotations

PASSWORD = "correct horse"

# With the least work that a hash may ask for, so that signing in takes no time.
HASHED = (
    "scrypt$1024$8$1$00112233445566778899aabbccddeeff"
    "$f73e926ef616f50e85ba63e99c18480f9cd3731809afc4cae00b2ed7b22af473"
)
