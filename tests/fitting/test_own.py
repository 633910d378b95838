"""Observers of a user's own are fitted on the terms of ours: in their unit, with their parameters."""

from __future__ import annotations

import numpy as np
import pytest
from examples.own_observer import Satisficer

from onlooker.experiments.stimuli import stimuli
from onlooker.fitting.individual import fit_people
from onlooker.fitting.models import Model, fit_models, likelihood_of, model_of
from onlooker.fitting.parameters import Estimated, ModelError, spread
from onlooker.fitting.plays import Play
from onlooker.fitting.recovery import make_people, recover
from onlooker.inference.declaring import POINTS, Parameter, Prior
from onlooker.observers import parameters_class

# Those whose NPC has few steps: they are appraised in Python, and once for each setting.
TRIALS = [trial for trial in stimuli(1) if trial.label in ("m109", "m115", "m116", "m117", "m119")]
WHERE = {"accepted": 0.2}


class AsPoints(Satisficer):
    """The same, but it does not say that its values are nats."""

    unit = POINTS


def evidence(model: Model, plays: tuple[Play, ...]) -> float:
    """The mean log evidence of a person."""
    likelihood, people = likelihood_of(
        model.observer, model.settings[0], model.space, TRIALS, plays
    )
    fits, _ = fit_people(likelihood, people)
    return float(np.mean([fit.log_evidence for fit in fits]))


def test_values_in_nats_cost_an_observer_no_evidence() -> None:
    free, near = ["temperature", "lapse"], {"temperature": (0.1, 0.05), "lapse": (0.05, 0.05)}
    truth = model_of(Satisficer(), free=free, fixed=WHERE, priors=near)
    made = make_people(truth, TRIALS, 30, 10, seed=1)
    of_truth = evidence(truth, made.plays)
    as_nats = evidence(model_of(Satisficer(), free=free, fixed=WHERE), made.plays)
    as_points = evidence(model_of(AsPoints(), free=free, fixed=WHERE), made.plays)
    assert as_nats > of_truth - 1.25  # what not knowing two parameters costs
    assert as_points < as_nats - 2.0


def test_own_parameters_are_free_with_the_prior_that_is_declared() -> None:
    model = model_of(Satisficer())
    assert model.varied == ("accepted",)
    assert model.free == 3
    values = [setting.accepted for setting in model.settings]  # type: ignore[attr-defined]
    assert values == sorted(values)
    assert values[0] > 0.01
    assert values[-1] < 1.5
    assert model.weights == pytest.approx([1 / len(values)] * len(values))
    assert "log temperature ~ N(log 0.1, 1.25²)" in model.words()
    assert "log accepted ~ N(log 0.2, 0.75²) at 11 values" in model.words()
    assert model.unit == "nats"


def test_own_parameters_can_be_fixed_gridded_or_have_another_prior() -> None:
    fixed = model_of(Satisficer(), fixed={"accepted": 0.3, "patience": 9.0})
    assert [(each.accepted, each.patience) for each in fixed.settings] == [(0.3, 9)]  # type: ignore[attr-defined]
    assert not fixed.varied
    of = parameters_class([Satisficer()])
    grid = [of(accepted=0.1), of(accepted=0.4)]  # type: ignore[call-arg]
    gridded = model_of(Satisficer(), settings=grid, varied=["accepted"])
    assert (len(gridded.settings), gridded.own) == (2, ())
    other = model_of(Satisficer(), priors={"accepted": (0.5, 0.1)})
    assert "log accepted ~ N(log 0.5, 0.1²)" in other.words()
    ours = model_of("naive_observer", settings=grid, varied=["accepted"])
    assert len(ours.settings) == 1  # which does not depend on it


def test_whole_numbers_that_are_the_same_have_the_weight_of_all() -> None:
    patience = Parameter(3, low=1, high=9, prior=Prior(3, 0.8), name="patience")
    values = spread(patience, Estimated.of(patience), 11)
    assert set(values) == {2, 3, 4}

    class Patient(Satisficer):
        name = "patient"
        accepted = 0.2  # type: ignore[assignment]
        patience = Parameter(3, low=1, high=9, prior=Prior(3, 0.8))

    model = model_of(Patient())
    assert len(model.settings) == 3
    assert model.weights == pytest.approx([values.count(each) / 11 for each in (2, 3, 4)])


def test_what_has_no_prior_needs_one_to_be_free() -> None:
    with pytest.raises(ModelError, match="patience has no prior: expected --prior patience="):
        model_of(Satisficer(), free=["temperature", "patience"])
    found = model_of(
        Satisficer(), free=["temperature", "patience"], priors={"patience": (6.0, 2.0)}
    )
    assert found.varied == ("patience",)
    with pytest.raises(ModelError, match=r"accepted must be from 0\.01 to 1\.5, not 7"):
        model_of(Satisficer(), fixed={"accepted": 7.0})


def test_own_parameters_are_recovered() -> None:
    low = {"temperature": 0.05, "lapse": 0.01}
    model = model_of(
        Satisficer(),
        free=["temperature", "accepted"],
        fixed={"lapse": 0.01},
        priors={"temperature": (low["temperature"], 0.1)},
    )
    found = recover([model], TRIALS, participants=24, length=10, nodes=9)
    summary = found.tables["recovery-summary"].set_index("parameter")
    assert summary.loc["accepted", "r"] > 0.5
    assert summary.loc["accepted", "coverage"] > 0.7
    assert set(summary.index) == {"temperature", "accepted"}


def test_the_evidence_over_a_prior_is_the_mean_of_the_settings() -> None:
    model = model_of(Satisficer())
    made = make_people(model, TRIALS, 2, 5, seed=3)
    (whole,) = fit_models(made.plays, TRIALS, [model], nodes=9)
    parts = [
        fit_models(
            made.plays,
            TRIALS,
            [model_of(Satisficer(), settings=[each], fixed={"accepted": each.accepted})],
            nodes=9,
        )[0]  # type: ignore[attr-defined]
        for each in model.settings
    ]
    for person in range(2):
        each = [part.fits[person].log_evidence for part in parts]
        expected = np.logaddexp.reduce(each) - np.log(len(each))
        assert whole.fits[person].log_evidence == pytest.approx(expected)
        assert whole.shares[person].sum() == pytest.approx(1)


def test_care_that_people_suppose_is_recovered() -> None:
    near = [trial for trial in stimuli(5) if trial.scenario in ("near", "feint")]
    model = model_of(
        "rational_mentalizing",
        free=["temperature", "care"],
        fixed={"lapse": 0.01},
        priors={"temperature": (0.5, 0.5)},
    )
    assert model.varied == ("care",)
    assert "log care ~ N(log 1, 1²) at 11 values from 0.184 to 5.42" in model.words()
    tables = recover([model], near, participants=20, length=8).tables
    row = tables["recovery-summary"].set_index("parameter").loc["care"]
    assert row["r"] > 0.8
    assert row["coverage"] > 0.8
