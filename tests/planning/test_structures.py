"""Structures that Python owns: as plain objects and as blocks that compiled functions get."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from onlooker.planning.compiling import Entry, compiled
from onlooker.planning.structures import (
    FULL,
    Block,
    Bools1,
    Floats1,
    Floats2,
    Ints1,
    Points2,
    Room,
    axes,
    grown,
    make,
    span,
    structure,
)

SIDES = 3


@structure
class Ring:
    length: int
    weight: float
    even: bool
    error: int
    full: int
    cell: Ints1 = axes("cells")
    near: Points2 = axes("cells", SIDES)
    seen: Bools1 = axes("cells")
    share: Floats1 = axes("cells")
    table: Floats2 = axes("cells", "columns")
    both: Floats1 = span("share", "table")


@structure
class Kept:
    row: Floats2 = axes("rows", "both")  # as long as that span


@structure
class Other:
    last: Ints1 = axes("cells")


@compiled
def add(ring: Ring, other: Other) -> None:
    if ring.length == len(ring.cell):
        ring.error, ring.full = FULL, 1
        return
    place = ring.length
    ring.cell[place], ring.near[place, 1], ring.seen[place] = place, 7, True
    ring.share[place], ring.table[place, 1], other.last[place] = 0.5, 1.5, -place
    ring.length, ring.weight, ring.even = place + 1, ring.weight + 0.25, not ring.even


def _fill(ring: Ring, other: Other, count: int) -> float:
    ring.error = 0
    while ring.length < count and not ring.error:
        add(ring, other)
    total = 0.0
    for index in range(len(ring.both)):
        total += ring.both[index]
    return total


fill = Entry(_fill)
LENGTHS = {"cells": 2, "columns": 2, "others": 9}
HOW = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])


@HOW
def test_axes_become_longer_until_there_is_room(compiled: bool) -> None:
    room = Room((Ring, Other), LENGTHS, compiled, ("others", "cells"))
    call = fill.compiled if compiled else fill.plain
    assert room.call(call, Ring, Other, 5) == 10.0
    ring, other = room[Ring], room[Other]
    assert isinstance(ring, Block) is compiled
    assert (ring.length, ring.weight, ring.even) == (5, 1.25, True)
    assert room.lengths["cells"] == len(ring.cell) == len(other.last) == 8
    assert ring.cell.tolist() == [0, 1, 2, 3, 4, 0, 0, 0]
    assert other.last.tolist() == [0, -1, -2, -3, -4, 0, 0, 0]
    assert ring.near[:, 1].tolist() == [7, 7, 7, 7, 7, 0, 0, 0]
    assert ring.seen.tolist() == [True] * 5 + [False] * 3
    assert ring.table.tolist() == [[0.0, 1.5]] * 5 + [[0.0, 0.0]] * 3


@HOW
def test_numbers_and_arrays_are_set_from_python(compiled: bool) -> None:
    ring = make((Ring,), LENGTHS, compiled)[Ring]
    assert (ring.length, ring.weight, ring.even, ring.share.tolist()) == (0, 0.0, False, [0.0, 0.0])
    ring.length, ring.weight, ring.even = -3, 0.1, True
    ring.share[:] = 1.0, 2.0
    ring.table[1] = 3.0, 4.0
    assert (ring.length, ring.weight, ring.even) == (-3, 0.1, True)
    assert type(ring.length) is int
    assert type(ring.even) is bool
    assert ring.both.tolist() == [1.0, 2.0, 0.0, 0.0, 3.0, 4.0]
    assert not hasattr(ring, "colour")


@HOW
def test_what_was_read_before_stays_when_a_structure_grows(compiled: bool) -> None:
    ring = make((Ring,), LENGTHS, compiled)[Ring]
    before = ring.cell
    before[:] = 5, 6
    after = grown(ring, Ring, {**LENGTHS, "cells": 3, "columns": 4})
    del ring
    assert before.tolist() == [5, 6]
    assert after.cell.tolist() == [5, 6, 0]
    assert after.table.shape == (3, 4)


class Start(NamedTuple):
    weight: float
    even: bool
    colour: int  # no structure has it


@HOW
def test_structures_of_one_room_begin_with_the_same_numbers(compiled: bool) -> None:
    room = Room((Other, Ring), LENGTHS, compiled, ("others", "cells"), Start(0.75, True, 3))
    ring = room[Ring]
    assert (ring.length, ring.weight, ring.even) == (0, 0.75, True)
    assert room.call(fill.compiled if compiled else fill.plain, Ring, Other, 3) == 6.0
    assert room[Other].last.tolist() == [0, -1, -2, 0]
    assert room[Ring].weight == 1.5


def test_arrays_lie_side_by_side_and_are_aligned() -> None:
    ring = make((Ring,), {**LENGTHS, "cells": 5}, True)[Ring]
    fields = (ring.cell, ring.near, ring.seen, ring.share, ring.table)
    starts = [field.__array_interface__["data"][0] for field in fields]
    assert starts == sorted(starts)
    assert all(start % 8 == 0 for start in starts)
    assert ring.both.__array_interface__["data"][0] == starts[3]


def test_no_axis_is_too_short_to_grow() -> None:
    room = Room((Ring, Other), {**LENGTHS, "cells": 0}, False, ("others", "cells"))
    assert room.call(fill.plain, Ring, Other, 3) == 6.0


def test_the_axes_of_an_array_are_as_many_as_its_type_says() -> None:
    with pytest.raises(TypeError, match=r"Wrong\.cell: expected 2 axes, not \('cells',\)"):

        @structure
        class Wrong:
            cell: Floats2 = axes("cells")


def _replace(ring: Ring) -> None:
    ring.cell = np.zeros(3, np.int64)


def test_kernels_replace_no_arrays() -> None:
    with pytest.raises(Exception, match=r"Ring\.cell: kernels replace no arrays"):
        Entry(_replace).compiled(make((Ring,), LENGTHS, True)[Ring])


@pytest.mark.parametrize("compiled", [False, True])
def test_a_span_is_an_axis_of_structures_after_it(compiled: bool) -> None:
    room = Room((Ring, Kept), {"cells": 2, "columns": 2, "rows": 1}, compiled, ("cells", "rows"))
    assert room[Kept].row.shape == (1, 6)
    room[Kept].row[0] = 7.0
    room.grow("rows")
    assert room[Kept].row.tolist() == [[7.0] * 6, [0.0] * 6]
    room.grow("cells")
    assert room[Kept].row.tolist() == [[7.0] * 6 + [0.0] * 6, [0.0] * 12]
