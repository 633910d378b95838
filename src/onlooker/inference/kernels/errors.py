"""Why a kernel could not go on; `failures` makes exceptions of these."""

from __future__ import annotations

FULL, NPC_STUCK, UNEXPLAINED, MAIN_STUCK, TOO_LONG = range(1, 6)  # FULL: an axis of a structure is too short

# These axes become longer. For each the number that says that it is too short:
GROWING = ("nodes", "findings", "plans", "rows", "looks", "actions", "heap")
NODES, FINDINGS, PLANS, ROWS, LOOKS, ACTIONS, HEAP = range(len(GROWING))
