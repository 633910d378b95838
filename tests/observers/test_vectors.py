"""Every worked case, every observer, every number."""

from __future__ import annotations

import pytest

from comparing import in_order, same
from onlooker.observers import OBSERVERS, Engine, Parameters
from vectors import VECTORS, Vector


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_vector(vector: Vector) -> None:
    engine = Engine(vector.trial, Parameters(**vector.params))
    assert engine.budget == vector.expect["budget"]
    for name, observer in OBSERVERS.items():
        expected = vector.expect["observers"][name]
        found = observer().run(engine).to_dict(trace="trace" in expected)
        assert same(in_order(found), in_order(expected)), name


def test_the_vectors_name_all_observers() -> None:
    assert {name for vector in VECTORS for name in vector.expect["observers"]} == set(OBSERVERS)


def test_the_public_vectors_are_all_here() -> None:
    own = [vector for vector in VECTORS if not vector.name.startswith("paper_")]
    assert len(own) == 30
