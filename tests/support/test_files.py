"""Files are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from onlooker.support.files import read_text, replacing, write_file
from onlooker.support.problems import ProblemsError


def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file"
        order.append(f"sync {kind}")
        fsync(handle)

    def noted_replace(path: Path, target: Path) -> Path:
        order.append("rename")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    write_file(tmp_path / "new" / "a.txt", "ä")
    assert order == ["sync file", "rename", "sync folder"]
    assert (tmp_path / "new" / "a.txt").read_bytes() == "ä".encode()


def test_a_file_that_cannot_be_finished_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_file(path, "old")

    def interrupted() -> None:
        with replacing(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="directory") as error:
        write_file(tmp_path / "folder", "x")
    assert error.value.filename == str(tmp_path / "folder")
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_file_is_as_readable_as_any_other_that_the_user_makes(tmp_path: Path) -> None:
    write_file(tmp_path / "ours", "x")
    (tmp_path / "plain").write_text("x")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\xff\xfe", "byte 0: not UTF-8 text"),
        (b"12345", "more than 4 bytes"),
        (None, "no such file"),
    ],
)
def test_a_text_that_cannot_be_read(tmp_path: Path, content: bytes | None, expected: str) -> None:
    path = tmp_path / "a.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ProblemsError, match=expected) as error:
        read_text(path, most_bytes=4)
    assert str(error.value).startswith(f"{path}: ")


def test_a_text_that_takes_several_reads(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("é" * 100_000, encoding="utf-8")
    assert read_text(path) == read_text(path, most_bytes=200_000) == "é" * 100_000
    with pytest.raises(ProblemsError, match="more than 199,999 bytes"):
        read_text(path, most_bytes=199_999)
