from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from drawings import ALONE, ROOM
from onlooker.drawing import shapes
from onlooker.drawing.style import agent_styles, amulet_styles, ink_on
from onlooker.game import Expertise, Npc

KNOWN = ["blue", "red", "green", "yellow", "purple", "orange", "black", "brown", "white"]


def luminance(fill: str) -> float:
    linear = [(int(fill[i : i + 2], 16) / 255) ** 2.2 for i in (1, 3, 5)]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_colours_differ_in_hue_pattern_badge_and_letter() -> None:
    styles = amulet_styles([*KNOWN, "octarine", "mauve", "青"])
    for part in ("fill", "pattern", "badge", "letter"):
        parts = [getattr(style, part) for style in styles.values()]
        assert len(set(parts)) == len(parts), part
    assert all(style.letter.isascii() and style.letter.isupper() for style in styles.values())


def test_every_pattern_and_badge_can_be_drawn() -> None:
    styles = amulet_styles([*KNOWN, "cyan", "pink", "grey"]).values()
    assert {style.pattern for style in styles} == set(shapes.PATTERNS)
    assert {style.badge for style in styles} == set(shapes.BADGES)


def test_a_known_colour_looks_the_same_on_every_map() -> None:
    assert amulet_styles(["blue"])["blue"] == amulet_styles(["black", "blue", "brass"])["blue"]


def test_other_colours_do_not_depend_on_the_order_they_come_in() -> None:
    names = ["ultramarine", "octarine", "beige"]
    assert amulet_styles(names) == amulet_styles(reversed(names))


def test_more_colours_than_the_palette_has_still_have_letters_of_their_own() -> None:
    styles = amulet_styles(f"shade{number}" for number in range(20))
    assert len({style.letter for style in styles.values()}) == 20


@pytest.mark.parametrize("fill", ["#0072B2", "#D2451E", "#009E73", "#F0E442", "#56B4E9"])
def test_letters_stand_out_from_their_fill(fill: str) -> None:
    light, dark = sorted([luminance(fill), luminance(ink_on(fill))], reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3


def test_agents_differ_in_hue_and_label_and_experts_from_novices_in_shape() -> None:
    styles = agent_styles(ROOM)
    assert list(styles) == ["main", "agent2", "agent3"]
    assert [style.label for style in styles.values()] == ["M", "E2", "N3"]
    for one, other in combinations(styles.values(), 2):
        assert one.fill != other.fill
        assert one.shape != other.shape
        assert one.dashes != other.dashes


def test_an_npc_keeps_the_hue_of_its_number() -> None:
    alone = replace(ROOM, npcs=ROOM.npcs[1:])
    assert agent_styles(alone)["agent3"] == agent_styles(ROOM)["agent3"]


def test_npcs_without_a_number_get_the_free_ones() -> None:
    ids = ["bob", "agent2", "eve"]
    npcs = tuple(Npc(name, (1, 0), "A", Expertise.EXPERT) for name in ids)
    styles = agent_styles(replace(ALONE, npcs=npcs))
    assert [styles[name].number for name in ids] == ["3", "2", "4"]
