"""The import of the authors' archive, on maps of our own in their format."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from onlooker.experiments.archive import MAPS, import_archive, read_archive
from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.experiments.trialset import load_trials
from onlooker.game import Chest, Expertise, TrialError
from onlooker.support.problems import DataError
from own_archive import trials_of
from running import ROOT
from truths import differences
from vectors import AUTHORS, load, reproduce

PAPER_DATA = ROOT.parent / "shared" / "paper-data"

ONE_CHEST = "e...b\nWW.WW\nXM.BG\n"
ONE_NPC = "e..b..r\nW.WWW.W\nM..X...\nBWWRWWB\ngWWGWWg\n"
TWO_NPCS = "e..b..r\nW.WWW.W\nM..X..Y\nBWWRWWB\ngWWGWWg\n"
FILES = {
    1: ONE_CHEST,
    2: ONE_NPC,
    3: TWO_NPCS + "\nX: 1, 3\nY: 2, 1",
    4: TWO_NPCS + "\nX: 1a, 2a\nY: 3n, 3n\n",
}
ENTRIES: dict[int, object] = {2: [1, 3], 3: {"agent2": [1, 3], "agent3": [2, 1]}}


def make_folder(folder: Path, number: int) -> Path:
    folder.mkdir(parents=True)
    for name in MAPS[number]:
        (folder / f"{name}.txt").write_text(FILES[number])
    if number in ENTRIES:
        entries = dict.fromkeys(MAPS[number], ENTRIES[number])
        (folder / "metadata.json").write_text(json.dumps(entries))
    return folder


def make_archive(root: Path, *numbers: int) -> Path:
    for number in numbers or PAPER_EXPERIMENTS:
        make_folder(root / "data" / f"problems_exp{number}", number)
    return root


def test_the_inventory_names_as_many_maps_as_the_experiments_have() -> None:
    for number, experiment in PAPER_EXPERIMENTS.items():
        assert len(set(MAPS[number])) == experiment.maps


def test_a_whole_archive(tmp_path: Path) -> None:
    archive = read_archive(make_archive(tmp_path))
    assert not archive.warnings
    assert len(archive.entries) == 148
    by_name = {(entry.experiment, entry.level): entry.trial for entry in archive.entries}
    assert len(by_name) == 148
    for (number, name), trial in by_name.items():
        assert (trial.experiment, trial.name) == (number, name)
    assert by_name[1, "s211_1"].scenario == 1
    assert (2, "s221_1") in by_name
    assert by_name[2, "s544_2"].scenario == 2
    assert [npc.goal for npc in by_name[3, "sm211_scenario2"].npcs] == ["C", "A"]
    trial = by_name[4, "sm612_scenario1"]
    assert trial.map.chests == (Chest("A", (0, 4)), Chest("B", (3, 4)), Chest("C", (6, 4)))
    assert trial.main.goal == "B"
    assert trial.holders == {"blue": "w2", "red": "w3"}
    assert [(npc.id, npc.at, npc.goal) for npc in trial.npcs] == [
        ("agent2", (3, 2), "A"),
        ("agent3", (6, 2), "C"),
    ]
    assert [npc.expertise for npc in trial.npcs] == [Expertise.EXPERT, Expertise.NOVICE]
    assert not trial.reveals_outcomes


def test_what_is_written_is_what_the_manifest_says(tmp_path: Path) -> None:
    source = make_archive(tmp_path / "archive", 1, 3)
    archive = read_archive(source)
    import_archive(source).write(tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["absent_experiments"] == [2, 4]
    assert len(manifest["levels"]) == 60
    for level in manifest["levels"]:
        written = (tmp_path / "out" / level["file"]).read_bytes()
        assert level["sha256"] == hashlib.sha256(written).hexdigest()
        read = (source / level["source"]).read_bytes()
        assert level["source_sha256"] == hashlib.sha256(read).hexdigest()
    assert [entry["source"] for entry in manifest["metadata"]] == [
        "data/problems_exp3/metadata.json"
    ]
    assert str(tmp_path) not in json.dumps(manifest)
    assert tuple(load_trials([tmp_path / "out"])) == archive.trials


def test_windows_line_ends_and_blank_lines_change_nothing(tmp_path: Path) -> None:
    plain = make_archive(tmp_path / "plain", 2, 4)
    other = make_archive(tmp_path / "other", 2, 4)
    for file in other.rglob("*.txt"):
        text = "\ufeff" + file.read_text() + "\n\n   \n"
        file.write_bytes(text.replace("\n", "\r\n").encode())
    assert read_archive(plain).trials == read_archive(other).trials


@pytest.mark.parametrize("name", ["problems_exp4_0811", "problems_exp4-2025-05-01"])
def test_a_folder_may_have_a_date_behind_its_name(tmp_path: Path, name: str) -> None:
    make_folder(tmp_path / "deep" / "down" / name, 4)
    assert len(read_archive(tmp_path).entries) == 40
    assert len(read_archive(tmp_path / "deep" / "down" / name).entries) == 40


@pytest.mark.parametrize("name", ["problems_exp5", "problems_exp4_old", "__MACOSX/problems_exp4"])
def test_other_folders_are_not_read(tmp_path: Path, name: str) -> None:
    make_folder(tmp_path / name, 4)
    with pytest.raises(TrialError, match="found no folder problems_exp1, problems_exp2"):
        read_archive(tmp_path)


def test_of_two_folders_the_last_counts(tmp_path: Path) -> None:
    make_folder(tmp_path / "problems_exp4", 4)
    later = make_folder(tmp_path / "problems_exp4_0811", 4)
    assert not read_archive(tmp_path).warnings
    (later / "sm211.txt").write_text(FILES[4].replace("X: 1a", "X: 3a"))
    archive = read_archive(tmp_path)
    assert archive.warnings == (
        "problems_exp4_0811/sm211.txt: differs from problems_exp4/sm211.txt; this one is taken",
    )
    assert archive.trials[0].npcs[0].goal == "C"
    assert archive.entries[0].source == "problems_exp4_0811/sm211.txt"


def test_an_earlier_folder_fills_what_the_last_lacks(tmp_path: Path) -> None:
    make_folder(tmp_path / "problems_exp4", 4)
    later = make_folder(tmp_path / "problems_exp4_0811", 4)
    (later / "sm211.txt").unlink()
    assert read_archive(tmp_path).entries[0].source == "problems_exp4/sm211.txt"


def test_maps_that_are_not_of_the_paper_are_told_and_not_written(tmp_path: Path) -> None:
    source = make_archive(tmp_path, 1)
    (source / "data" / "problems_exp1" / "s999.txt").write_text("no map at all")
    archive = read_archive(source)
    assert archive.other_maps == ("data/problems_exp1/s999.txt",)
    assert len(archive.entries) == 20


def test_of_several_main_agents_the_last_counts(tmp_path: Path) -> None:
    file = make_archive(tmp_path, 1) / "data" / "problems_exp1" / "s211.txt"
    file.write_text("eM..b\nWW.WW\nXM.BG\n")
    archive = read_archive(tmp_path)
    [warning] = archive.warnings
    assert warning == (
        "data/problems_exp1/s211.txt: 2 M on the map; the last one counts, in line 3, column 2"
    )
    assert archive.trials[0] == replace(archive.trials[1], name="s211_1")


def test_goals_come_from_the_metadata_else_from_below_the_map(tmp_path: Path) -> None:
    folder = make_archive(tmp_path, 3) / "data" / "problems_exp3"
    (folder / "sm211.txt").write_text(FILES[3].replace("X: 1, 3", "X: 1, 2"))
    archive = read_archive(tmp_path)
    [warning] = archive.warnings
    assert "sm211.txt: agent2's goals are [1, 2], not [1, 3] as in metadata.json" in warning
    assert [trial.npcs[0].goal for trial in archive.trials[:2]] == ["A", "C"]
    (folder / "metadata.json").unlink()
    archive = read_archive(tmp_path)
    assert not archive.warnings
    assert [trial.npcs[0].goal for trial in archive.trials[:2]] == ["A", "B"]


def test_what_the_experiment_does_not_have_is_warned_of(tmp_path: Path) -> None:
    file = make_archive(tmp_path, 2) / "data" / "problems_exp2" / "s221.txt"
    file.write_text(ONE_NPC.replace("BWWRWWB\ngWWGWWg", "BWBRWWB\ngWgGWWg"))
    assert read_archive(tmp_path).warnings == (
        "Experiment 2: s221_1: 4 chests",
        "Experiment 2: s221_2: 4 chests",
    )


Change = Callable[[str], str]


def swap(old: str, new: str) -> Change:
    return lambda text: text.replace(old, new)


@pytest.mark.parametrize(
    ("number", "change", "expected"),
    [
        (1, swap("...b", ".?.b"), ": line 1, column 3: unknown character '?'; expected one of W ."),
        (1, swap("WW.WW", "WW.W"), ": line 2: ragged rows: this one has 4 cells, the first row (line 1)"),
        (1, swap("WW.WW", "WW.WWW"), ": line 2: ragged rows: this one has 6 cells"),
        (1, swap("G", "g"), ": there is no G on the map, the main agent's chest"),
        (1, swap("e", "G"), ": line 3, column 5: a second G, the main agent's chest"),
        (1, swap("X", "."), ": there is no X on the map, agent2"),
        (1, swap("...b", "X..b"), ": line 3, column 1: a second X, agent2"),
        (1, swap("M", "."), ": there is no M on the map, the main agent"),
        (1, swap("...b", "Y..b"), ": line 1, column 2: Y is agent3; Experiment 1 has 1 NPC"),
        (1, swap("...b", "b..b"), ": line 1, column 5: a second b, the holder of the blue amulet"),
        (1, swap("b", "e"), ": holders: no holder of the blue amulet; one of w1, w2 must be"),
        (1, swap("...b", "g..b"), ": 2 chests; in Experiment 1 there is one"),
        (1, swap("WW.WW", "WWWWW"), ": line 3, column 5: the main agent cannot reach chest A"),
        (1, lambda _: "\n \n", ": there is no map"),
        (1, lambda _: "\udcff", ": byte 0: not UTF-8 text"),
        (4, swap("Y: 3n, 3n", ""), ": no goals of agent3: expected 'Y: 1a, 3a' below the map"),
        (4, swap("3n, 3n", "3n, 4n"), ": line 8: agent3's goal is chest 4; the map has chests 1 to 3"),
        (4, swap("3n, 3n", "0n, 3n"), ": line 8: agent3's goal is chest 0"),
        (4, swap("3n, 3n", "3, 3"), ": line 8: expected goals as in 'X: 1a, 3n' or 'Y: 1a, 3n'"),
        (4, swap("3n, 3n", "3x, 3n"), ": line 8: expected goals as in"),
        (4, swap("3n, 3n", "3n"), ": line 8: expected goals as in"),
        (4, swap("Y: 3n", "X: 3n"), ": line 8: a second line of goals of agent2"),
        (4, lambda text: text + "Z: 1a, 1a\n", ": line 9: expected goals as in"),
        (3, swap("X: 1, 3", "X: 1, C"), ": line 7: expected goals as in 'X: 1, 3' or 'Y: 1, 3'"),
    ],
)  # fmt: skip
def test_a_map_that_cannot_be_read(
    tmp_path: Path, number: int, change: Change, expected: str
) -> None:
    folder = make_archive(tmp_path, number) / "data" / f"problems_exp{number}"
    file = folder / f"{MAPS[number][3]}.txt"
    file.write_bytes(change(file.read_text()).encode(errors="surrogateescape"))
    with pytest.raises(TrialError) as refused:
        read_archive(tmp_path)
    assert any(line.startswith(f"{file}{expected}") for line in refused.value.lines())
    assert all(line.startswith(f"{file}:") for line in refused.value.lines())


@pytest.mark.parametrize(
    ("number", "entry", "expected"),
    [
        (2, None, "s221: no goals of agent2: expected two numbers of chests, such as [1, 3]"),
        (2, [1], "s221: agent2: expected two numbers of chests as [1, 3], not [1]"),
        (2, [1, "C"], 's221: agent2: expected two numbers of chests as [1, 3], not [1, "C"]'),
        (2, [1, True], "s221: agent2: expected two numbers of chests as [1, 3], not [1, true]"),
        (2, [1, 4], "s221: agent2's goal is chest 4; the map has chests 1 to 3"),
        (2, "AC", "s221: expected the goals of agent2"),
        (3, [1, 3], "sm211: expected the goals of agent2, agent3"),
        (3, {"agent2": [1, 0], "agent3": [1, 1]}, "sm211: agent2's goal is chest 0"),
    ],
)
def test_metadata_that_cannot_be_read(
    tmp_path: Path, number: int, entry: object, expected: str
) -> None:
    file = make_archive(tmp_path, number) / "data" / f"problems_exp{number}" / "metadata.json"
    entries = json.loads(file.read_text())
    entries[MAPS[number][0]] = entry
    file.write_text(json.dumps(entries))
    with pytest.raises(TrialError) as refused:
        read_archive(tmp_path)
    [line] = refused.value.lines()
    assert line.startswith(f"{file}: {expected}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"s221": [1, 3],\n}', "line 1, column 16: not JSON: a comma with nothing behind it"),
        ('{"s221": [1,\n 3, ]}', "line 2, column 3: not JSON: a comma with nothing behind it"),
        ("[1, 2]", "expected an object"),
    ],
)
def test_metadata_that_are_no_metadata(tmp_path: Path, text: str, expected: str) -> None:
    folder = make_archive(tmp_path, 2) / "data" / "problems_exp2"
    (folder / "metadata.json").write_text(text)
    (folder / "s221.txt").write_text(ONE_NPC.replace("G", "?"))
    with pytest.raises(TrialError) as refused:
        read_archive(tmp_path)
    first, *others = refused.value.lines()
    assert first.startswith(f"{folder / 'metadata.json'}: {expected}")
    assert [line.split(":")[0] for line in others] == [str(folder / "s221.txt")] * 2


def test_a_gap_in_an_experiment_is_refused(tmp_path: Path) -> None:
    folder = make_archive(tmp_path, 1, 2) / "data" / "problems_exp1"
    (folder / "s211.txt").unlink()
    (folder / "s544.txt").unlink()
    with pytest.raises(TrialError) as refused:
        read_archive(tmp_path)
    assert str(refused.value) == f"{folder}: maps of Experiment 1 are missing: s211, s544"


def test_an_absent_experiment_is_refused_only_if_it_was_asked_for(tmp_path: Path) -> None:
    make_archive(tmp_path, 1)
    assert read_archive(tmp_path).absent == (2, 3, 4)
    assert read_archive(tmp_path, [1]).absent == ()
    with pytest.raises(TrialError, match="found no folder problems_exp3 in it"):
        read_archive(tmp_path, [1, 3])
    with pytest.raises(DataError, match="expected the folder of the authors' archive, or a zip"):
        read_archive(tmp_path / "archive.zip")


# -- whole archives --------------------------------------------------------------------------------


def test_an_archive_of_our_own_gives_the_trials_that_it_was_made_of(own_archive: Path) -> None:
    archive = read_archive(own_archive)
    assert not archive.warnings
    assert not archive.other_maps
    assert list(archive.trials) == [trial for number in MAPS for trial in trials_of(number)]


@pytest.mark.skipif(not PAPER_DATA.is_dir(), reason="the authors' data is not here")
def test_the_authors_archive_gives_the_trials_of_the_vectors_and_the_truth_of_its_logs() -> None:
    paper = read_archive(PAPER_DATA)
    assert len(paper.entries) == 148
    [wart] = paper.warnings
    assert wart.startswith("problems_exp2/s331.txt: 2 M on the map")
    assert not paper.other_maps
    trials = {f"exp{each.experiment}_{each.level}": each.trial for each in paper.entries}
    assert AUTHORS
    for vector in map(load, AUTHORS):
        trial = trials[vector.name.removeprefix("paper_")]
        assert replace(trial, name=None, experiment=None, scenario=None) == vector.trial
        reproduce(vector)
    people = import_archive(PAPER_DATA).people
    truth = json.loads((PAPER_DATA / "sessions" / "truth.json").read_text())
    assert differences(people, {file: {"levels": levels} for file, levels in truth.items()}) == []
    assert people.positions == (1401, 1401)
