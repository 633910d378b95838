from __future__ import annotations

import pytest

from onlooker.game import needed, needs, read_map_text

LEGEND = """
legend:
@ = main agent, goal A
b = blue wizard, holder
r = red wizard, holder
= = blue barrier
% = red barrier
"""


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("@br..A", ("blue", "red")),  # the wizards themselves are in the way
        ("b@.A..\n######\n#####.", ()),
        ("br.###\n@..%.A", ("red",)),
        ("br.%..\n@..=.A", ("blue",)),  # either would do: the first in the alphabet
        ("br.###\n@..=%A", ("blue", "red")),
    ],
)
def test_needed_is_the_smallest_set_and_the_first_of_equals(
    rows: str, expected: tuple[str, ...]
) -> None:
    trial = read_map_text(f"map:\n{rows}\n{LEGEND}")
    assert needed(trial.map, trial.main.at, "A") == expected


def test_needs_of_every_chest_at_once() -> None:
    trial = read_map_text(f"map:\nB.br..\nC.@=.A\n{LEGEND}")
    assert needs(trial.map, trial.main.at) == {"A": ("blue",), "B": (), "C": ()}
