from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure

from drawings import ALONE, ROOM, by_gid, texts
from onlooker.drawing.sheet import save_sheet, sheet_figures
from onlooker.game import MainAgent, Trial, read_map_text
from onlooker.planning import NoPathError


def scenarios(name: str, start: tuple[int, int], count: int) -> list[Trial]:
    """A base map's trials; base maps differ in where the main agent starts."""
    one, two = ROOM.npcs
    goals = ["AB", "BB", "AA", "BA"][:count]
    return [
        replace(
            ROOM,
            name=f"{name}_{number}",
            scenario=number,
            main=MainAgent(start, "A"),
            npcs=(replace(one, goal=first), replace(two, goal=second)),
        )
        for number, (first, second) in enumerate(goals, start=1)
    ]


PAIRS = [scenarios(name, start, 2) for name, start in (("a", (1, 0)), ("b", (2, 0)), ("c", (4, 0)))]
MIXED = [PAIRS[0][1], *PAIRS[1], PAIRS[2][1], PAIRS[0][0], PAIRS[2][0]]


GATE = read_map_text("""
name: gate
map:
b..h#A
2..@.=

legend:
@ = main agent, goal A
2 = novice agent2, goal A
h = blue wizard, holder
b = blue wizard
= = blue barrier
""")


def names(figure: Figure) -> list[str]:
    """The levels' names in the order of their maps on the page."""
    found = by_gid(figure)
    gids = [gid for gid in found if gid.startswith("trial:") and gid.endswith(":name")]
    return [texts(found[gid])[0] for gid in sorted(gids, key=lambda gid: int(gid.split(":")[1]))]


def place(figure: Figure, gid: str) -> tuple[float, float, float, float]:
    """Left, bottom, right and top, in shares of the page."""
    box = by_gid(figure)[gid].get_window_extent()
    return box.transformed(figure.transFigure.inverted()).extents  # type: ignore[return-value]


def test_scenarios_stand_side_by_side_in_one_frame() -> None:
    (figure,) = sheet_figures(MIXED, "Pairs")
    assert names(figure) == ["a_1", "a_2", "b_1", "b_2", "c_1", "c_2"]
    for pair in range(3):
        left, bottom, right, top = place(figure, f"group:{2 * pair}")
        for trial in (2 * pair, 2 * pair + 1):
            inner = place(figure, f"trial:{trial}")
            assert left < inner[0] < inner[2] < right
            assert bottom < inner[1] < inner[3] < top
        one, two = (place(figure, f"trial:{2 * pair + i}") for i in (0, 1))
        assert one[3] == pytest.approx(two[3])  # on one line
        assert one[2] < two[0]


def test_a_pair_is_not_torn_apart_at_the_end_of_a_row() -> None:
    (figure,) = sheet_figures(MIXED, columns=3)
    tops = [place(figure, f"trial:{index}")[3] for index in range(6)]
    assert tops[0] == tops[1] > tops[2] == tops[3] > tops[4] == tops[5]


def test_groups_wider_than_the_page_are_cut() -> None:
    (figure,) = sheet_figures(scenarios("a", (1, 0), 4), columns=3)
    assert names(figure) == ["a_1", "a_2", "a_3", "a_4"]
    assert {"group:0", "group:3"} <= set(by_gid(figure))


def test_captions_tell_what_npcs_are_and_want() -> None:
    (figure,) = sheet_figures(PAIRS[0])
    found = by_gid(figure)
    assert "expert → A" in texts(found["trial:0/caption:agent2"])
    assert "novice → B" in texts(found["trial:0/caption:agent3"])
    assert "expert → B" in texts(found["trial:1/caption:agent2"])


def test_paths_are_the_reference_paths() -> None:
    (figure,) = sheet_figures(PAIRS[0])
    assert {f"trial:{i}/path:{npc}" for i in (0, 1) for npc in ("agent2", "agent3")} <= set(
        by_gid(figure)
    )


def test_holders_are_marked_unless_they_are_hidden() -> None:
    marked, hidden = (by_gid(sheet_figures([GATE], holders=flag)[0]) for flag in (True, False))
    assert {"trial:0/holder:w2", "legend:holder of the amulet"} <= set(marked)
    assert {"legend:asks a decoy", "legend:asks, gets the amulet"} <= set(marked)
    assert not any("holder" in gid for gid in hidden)
    assert "legend:asks a wizard" in hidden
    assert not {"legend:asks a decoy", "legend:asks, gets the amulet"} & set(hidden)


