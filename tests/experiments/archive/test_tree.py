"""The files of an archive: folders, zips, and zips that want to lead elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from onlooker.experiments.archive import import_archive, tree
from onlooker.experiments.archive.tree import open_tree
from onlooker.support.problems import DataError
from own_archive import write_maps
from zips import packed


def test_files_at_any_depth_and_in_zips(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "one.txt").write_text("1")
    inner = packed({"deep/two.txt": b"2", ".hidden": b"", "__MACOSX/x.txt": b""})
    (tmp_path / "b.ZIP").write_bytes(packed({"inner.zip": inner, "three.txt": b"3"}))
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "four.txt").write_text("4")
    with open_tree(tmp_path) as found:
        names = {found.relative(path): found.read(path, 10) for path in found.files}
    assert names == {
        "a/one.txt": b"1",
        "b.ZIP/inner.zip/deep/two.txt": b"2",
        "b.ZIP/three.txt": b"3",
    }
    assert not found.aside


@pytest.mark.parametrize(
    "name", ["../out.txt", "a/../../out.txt", "/etc/out.txt", "C:/out.txt", "..\\out.txt"]
)
def test_a_name_that_leads_out_is_left_aside(tmp_path: Path, name: str) -> None:
    file = tmp_path / "in" / "a.zip"
    file.parent.mkdir()
    file.write_bytes(packed({name: b"x", "good.txt": b"y"}))
    with open_tree(file) as found:
        assert [found.relative(path) for path in found.files] == ["good.txt"]
    [aside] = found.aside
    assert aside.reason.startswith("a name that leads out of the zip")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.zip", "in"]


def test_links_are_left_aside(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(packed({}, {"problems_exp1/s211.txt": "/etc/passwd"}))
    with open_tree(tmp_path) as found:
        assert not found.files
    assert [str(each) for each in found.aside] == ["a.zip/problems_exp1/s211.txt: a link"]


def test_zips_in_zips_end_somewhere(tmp_path: Path) -> None:
    content = packed({"last.txt": b""})
    for _ in range(5):
        content = packed({"next.zip": content})
    (tmp_path / "a.zip").write_bytes(content)
    with open_tree(tmp_path / "a.zip") as found:
        assert not found.files
    [aside] = found.aside
    assert str(aside) == "next.zip/next.zip/next.zip: a zip inside 3 others"


def test_broken_zips_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\3\4 and no more")
    broken = bytearray(packed({"b.txt": b"some text " * 50, "c.zip": b"no zip"}))
    broken[45:50] = b"?????"
    (tmp_path / "b.zip").write_bytes(broken)
    with open_tree(tmp_path) as found:
        assert sorted(each.place for each in found.aside) == ["a.zip", "b.zip/c.zip"]
        [path] = found.files
        with pytest.raises(DataError, match=r"b\.zip/b\.txt: cannot be read"):
            found.read(path, 1000)
    with pytest.raises(DataError, match="expected the folder of the authors' archive, or a zip"):
        open_tree(tmp_path / "a.zip").__enter__()


def test_a_member_is_read_up_to_a_limit(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(packed({"bomb.txt": bytes(50_000_000)}))
    with open_tree(tmp_path) as found:
        [path] = found.files
        assert len(found.read(path, 1000)) == 1001


def test_there_is_a_limit_to_files_and_to_inner_zips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "MOST_FILES", 3)
    monkeypatch.setattr(tree, "MOST_ZIP_BYTES", 1000)
    (tmp_path / "a.zip").write_bytes(packed({"big.zip": bytes(2_000_000)}))
    with open_tree(tmp_path) as found:
        assert "more than 1,000 bytes" in found.aside[0].reason
    (tmp_path / "b.zip").write_bytes(packed({f"{n}.txt": b"" for n in range(4)}))
    with pytest.raises(DataError, match="more than 3 files"), open_tree(tmp_path):
        pass


def test_what_was_left_aside_is_in_the_manifest(tmp_path: Path) -> None:
    write_maps(tmp_path / "in" / "problems_exp1", 1)
    (tmp_path / "in" / "a.zip").write_bytes(packed({"../x": b""}))
    found = import_archive(tmp_path / "in")
    assert [note.file for note in found.by_kind()["files left aside"]] == ["a.zip"]
