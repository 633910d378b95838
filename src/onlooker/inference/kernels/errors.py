"""Why a compiled function could not go on; `failure` makes exceptions of these."""

from __future__ import annotations

FULL, NPC_STUCK, UNEXPLAINED, MAIN_STUCK = range(1, 5)  # FULL: no room for another node
