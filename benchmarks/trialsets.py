"""The trials that are measured: our own, and the authors' where their archive lies."""

from __future__ import annotations

from benchmarks.measuring import ROOT
from onlooker.experiments.archive import read_archive
from onlooker.experiments.stimuli import stimuli
from onlooker.game import Trial

ARCHIVE = ROOT.parent / "shared" / "paper-data"
OURS, THEIRS = "bundled stimuli", "authors' stimuli"


def trial_sets() -> dict[str, list[Trial]]:
    """The trials by the name of their set."""
    sets = {OURS: stimuli()}
    if ARCHIVE.is_dir():
        sets[THEIRS] = list(read_archive(ARCHIVE).trials)
    return sets
