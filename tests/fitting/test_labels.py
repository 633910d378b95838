"""What looks say about what people were told of teachers."""

from __future__ import annotations

from onlooker.experiments.stimuli import stimuli
from onlooker.fitting.labels import label_power
from onlooker.game import Label


def test_looks_tell_labels_apart_where_they_should() -> None:
    pairs = [trial for trial in stimuli(5) if trial.scenario == "pair"][:2]
    names = [[trial.label for trial in pairs]]
    found = label_power(5, pairs, names, (2, 12), 30, 50, seed=3)
    power = found["power"].set_index(["label", "other", "participants"])["share"]
    assert power["expert", "teacher", 12] > 0.95  # only whom they are told of do they watch
    assert power["expert", "untold", 12] < 0.5
    assert power["expert", "teacher", 2] <= power["expert", "teacher", 12]
    shares = found["recognised"].set_index(["label", "recognised"])["share"]
    assert shares["teacher", "teacher"] > 0.9
    assert all(abs(shares[label].sum() - 1) < 1e-12 for label in Label)
