"""Every worked case, every observer, every number."""

from __future__ import annotations

import pytest

from onlooker.observers import OBSERVERS
from vectors import VECTORS, Vector, reproduce


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_vector(vector: Vector) -> None:
    reproduce(vector)


def test_the_vectors_name_all_observers() -> None:
    assert {name for vector in VECTORS for name in vector.expect["observers"]} == set(OBSERVERS)
