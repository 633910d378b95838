from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.figure import Figure

from drawings import PATHS, ROOM
from onlooker.drawing import map_figure, save_figure

STARTS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


@pytest.mark.parametrize("suffix", STARTS)
def test_the_same_trial_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    files = [tmp_path / f"{name}{suffix}" for name in ("one", "two")]
    for file in files:
        save_figure(map_figure(ROOM, holders=True, paths=PATHS), file)
    one, two = (file.read_bytes() for file in files)
    assert one == two
    assert one.startswith(STARTS[suffix])


def test_a_figure_can_be_saved_again_and_again(tmp_path: Path) -> None:
    figure = map_figure(ROOM, paths=PATHS)
    for name in ("one.svg", "between.png", "two.svg"):
        save_figure(figure, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_an_svg_is_well_formed_and_its_parts_can_be_addressed(tmp_path: Path) -> None:
    save_figure(map_figure(ROOM, holders=True, paths=PATHS), tmp_path / "map.svg")
    tree = ElementTree.parse(tmp_path / "map.svg")
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    assert {"wizard:w1", "barrier:5,0", "chest:A", "holder:w1"} <= set(ids)
    assert {"agent:main", "agent:agent2", "path:agent2"} <= set(ids)
    assert not list(tree.iter("{http://www.w3.org/2000/svg}text"))  # letters are drawn


def test_the_ending_may_be_in_capitals_and_folders_are_made(tmp_path: Path) -> None:
    save_figure(map_figure(ROOM), tmp_path / "new" / "MAP.PNG")
    assert (tmp_path / "new" / "MAP.PNG").stat().st_size > 1000


@pytest.mark.parametrize("name", ["map", "map.gif", "map.svg.txt"])
def test_other_endings_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"ends in \.svg, \.png, \.pdf"):
        save_figure(map_figure(ROOM), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_nothing_is_left_behind_when_drawing_fails(tmp_path: Path) -> None:
    class Broken(Figure):
        def draw(self, renderer: object) -> None:
            raise RuntimeError("no ink")

    with pytest.raises(RuntimeError, match="no ink"):
        save_figure(Broken(), tmp_path / "sub" / "map.svg")
    assert not list(tmp_path.iterdir())


def test_saving_leaves_matplotlib_as_it_was(tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    save_figure(map_figure(ROOM), tmp_path / "map.svg")
    assert dict(matplotlib.rcParams) == before