def test_each_page_has_its_title_its_number_and_the_legend_of_its_maps_once() -> None:
    pages = sheet_figures([*MIXED, ALONE], "A title", columns=2, rows=2)
    assert len(pages) == 2
    for number, page in enumerate(pages, start=1):
        found = by_gid(page)
        assert texts(found["title"]) == ["A title"]
        assert texts(found["page"]) == [f"page {number} of 2"]
        assert texts(page).count("main agent") == 1
        assert texts(page).count("goal of an NPC") == 1
    assert names(pages[1]) == ["c_1", "c_2", "unnamed trial"]
    alone = sheet_figures([ALONE])[0]
    assert "page" not in by_gid(alone)
    assert {"goal of an NPC", "wall"}.isdisjoint(texts(alone))


def test_the_legend_of_many_maps_keeps_its_order() -> None:
    figure = sheet_figures([ALONE, *MIXED])[0]
    found = [gid.removeprefix("legend:") for gid in by_gid(figure) if gid.startswith("legend:")]
    rows = [gid for gid in found if "/" not in gid]
    known = ["main agent", "expert agent2", "novice agent3", "goal of an NPC", "path of agent2"]
    assert rows[:5] == known
    assert rows[-3:] == ["goal of the main agent", "other chest", "wall"]


@pytest.mark.parametrize("columns", [2, 7])
def test_everything_is_on_the_page_and_all_maps_have_one_scale(columns: int) -> None:
    tall = read_map_text("map:\n@\n" + ".\n" * 30 + "A\n\nlegend:\n@ = main agent, goal A\n")
    for figure in sheet_figures([*MIXED, tall, ALONE], "x" * 100, columns=columns):
        assert tuple(figure.get_size_inches()) == (8.27, 11.69)
        for gid in (gid for gid in by_gid(figure) if ":" in gid and "/" not in gid):
            left, bottom, right, top = place(figure, gid)
            assert left >= 0
            assert right <= 1
            assert bottom >= 0.02
            assert top <= 1
        maps = [
            a for a in figure.axes if str(a.get_gid()).startswith("trial:") and a.get_aspect() == 1
        ]
        figure.draw_without_rendering()
        cells = {round(a.bbox.width / (abs(a.get_xlim()[1] - a.get_xlim()[0])), 3) for a in maps}
        assert len(cells) == 1


def test_a_long_name_is_made_to_fit() -> None:
    trials = [replace(ROOM, name="n" * 120), replace(ROOM, name="short")]
    (figure,) = sheet_figures(trials)
    figure.draw_without_rendering()
    label = by_gid(figure)["trial:0:name"].get_window_extent()
    frame = by_gid(figure)["group:0"].get_window_extent()
    assert label.x1 <= frame.x1


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="there are no trials"):
        sheet_figures([])
    with pytest.raises(ValueError, match="at least one column and row, not 0 by None"):
        sheet_figures(MIXED, columns=0)
    with pytest.raises(ValueError, match="no room for 90 rows"):
        sheet_figures(MIXED, rows=90)


def test_an_npc_that_gets_nowhere_is_told_with_its_trial() -> None:
    walled = replace(
        ROOM, name="walled", map=replace(ROOM.map, walls=frozenset({(6, 1), (5, 2), (5, 1)}))
    )
    shut = replace(walled, npcs=(replace(ROOM.npcs[0], goal="A"),))
    with pytest.raises(NoPathError, match="walled: agent2"):
        sheet_figures([shut])


# -- files -----------------------------------------------------------------------------------------


def test_a_pdf_has_all_pages_and_no_date(tmp_path: Path) -> None:
    files = [tmp_path / "new" / "one.pdf", tmp_path / "two.PDF"]
    for file in files:
        assert save_sheet(MIXED[:4], file, "Title", columns=2, rows=1) == [file]
    one, two = (file.read_bytes() for file in files)
    assert one == two
    assert one.startswith(b"%PDF")
    assert one.count(b"/Type /Page ") == 3
    assert b"CreationDate" not in one


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_other_formats_have_a_file_for_each_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr("onlooker.drawing.figure.DPI", 50)
    single = tmp_path / f"sheet{suffix}"
    assert save_sheet(PAIRS[0], single) == [single]
    first = single.read_bytes()
    save_sheet(PAIRS[0], single)
    assert single.read_bytes() == first
    several = save_sheet(MIXED, single, columns=2, rows=2)
    assert [file.name for file in several] == [f"sheet-1{suffix}", f"sheet-2{suffix}"]
    assert all(file.stat().st_size > 1000 for file in several)


def test_other_endings_are_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a sheet's name ends in \.svg, \.png, \.pdf"):
        save_sheet(MIXED, tmp_path / "sheet.gif")
    assert not list(tmp_path.iterdir())


def test_drawing_leaves_matplotlib_as_it_was(tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    save_sheet(PAIRS[0], tmp_path / "sheet.pdf")
    assert dict(matplotlib.rcParams) == before
