"""Orderings of trials for participants: made, checked, written and read."""

from onlooker.experiments.orderings.file import (
    OrderingSet,
    dump_orderings,
    load_orderings,
    save_orderings,
)
from onlooker.experiments.orderings.making import check_orderings, default_count, make_orderings

__all__ = [
    "OrderingSet",
    "check_orderings",
    "default_count",
    "dump_orderings",
    "load_orderings",
    "make_orderings",
    "save_orderings",
]
