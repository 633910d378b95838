"""`onlooker explain --html`: a page, or a reason and nothing written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from onlooker.experiments.archive import import_archive
from running import ROOT, onlooker

EXAMPLE = ROOT / "examples" / "two-experts.map"


@pytest.mark.parametrize("observer", ["rational_mentalizing", "naive_observer"])
def test_it_writes_one_page(tmp_path: Path, observer: str) -> None:
    out = tmp_path / "folder" / "why.html"
    printed, _ = onlooker("explain", EXAMPLE, "--observer", observer, "--html", out)
    assert printed == f"{out}\n"
    assert f'"first":"{observer}"' in out.read_text("utf-8")
    assert [path.name for path in out.parent.iterdir()] == ["why.html"]


def test_parameters_are_those_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "why.html"
    onlooker("explain", EXAMPLE, "--set", "beta=0.2", "--html", out)
    assert '"beta":0.2' in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.map"], "none.map: there is no such file"),
        ([EXAMPLE, "--observer", "nobody"], "there is no observer 'nobody'"),
        ([EXAMPLE, "--observer", "all"], "one observer at a time"),
        ([EXAMPLE, "--set", "beta=-1"], "beta must be at least 0"),
    ],
)
def test_bad_input_writes_nothing(tmp_path: Path, words: list[str | Path], said: str) -> None:
    _, complaints = onlooker("explain", *words, "--html", tmp_path / "why.html", status=2)
    assert said in complaints
    assert list(tmp_path.iterdir()) == []


def test_a_page_has_the_name_of_a_page(tmp_path: Path) -> None:
    _, complaints = onlooker("explain", EXAMPLE, "--html", tmp_path / "why.png", status=2)
    assert complaints == f"--html {tmp_path / 'why.png'}: expected a name that ends in .html\n"
    assert list(tmp_path.iterdir()) == []


def test_where_it_cannot_be_written_is_said(tmp_path: Path) -> None:
    tmp_path.joinpath("file").write_text("")
    out = tmp_path / "file" / "why.html"
    _, complaints = onlooker("explain", EXAMPLE, "--html", out, status=2)
    assert complaints.startswith(f"--html {out}: cannot be written: ")
    assert tmp_path.joinpath("file").read_text() == ""


def test_a_whole_page_is_replaced_or_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "why.html"
    out.write_text("before")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    _, complaints = onlooker("explain", EXAMPLE, "--html", out, status=2)
    assert complaints == f"--html {out}: cannot be written: No space left on device\n"
    assert out.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["why.html"]


@pytest.fixture(scope="module")
def imported(own_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The people of Experiment 1 of an archive."""
    out = tmp_path_factory.mktemp("imported") / "out"
    import_archive(own_archive, [1]).write(out)
    return out


def test_what_a_person_did(imported: Path, tmp_path: Path) -> None:
    people = imported / "people"
    with next(people.glob("data/*actions*")).open() as file:
        rows = [line.rstrip().split(",") for line in file][1:]
    who, _, level = rows[0][:3]
    choices = [row[4] for row in rows if (row[0], row[2]) == (who, level)]
    out = tmp_path / "person.html"
    printed, _ = onlooker(
        "explain", "--data", people, "--participant", who, "--level", level, "--html", out
    )
    assert printed == f"{out}\n"
    found = re.search(r'id="data">(.*?)</script>', out.read_text("utf-8"), re.DOTALL)
    assert found
    data = json.loads(found.group(1))
    assert data["first"] == f"data-{who}"
    assert "graded_mentalizing" in data["documents"]
    document = data["documents"][data["first"]]
    assert document["trial"]["title"] == level
    assert [frame["did"]["choice"] for frame in document["frames"] if frame["did"]] == choices
    assert all(frame["mind"] for frame in document["frames"][:-1])


ANNA = ["--participant", "anna", "--level", "s1"]
BESIDE = "--participant, --level and --stimuli: expected --data DIR beside them\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--data", "DATA", *ANNA], "there is no participant 'anna' with a trial to replay"),
        (["--data", "DATA", *ANNA[:2]], "expected --participant P, --level L and --html OUT"),
        (["--data", "DATA", *ANNA, EXAMPLE], "and no file or picture"),
        (["--data", "none", *ANNA], "none: expected the folder of a Psych-DS dataset"),
        ([EXAMPLE, *ANNA], BESIDE),
        ([], "expected a trial FILE, or --data DIR"),
    ],
)
def test_a_person_who_cannot_be_shown(
    imported: Path, tmp_path: Path, words: list[str | Path], said: str
) -> None:
    given = [imported if word == "DATA" else word for word in words]
    _, complaints = onlooker("explain", *given, "--html", tmp_path / "why.html", status=2)
    assert said in complaints
    assert list(tmp_path.iterdir()) == []


def test_a_level_that_somebody_did_not_play(imported: Path, tmp_path: Path) -> None:
    options = ["--participant", "p10001", "--level", "s1", "--html", tmp_path / "why.html"]
    _, complaints = onlooker("explain", "--data", imported, *options, status=2)
    said = f"--data {imported}: p10001 has no replay of a level 's1'; expected s"
    assert complaints.startswith(said)
