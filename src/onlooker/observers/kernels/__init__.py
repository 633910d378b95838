"""Compiled observers, as Python asks for them; `planning.memory` says what the arguments are."""

from __future__ import annotations

import numpy as np

from onlooker.observers.kernels.tours import act, c_self, leg_end, tour
from onlooker.observers.kernels.watching import distance, worth
from onlooker.planning.compiling import Entry
from onlooker.planning.memory import EMPTY, Floats, Ints, Points, Records

WORTH, DISTANCE, COST, TOUR, LEG, ACT = range(6)  # what can be asked for


def _decide(
    records: Records, packed: Ints, i: Ints, f: Floats, c: Points, what: int, a: int, b: int, d: int
) -> float:
    """What Python asks of these functions; results that are no number are left in the memory."""
    s = records[0]
    result = 0.0
    if what == WORTH:
        result = worth(s, i, f, c, a)
    elif what == DISTANCE:
        result = distance(s, i, f, c, a, np.inf)
    elif what == COST:
        result = c_self(s, i, f, c, a, b)
    elif what == TOUR:
        result = float(tour(s, i, c, a, b, d))
    elif what == LEG:
        cell, s.count = leg_end(s, i, c, a, b, d, s.route, EMPTY)
        result = float(cell)
    elif what == ACT:
        s.count, interactions = act(s, i, c, a)
        result = float(interactions)
    return result


decide = Entry(_decide)
