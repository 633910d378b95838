"""Trials as values."""

from __future__ import annotations

import pickle
from functools import cached_property

from onlooker.game import Map, Trial, load_trial
from running import ROOT


def test_other_processes_get_the_fields_alone() -> None:
    # A thread that packs a trial must not see it change while another asks it for more.
    trial = load_trial(ROOT / "examples" / "two-experts.map")
    fresh = pickle.dumps(trial)
    for kind, value in ((Trial, trial), (Map, trial.map)):
        for name, what in vars(kind).items():
            if isinstance(what, cached_property):
                getattr(value, name)
    assert pickle.dumps(trial) == fresh
    assert pickle.loads(fresh) == trial
