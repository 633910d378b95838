"""The digest covers the meaning of what compiled code, or a result, depends on, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from onlooker.planning import digest
from onlooker.sweep.keys import engine_key
from running import ROOT


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package, of which digests are made."""
    copy = tmp_path / "onlooker"
    shutil.copytree(
        ROOT / "src" / "onlooker", copy, ignore=shutil.ignore_patterns("*.pyc", "*.nb?")
    )
    monkeypatch.setattr(digest, "SOURCE", tmp_path)
    monkeypatch.setattr(digest, "KEPT", tmp_path / "digests.json")
    return copy


def both() -> tuple[str, str]:
    """The digests of the kernels and of results, worked out anew."""
    digest.digest_of.cache_clear()
    digest._tree.cache_clear()
    found = digest.digest_of(*digest.KERNELS), digest.digest_of(*digest.RESULTS)
    digest.digest_of.cache_clear()
    digest._tree.cache_clear()
    return found


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


SAME: dict[str, Callable[[Path], None]] = {
    "a docstring": lambda p: change(p / "planning/costs.py", '"""Work out', '"""Find out'),
    "a comment": lambda p: change(p / "planning/world.py", "# the map", "# what the map is"),
    "blank lines": lambda p: change(p / "observers/batch.py", "class Batch", "\n\nclass Batch"),
    "an export": lambda p: change(p / "game/pddl.py", "domain", "area"),
    "a format": lambda p: change(p / "game/maptext.py", "BLOCKS", "PARTS"),
}


@pytest.mark.parametrize("edit", SAME.values(), ids=SAME.keys())
def test_what_has_no_meaning_for_it_changes_no_digest(
    package: Path, edit: Callable[[Path], None]
) -> None:
    before = both()
    edit(package)
    assert both() == before


def test_a_constant_of_the_kernels_changes_both(package: Path) -> None:
    before = both()
    change(package / "planning" / "world.py", "FAR = 1 << 30", "FAR = 1 << 29")
    after = both()
    assert before[0] != after[0]
    assert before[1] != after[1]


def test_what_only_results_depend_on_compiles_nothing_anew(package: Path) -> None:
    before = both()
    change(package / "observers" / "choosing.py", "v[..., 0] + MARGIN", "v[..., 0] - MARGIN")
    after = both()
    assert before[0] == after[0]
    assert before[1] != after[1]


def test_all_kernels_and_all_observers_are_covered(package: Path) -> None:
    kernels = digest.closure(name for root in digest.KERNELS for name in digest._modules(root))
    assert {"onlooker.planning.world", "onlooker.planning.costs"} < kernels
    assert {"onlooker.planning.structures", "onlooker.planning.compiling"} < kernels
    results = digest.closure(digest.RESULTS)
    assert {"onlooker.observers.ideal", "onlooker.observers.untold"} < results
    assert {"onlooker.game.rules", "onlooker.game.needs"} < results
    assert "onlooker.game.pddl" not in results
    digest._tree.cache_clear()


def test_a_digest_is_kept_and_worked_out_again_where_a_file_changed(package: Path) -> None:
    before = both()
    kept = (package.parent / "digests.json").read_text()
    assert both() == before
    assert (package.parent / "digests.json").read_text() == kept
    (package.parent / "digests.json").write_text("{")
    assert both() == before


def test_sweeps_use_that_of_results() -> None:
    assert engine_key() == digest.digest_of(*digest.RESULTS)
