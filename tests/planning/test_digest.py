"""The digest covers the meaning of what compiled code, or a result, depends on, and nothing else."""

from __future__ import annotations

import shutil
from functools import cache
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
    monkeypatch.setattr(digest, "_parsed", parsed)
    parsed.cache_clear()
    return copy


@cache
def parsed(module: str) -> digest._Module:
    """What the digest parses, until a file is changed."""
    return parsed_text(module, digest._file(module).read_text("utf-8"))


@cache
def parsed_text(module: str, text: str) -> digest._Module:
    return digest._Module(module)


def both() -> tuple[str, str]:
    """The digests of the kernels and of results, worked out anew."""
    digest.digest_of.cache_clear()
    found = digest.digest_of(*digest.KERNELS), digest.digest_of(*digest.RESULTS)
    digest.digest_of.cache_clear()
    return found


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    parsed.cache_clear()


SAME = {
    "a docstring": ("planning/costs.py", '"""Work out', '"""Find out'),
    "a comment": ("planning/world.py", "# the map", "# what the map is"),
    "blank lines": ("observers/batch.py", "class Batch", "\n\nclass Batch"),
    "an export": ("game/pddl.py", "domain", "area"),
    "a format": ("game/maptext.py", "BLOCKS", "PARTS"),
    "a helper that no kernel and no observer calls": (
        "support/extras.py",
        "def names_of",
        "def all_names",
    ),
    "how choices are drawn": ("observers/choosing.py", "rng.random()", "rng.uniform()"),
}


def test_what_has_no_meaning_for_it_changes_no_digest(package: Path) -> None:
    before = both()
    for file, old, new in SAME.values():
        change(package / file, old, new)
    assert both() == before


# What results depend on, and no kernel.
OF_RESULTS = {
    "a rule of choice": ("observers/choosing.py", "v[..., 0] + MARGIN", "v[..., 0] - MARGIN"),
    "a parameter": ("inference/parameters.py", '"cost of a move"', '"what a move costs"'),
    "a default": ("game/rules.py", "interact: int = 5", "interact: int = 6"),
    "what is noted at import": ("observers/teaching.py", "ANSWERS[UNTAUGHT]", "ANSWERS[-1]"),
}
OF_KERNELS = {
    "a constant": ("planning/world.py", "FAR = 1 << 30", "FAR = 1 << 29"),
    "a constant of a parameter's module": (
        "inference/parameters.py",
        "MARGIN = 1e-9",
        "MARGIN = 1e-8",
    ),
    "how arrays are read": ("planning/borrowing.py", "field.slot + word", "field.slot + 1 + word"),
    "a kernel": ("observers/kernels/tours.py", "total += leg_cost", "total -= leg_cost"),
    "a kind": ("game/trial.py", 'TEACHER = "teacher"', 'TEACHER = "tutor"'),
}


def test_what_results_depend_on_changes_theirs_and_compiles_nothing_anew(package: Path) -> None:
    kernels, results = both()
    for what, (file, old, new) in OF_RESULTS.items():
        change(package / file, old, new)
        now, before = both(), results
        assert now[0] == kernels, what
        assert now[1] != before, what
        results = now[1]


def test_what_kernels_depend_on_changes_both(package: Path) -> None:
    kernels, results = both()
    for what, (file, old, new) in OF_KERNELS.items():
        change(package / file, old, new)
        now = both()
        assert now[0] != kernels, what
        assert now[1] != results, what
        kernels, results = now


def test_all_kernels_and_all_observers_are_covered(package: Path) -> None:
    kernels = digest.closure(name for root in digest.KERNELS for name in digest._modules(root))
    assert {"onlooker.planning.world", "onlooker.planning.costs"} < set(kernels)
    assert {"onlooker.planning.structures", "onlooker.planning.compiling"} < set(kernels)
    results = digest.closure(digest.RESULTS[-1:])
    assert {"onlooker.observers.ideal", "onlooker.observers.untold"} < set(results)
    assert {"onlooker.game.rules", "onlooker.game.needs"} < set(results)
    assert "onlooker.game.pddl" not in results


def test_a_name_that_is_not_found_stands_for_its_whole_module(package: Path) -> None:
    (package / "planning" / "asked.py").write_text("from onlooker.planning.odd import name")
    (package / "planning" / "odd.py").write_text("def __getattr__(name): return 1\nother = 2")
    assert digest.closure(["onlooker.planning.asked"])["onlooker.planning.odd"] == {0, 1}


def test_a_digest_is_kept_and_worked_out_again_where_a_file_changed(package: Path) -> None:
    before = both()
    kept = (package.parent / "digests.json").read_text()
    assert both() == before
    assert (package.parent / "digests.json").read_text() == kept
    (package.parent / "digests.json").write_text("{")
    assert both() == before


def test_sweeps_use_that_of_results() -> None:
    assert engine_key() == digest.digest_of(*digest.RESULTS)
