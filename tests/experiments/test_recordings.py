"""What people did in single trials, from a dataset or an import, and what there is to choose."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from onlooker.experiments.archive import import_archive
from onlooker.experiments.dataset import write_dataset
from onlooker.experiments.recordings import NoRecordingError, read_recordings
from onlooker.experiments.records import Records, record_participant, record_trial
from onlooker.game import dump_document, load_trial, replay
from onlooker.planning import Tables, main_path, stage
from onlooker.support.problems import DataError
from running import ROOT

TRIAL = replace(load_trial(ROOT / "examples" / "two-experts.map"), experiment=3, name="two")
OTHER = replace(load_trial(ROOT / "examples" / "early-turn.map"), experiment=3, name="one")
WAY = [str(taken.action) for taken in main_path(Tables(TRIAL.map), TRIAL)]
LOG = ["observe agent2", WAY[0], "observe agent3", *WAY[1:]]
TIMES = [f"2025-01-31T12:00:{number:02}Z" for number in range(0, 2 * len(LOG), 2)]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A dataset of somebody who went back to watching, with a trial that is not at hand."""
    records = Records()
    record_trial(records, "anna", 3, 2, stage(TRIAL), LOG, TIMES)
    record_trial(records, "anna", 3, 1, stage(OTHER), ["observe agent2"])
    record_participant(records, "anna", 3, 1, False)
    (tmp_path / "trials").mkdir()
    (tmp_path / "trials" / "two.json").write_text(dump_document(TRIAL))
    return write_dataset(tmp_path / "data", records.tables(), "a study", "made up")


def test_a_trial_of_somebody(study: Path) -> None:
    found = read_recordings(study, [study.parent / "trials"])
    assert (found.name, found.participants) == ("a study", ["anna"])
    recording = found.find("anna", "two")
    assert (recording.participant, recording.position) == ("anna", 2)
    assert recording.log == tuple(LOG)
    assert recording.waits == (None, *[2.0] * (len(LOG) - 1))  # when it began is not known
    assert list(found) == [recording]


@pytest.mark.parametrize(
    ("who", "level", "said"),
    [
        ("bert", "two", "there is no participant 'bert' with a trial to replay; expected anna"),
        ("anna", "three", "anna has no replay of a level 'three'; expected two"),
        ("anna", "one", "trial one is not among the stimuli"),
    ],
)
def test_what_there_is_instead(study: Path, who: str, level: str, said: str) -> None:
    found = read_recordings(study, [study.parent / "trials"])
    with pytest.raises(NoRecordingError, match=said):
        found.find(who, level)


def test_what_contradicts_the_game_and_what_has_no_choices(study: Path) -> None:
    file = next(study.glob("data/*actions*"))
    text = file.read_text()
    file.write_text(text.replace("observe agent3", "observe agent2"))
    with pytest.raises(DataError, match="agent2, watched by anna in two: expected observed 2"):
        read_recordings(study, [study.parent / "trials"])
    file.unlink()
    with pytest.raises(DataError, match="no table actions"):
        read_recordings(study, [study.parent / "trials"])


def test_an_import_knows_its_trials(own_archive: Path, tmp_path: Path) -> None:
    import_archive(own_archive, [1]).write(tmp_path / "out")
    found = read_recordings(tmp_path / "out")
    again = read_recordings(tmp_path / "out" / "people")
    assert found.participants == again.participants
    assert len(found.participants) == 6
    for recording in found:
        turns = replay(recording.stage, recording.log)
        known = [wait for wait in recording.waits if wait is not None]
        assert len(turns) == len(recording.waits)
        assert len(known) > len(turns) / 2
        assert all(wait >= 0 for wait in known)
        assert recording.waits[0] is not None  # when it began is known
