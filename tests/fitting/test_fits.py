"""Fits of people, groups, recovery and power, on a small study."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from fitting.studies import NAMES, dataset, trials
from onlooker.experiments.stimuli import stimuli
from onlooker.fitting.choices import Appraiser
from onlooker.fitting.comparing import compare_people, cross_validation
from onlooker.fitting.folders import Fits
from onlooker.fitting.group import fit_group
from onlooker.fitting.individual import NODES, grid_of
from onlooker.fitting.models import fit_models, likelihood_of, model_of
from onlooker.fitting.parameters import ModelError
from onlooker.fitting.playing import Assignment, play, play_fits
from onlooker.fitting.plays import Play, read_plays, trials_by_name
from onlooker.fitting.power import enough, power
from onlooker.fitting.predictive import stop_probabilities
from onlooker.fitting.recovery import criteria, make_people, recover
from onlooker.fitting.results import result_tables
from onlooker.fitting.rules import RULES, Rule
from onlooker.fitting.study import fit_study
from onlooker.inference import Parameters
from onlooker.observers import OBSERVERS, Decision, Observer, Values, find_observer, run
from onlooker.observers.choosing import softmax_choice
from onlooker.support.problems import DataError

TRIALS = trials()
KNOWN = trials_by_name(TRIALS)
MODELS = [model_of(name) for name in OBSERVERS]


@cache  # only where a test asks for it
def study_plays() -> list[Play]:
    return read_plays(dataset(), TRIALS, everyone=True)


@cache
def study_fits() -> Fits:
    return fit_study(study_plays(), TRIALS, MODELS, "simulated", nodes=9, group=True)


class Keen(Observer):
    name, title = "keen", "Keen"

    def decide(self, engine, view, choices):
        return Decision("act")

    def values(self, engine, view, choices):
        return Values(
            0.0,
            tuple(None if engine.arrived(view, n) else 1.0 for n in range(len(engine.trial.npcs))),
        )


def test_tables_have_their_columns_and_say_what_the_data_is() -> None:
    fits = study_fits().tables["fits"]
    assert len(fits) == 4 * 4
    assert set(fits["data"]) == {"simulated"}
    assert {"temperature", "temperature_low", "temperature_se", "prior", "cv_trial"} <= set(fits)
    assert (fits["log_likelihood"] >= fits["chance"] - 1e-2).all()
    assert fits["converged"].all()
    decisions = study_fits().tables["decisions"]
    total = decisions.groupby(["participant", "observer"])["log_p"].sum()
    mine = study_fits().tables["trials"].groupby(["participant", "observer"])["log_p"].sum()
    assert total.to_numpy() == pytest.approx(mine.to_numpy())
    scored = decisions[~decisions["forced"]].groupby(["participant", "observer"]).size()
    expected = fits.set_index(["participant", "observer"])["n"].sort_index()
    assert scored.tolist() == expected.tolist()
    assert (fits["laplace"] - fits["log_evidence"]).abs().median() < 0.7
    group = study_fits().tables["group"]
    assert {"mean", "sd"} == set(group["quantity"])


def test_forced_choices_count_in_no_criterion() -> None:
    fitted = fit_models(study_plays(), TRIALS, MODELS[:2], nodes=7)
    fits = study_fits().tables["fits"].set_index(["observer", "participant"])
    bic = criteria(fitted)["bic"]
    for column, one in enumerate(fitted):
        for row, who in enumerate(one.people):
            said = fits.loc[(one.model.observer.name, who)]
            assert one.fits[row].scored == said["n"]
            assert bic[row, column] == pytest.approx(-said["bic"] / 2, abs=1e-3)
    key, trial = next(iter(KNOWN.items()))
    observer = find_observer("rational_mentalizing")
    steps = [size - 1 for size in Appraiser(observer, KNOWN, Parameters()).values(key).shape[:-2]]
    all_seen = tuple(npc for npc in range(len(trial.npcs)) for _ in range(steps[npc]))
    [one] = fit_models([Play("p", *key, 1, all_seen)], TRIALS, MODELS[:1], nodes=7)
    assert one.fits[0].scored == len(all_seen)  # to act was all that was left


def test_people_whose_left_out_probability_is_unsure_are_counted_by_experiment() -> None:
    people = study_fits().tables["group_people"]
    rows = [
        people.assign(experiment=number, participant=people["participant"] + str(number), k_hat=k)
        for number, k in ((3, 0.2), (4, 0.9))
    ]
    trials = [study_fits().tables["trials"].assign(experiment=number) for number in (3, 4)]
    tables = {"group_people": pd.concat(rows), "trials": pd.concat(trials)}
    found = cross_validation(replace(study_fits(), tables=tables), list(OBSERVERS))
    found = found[found["unit"] == "participant"].groupby("experiment")["k_above_07"].max()
    assert found.to_dict() == {3: 0, 4: 4, "pooled": 4}


def test_the_usual_grid_gives_evidence_to_a_twentieth() -> None:
    models = [model_of(name) for name in OBSERVERS]
    usual, fine = (fit_models(study_plays(), TRIALS, models, nodes) for nodes in (NODES, 61))
    for one, other in zip(usual, fine, strict=True):
        for fit, better in zip(one.fits, other.fits, strict=True):
            assert fit.log_evidence == pytest.approx(better.log_evidence, abs=0.05)


def test_a_new_rule_is_an_entry_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    def sharp(points, theta):
        hot = np.asarray(theta["temperature"])[..., None]
        return softmax_choice(points.values * np.abs(hot), 1.0, theta["lapse"])

    made = Rule("sharp", ("temperature", "lapse"), ("temperature",), sharp, "lapse")
    monkeypatch.setitem(RULES, "sharp", made)
    model = model_of("rational_mentalizing", "sharp", fixed={"lapse": 0.1})
    fits = fit_study(study_plays(), TRIALS, [model], "simulated", nodes=9)
    usual = fit_models(
        study_plays(), TRIALS, [model_of("rational_mentalizing", fixed={"lapse": 0.1})]
    )[0]
    table = fits.tables["fits"]
    assert set(table["rule"]) == {"sharp"}
    best = [fit.log_likelihood for fit in usual.fits]
    assert table["log_likelihood"].tolist() == pytest.approx(best, abs=1e-6)
    again = play_fits(fits, find_observer("rational_mentalizing"), TRIALS, Parameters())
    assert len(again.trials) == len(study_plays())


def test_the_median_of_a_chance_is_above_0() -> None:
    with pytest.raises(ModelError, match="the median of lapse's prior must be above 0, not 0"):
        model_of("rational_mentalizing", priors={"lapse": (0.0, 1.0)})
    assert model_of("rational_mentalizing", fixed={"lapse": 0.0}).free == 1


def test_the_order_of_people_changes_nothing() -> None:
    order = sorted(study_plays(), key=lambda each: each.participant, reverse=True)
    [found] = fit_models(order, TRIALS, MODELS[:1], nodes=9)
    fits = study_fits().tables["fits"].set_index(["observer", "participant"])
    for who, fit in zip(found.people, found.fits, strict=True):
        expected = fits.loc[("rational_mentalizing", who), "log_evidence"]
        assert fit.log_evidence == pytest.approx(expected)


def test_a_grid_of_settings_averages_their_evidence() -> None:
    settings = [Parameters(beta=0.2), Parameters(beta=1.0)]
    model = model_of("rational_mentalizing", settings=settings, varied=["beta"])
    [both] = fit_models(study_plays(), TRIALS, [model], nodes=7)
    single = [
        fit_models(
            study_plays(), TRIALS, [model_of("rational_mentalizing", settings=[each])], nodes=7
        )[0]
        for each in settings
    ]
    for index, fit in enumerate(both.fits):
        each = [one.fits[index].log_evidence for one in single]
        assert fit.log_evidence == pytest.approx(np.logaddexp(*each) - np.log(2))
        assert both.profile[:, index] == pytest.approx(
            [one.fits[index].log_likelihood for one in single]
        )
        # The interval is of the posterior over both settings, not of that of the better one.
        share = np.exp(np.array(each) - np.logaddexp(*each))
        means = [one.fits[index].mean for one in single]
        assert fit.mean == pytest.approx(share @ np.array(means))
        ends = np.array([(one.fits[index].low, one.fits[index].high) for one in single])
        assert (fit.low >= ends[:, 0].min(axis=0) - 1e-9).all()
        assert (fit.high <= ends[:, 1].max(axis=0) + 1e-9).all()
    assert "beta in 0.2, 1, equally likely" in model.words()
    wary = model_of(
        "rational_mentalizing", settings=[Parameters(), Parameters(caution=0)], varied=["caution"]
    )
    assert (len(wary.settings), wary.free) == (1, 2)  # it has no caution


@pytest.mark.parametrize("name", OBSERVERS)
def test_without_noise_the_rule_choice_is_the_observer(name: str) -> None:
    model = model_of(name, "choice", ["temperature"], {"lapse": 0.0})
    results = {key: run(trial, name) for key, trial in KNOWN.items()}
    plays = [
        Play("p", *key, 1, tuple(KNOWN[key].npc_index(each) for each in result.choices))
        for key, result in results.items()
    ]
    likelihood, _ = likelihood_of(find_observer(name), Parameters(), model.space, TRIALS, plays)
    assert likelihood.of_plays(np.log([[0.01]])).sum() == pytest.approx(0.0, abs=1e-9)


def test_softmax_without_noise_is_rational_mentalizing() -> None:
    found = [run(trial) for trial in stimuli(2)]
    plays = [
        Play("p", 2, trial.label, 1, tuple(trial.npc_index(each) for each in result.choices))
        for trial, result in zip(stimuli(2), found, strict=True)
    ]
    model = model_of("rational_mentalizing", free=["temperature"], fixed={"lapse": 0.0})
    likelihood, _ = likelihood_of(model.observer, Parameters(), model.space, stimuli(2), plays)
    choices = likelihood.choices
    best = choices.values[choices.place].max(axis=1)
    chosen = choices.values[choices.place, choices.chosen]
    assert chosen == pytest.approx(best)
    log_p = likelihood.of_plays(np.log([[1e-3]]))
    ties = (choices.values[choices.place] >= best[:, None] - 1e-9).sum(axis=1)
    assert log_p.sum() == pytest.approx(-np.log(ties).sum(), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "fixed"),
    [
        ("rational_mentalizing", {}),
        ("rational_mentalizing", {"perseveration": 1.0}),
        ("graded_mentalizing", {}),
    ],
)
def test_played_frequencies_agree_with_the_likelihood_and_the_forward_pass(
    name: str, fixed: dict[str, float]
) -> None:
    model = model_of(name, fixed=fixed)
    key = (3, "two-experts")
    count = 3000
    x = np.array([[parameter.mean for parameter in model.space.free]])
    theta = {k: np.repeat(v, count) for k, v in model.space.natural(x).items()}
    appraiser = Appraiser(model.observer, {key: KNOWN[key]}, Parameters(), model.space.rule)
    everybody = [Assignment(str(index), key, 1) for index in range(count)]
    plays = play(appraiser, everybody, theta, np.random.default_rng(1))
    likelihood, _ = likelihood_of(model.observer, Parameters(), model.space, TRIALS, plays)
    p = np.exp(likelihood.of_plays(x)[:, 0])
    watched = [each.watched for each in plays]
    names = [name[1] for name in likelihood.choices.names]
    for index in np.argsort(p)[-5:]:
        seen = watched.count(names[index])
        assert abs(seen - count * p[index]) < 5 * np.sqrt(count * p[index] * (1 - p[index])) + 1
    single = {k: v[:1] for k, v in theta.items()}
    stop, first = stop_probabilities(appraiser, key, model.space.rule, single, 1.0)
    assert stop.sum() == pytest.approx(1.0)
    assert first.sum() == pytest.approx(1.0)
    expected = float((stop[0].sum(axis=1) * np.arange(stop.shape[1])).sum())
    assert np.mean([each.count(0) for each in watched]) == pytest.approx(expected, abs=0.2)


def test_bias_and_cost_of_observing_shift_as_defined() -> None:
    fixed = {"temperature": 2.0, "lapse": 0.05}
    plain = model_of("rational_mentalizing", free=["bias", "observe"], fixed=fixed)
    likelihood, _ = likelihood_of(plain.observer, Parameters(), plain.space, TRIALS, study_plays())
    dear, _ = likelihood_of(
        plain.observer, Parameters(observe=3), plain.space, TRIALS, study_plays()
    )
    x = np.array([[0.5, np.log(3.0)]])
    assert likelihood.of_plays(x) == pytest.approx(dear.of_plays(x))
    assert plain.space.names == ("bias", "observe")
    assert model_of("naive_observer", free=["temperature", "observe"]).space.names == (
        "temperature",
    )


def test_observers_of_ones_own_need_values_or_the_rule_choice() -> None:
    likelihood, people = likelihood_of(
        Keen(), Parameters(), model_of(Keen()).space, TRIALS, study_plays()
    )
    assert np.isfinite(likelihood.of_plays(np.zeros((1, 2)))).all()
    assert len(people) == 4

    class Blind(Keen):
        values = None

    with pytest.raises(ModelError, match="has no method values"):
        model_of(Blind())
    assert model_of(Blind(), "choice").rule == "choice"


def test_groups_find_the_mean_of_many_people() -> None:
    model = model_of("rational_mentalizing", free=["temperature"], fixed={"lapse": 0.05})
    rng = np.random.default_rng(2)
    drawn = np.log(3.0) + 0.4 * rng.standard_normal((40, 1))
    made = make_people(model, stimuli(3), 40, 10, 3, drawn)
    [fitted] = fit_models(made.plays, stimuli(3), [model], nodes=21, totals=True)
    group = fit_group(model.space, fitted.totals, 21)
    mean, _, low, high = group.summary(0)
    assert low < np.log(3.0) < high
    assert abs(mean - np.log(3.0)) < 0.4
    assert group.reliable
    alone = np.array([fit.map[0] for fit in fitted.fits])
    assert group.individual[:, 0].std() < alone.std()
    assert group.elpd.sum() > sum(fit.log_evidence for fit in fitted.fits)


def test_selection_names_the_observer_that_made_everybody() -> None:
    found = compare_people(study_fits())
    table = found.tables["selection"].set_index("observer")
    assert table["r"].sum() == pytest.approx(1)
    assert set(table["criterion"]) == {"evidence"}
    assert found.tables["attributions"].groupby("participant")[
        "z"
    ].sum().to_numpy() == pytest.approx(1)
    assert set(found.tables["cross_validation"]["unit"]) == {"trial", "participant"}
    assert {"mentalizes", "weighs costs"} == set(found.tables["families"]["family"])
    for criterion in ("bic", "aic", "cv"):
        assert compare_people(study_fits(), criterion, method="vb").criterion == criterion
    only = Fits(
        {
            k: v[v["observer"] == "naive_observer"]
            for k, v in study_fits().tables.items()
            if k in ("fits", "trials")
        },
        {},
    )
    with pytest.raises(DataError, match="at least two observers"):
        compare_people(only)


def test_who_describes_each_person_best_is_answered_in_words() -> None:
    leads = {"a": (9.0, 1.0), "b": (2.0, 9.0), "c": (9.0, 5.0), "d": (5.0, 4.0)}
    table = study_fits().tables["fits"].iloc[: 2 * len(leads)].copy()
    table["participant"] = [name for name in leads for _ in range(2)]
    table["observer"] = ["rational_mentalizing", "own:Rival"] * len(leads)
    table["log_evidence"] = [value for pair in leads.values() for value in pair]
    trials = table.assign(level="x", cv=table["log_evidence"])
    about = {"models": {"rational_mentalizing": {"title": "Rational Mentalizing"}}}
    found = compare_people(Fits({"fits": table, "trials": trials}, about))
    assert found.answers == {
        3: "Experiment 3: 2 of 4 are best described by Rational Mentalizing, 1 by own:Rival,"
        " 1 is undecided (a lead of less than 3)"
    }
    people = found.tables["people"].set_index("participant")
    assert people["lead"].tolist() == [8, 7, 4, 1]
    assert people["undecided"].tolist() == [False, False, False, True]
    assert (people.loc["b", "best"], people.loc["b", "next"]) == (
        "own:Rival",
        "rational_mentalizing",
    )
    table["log_evidence"] = 1.0
    nobody = compare_people(Fits({"fits": table, "trials": trials}, about)).answers[3]
    assert nobody == "Experiment 3: 4 of 4 are undecided (a lead of less than 3)"


def test_parameters_and_observers_are_recovered() -> None:
    models = [model_of("rational_mentalizing"), model_of("rational_observer")]
    found = recover(models, stimuli(3), participants=30, nodes=9, confuse=True)
    summary = found.tables["recovery-summary"].set_index(["observer", "parameter"])
    assert summary.loc[("rational_mentalizing", "temperature"), "r"] > 0.7
    confusion = found.tables["confusion"]
    assert confusion.groupby(["criterion", "simulated"])["share"].sum().to_numpy() == pytest.approx(
        1
    )
    right = confusion[
        (confusion["simulated"] == confusion["fitted"]) & (confusion["criterion"] == "evidence")
    ]
    assert (right["share"] > 0.8).all()
    low = summary[summary["r"] < 0.5]
    assert sum("is not recovered" in words for words in found.failures()) == len(low)
    again = recover(models[:1], stimuli(3), participants=30, nodes=9)
    pd.testing.assert_frame_equal(
        again.tables["recovery"],
        found.tables["recovery"].query("observer == 'rational_mentalizing'"),
        check_exact=False,
    )


def test_predictions_contain_that_parameters_are_uncertain() -> None:
    [fitted] = fit_models(study_plays(), TRIALS, MODELS[:1], nodes=15)
    fit, space = fitted.fits[0], fitted.model.space
    spread = np.array([(axis - m) ** 2 @ w for (axis, w), m in zip(fit.marginals, fit.mean)])  # noqa: B905
    assert fit.draws.mean(axis=0) == pytest.approx(fit.mean, abs=0.2)
    assert fit.draws.std(axis=0) == pytest.approx(np.sqrt(spread), rel=0.3)
    mine = [each for each in study_plays() if each.participant == fitted.people[0]]
    [fitted] = fit_models(mine, TRIALS, MODELS[:1], nodes=15)
    tables = result_tables([fitted], mine, TRIALS, "simulated")
    rows = tables["predictive"].query("statistic == 'steps'").set_index(["level", "agent"])
    draws = space.natural(fitted.fits[0].draws)
    for each in mine:
        trial = KNOWN[each.trial]
        appraiser = Appraiser(MODELS[0].observer, {each.trial: trial}, Parameters(), space.rule)
        stop, _ = stop_probabilities(appraiser, each.trial, space.rule, draws, 1.0)
        for npc, agent in enumerate(trial.npcs):
            others = tuple(1 + other for other in range(len(trial.npcs)) if other != npc)
            chances = stop.sum(axis=others)
            counts = np.arange(chances.shape[1])
            means = chances @ counts
            within = (chances * (counts - means[:, None]) ** 2).sum(axis=1).mean()
            row = rows.loc[(each.level, agent.id)]
            assert row["predicted"] == pytest.approx(means.mean())
            half = 1.645 * np.sqrt(within + means.var())  # both of choices and of parameters
            assert row["high"] - row["predicted"] == pytest.approx(half)


def test_power_grows_with_participants() -> None:
    models = [model_of("rational_mentalizing"), model_of("rational_observer")]
    table = power(models, stimuli(3), lengths=(4,), sizes=(1, 8), pool=12, groups=10, nodes=7)
    shares = table.groupby("participants")["share"].mean()
    assert shares[8] > shares[1]
    # Of twelve people there is one group of eight and a half, so that its share is hardly known.
    assert (table["high"] - table["low"])[table["participants"] == 8].min() > 0.5
    assert enough(table)["participants"].iloc[0] == 8
    assert pd.isna(enough(table, share=1.1)["participants"].iloc[0])


def test_fitted_people_play_again() -> None:
    records = play_fits(study_fits(), find_observer("rational_mentalizing"), TRIALS, Parameters())
    assert {row["level"] for row in records.trials} == set(NAMES)
    assert len(records.participants) == 4
    assert all(row["finished"] for row in records.trials)
    with pytest.raises(ModelError, match="no fits of graded_mentalizing"):
        play_fits(study_fits(), find_observer("graded_mentalizing"), TRIALS, Parameters())


def test_a_wider_grid_holds_the_whole_prior() -> None:
    for model in [*MODELS, model_of("graded_mentalizing")]:
        assert np.exp(grid_of(model.space, 15).log_weight).sum() == pytest.approx(1, abs=1e-4)
