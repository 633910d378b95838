"""The commands as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from maps import ENDLESS, STUCK
from onlooker.experiments.dataset import write_dataset
from onlooker.experiments.records import Records
from onlooker.game import load_trial, save_trial
from running import ROOT, onlooker

EXAMPLES = sorted((ROOT / "examples").glob("*.map"))


@pytest.fixture
def example() -> Path:
    return ROOT / "examples" / "expert-and-novice.map"


def test_version() -> None:
    assert onlooker("--version")[0].startswith("onlooker 0.")


def test_without_a_command_it_helps() -> None:
    printed, complaints = onlooker(status=2)
    for command in ("check", "convert", "show"):
        assert command in printed + complaints


def test_the_examples_are_valid() -> None:
    assert len(EXAMPLES) >= 5
    printed, _ = onlooker("check", *EXAMPLES)
    assert printed.splitlines() == [f"{path}: ok" for path in EXAMPLES]


def test_check_tells_all_problems_of_all_files(tmp_path: Path, example: Path) -> None:
    ragged, nowhere = tmp_path / "ragged.map", tmp_path / "nowhere.map"
    ragged.write_text("map:\n...\n.?\n")
    printed, complaints = onlooker("check", ragged, example, nowhere, status=2)
    assert printed == f"{example}: ok\n"
    assert complaints.splitlines() == [
        f"{ragged}: line 3: ragged rows: this one has 2 cells, the first row (line 2) has 3",
        f"{ragged}: line 3, column 2: unknown character '?'; add it to the legend",
        f"{nowhere}: there is no such file",
    ]


def test_check_takes_folders(tmp_path: Path, example: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "a.map").write_text(example.read_text())
    (tmp_path / "maps" / "b.map").write_text("")
    printed, complaints = onlooker("check", tmp_path / "maps", status=2)
    assert printed == f"{tmp_path / 'maps' / 'a.map'}: ok\n"
    assert complaints.startswith(f"{tmp_path / 'maps' / 'b.map'}: there is no map")


def test_a_map_that_is_too_large_is_one_problem(tmp_path: Path) -> None:
    wide = tmp_path / "wide.map"
    wide.write_text(f"map:\n@{'.' * 200}A\n\nlegend:\n@ = main agent, goal A\n")
    _, complaints = onlooker("check", wide, status=2)
    assert complaints == (f"{wide}: line 2: 202 columns and 1 rows; a side has at most 100 cells\n")


def test_ctrl_c_while_it_loads_is_no_traceback() -> None:
    interrupted = (
        "import sys, runpy\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'onlooker.cli.main':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Finder())\n"
        "runpy.run_module('onlooker', run_name='__main__')\n"
    )
    left = subprocess.run([sys.executable, "-c", interrupted], capture_output=True, check=False)
    assert (left.returncode, left.stdout, left.stderr) == (130, b"", b"")


@pytest.mark.parametrize(
    "words",
    [
        ["convert", "examples/early-turn.map", "--to", "pddl"],
        ["posterior", "examples/early-turn.map"],
        ["stimuli", "export"],
        ["import", "examples"],
        ["benchmark", "examples"],
    ],
)
def test_a_file_where_a_folder_is_expected(tmp_path: Path, words: list[str]) -> None:
    there = tmp_path / "there"
    there.write_text("mine")
    _, complaints = onlooker(*words, "-o", there, status=2)
    assert complaints == f"{there}: expected the name of a folder, not a file\n"
    assert there.read_text() == "mine"


def test_check_finds_a_novice_without_a_way(tmp_path: Path) -> None:
    stuck = tmp_path / "stuck.map"
    stuck.write_text(STUCK)
    _, complaints = onlooker("check", stuck, status=2)
    assert complaints.startswith(f"{stuck}: npcs: agent2 (novice): it cannot get from (1, 0)")


def test_convert_there_and_back(tmp_path: Path, example: Path) -> None:
    document, text = tmp_path / "trial.json", tmp_path / "trial.map"
    onlooker("convert", example, "-o", document)
    onlooker("convert", document, "-o", text)
    assert load_trial(document) == load_trial(text) == load_trial(example)
    printed, _ = onlooker("convert", text, "--to", "json")
    assert printed == document.read_text()


def test_convert_to_pddl(tmp_path: Path, example: Path) -> None:
    printed, _ = onlooker("convert", example, "--to", "pddl", "-o", tmp_path / "pddl")
    assert printed.endswith(f"files in {tmp_path / 'pddl'}\n")
    assert (tmp_path / "pddl" / "domain.pddl").read_text().count("(:action") == 4


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-o", "trial.xyz"], "trial.xyz: the name does not say the format"),
        ([], "no format is given; use --to json, --to map or --to pddl"),
        (["--to", "pddl"], "PDDL is several files; expected --output with the name of a folder"),
        (["--to", "json", "-o", "/dev/null/trial.json"], "/dev/null"),
    ],
)
def test_convert_that_cannot_be(words: list[str], expected: str, example: Path) -> None:
    _, complaints = onlooker("convert", example, *words, status=2)
    assert expected in complaints


def test_an_output_that_is_a_folder_is_named(tmp_path: Path, example: Path) -> None:
    out = tmp_path / "trial.json"
    out.mkdir()
    _, complaints = onlooker("convert", example, "-o", out, status=2)
    assert complaints == f"{out}: Is a directory\n"
    assert list(tmp_path.iterdir()) == [out]


def test_an_output_where_nothing_may_be_written_is_named(
    tmp_path: Path, example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / ".x._7psthpz"))

    trial = load_trial(example)
    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        with pytest.raises(PermissionError) as error:
            save_trial(trial, tmp_path / "trial.json")
    assert error.value.filename == str(tmp_path / "trial.json")
    with pytest.raises(PermissionError) as error:
        write_dataset(tmp_path / "study", Records().tables(), "a study", "of nobody")
    assert error.value.filename == str(tmp_path / "study")


def test_a_bad_trial_leaves_nothing_behind(tmp_path: Path) -> None:
    bad = tmp_path / "bad.map"
    bad.write_text("map:\n..\n")
    onlooker("convert", bad, "-o", tmp_path / "out.json", status=2)
    onlooker("show", bad, "--svg", tmp_path / "out.svg", status=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.map"]


def test_schema_is_json() -> None:
    assert json.loads(onlooker("schema")[0])["type"] == "object"


def test_show_in_the_terminal_marks_holders_only_when_asked(example: Path) -> None:
    plain, _ = onlooker("show", example)
    open_book, _ = onlooker("show", example, "--holders")
    assert "holds the amulet" not in plain
    assert "holds the amulet" in open_book


def test_show_as_pictures(tmp_path: Path, example: Path) -> None:
    png, svg = tmp_path / "map.png", tmp_path / "map.svg"
    onlooker("show", example, "--path", "all", "--png", png, "--svg", svg)
    assert png.read_bytes().startswith(b"\x89PNG")
    assert b"path:agent2" in svg.read_bytes()
    assert b"holder:" not in svg.read_bytes()


@pytest.mark.parametrize("command", ["show", "explain"])
@pytest.mark.parametrize(
    ("option", "name"), [("png", "x.txt"), ("png", "maps"), ("png", "z.svg"), ("svg", "z.pdf")]
)
def test_a_picture_of_another_format(
    tmp_path: Path, example: Path, command: str, option: str, name: str
) -> None:
    out = tmp_path / name
    _, complaints = onlooker(command, example, f"--{option}", out, status=2)
    assert complaints == f"--{option} {out}: expected a name that ends in .{option}\n"
    assert not list(tmp_path.iterdir())


def test_show_an_unknown_agent(example: Path) -> None:
    _, complaints = onlooker("show", example, "--path", "agent7", status=2)
    assert complaints == (
        "--path agent7: there is no such agent; this trial has main, agent2, agent3, all\n"
    )


def test_check_warns_of_a_search_without_an_end(tmp_path: Path) -> None:
    file = tmp_path / "endless.map"
    file.write_text(ENDLESS)
    told, complaints = onlooker("check", file)
    assert told == f"{file}: ok\n"
    assert complaints.startswith(f"warning: {file}: a wizard of a colour that the main agent needs")


def test_examples_are_written_and_never_over_what_was_changed(tmp_path: Path) -> None:
    folder = tmp_path / "examples"
    printed, _ = onlooker("examples", "-o", folder)
    names = {file.relative_to(folder) for file in folder.rglob("*") if file.is_file()}
    tracked = {file.relative_to(ROOT / "examples") for file in example_files()}
    assert names == tracked
    assert printed == f"{len(names)} files in {folder}\n"
    onlooker("examples", "-o", folder)  # nothing is changed, nothing is lost
    changed = folder / "two-experts.map"
    changed.write_text("mine", "utf-8")
    _, told = onlooker("examples", "-o", folder, status=2)
    assert told == f"{changed}: differs from the example; expected another --output\n"
    assert changed.read_text("utf-8") == "mine"


def test_a_wheel_holds_the_examples(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    inside = {file.relative_to(ROOT / "examples").as_posix() for file in example_files()}
    assert {f"onlooker/examples/{name}" for name in inside} <= names


def example_files() -> list[Path]:
    files = (ROOT / "examples").rglob("*")
    return [file for file in files if file.is_file() and "__pycache__" not in file.parts]
