"""The likelihood of choices and single fits: worked cases, gradients, the grid."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.sparse import csr_array

from onlooker.fitting.choices import Choices
from onlooker.fitting.individual import evidences, fit_people, grid_of
from onlooker.fitting.likelihood import Likelihood, People, grid_points, log_choices
from onlooker.fitting.maxima import curvature, derivatives, maxima
from onlooker.fitting.models import model_of
from onlooker.fitting.parameters import ModelError, space_of
from onlooker.fitting.rules import RULES
from vectors import FITTING

CASE = json.loads(FITTING.read_text())["decisions"]
ALL = np.arange(5)  # the five trials


def worked(looks: bool = False) -> Choices:
    rows = CASE["rows"]
    costs = np.array([[np.inf if cost is None else cost for cost in row[:3]] for row in rows])
    trial = np.array([row[4] for row in rows]) - 1
    member = (np.arange(5)[:, None] == trial).astype(float)
    rng = np.random.default_rng(1)
    return Choices(
        -costs,
        np.where(np.arange(3) > 0, rng.uniform(1, 5, costs.shape), 0) if looks else 0 * (costs < 0),
        rng.integers(-1, 2, len(rows)) if looks else np.full(len(rows), -1),
        np.arange(len(rows)),
        np.array([row[3] for row in rows]),
        csr_array(member),
        np.array([False, False, True, True, False]),
        member.sum(axis=1).astype(int),
        np.zeros(5, int),
        tuple(((1, str(each)), (), True) for each in range(5)),
    )


@pytest.mark.parametrize("case", CASE["loglik"], ids=str)
def test_log_likelihood(case: dict[str, float]) -> None:
    theta = {name: np.array([float(case[name])]) for name in ("temperature", "lapse", "bias")}
    total = log_choices(worked(), RULES["softmax"], theta).sum()
    assert total == pytest.approx(case["value"], abs=1e-10)


def test_without_lapses_one_choice_against_the_model_weighs_much() -> None:
    theta = {"temperature": np.array([0.05]), "lapse": np.zeros(1)}
    total = log_choices(worked(), RULES["softmax"], theta).sum()
    assert total == pytest.approx(-470.0000000165, abs=1e-9)
    assert worked().chance().sum() == pytest.approx(CASE["chance"])


def test_posterior_mode_laplace_evidence_and_cross_validation() -> None:
    priors = {"temperature": (2.0, 1.0), "lapse": (0.05, 1.0)}
    space = space_of("rational_mentalizing", RULES["softmax"], priors=priors)
    model, expected = Likelihood(worked(), space), CASE["map"]
    [found], _ = fit_people(model, [ALL])
    assert found.map == pytest.approx(
        [expected["log_temperature"], expected["logit_lapse"]], abs=1e-7
    )
    assert found.log_posterior == pytest.approx(expected["log_posterior"], abs=1e-9)
    assert found.laplace == pytest.approx(expected["laplace"], abs=1e-7)
    curved = curvature(People.of(model, [ALL]), found.map[None])[0]
    assert curved == pytest.approx(np.array(expected["hessian"]), abs=1e-7)
    assert found.se == pytest.approx(np.sqrt(np.diag(np.linalg.inv(curved))))
    assert found.log_evidence == pytest.approx(expected["evidence"], abs=5e-6)
    exact = evidences(model, [ALL], grid_of(space, 41, reach=6))
    assert exact[0] == pytest.approx(expected["evidence"], abs=2e-9)
    assert found.cv == pytest.approx(np.array(expected["leave_one_trial_out"]), abs=1e-5)
    assert found.cv.sum() == pytest.approx(expected["leave_one_trial_out_sum"], abs=3e-5)
    assert (found.low < found.map).all() and (found.map < found.high).all()  # noqa: PT018


def test_maximum_likelihood_with_two_modes() -> None:
    space = space_of("rational_mentalizing", RULES["softmax"], ["temperature"], {"lapse": 0.05})
    model = Likelihood(worked(), space)
    (low, best), (high, worse) = CASE["mle_temperature_lapse_05"]["modes"]
    found = maxima(People.of(model, [ALL, ALL]), np.log([[low], [high]]), prior=False)
    assert np.exp(found.x[:, 0]) == pytest.approx([low, high], rel=1e-5)
    assert found.value == pytest.approx([best, worse], abs=1e-8)
    [fit], _ = fit_people(model, [ALL])
    assert fit.log_likelihood == pytest.approx(best, abs=1e-8)  # the grid finds the right one
    assert fit.converged and not fit.at_bound  # noqa: PT018


def test_maximum_likelihood_of_both() -> None:
    space = space_of("rational_mentalizing", RULES["softmax"])
    [fit], _ = fit_people(Likelihood(worked(), space), [ALL])
    expected = CASE["mle_both"]
    found = space.natural(fit.mle)
    assert found["temperature"] == pytest.approx(expected["temperature"], rel=1e-5)
    assert found["lapse"] == pytest.approx(expected["lapse"], rel=1e-5)
    assert fit.log_likelihood == pytest.approx(expected["loglik"], abs=1e-9)


@pytest.mark.parametrize(
    ("rule", "free"),
    [
        ("softmax", ["temperature", "lapse", "bias", "perseveration", "observe"]),
        ("graded", ["temperature", "curiosity", "skip"]),
    ],
)
def test_people_and_the_grid_agree_with_single_points(rule: str, free: list[str]) -> None:
    space = space_of("rational_mentalizing", RULES[rule], free)
    model = Likelihood(worked(looks=True), space)
    people = People.of(model, [ALL, ALL[2:]])
    x = np.random.default_rng(2).normal(0, 1, (2, len(free)))
    value = people.log_likelihood(x)
    assert value[0] == pytest.approx(model.of_plays(x[:1]).sum())
    assert value[1] == pytest.approx(model.of_plays(x[1:])[2:].sum())
    axes = [np.linspace(-1, 1, 2 + index) for index in range(len(free))]
    assert model.on_grid(axes) == pytest.approx(model.of_plays(grid_points(axes)))


def test_derivatives_are_those_of_softmax() -> None:
    space = space_of(
        "rational_mentalizing", RULES["softmax"], ["temperature", "bias"], {"lapse": 0.0}
    )
    people = People.of(Likelihood(worked(), space), [ALL])
    x = np.array([[0.3, 0.7]])
    tau, points = np.exp(x[0, 0]), people.points
    watch = np.arange(points.values.shape[1]) > 0
    there = np.isfinite(points.values)
    u = np.where(there, points.values + x[0, 1] * watch, 0.0)
    p = np.where(there, np.exp((u - u.max(axis=1, keepdims=True)) / tau), 0.0)
    p /= p.sum(axis=1, keepdims=True)
    rows = np.arange(len(u))
    by_bias = (watch[people.chosen] - p @ watch) / tau
    by_log_tau = ((p * u).sum(axis=1) - u[rows, people.chosen]) / tau
    value, slope, curved = derivatives(people, x, prior=False)
    assert value == pytest.approx(people.log_likelihood(x))
    assert slope[0] == pytest.approx([by_log_tau.sum(), by_bias.sum()], abs=1e-6)
    of_bias = ((p @ watch) * (1 - p @ watch)).sum() / tau**2
    assert curved[0, 1, 1] == pytest.approx(of_bias, rel=1e-5)
    assert curvature(people, x, prior=False)[0, 1, 1] == pytest.approx(of_bias, rel=1e-7)


def test_which_parameters_are_free() -> None:
    assert space_of("naive_observer", RULES["softmax"]).names == ("temperature",)
    assert space_of("rational_mentalizing", RULES["choice"]).names == ("temperature",)
    assert space_of("rational_mentalizing", RULES["graded"]).names == (
        "temperature",
        "curiosity",
        "skip",
    )
    assert (
        "observe"
        not in space_of(
            "rational_observer", RULES["softmax"], ["temperature", "observe"], priced=False
        ).names
    )
    assert (
        "log temperature ~ N(log 0.2, 1.25²)"
        in space_of("mentalizing_observer", RULES["softmax"]).words()
    )


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"rule": "hard"}, "rule must be softmax, graded or choice, not 'hard'"),
        ({"free": ["tau"]}, "there is no parameter 'tau'"),
        ({"fixed": {"lapse": 2.0}}, "lapse must be from 0 to 1, not 2"),
        ({"fixed": {"temperature": 0.0}}, "temperature must be above 0"),
        ({"priors": {"bias": (0.0, 0.0)}}, "the SD of bias's prior must be above 0"),
        ({"free": ["skip"]}, "no parameter is free"),
    ],
)
def test_models_that_cannot_be_fitted_are_refused(settings: dict, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        model_of("rational_mentalizing", **({"rule": "softmax"} | settings))
