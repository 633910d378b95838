"""Writing a folder of results whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from onlooker.support.folders import filling


def fill(output: Path, *files: str, page: str = "report.html") -> None:
    with filling(output, page) as work:
        for file in files:
            (work / file).parent.mkdir(exist_ok=True)
            (work / file).write_text(file)


def names(output: Path) -> list[str]:
    files = (path.relative_to(output).as_posix() for path in output.rglob("*"))
    return sorted(name for name in files if not name.startswith("."))


def test_what_an_earlier_report_left_is_removed(tmp_path: Path) -> None:
    fill(tmp_path, "report.html", "figures/a.png", "people/p.csv")
    (tmp_path / "figures" / "mine.png").write_text("the user's own")
    fill(tmp_path, "sensitivity.html", "tables/s.csv", page="sensitivity.html")
    fill(tmp_path, "report.html", "figures/b.png")
    assert names(tmp_path) == [
        "figures", "figures/b.png", "figures/mine.png", "report.html", "sensitivity.html",
        "tables", "tables/s.csv",
    ]  # fmt: skip


def test_a_failure_leaves_all_as_it_was(tmp_path: Path) -> None:
    fill(tmp_path, "report.html", "figures/a.png")
    before = names(tmp_path)

    def fail() -> None:
        with filling(tmp_path, "report.html") as work:
            (work / "report.html").write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert names(tmp_path) == before
    assert (tmp_path / "report.html").read_text() == "report.html"


@pytest.mark.parametrize("name", ["../x", "sub/../../x", "{absolute}", "link/x", "", "."])
def test_a_list_of_files_never_leads_outside_the_folder(tmp_path: Path, name: str) -> None:
    outside, output = tmp_path / "x", tmp_path / "out"
    outside.write_text("keep me")
    (output / "sub").mkdir(parents=True)
    (output / "link").symlink_to(tmp_path)
    (output / ".page.html.files").write_text(f"{name.format(absolute=outside)}\nold.csv\n")
    (output / "old.csv").write_text("")
    with filling(output, "page.html") as work:
        (work / "page.html").write_text("")
    assert outside.read_text() == "keep me"
    assert not (output / "old.csv").exists()
    assert (output / "sub").is_dir()


def test_a_list_of_files_in_disorder_removes_nothing(tmp_path: Path) -> None:
    (tmp_path / ".page.html.files").write_bytes(b"kept.csv\n\xff\xfe")
    (tmp_path / "kept.csv").write_text("")
    with filling(tmp_path, "page.html") as work:
        (work / "page.html").write_text("")
    assert (tmp_path / "kept.csv").exists()
