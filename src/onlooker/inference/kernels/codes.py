"""Numbers that compiled functions and Python agree on."""

from __future__ import annotations

OUTCOMES = 5  # of what is seen of an action: `action * OUTCOMES` and one of
MOVED, ARRIVED, ASKED, REFUSED, GAVE = range(OUTCOMES)  # ASKED: the outcome is hidden

# Errors: no room for another node or a longer path; and what `workspace.failure` makes of others.
FULL, TOO_LONG, UNEXPLAINED, NPC_STUCK, MAIN_STUCK = range(1, 6)
UNKNOWN = -2  # not imagined yet
