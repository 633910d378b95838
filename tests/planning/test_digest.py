"""The digest covers the meaning of what compiled code, or a result, depends on, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from onlooker.planning import digest
from onlooker.sweep.keys import engine_key
from running import ROOT


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package, of which digests are made."""
    copy = tmp_path / "onlooker"
    for file in (ROOT / "src" / "onlooker").rglob("*.py"):
        to = copy / file.relative_to(ROOT / "src" / "onlooker")
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, to)
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


SAME = {
    "a docstring": ("planning/costs.py", '"""Work out', '"""Find out'),
    "a comment": ("planning/world.py", "# the map", "# what the map is"),
    "blank lines": ("observers/batch.py", "class Batch", "\n\nclass Batch"),
    "an export": ("game/pddl.py", "domain", "area"),
    "a format": ("game/maptext.py", "BLOCKS", "PARTS"),
}


def test_what_has_no_meaning_for_it_changes_no_digest(package: Path) -> None:
    before = both()
    for what, (file, old, new) in SAME.items():
        change(package / file, old, new)
        assert both() == before, what


def test_what_results_depend_on_changes_theirs_and_compiles_nothing_anew(package: Path) -> None:
    kernels, results = both()
    change(package / "observers" / "choosing.py", "v[..., 0] + MARGIN", "v[..., 0] - MARGIN")
    assert both()[0] == kernels
    assert both()[1] != results
    change(package / "planning" / "world.py", "FAR = 1 << 30", "FAR = 1 << 29")
    assert both()[0] != kernels


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
