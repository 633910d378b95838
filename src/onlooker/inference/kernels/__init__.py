"""Compiled inference, as Python asks for it; `planning.memory` says what the arguments are."""

from __future__ import annotations

from onlooker.inference.kernels.histories import explained, imagined, plant, together
from onlooker.inference.kernels.paths import follow
from onlooker.inference.kernels.posteriors import assess, gather, weigh
from onlooker.planning.compiling import Entry
from onlooker.planning.kernels import begin
from onlooker.planning.memory import EMPTY, Floats, Ints, Points, Records

PREPARE, FOLLOW, IMAGINED, EXPLAINED, ASSESS = range(5)  # what can be asked for


def _infer(
    records: Records, packed: Ints, i: Ints, f: Floats, c: Points, what: int, node: int, number: int
) -> int:
    """What Python asks of these functions; results that are no number are left in the memory."""
    s = records[0]
    result = EMPTY
    if what == PREPARE:
        begin(s, packed, i)
        plant(s, i, f)
    elif what == FOLLOW:
        follow(s, i, f, c)
    elif what == IMAGINED:
        result = imagined(s, i, f, c, node, number)
    elif what == EXPLAINED:
        result = int(explained(s, f, node) and together(s, i, f))
    elif what == ASSESS:
        gather(s, i, f, i[s.node_npc + node])
        assess(s, i, f, node)
        weigh(s, i, f, node)
    return result


infer = Entry(_infer)
