"""How large a trial may be, so that every exact table fits in memory and time."""

from __future__ import annotations

from math import prod

from onlooker.game.grid import Map

MAX_SIDE = 100  # cells along one side of the grid
MAX_COLOURS = 8  # colours that have wizards
MAX_WIZARDS = 60  # sets of wizards are the bits of a whole number
MAX_COST = 1000  # points of one action
MAX_CARE = 1000  # points of its own that a teacher gives for one of the learner's
MAX_TABLE = 10_000_000  # hypotheses × states
MAX_FILE_BYTES = 4_000_000


def table_size(map: Map) -> int:
    """Hypotheses (chest × holder of each colour) times states (cell × amulets held)."""
    hypotheses = len(map.chests) * prod(len(wizards) for wizards in map.wizards_of.values())
    return int(hypotheses * map.width * map.height * 2 ** len(map.colours))
