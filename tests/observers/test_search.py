"""The least expected cost of searching: compiled and plain, ties, and what is refused."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from observers.compiled_search import compiled_search, planned_costs
from observers.search_reference import Searcher
from onlooker.game import Costs, Interaction, State, Trial, parse_trial, read_map_text
from onlooker.inference.reference import assignments
from onlooker.observers.errors import SearchError, check_wizards
from onlooker.observers.kernels import plans
from onlooker.planning import NoPathError
from strategies import trials


def random_weights(rng: random.Random, count: int) -> list[float]:
    """Some of them 0, some equal, never all 0."""
    weights = [rng.choice([0.0, 1.0, 1.0, rng.random(), 1e-9]) for _ in range(count)]
    return weights if any(weights) else [1.0] * count


@given(trials(), st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 8))
def test_the_compiled_search_is_the_plain_one(
    trial: Trial, seed: int, move: int, interact: int
) -> None:
    rng, costs = random.Random(seed), Costs(move, interact)
    colours = trial.needed
    every = assignments(trial.map)
    rows = np.array([random_weights(rng, len(every)) for _ in range(3)])
    main = State(trial.main.at, frozenset(c for c in trial.map.colours if rng.random() < 0.2))
    found = compiled_search(trial, costs, rows, main)
    for row, cost in zip(rows.tolist(), found.costs, strict=True):
        plain = Searcher(trial, costs, colours, dict(zip(every, row, strict=True)))
        assert cost == pytest.approx(plain.cost(plain.start(main)), abs=1e-9)
    planned, _ = planned_costs(trial, costs, rows, main)  # or explored, if there are many plans
    assert planned == pytest.approx(found.costs, abs=1e-9)
    try:
        path, asked = plain.carry_out(plain.start(main))
    except NoPathError:
        assert not found.done
        return
    assert found.done
    assert found.route == [str(taken.action) for taken in path]
    assert found.asked == asked
    assert asked == [t.event.wizard for t in path if isinstance(t.event, Interaction)]


@given(trials())
def test_who_knows_the_holders_pays_what_the_search_of_them_costs(trial: Trial) -> None:
    every = assignments(trial.map)
    truth = tuple(trial.holders[colour] for colour in trial.map.colours)
    weights = np.array([[1.0 if held == truth else 0.0 for held in every], [1.0] * len(every)])
    known, _ = compiled_search(trial, Costs(), weights).costs
    found = compiled_search(trial, Costs(), weights[:1])
    if found.done:
        asks = len(found.asked)
        assert set(found.asked) <= set(trial.holders.values())
        assert known == 3 * (len(found.route) - asks) + 5 * asks


ROOM = """
; Both cells beside the decoy are as near, but one lies on the way to the other wizard.
map:
...h#
.b..#
@..=A

legend:
@ = main agent, goal A
b = blue wizard
h = blue wizard, holder
= = blue barrier
"""


def test_where_the_wizard_is_asked_from_is_chosen() -> None:
    found = compiled_search(read_map_text(ROOM), Costs(), np.ones((1, 2)))
    assert found.asked == ["w2", "w1"]
    assert found.route == ["right", "up", "right", "up", "right", "up", "down", "right"]
    given, refused = 3 * 3, 3 * 3 + 5 + 2 * 3
    assert found.costs == [pytest.approx(3 + 5 + (given + refused) / 2)]


TIES = """
map:
b@b
#=#
#A#

legend:
@ = main agent, goal A
b = blue wizard, holder
= = blue barrier
"""


def test_among_equals_the_first_wizard_is_asked() -> None:
    trial = read_map_text(TIES.replace("b@b", "b@h").replace("b = blue wizard, holder", BOTH))
    found = compiled_search(trial, Costs(), np.array([[1.0, 1.0 + 1e-12]]))
    assert found.asked == ["w1", "w2"]
    assert found.costs == [pytest.approx(5 + 2.5 + 6)]


BOTH = "b = blue wizard\nh = blue wizard, holder"


def test_a_belief_that_is_not_true_is_given_up() -> None:
    trial = read_map_text(TIES.replace("b@b", "b@h").replace("b = blue wizard, holder", BOTH))
    found = compiled_search(trial, Costs(), np.array([[1.0, 0.0]]))
    assert (found.asked, found.costs) == (["w1", "w2"], [11.0])
    plain = Searcher(trial, Costs(), ("blue",), {("w1",): 1.0, ("w2",): 0.0})
    assert plain.carry_out(plain.start(State(trial.main.at)))[1] == ["w1", "w2"]


def crowd(wizards: int) -> Trial:
    """A corridor with that many wizards on one side, and a barrier before the chest."""
    line = "".join("h" if index == 0 else "b" for index in range(wizards))
    return read_map_text(
        f"map:\n@{'.' * wizards}=A\n#{line}##\n\nlegend:\n@ = main agent, goal A\n"
        "b = blue wizard\nh = blue wizard, holder\n= = blue barrier\n"
    )


def test_more_than_twelve_wizards_are_refused_with_their_number() -> None:
    check_wizards(crowd(12))
    with pytest.raises(SearchError, match="13 wizards of the needed colours are more than 12"):
        check_wizards(crowd(13))


def test_twelve_wizards_can_be_searched() -> None:
    trial = crowd(12)
    found = compiled_search(trial, Costs(), np.ones((1, 12)))
    # Along the corridor all are passed, so each is asked in turn.
    assert found.asked == ["w1"]
    assert found.costs == [pytest.approx(14 * 3 + 5 * 6.5)]


def test_where_there_are_too_many_plans_each_search_is_explored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plans, "MOST_PLANS", 200)
    trial = parse_trial(
        """
map:
A=@........
##.........
##bbbbbbh..

legend:
@ = main agent, goal A
b = blue wizard
h = blue wizard, holder
= = blue barrier
"""
    )
    weights = np.random.default_rng(0).random((4, 7))
    found, crowded = planned_costs(trial, Costs(), weights)
    assert crowded
    assert found == pytest.approx(compiled_search(trial, Costs(), weights).costs)
