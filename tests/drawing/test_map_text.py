from __future__ import annotations

import io
from dataclasses import replace

import pytest
from hypothesis import given, settings
from rich.cells import cell_len
from rich.console import Console

from drawings import ALONE, PATHS, ROOM
from onlooker.drawing import map_text, view_texts
from onlooker.drawing.style import amulet_styles, colours_of
from onlooker.game import Cell, Expertise, Npc, Trial, player_view, replay
from onlooker.planning import stage
from strategies import trials


def cells(plain: str, trial: Trial) -> dict[Cell, str]:
    """The two characters of each cell, found by the coordinates along the edges."""
    rows = [line for line in plain.split("\n\n")[0].splitlines() if "│" in line]
    assert len(rows) == trial.map.height
    found = {}
    for line in rows:
        y, _, rest = line.partition("│")
        inside = rest.removesuffix("│")
        assert len(inside) == 2 * trial.map.width
        found |= {(x, int(y)): inside[2 * x : 2 * x + 2] for x in range(trial.map.width)}
    return found


def legend(plain: str) -> list[str]:
    return plain.split("\n\n")[1].splitlines()


def test_a_map_as_it_is_printed() -> None:
    assert map_text(ROOM, holders=True, paths=PATHS).plain == "\n".join(
        [
            "   0 1 2 3 4 5 6",
            "  ┌──────────────┐",
            "0 │M · · b*· b▒A!│",
            "1 │· ██· ↓•←←← ← │",
            "2 │· · b^↓↑· ██E2│",
            "3 │N3 → →•+r*r▒B$│",
            "  └──────────────┘",
            "",
            "M  main agent at (0, 0), goal A",
            "E2 expert agent2 at (6, 2), goal B",
            "→  its path: 6 moves to (3, 3), asks w1 (gets the amulet),"
            " asks rincewind (gets the amulet)",
            "N3 novice agent3 at (0, 3), goal A",
            " → its path: 9 moves to (3, 1), asks w2 (a decoy), asks w1 (gets the amulet)",
            "b* blue wizard w1 at (3, 0), holds the amulet",
            "b^ blue wizard w2 at (2, 2)",
            "r* red wizard rincewind at (4, 3), holds the amulet",
            "b▒ blue barrier",
            "r▒ red barrier",
            "A! chest A at (6, 0), the main agent's goal",
            "B$ chest B at (6, 3)",
            "██ wall",
        ]
    )


@settings(max_examples=40)
@given(trials())
def test_everything_stands_at_its_coordinates(trial: Trial) -> None:
    found = cells(map_text(trial, holders=True).plain, trial)
    letters = {c: s.letter.lower() for c, s in amulet_styles(colours_of(trial.map)).items()}
    for wizard in trial.map.wizards:
        holds = trial.holders[wizard.colour] == wizard.id
        assert found[wizard.at] == letters[wizard.colour] + ("*" if holds else "^")
    for barrier in trial.map.barriers:
        assert found[barrier.at] == letters[barrier.colour] + "▒"
    for chest in trial.map.chests:
        assert found[chest.at] == chest.letter + ("!" if chest.letter == trial.main.goal else "$")
    for cell in trial.map.walls:
        assert found[cell] == "██"
    assert found[trial.main.at][0] in "M"
    for npc in trial.npcs:
        assert npc.expertise[0].upper() in found[npc.at] or len(trial.npcs) > 1


def test_holders_are_not_told_unless_asked_for() -> None:
    other = replace(ROOM, holders={"blue": "w2", "red": "rincewind"})
    assert map_text(ROOM, paths=PATHS) == map_text(other, paths=PATHS)
    assert map_text(ROOM).spans == map_text(other).spans
    plain = map_text(ROOM, paths=PATHS).plain
    assert "*" not in plain
    assert "amulet" not in plain
    assert "decoy" not in plain


def test_without_colour_all_kinds_differ() -> None:
    stream = io.StringIO()
    console = Console(file=stream, no_color=True, color_system=None)
    console.print(map_text(ROOM, holders=True), soft_wrap=True)
    assert "\x1b" not in stream.getvalue()
    found = cells(stream.getvalue(), ROOM)
    kinds = {
        "holder": found[3, 0],
        "decoy": found[2, 2],
        "other wizard": found[4, 3],
        "barrier": found[5, 0],
        "other barrier": found[5, 3],
        "goal": found[6, 0],
        "chest": found[6, 3],
        "wall": found[1, 1],
        "floor": found[1, 0],
        "main": found[0, 0],
        "expert": found[6, 2],
        "novice": found[0, 3],
    }
    assert len(set(kinds.values())) == len(kinds)


def test_in_colour_the_same_characters_are_printed() -> None:
    stream = io.StringIO()
    Console(file=stream, force_terminal=True, color_system="truecolor", width=100).print(
        map_text(ROOM, holders=True)
    )
    assert "\x1b[1;38;2;255;255;255;48;2;0;114;178mb*" in stream.getvalue()


def test_every_character_is_one_column_wide() -> None:
    plain = map_text(ROOM, holders=True, paths=PATHS).plain
    assert all(cell_len(character) == 1 for character in plain if character != "\n")


def test_columns_from_ten_on_are_numbered_in_two_lines() -> None:
    wide = replace(ALONE, map=replace(ALONE.map, width=12))
    tens, ones = map_text(wide).plain.splitlines()[:2]
    assert (tens[-3:], ones[-3:]) == ("1 1", "0 1")
    assert ones.index("0") + 2 * 11 == len(ones) - 1


def test_a_map_wider_than_the_terminal_is_printed_whole() -> None:
    stream = io.StringIO()
    wide = replace(ALONE, map=replace(ALONE.map, width=60))
    Console(file=stream, width=80).print(map_text(wide), soft_wrap=True)
    assert len(cells(stream.getvalue(), wide)) == 120


def test_agents_on_one_cell_are_both_named() -> None:
    npc = Npc("agent2", ALONE.main.at, "A", Expertise.NOVICE)
    assert cells(map_text(replace(ALONE, npcs=(npc,))).plain, ALONE)[0, 0] == "MN"
    third = replace(npc, id="agent3")
    assert cells(map_text(replace(ALONE, npcs=(npc, third))).plain, ALONE)[0, 0] == "M+"


def test_numbers_from_ten_on_take_one_character() -> None:
    npc = Npc("agent11", (1, 1), "A", Expertise.EXPERT)
    assert cells(map_text(replace(ALONE, npcs=(npc,))).plain, ALONE)[1, 1] == "Eb"


def test_unknown_agents_are_refused() -> None:
    with pytest.raises(ValueError, match="paths: no agent 'agent9'"):
        map_text(ROOM, paths={"agent9": ()})


def test_a_player_sees_where_everybody_is_and_nothing_hidden() -> None:
    game = stage(ROOM)
    map, legend = view_texts(player_view(game, replay(game, ["right", "observe agent2"])))
    moved = game.scripts[0][0].from_cell(ROOM.npcs[0].at)
    found = cells(map.plain, ROOM)
    assert found[1, 0].startswith("M")
    assert found[moved] == "E2"
    assert "*" not in map.plain
    assert legend.plain.splitlines()[:3] == [
        "M  you at (1, 0), goal A",
        f"E2 expert agent2 at ({moved[0]}, {moved[1]})",
        "N3 novice agent3 at (0, 3)",
    ]
    assert "holds" not in legend.plain
