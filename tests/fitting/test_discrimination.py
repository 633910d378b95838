"""Choosing trials that tell observers apart: the evidence behind it, and what it gains."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from onlooker.experiments.design import design, draw_trials
from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.experiments.layout import too_alike
from onlooker.fitting import discrimination
from onlooker.fitting.discrimination import SEARCH_NODES, SEARCH_REACH, Pool, _Search, choose_trials
from onlooker.fitting.individual import evidences, grid_of
from onlooker.fitting.models import fit_models, model_of
from onlooker.fitting.parameters import ModelError
from onlooker.game import Trial

PAIR = ("rational_mentalizing", "graded_mentalizing")


@cache
def candidates(number: int = 1, seed: int = 5, pool: int = 40) -> list[Trial]:
    return draw_trials(PAPER_EXPERIMENTS[number], seed, pool)


@cache
def pool(number: int = 1) -> Pool:
    return Pool({name: model_of(name) for name in PAIR}, candidates(number))


def test_the_evidence_is_that_of_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discrimination, "SCORE_NODES", 21)
    people = pool().people([0, 3, 7], 2, np.random.default_rng(1))
    plays = [play for person in people for play in person]
    fitted = fit_models(plays, candidates(), list(pool().models.values()), nodes=21)
    expected = np.array([[fit.log_evidence for fit in one.fits] for one in fitted]).T
    assert pool()._evidence(people) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("number", [1, 4])
def test_products_over_tables_are_the_evidence_of_sets(number: int) -> None:
    found = pool(number)
    search = _Search(found, [1, 2, 5, 8], 3, np.random.default_rng(2))
    weights = search._prior()
    for index in (1, 5):
        weights = [w.after(t) for w, t in zip(weights, search._tables(index), strict=True)]
    chosen = [1, 5, 8]
    people = [[search.plays[index][person] for index in chosen] for person in range(6)]
    plays = [play for person in people for play in person]
    for number, (model, appraiser) in enumerate(
        zip(found.models.values(), found.appraisers, strict=True)
    ):
        likelihood, which = discrimination.likelihood_in(model, appraiser, plays)
        grid = grid_of(model.space, SEARCH_NODES, SEARCH_REACH)
        expected = evidences(likelihood, np.split(which, len(people)), grid)
        told = weights[number].log_evidence(search._tables(8)[number])
        assert told == pytest.approx(expected, abs=1e-4)  # the tables have single precision


def test_a_choice_beats_random_trials_on_new_people() -> None:
    models = {name: model_of(name) for name in PAIR}
    found = choose_trials(models, candidates(), 6, seed=3, people=500)
    assert found.chosen.mean > found.random.mean + 2 * (found.chosen.error + found.random.error)
    assert len(found.trials) == 6
    maps = [trial.map for trial in found.trials]
    assert not any(too_alike(a, b) for i, a in enumerate(maps) for b in maps[:i])


def test_the_same_seed_chooses_the_same_trials() -> None:
    models = {name: model_of(name) for name in PAIR}
    found, again = (
        choose_trials(models, candidates(pool=8), 2, seed=3, people=20) for _ in range(2)
    )
    assert again == found


def test_an_exchange_never_tells_less_than_growing_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    search = _Search(pool(), range(20), 30, np.random.default_rng(4))
    tables = {index: search._tables(index) for index in range(20)}

    def told(chosen: list[int]) -> float:
        weights = search._prior()
        for index in chosen[:-1]:
            weights = [w.after(t) for w, t in zip(weights, tables[index], strict=True)]
        return search._information(weights, tables[chosen[-1]])

    exchanged = told(search.choose(5))
    monkeypatch.setattr(discrimination, "ROUNDS", 0)
    grown = told(search.choose(5))
    assert exchanged >= grown - 1e-9
    assert grown >= max(search.alone().values()) - 1e-9


def test_models_that_are_the_same_are_told_apart_by_chance() -> None:
    same = Pool({"one": model_of(PAIR[0]), "other": model_of(PAIR[0])}, candidates())
    found = same.recovery([0, 1], 10, np.random.default_rng(1))
    assert found.shares == {"one": 0.5, "other": 0.5}


def test_observers_without_a_free_parameter_can_be_told_apart_but_not_fitted() -> None:
    fixed = model_of(PAIR[0], fixed={"temperature": 1.0, "lapse": 0.02})
    found = Pool({"fixed": fixed, "free": model_of("naive_observer")}, candidates())
    recovery = found.recovery([0, 1, 2, 3], 40, np.random.default_rng(1))
    assert recovery.mean > 0.8
    with pytest.raises(ModelError, match="no parameter is free"):
        fit_models(found.people([0], 1, np.random.default_rng(1))[0], candidates(), [fixed])


def test_names_differ_between_seeds_and_experiments() -> None:
    several = [candidates(1, 5, 5), candidates(1, 6, 5), candidates(3, 5, 5)]
    chosen = design(PAPER_EXPERIMENTS[1], 6, 30, jobs=1)
    names = [trial.name for trials in (*several, chosen) for trial in trials]
    assert len(set(names)) == len(names)
    assert "s5c3004_2" in names
    assert "s6m101" in names


@pytest.mark.parametrize(
    ("models", "count", "words"),
    [
        (PAIR[:1], 2, "at least two models"),
        (PAIR, 41, "only 40 of 40 candidate trials have maps that are unlike each other"),
    ],
)
def test_what_cannot_be_chosen_is_refused(models: tuple[str, ...], count: int, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        choose_trials({name: model_of(name) for name in models}, candidates(), count, seed=1)
