"""The specification and its worked cases are those from which the system is built."""

from __future__ import annotations

from pathlib import Path

from running import ROOT
from vectors import BEYOND, FITTING, MODEL, SHARED, TEACHING

COPIES = {
    SHARED / "spec": (ROOT / "docs" / "specification", "*.md"),
    SHARED / "spec" / "vectors": (MODEL, "[!p]*.json"),  # paper_* are on the authors' maps
    SHARED / "spec" / "vectors-beyond": (BEYOND, "*.json"),
    SHARED / "spec" / "vectors-teaching": (TEACHING, "*.json"),
}


def files(folder: Path, pattern: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob(pattern)}


def test_all_worked_cases_are_here() -> None:
    assert len(files(MODEL, "*.json")) == 30
    assert len(files(BEYOND, "*.json")) == 21
    assert len(files(TEACHING, "*.json")) == 16


if SHARED.is_dir():  # where the originals lie beside the project

    def test_they_are_copies() -> None:
        for source, (copy, pattern) in COPIES.items():
            copied = files(copy, pattern)
            copied.pop("index.md", None)  # ours alone
            assert copied == files(source, pattern)
        assert FITTING.read_bytes() == (SHARED / "research" / "fitting-vectors.json").read_bytes()
