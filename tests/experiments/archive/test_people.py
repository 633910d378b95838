"""People of the archive: logs of our own in the authors' format, with all their warts."""

from __future__ import annotations

import csv
import json
import random
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onlooker.experiments.archive import import_archive, people, session
from onlooker.experiments.archive.importing import Import
from onlooker.experiments.archive.replaying import replay_block
from onlooker.experiments.archive.session import Block, Session, read_session
from onlooker.experiments.psych_ds import read_dataset
from onlooker.experiments.trialset import load_trials
from onlooker.fitting.plays import read_plays
from onlooker.game import Act, Choice, Interaction, Stage, TrialError, Turn, opening, take
from onlooker.game import choices as offered
from onlooker.planning import stage
from onlooker.support.problems import DataError
from own_archive import MEANS, OTHER_COUNTS, trials_of
from own_sessions import BlockText, block_of, session_text, their_name
from truths import differences


@pytest.fixture(scope="module")
def truth(own_archive: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((own_archive / "sessions" / "truth.json").read_text())
    return found


@pytest.fixture(scope="module")
def imported(own_archive: Path) -> Import:
    return import_archive(own_archive)


@pytest.fixture(scope="module")
def written(imported: Import, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("import") / "out"
    imported.write(folder)
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Import:
    """One person who played one level."""
    logs = {"exp1/u1700000000000.csv": small_log().encode()}
    return import_archive(small_archive(tmp_path_factory.mktemp("small"), logs))


# -- the truth -------------------------------------------------------------------------------------


def test_everything_is_as_the_writer_of_the_logs_says(
    imported: Import, truth: dict[str, Any]
) -> None:
    assert differences(imported.people, truth) == []
    assert len(imported.people.persons) == 24
    excluded = [each for each in imported.people.persons if each.excluded]
    assert [each.experiment for each in excluded] == [1]


def test_the_truth_has_every_wart(truth: dict[str, Any]) -> None:
    for number in range(1, 5):
        people = [said for file, said in truth.items() if file.startswith(f"exp{number}/")]
        levels = [level for said in people for level in said["levels"].values()]
        assert sum(level.get("without_effect", 0) for level in levels) > 20
        assert sorted(level.get("lost_rows", 0) for level in levels)[-2:] == [1, 3]
        assert sum(not level["replayed"] for level in levels) == 2
        assert sum(level["blocks"] == 2 for level in levels) == 1
        assert sum(not level["finished"] for level in levels) == 1
        assert sum(said["age"] is None for said in people) == 1
        assert any(level["unspent"] is not None and level["unspent"] < 0 for level in levels)


def test_what_is_no_log_is_named_and_counted(imported: Import) -> None:
    notes = {kind: len(found) for kind, found in imported.by_kind().items()}
    assert notes == {
        people.ELSEWHERE: 1,
        people.NO_SESSION: 2,
        people.COPY: 1,
        people.SAME_ID: 1,
        people.UNKNOWN: 4,
        people.STOPPED: 8,
        people.REPAIRED: 8,
    }
    assert imported.people.tutorials == 4
    told = {note.file: note.reason for note in imported.by_kind()[people.NO_SESSION]}
    assert told["sessions/exp3/summary.csv"] == "expected a name such as u123.csv"
    assert told["sessions/exp4/u1.csv"].startswith("expected a first line such as 'Session ID,")


def test_points_and_positions_that_differ_are_reported(imported: Import) -> None:
    differ = {key: count for key, count in imported.points.items() if key[2]}
    assert sum(count for (_, _, more), count in differ.items() if more == 2) == 4
    assert sum(count for (_, _, more), count in differ.items() if more == -400) == 10
    assert {more for _, _, more in differ} == {2, -400}
    agree, compared = imported.people.positions
    assert 0.9 * compared < agree < compared  # a look is lost in each experiment


def test_a_zip_gives_the_same(own_archive: Path, tmp_path: Path) -> None:
    packed = shutil.make_archive(str(tmp_path / "own"), "zip", own_archive)
    (tmp_path / "folder").mkdir()
    shutil.move(packed, tmp_path / "folder" / "inner.zip")
    plain = import_archive(own_archive, [4])
    for archive in (tmp_path / "folder", tmp_path / "folder" / "inner.zip"):
        again = import_archive(archive, [4])
        assert again.records == plain.records
        assert again.means == plain.means


# -- what is written -------------------------------------------------------------------------------


def test_nobody_can_be_recognised(written: Path, own_archive: Path, truth: dict[str, Any]) -> None:
    ids = {Path(file).stem for file in truth} | {path.stem for path in own_archive.rglob("u*.csv")}
    ids = {name for name in ids if len(name) > 2}
    ids |= {said["prolificId"] for said in truth.values() if said["prolificId"]}
    ids |= {"I liked it", "prolific", "feedback"}
    ids |= {name[1:] for name in ids if name.startswith("u1")}  # when they came
    assert len(ids) > 60
    files = [path for path in written.rglob("*") if path.is_file()]
    assert len(files) > 160
    for path in files:
        text = path.read_text("utf-8")
        assert not [each for each in ids if each in text or each in str(path.name)], path
        assert not re.search(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}", text), path  # no day
    ages = [said["age"] for said in truth.values() if said["age"] is not None]
    table = read_dataset(written / "people").tables["participants"]
    assert sorted(table["age"].dropna()) == sorted(ages)
    assert table["gender"].notna().sum() == len(ages)


def test_numbers_are_those_of_the_archive_and_tell_nothing(imported: Import) -> None:
    again = sorted(imported.people.persons, key=lambda each: each.id)
    assert [each.name for each in again] != sorted(each.name for each in again)
    names = [each.name for each in imported.people.persons]
    assert names == sorted(f"p{n}{i:04}" for n in range(1, 5) for i in range(1, 7))


def test_other_logs_make_another_key(own_archive: Path, tmp_path: Path) -> None:
    """Who knows the ids but not the logs cannot compute the numbers."""
    copied = shutil.copytree(own_archive, tmp_path / "copy")
    file = min((copied / "sessions" / "exp2").glob("u*.csv"))
    file.write_text(file.read_text("utf-8").replace("age,", "age,1"), "utf-8")
    other, mine = (
        {each.id: each.name for each in import_archive(archive, [2]).people.persons}
        for archive in (copied, own_archive)
    )
    assert other != mine
    assert set(other) == set(mine)


@pytest.mark.parametrize(
    "gender", ["x" * 31, "me@example.org", "u1700086400000", "ID 5f1e0c0ffee0"]
)
def test_a_gender_that_may_say_who_it_is_is_left_out(tmp_path: Path, gender: str) -> None:
    log = small_log().replace("gender,female", f"gender,{gender}")
    log = log.replace("prolificId,", "prolificId,5f1e0c0ffee0").replace(
        "u1700000000000", "u1700086400000"
    )
    found = import_archive(small_archive(tmp_path, {"exp1/u1700086400000.csv": log.encode()}))
    assert found.people.persons[0].gender is None
    assert "genders left out" in found.by_kind()


def test_the_dataset_is_one_of_ours(written: Path, truth: dict[str, Any]) -> None:
    dataset = read_dataset(written / "people")
    assert not dataset.description.simulated
    trials = dataset.tables["trials"]
    assert len(trials) == 240
    assert set(trials["logged_blocks"]) == {1, 2}
    good = trials[trials["replayed"] & trials["finished"]]
    assert (good["unspent"] == good["budget"] - good["cost_total"]).all()
    assert (good["cost_execution"] == 3 * good["moves"] + 5 * good["interactions"]).all()
    actions = dataset.tables["actions"]
    counts = actions.groupby(["participant", "level"]).size()
    lost = trials[~trials["replayed"]]
    assert len(lost) == 8
    assert not set(zip(lost["participant"], lost["level"], strict=True)) & set(counts.index)
    seconds = actions.groupby(["participant", "level"])["seconds"]
    assert seconds.apply(lambda s: s.dropna().is_monotonic_increasing).all()
    assert seconds.first().between(0.1, 60).all()
    assert actions["seconds"].isna().sum() == trials["repaired"].sum() == 16


def test_fits_leave_out_what_cannot_be_replayed_and_say_so(written: Path) -> None:
    dataset = read_dataset(written / "people")
    trials = load_trials([written])
    with pytest.warns(UserWarning, match="left out, as their logs cannot be replayed: 8"):
        plays = read_plays(dataset, trials, everyone=True)
    assert len(plays) == 232


def test_means_are_the_papers(written: Path, truth: dict[str, Any]) -> None:
    looks: dict[tuple[str, str, str], list[float]] = {}
    for file, said in truth.items():
        if not said["excluded"]:
            for level, each in said["levels"].items():
                for agent, count in each["observed"].items():
                    looks.setdefault((file[3], level, agent), []).append(count)
    with (written / "means.csv").open() as file:
        rows = {
            (row["experiment"], row["level"], row["agent"]): row for row in csv.DictReader(file)
        }
    assert set(rows) == set(looks)
    for key, counts in looks.items():
        assert float(rows[key]["human_mean_observed"]) == pytest.approx(mean(counts), abs=1e-6)
        assert int(rows[key]["n_participants"]) == len(counts)
        if len(counts) > 1:
            error = stdev(counts) / len(counts) ** 0.5
            assert float(rows[key]["se_observed"]) == pytest.approx(error, abs=1e-5)
        else:
            assert rows[key]["se_observed"] == ""


def test_the_authors_counts_stand_beside_the_means(written: Path, own_archive: Path) -> None:
    with (own_archive / MEANS).open() as file:
        theirs = {
            (row["experiment"], row["level"], row["agent"]): float(row["published_model"])
            for row in csv.DictReader(file)
        }
    with (written / "means.csv").open() as file:
        for row in csv.DictReader(file):
            key = row["experiment"], row["level"], row["agent"]
            assert float(row["published_model"]) == theirs[key]
            assert row["published_naive_observer"] == ("4" if int(row["experiment"]) < 3 else "")
    assert OTHER_COUNTS


def test_whose_means_they_are(own_archive: Path, imported: Import, tmp_path: Path) -> None:
    """The means of the archive are of other people; then of the same, as the import writes them."""
    assert imported.agreement.agree < imported.agreement.compared / 4
    assert not imported.agreement.same_people
    assert not any("published_model" in row for row in imported.records.observations)
    copied = tmp_path / "copy"
    for name in ("problems_exp1", "sessions"):
        shutil.copytree(own_archive / name, copied / name)
    first = import_archive(copied)
    assert first.agreement.same_people  # there are none to say otherwise
    first.write(tmp_path / "out")
    with (tmp_path / "out" / "means.csv").open() as file:
        rows = list(csv.DictReader(file))
    with (copied / MEANS).open("w") as file:
        writer = csv.writer(file)
        names = ["experiment", "level", "agent", "human_mean_observed", "n_participants"]
        writer.writerow([*names, "published_model"])
        for row in rows:
            values = [row[name] for name in names]
            values[3] = str(round(float(values[3]), 1))
            writer.writerow([*values, 7])
    again = import_archive(copied)
    assert again.agreement.compared == again.agreement.agree == len(rows)
    counts = [row["published_model"] for row in again.records.observations]
    assert (
        counts.count(7.0) == len(counts) - counts.count(None) > 50
    )  # not of who is excluded alone


def test_the_manifest_says_it_all(written: Path) -> None:
    manifest = json.loads((written / "manifest.json").read_text())
    assert manifest["missing"] == []
    assert len(manifest["levels"]) == 148
    assert [each["people"] for each in manifest["people"]["experiments"]] == [6] * 4
    assert len(manifest["people"]["sha256_of_all_logs"]) == 64
    assert len(manifest["people"]["points_that_differ"]) == 14
    notes = {note["what"]: note for note in manifest["notes"]}
    for line in notes[people.STOPPED]["first"]:
        assert re.fullmatch(
            r"p[1-4]000[1-6], sm?\w+, line \d+:"
            r" (the player is at .*, where no walk leads from .*|agent. is at .*; in our trial it .*)",
            line,
        )
    assert len(notes[people.STOPPED]["first"]) == 8
    assert manifest["published"]["means_compared"] > 150


def test_an_import_replaces_an_earlier_one_and_nothing_else(small: Import, tmp_path: Path) -> None:
    out = tmp_path / "out"
    small.write(out)
    (out / "mine.txt").write_text("mine")
    (out / "exp1" / "old.json").write_text("old")
    small.write(out)
    assert (out / "mine.txt").read_text() == "mine"
    assert not (out / "exp1" / "old.json").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_is_not_of_an_import_is_not_replaced(small: Import, tmp_path: Path) -> None:
    (tmp_path / "people").mkdir()
    with pytest.raises(DataError, match="there is people already, but not of an import"):
        small.write(tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == ["people"]


def test_nothing_is_left_half_written(
    small: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    small.write(out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    rename = Path.rename

    def fails(self: Path, target: Path) -> Path:
        if target == out / "means.csv" and "new" in self.parts:
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(OSError, match="No space left"):
        small.write(out)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


# -- archives that lack something ------------------------------------------------------------------


def test_maps_alone_and_maps_with_means(own_archive: Path, tmp_path: Path) -> None:
    shutil.copytree(own_archive / "problems_exp1", tmp_path / "problems_exp1")
    alone = import_archive(tmp_path)
    assert alone.missing[-3:] == [
        "people (no folder exp1 … exp4 with logs u….csv)",
        "means of people",
        "predictions of the authors (model_outputs)",
    ]
    alone.write(tmp_path / "alone")
    assert sorted(path.name for path in (tmp_path / "alone").iterdir()) == ["exp1", "manifest.json"]
    shutil.rmtree(tmp_path / "alone")
    lines = (own_archive / MEANS).read_text().splitlines()
    (tmp_path / MEANS).write_text("\n".join(lines[:21]) + "\n")
    found = import_archive(tmp_path)
    found.write(tmp_path / "means")
    assert "means of people" not in found.missing
    with (tmp_path / "means" / "means.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 20
    assert rows[0]["published_model"] == str(int(float(lines[1].split(",")[-1])))


def test_other_tables_beside_maps_do_no_harm(tmp_path: Path) -> None:
    found = import_archive(small_archive(tmp_path, {"exp1/summary.csv": b"a,b"}))
    assert not found.people.persons
    assert [note.file for note in found.by_kind()[people.NO_SESSION]] == ["exp1/summary.csv"]


def test_an_archive_without_maps_or_with_nobody_to_read_is_refused(
    own_archive: Path, tmp_path: Path
) -> None:
    shutil.copytree(own_archive / "sessions", tmp_path / "sessions")
    with pytest.raises(TrialError, match="found no folder problems_exp1"):
        import_archive(tmp_path)
    shutil.rmtree(tmp_path / "sessions")
    archive = small_archive(tmp_path, {"exp1/u1.csv": b"nothing", "exp1/u2.csv": b""})
    with pytest.raises(DataError, match=r"exp1/u1\.csv: line 1: files that are not sessions"):
        import_archive(archive)


def test_people_of_an_experiment_without_maps_are_left_aside(tmp_path: Path) -> None:
    log = small_log().encode()
    other = log.replace(b"u1700000000000", b"u1700000000001")
    found = import_archive(small_archive(tmp_path, {"exp1/u1.csv": log, "exp2/u2.csv": other}))
    assert [note.reason for note in found.by_kind()[people.NO_MAPS]] == [
        "there is no folder problems_exp2"
    ]


def test_one_session_in_two_folders_is_read_once(tmp_path: Path) -> None:
    log = small_log().encode()
    logs = {"exp1/u1.csv": log, "exp1/u2.csv": log, "exp1/u3.csv": log + b"\n"}
    found = import_archive(small_archive(tmp_path, logs))
    assert len(found.people.persons) == 1
    notes = found.by_kind()
    assert [note.file for note in notes[people.COPY]] == ["exp1/u2.csv"]
    assert [note.file for note in notes[people.SAME_ID]] == ["exp1/u3.csv"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("experiments/exp1/steps_dict.json", "[1]", "expected an object of levels and counts"),
        ("experiments/exp1/steps_dict.json", "{", "Expecting property name"),
        ("experiments/exp1/steps_dict.json", "\udcff", "'utf-8' codec can't decode"),
        ("experiments/exp1/steps_dict.json", "[" * 100_000, "maximum recursion"),
        (
            "experiments/exp1/steps_dict.json",
            '{"s999": 1}',
            "'s999' is not a level of Experiment 1",
        ),
        ("experiments/exp1/steps_dict.json", '{"s211": "3"}', "s211: expected a count for agent2"),
        ("experiments/exp1/steps_dict.json", '{"s211": NaN}', "s211: expected a count for agent2"),
        ("experiments/exp1/steps_dict.json", '{"s211": {"x": 1}}', "s211: expected a count"),
        ("baselines/exp1/step_dict_other.json", "{}", "of no observer that is known"),
    ],
)
def test_predictions_that_cannot_be_read_are_named(
    tmp_path: Path, name: str, content: str, reason: str
) -> None:
    file = small_archive(tmp_path, {}) / "model_outputs" / name
    file.parent.mkdir(parents=True)
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    [note] = import_archive(tmp_path).by_kind()["predictions and means that cannot be read"]
    assert note.file == f"model_outputs/{name}"
    assert note.reason.startswith(reason)


@pytest.mark.parametrize(
    "row", ["1,s999_1,agent2,1,2", "1,s211_1,agent3,1,2", "1,s211_1,agent2,nan,2", "x,s211_1,a,1,2"]
)
def test_means_that_cannot_be_read_are_named(tmp_path: Path, row: str) -> None:
    head = "experiment,level,agent,human_mean_observed,n_participants\n1,s211_1,agent2,1.5,20\n"
    (small_archive(tmp_path, {}) / MEANS).write_text(f"{head}{row}\n")
    found = import_archive(tmp_path)
    [note] = found.by_kind()["predictions and means that cannot be read"]
    assert (note.file, note.line) == (MEANS, 3)
    assert list(found.means) == [(1, "s211_1", "agent2")]


# -- bad logs --------------------------------------------------------------------------------------

LEVEL = "s211_1"


@cache
def game() -> Stage:
    trial = next(trial for trial in trials_of(1) if trial.label == LEVEL)
    return stage(trial)


@cache
def small_log() -> str:
    """A log of one level, whose choices are those of a walk at random."""
    block = block_of(game(), "s211", a_walk(5), 1_700_000_300.0, random.Random(1))
    about = {"prolificId": "", "age": "30", "gender": "female", "feedback": "no"}
    return session_text(1, "u1700000000000", [block], block.end, about)


def a_walk(seed: int, most: int = 60) -> tuple[Choice, ...]:
    """Choices at random, no wizard asked twice and none walked over."""
    rng = random.Random(seed)
    situation, found = opening(game()), []
    while len(found) < most and not situation.over:
        turns = [take(game(), situation, choice) for choice in offered(game(), situation)]
        good = [turn for turn in turns if isinstance(turn, Turn) and allowed(turn, situation)]
        turn = rng.choice(good)
        found.append(turn.choice)
        situation = turn.situation
    return tuple(found)


def allowed(turn: Turn, situation: Any) -> bool:
    if isinstance(turn.event, Interaction) and isinstance(turn.choice, Act):
        return turn.event.wizard not in situation.main.checked
    cells = {wizard.at for wizard in game().trial.map.wizards}
    return not isinstance(turn.choice, Act) or turn.situation.main.cell not in cells


def small_archive(folder: Path, logs: dict[str, bytes]) -> Path:
    from own_archive import write_maps

    if not (folder / "problems_exp1").exists():
        write_maps(folder / "problems_exp1", 1)
    for name, content in logs.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def with_line(number: int, text: str) -> Callable[[str], str]:
    def change(log: str) -> str:
        lines = log.splitlines()
        lines[number - 1] = text
        return "\n".join(lines) + "\n"

    return change


def first_key(log: str) -> int:
    return next(n for n, line in enumerate(log.splitlines(), start=1) if "GAME_ACTION" in line)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("2023-11-14 22:18:21.000Z,GAME_ACTION,jump,1.0,1.0,,,,,,,", "Player Action: expected up"),
        ("2023-11-14 22:18:21.000Z,DANCE,,1.0,1.0,,,,,,,", "Type: expected LEVEL_START"),
        (",GAME_ACTION,up,1.5,1.0,,,,,,,", "Player X and Y: expected two whole numbers"),
        (",GAME_ACTION,up,1.0,,,,,,,,", "Player X and Y: expected two whole numbers"),
        (",GAME_ACTION,up,nan,inf,,,,,,,", "Player X and Y: expected two whole numbers"),
        (",GAME_ACTION,up,1e9,1.0,,,,,,,", "Player X and Y: expected two whole numbers"),
        (",LEVEL_COMPLETE,,1.0,1.0,,,many,,,,", "Steps Remaining: expected a whole number"),
        (",GAME_ACTION,up,1.0,1.0,,,,,,,,,,surplus", "15 values; the header has 12"),
        ("x" * 30_000, "a line of 30,000 characters"),
        ('",GAME_ACTION', "Type: expected LEVEL_START"),
    ],
)
def test_a_broken_row_is_named_and_the_rest_goes_on(tmp_path: Path, row: str, reason: str) -> None:
    log = small_log()
    line = first_key(log)
    changed = with_line(line, row)(log)
    found = import_archive(small_archive(tmp_path, {"exp1/u1700000000000.csv": changed.encode()}))
    [note] = found.by_kind()["rows that cannot be read"]
    assert (note.file, note.line) == ("exp1/u1700000000000.csv", line)
    assert note.reason.startswith(reason)
    assert len(found.people.persons[0].played) == 1


def test_a_thousand_equal_errors_are_ten_and_a_count(tmp_path: Path) -> None:
    log = small_log().rstrip("\n") + "\n" + "2023-01-01,DANCE\n" * 1000
    found = import_archive(small_archive(tmp_path, {"exp1/u1.csv": log.encode()}))
    found.write(tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    [note] = [n for n in manifest["notes"] if n["what"] == "rows that cannot be read"]
    assert note["count"] == 1000
    assert len(note["first"]) == 10


@pytest.mark.parametrize(
    ("time", "kind", "reason"),
    [
        ("2001-01-01 00:00:00.000Z", "times that run backwards", r"\d+\.\d{3} s before .*"),
        ("yesterday", "times that cannot be read", "'yesterday'"),
    ],
)
def test_a_wrong_time_costs_no_row(tmp_path: Path, time: str, kind: str, reason: str) -> None:
    log = small_log()
    line = first_key(log)
    row = log.splitlines()[line - 1]
    text = with_line(line, time + row[row.index(",") :])(log)
    found = import_archive(small_archive(tmp_path, {"exp1/u1.csv": text.encode()}))
    [note] = found.by_kind()[kind]
    assert note.line == line
    assert re.fullmatch(reason, note.reason)
    assert [row["seconds"] is None for row in found.records.actions].count(True) == 1
    assert read_people(log)[0].choices == read_people(text)[0].choices


def read_people(log: str) -> list[Any]:
    found: Session = read_session(log.encode(), 1)
    return [replay_block(game(), block) for block in found.blocks]


@pytest.mark.parametrize(
    "change",
    [
        lambda log: log.replace("\n", "\r\n"),
        lambda log: log.replace("\n", "\r"),
        lambda log: "\ufeff" + log,
        lambda log: log.replace("feedback,no", 'feedback,"I said: ""no""\nand\n\nage,99\n'),
        lambda log: log.replace("feedback,no", 'feedback,"unclosed'),
        lambda log: log.replace("feedback,no", "feedback,\udcff"),
        lambda log: log.replace("\n\n", "\n,,,,,,,,,,,\n"),
        lambda log: log.replace("Level: s211", "Level: mod_s211,,,,,,,,,,,"),
        lambda log: "".join(f"{line},,,\n" for line in log.splitlines()),
    ],
)
def test_how_a_file_was_saved_does_not_matter(change: Callable[[str], str]) -> None:
    plain, other = read_session(small_log().encode(), 1), change(small_log())
    found = read_session(other.encode("utf-8", "surrogateescape"), 1)
    assert [[row._replace(line=0) for row in block.rows] for block in found.blocks] == [
        [row._replace(line=0) for row in block.rows] for block in plain.blocks
    ]
    assert (found.id, found.age, found.gender) == (plain.id, 30, "female")
    assert not found.troubles


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"a,b\n", b"Session ID\n", b"\x00\xff" * 500, b"Session ID,x1\n"]
)
def test_what_is_no_session(content: bytes) -> None:
    with pytest.raises(session.NoSessionError, match="expected a first line such as"):
        read_session(content, 1)


@pytest.mark.parametrize(
    ("dropped", "completed"),
    [
        ((), True),
        (("Completed At,",), True),
        (("EXPERIMENT_COMPLETE",), True),
        (("Completed At,", "EXPERIMENT_COMPLETE"), False),
    ],
)
def test_a_session_is_completed_if_its_head_or_its_last_row_says_so(
    dropped: tuple[str, ...], completed: bool
) -> None:
    lines = small_log().splitlines()
    kept = [line for line in lines if not any(word in line for word in dropped)]
    assert len(kept) == len(lines) - len(dropped)
    found = read_session("\n".join(kept).encode(), 1)
    assert found.completed is completed
    assert found.blocks
    assert all(block.rows for block in found.blocks)


def test_columns_may_be_missing_or_in_another_order() -> None:
    log = small_log()
    lines = log.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("Level: s211")) + 1
    rows = list(csv.reader(lines[head:]))
    for kept in ([11, 4, 3, 2, 1, 0], [1, 2, 3, 4], [0, 1, 2]):
        text = lines[:head] + [",".join(row[i] for i in kept) for row in rows if row]
        assert read_people("\n".join(text))[0].choices == read_people(log)[0].choices


def test_without_names_of_columns_the_rows_are_broken() -> None:
    log = small_log().replace("Timestamp,Type", "When,What")
    found = read_session(log.encode(), 1)
    assert not any(block.rows for block in found.blocks)
    assert found.troubles[0].reason == "expected the names of the columns, Type among them"


# -- properties ------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), idle=st.sampled_from([0.0, 0.3]), double=st.booleans())
def test_a_log_read_back_gives_the_same_choices(seed: int, idle: float, double: bool) -> None:
    choices = a_walk(seed)
    block = block_of(game(), "s211", choices, 1.7e9, random.Random(seed), idle, double)
    read = read_session(session_text(1, "u1", [block], block.end, None).encode(), 1)
    [found] = [replay_block(game(), each) for each in read.blocks]
    assert found.stopped is None
    assert tuple(found.choices) == choices
    assert (found.without_effect, found.repaired) == (block.without_effect, 0)
    assert found.arrived == block.finished


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 200), data=st.data())
def test_rows_that_are_lost_never_stop_the_reader(seed: int, data: st.DataObject) -> None:
    block = block_of(game(), "s211", a_walk(seed), 1.7e9, random.Random(seed), 0.2)
    text = session_text(1, "u1", [block], block.end, None)
    lines = text.splitlines()
    gone = data.draw(st.sets(st.integers(1, len(lines) - 1), max_size=len(lines)))
    left = [line for number, line in enumerate(lines) if number not in gone]
    if data.draw(st.booleans()):
        left[1:] = data.draw(st.permutations(left[1:]))
    found = read_session("\n".join(left).encode(), 1)
    for each in found.blocks:
        done = replay_block(game(), each)
        situation = opening(game())
        for choice in done.choices:  # what is given can always be played
            turn = take(game(), situation, choice)
            assert isinstance(turn, Turn)
            situation = turn.situation


@settings(max_examples=60, deadline=None)
@given(junk=st.binary(max_size=400), at=st.floats(0, 1), cut=st.booleans())
def test_junk_never_stops_the_reader(junk: bytes, at: float, cut: bool) -> None:
    content = small_log().encode()
    place = 30 + int(at * (len(content) - 30))
    read_session(content[:place] + junk + (b"" if cut else content[place:]), 1)


def test_names_of_levels() -> None:
    assert session.our_level(1, "s442") == session.our_level(1, "mod_s442") == "s442_1"
    assert session.our_level(2, "s221_1") == "s221_1"
    assert session.our_level(4, "sm221_1") == "sm221_scenario1"
    for number, name in ((1, "s442_2"), (2, "s221"), (3, "s221_1"), (4, "sm221_3"), (1, "")):
        assert session.our_level(number, name) is None
    assert their_name(3, "sm221_scenario1", modified=False) == "sm221_1"
    assert isinstance(BlockText("s1", 0.0).rows, list)
    assert Block("s1", 1).begin is None
