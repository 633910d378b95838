"""Why a kernel could not go on; `failures` makes exceptions of these."""

from __future__ import annotations

FULL, NPC_STUCK, UNEXPLAINED, MAIN_STUCK, TOO_LONG, UNTAUGHT = range(1, 7)

# FULL: an axis of a structure is too short. UNTAUGHT: what a teacher would do at a node, `full`, is
# to be found out. Both are answered and what was called is called again.

# These axes become longer. For each the number that says that it is too short:
GROWING = ("nodes", "findings", "plans", "rows", "looks", "actions", "heap", "lessons")
NODES, FINDINGS, PLANS, ROWS, LOOKS, ACTIONS, HEAP, LESSONS = range(len(GROWING))
