"""The benchmarks measure what they say; how long anything takes is never asserted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from onlooker.game import needed, validate
from onlooker.players.gymnasium import TrialEnv

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.environment import plain_steps, random_steps
from benchmarks.mapmaker import Size, make_trials
from benchmarks.posteriors import OURS, STEPS, described, problems
from benchmarks.sheets import Sheet, with_tables, write_tables


@pytest.mark.parametrize("size", [Size(), Size(20, 20), Size(wizards=12), Size(npcs=6)], ids=str)
def test_the_map_maker_makes_valid_trials_of_the_size(size: Size) -> None:
    for trial in make_trials(size, 2):
        validate(trial)
        map = trial.map
        assert (map.width, map.height) == (size.width, size.height)
        assert (len(map.wizards), len(trial.npcs)) == (size.wizards, size.npcs)
        assert needed(map, trial.main.at, trial.main.goal) == ("blue",)


def test_the_map_maker_makes_the_same_trials_again() -> None:
    assert make_trials(Size(), 3) == make_trials(Size(), 3)
    assert make_trials(Size(), 3) != make_trials(Size(), 3, seed=2)


def test_all_of_ours_give_the_posterior_that_the_peers_are_compared_with() -> None:
    trial = problems()[0]
    assert len(described(trial)["steps"]) == STEPS
    first, *others = (make(trial)() for make in OURS.values())
    assert len(first) == 9
    for other in others:
        assert other == pytest.approx(first, abs=1e-9)


def test_the_environment_and_the_plain_game_are_played_alike() -> None:
    assert random_steps(TrialEnv(1), 300) == plain_steps(TrialEnv(1), 300) > 300


def test_tables_go_between_their_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "before\n<!-- bench:one -->\nold\n<!-- /bench -->\nbetween\n"
        "<!-- bench:two -->\nkept\n<!-- /bench -->\n"
    )
    sheet = Sheet("one", "Title", ("work", "µs"), [("some", "3")], note="A note.")
    sheet.write(tmp_path / "out")
    assert write_tables(page, tmp_path / "out") == ["one"]
    written = page.read_text()
    assert "old" not in written
    assert sheet.markdown().strip() in written
    assert "between\n<!-- bench:two -->\nkept\n<!-- /bench -->\n" in written
    assert with_tables(written, {"one": sheet.markdown()}) == written
