"""The plain version of the observers, written from the equations alone."""

from onlooker.observers.reference.runs import (
    REFERENCE_OBSERVERS,
    advise_reference,
    run_reference,
)

__all__ = ["REFERENCE_OBSERVERS", "advise_reference", "run_reference"]
