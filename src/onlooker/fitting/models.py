"""Models to fit and what fitting them to a study takes: jobs that can run anywhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from onlooker.fitting.choices import Appraiser, Choices, Key, choices_of, is_priced
from onlooker.fitting.individual import NODES, PersonFit, fit_people
from onlooker.fitting.likelihood import Likelihood
from onlooker.fitting.parameters import ONLY, ModelError, Space, rule_named, space_of
from onlooker.fitting.plays import Play, as_seen, trials_by_name
from onlooker.fitting.rules import Rule
from onlooker.game import Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import ChoiceRule, Observer, find_observer
from onlooker.observers.registry import KNOWN_OBSERVERS, observer_of
from onlooker.support.arrays import FloatArray, IntArray

Run = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], Iterator[Any]]  # does jobs anywhere


def run_here(work: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
    """Do jobs one after the other in this process."""
    for job in jobs:
        yield work(*job)


@dataclass(frozen=True)
class Model:
    """An observer, a rule by which it chooses, and the parameters of that rule.

    `settings` are the parameters of the observer itself: one, or a grid that is compared.
    """

    observer: Observer
    space: Space
    settings: tuple[Parameters, ...]
    varied: tuple[str, ...] = ()  # the names that differ between the settings

    @property
    def rule(self) -> str:
        """The rule by which it chooses."""
        return self.space.rule.name

    @property
    def free(self) -> int:
        """How many parameters are fitted."""
        return len(self.space.free) + len(self.varied)

    def words(self) -> str:
        """The priors and fixed values in words."""
        values = (
            f"{name} in {', '.join(f'{v:g}' if isinstance(v, float) else str(v) for v in each)}"
            for name in self.varied
            if (each := list(dict.fromkeys(getattr(s, name) for s in self.settings)))
        )
        return "; ".join([self.space.words(), *(f"{text}, equally likely" for text in values)])


def model_of(
    observer: Observer | str,
    rule: str | None = None,
    free: Sequence[str] | None = None,
    fixed: Mapping[str, float] | None = None,
    priors: Mapping[str, tuple[float, float]] | None = None,
    settings: Sequence[Parameters] = (Parameters(),),
    varied: Sequence[str] = (),
) -> Model:
    """A model; without a rule it is softmax, or the observer's own soft rule.

    >>> model_of("rational_mentalizing").space.names
    ('temperature', 'lapse')
    """
    found = observer_of(observer)
    if rule is None:
        rule = str(ChoiceRule.SOFTMAX if found.rule is ChoiceRule.HARD else found.rule)
        free = None if rule == "graded" else free
    by = rule_named(rule)
    try:
        by.check(found)
    except ValueError as error:
        raise ModelError(str(error)) from None
    space = space_of(found.name, by, free, fixed, priors, settings[0], is_priced(found, by))
    return Model(found, space, *_relevant_settings(found, settings, varied))


def _relevant_settings(
    observer: Observer, settings: Sequence[Parameters], varied: Sequence[str]
) -> tuple[tuple[Parameters, ...], tuple[str, ...]]:
    """The settings that differ for an observer, and the names that differ between them."""
    ours = type(observer) is KNOWN_OBSERVERS.get(observer.name)
    vain = [name for name in varied if ours and ONLY.get(name, observer.name) != observer.name]
    same: dict[str, Any] = {name: getattr(settings[0], name) for name in vain}
    several = dict.fromkeys(replace(each, **same) for each in settings)
    return tuple(several), tuple(name for name in varied if name not in vain)


@dataclass(frozen=True)
class Fitted:
    """What a model makes of the people of a study."""

    model: Model
    people: tuple[str, ...]
    fits: tuple[PersonFit, ...]  # of each person
    best: tuple[int, ...]  # the setting behind each person's mode
    profile: FloatArray  # (settings, people): greatest log likelihood
    totals: FloatArray  # (people, nodes): log likelihood on the grid, if kept


def fit_models(
    plays: Sequence[Play],
    trials: Iterable[Trial],
    models: Sequence[Model],
    nodes: int = NODES,
    totals: bool = False,
    run: Run = run_here,
    progress: Callable[[float, int], None] = lambda done, total: None,
) -> list[Fitted]:
    """Fit each model to each person; `run` does the jobs, here or elsewhere."""
    known = trials_by_name(trials)
    used = [known[key] for key in dict.fromkeys(play.trial for play in plays)]
    jobs = [
        (
            number,
            _word(model.observer),
            os.getcwd(),
            setting,
            model.space,
            used,
            list(plays),
            nodes,
            totals,
        )
        for number, (model, setting) in enumerate(
            (model, setting) for model in models for setting in model.settings
        )
    ]
    done: dict[int, tuple[list[PersonFit], FloatArray]] = {}
    for number, fits, kept in run(fit_job, jobs):
        done[number] = fits, kept
        progress(len(done), len(jobs))
    people = tuple(dict.fromkeys(play.participant for play in plays))
    found, first = [], 0
    for model in models:
        several = [done[first + index] for index in range(len(model.settings))]
        first += len(model.settings)
        fits, best = zip(
            *(_over_settings([fits[i] for fits, _ in several]) for i in range(len(people))),
            strict=True,
        )
        profile = np.array([[fit.log_likelihood for fit in fits] for fits, _ in several])
        found.append(Fitted(model, people, fits, best, profile, several[0][1]))
    return found


def fit_job(
    number: int,
    word: str,
    place: str,
    setting: Parameters,
    space: Space,
    trials: Sequence[Trial],
    plays: Sequence[Play],
    nodes: int,
    totals: bool,
) -> tuple[int, list[PersonFit], FloatArray]:
    """Fit one model under one setting; everything it needs is sent along."""
    if place not in sys.path:
        sys.path.insert(0, place)
    likelihood, people = likelihood_of(find_observer(word), setting, space, trials, plays)
    return number, *fit_people(likelihood, people, nodes, totals)


def likelihood_of(
    observer: Observer,
    setting: Parameters,
    space: Space,
    trials: Iterable[Trial],
    plays: Sequence[Play],
) -> tuple[Likelihood, list[IntArray]]:
    """The likelihood of plays, and which of its plays each person has."""
    choices, which, _ = appraised(observer, setting, space.rule, trials, plays)
    people: dict[str, list[int]] = {}
    for play, index in zip(plays, which.tolist(), strict=True):
        people.setdefault(play.participant, []).append(index)
    model = Likelihood(choices, space, float(setting.observe))
    return model, [np.array(each, dtype=np.int64) for each in people.values()]


def appraised(
    observer: Observer,
    setting: Parameters,
    rule: Rule,
    trials: Iterable[Trial],
    plays: Sequence[Play],
) -> tuple[Choices, IntArray, Appraiser]:
    """Plays as arrays, which of them each is, and the appraiser behind them."""
    known = trials_by_name(as_seen(trials, setting))
    wanted: dict[Key, Trial] = {key: known[key] for key in dict.fromkeys(p.trial for p in plays)}
    appraiser = Appraiser(observer, wanted, setting, rule)
    return *choices_of(plays, appraiser), appraiser


def _word(observer: Observer) -> str:
    """What finds an observer again."""
    if type(observer) is KNOWN_OBSERVERS.get(observer.name):
        return observer.name
    return f"{type(observer).__module__}:{type(observer).__qualname__}"


def _over_settings(fits: Sequence[PersonFit]) -> tuple[PersonFit, int]:
    """One person's fits under the settings of a grid as one; before, all are as likely."""
    if len(fits) == 1:
        return fits[0], 0
    mode = int(np.argmax([fit.log_posterior for fit in fits]))
    most = int(np.argmax([fit.log_likelihood for fit in fits]))

    def mean(values: Iterable[Any]) -> Any:
        return np.logaddexp.reduce(np.array(list(values)), axis=0) - np.log(len(fits))

    return replace(
        fits[mode],
        mle=fits[most].mle,
        log_likelihood=fits[most].log_likelihood,
        at_bound=fits[most].at_bound,
        log_posterior=fits[mode].log_posterior - float(np.log(len(fits))),
        laplace=float(mean(fit.laplace for fit in fits)),
        log_evidence=float(mean(fit.log_evidence for fit in fits)),
        log_evidence_shrunk=float(mean(fit.log_evidence_shrunk for fit in fits)),
        log_evidence_widened=float(mean(fit.log_evidence_widened for fit in fits)),
        without=mean(fit.without for fit in fits),
        marginals=_mixed(fits),
    ), mode


def _mixed(fits: Sequence[PersonFit]) -> tuple[tuple[FloatArray, FloatArray], ...]:
    """The posterior of each parameter over all settings, each weighted by its evidence."""
    evidence = np.array([fit.log_evidence for fit in fits])
    share = np.exp(evidence - np.logaddexp.reduce(evidence))
    return tuple(
        (each[0][0], share @ np.stack([weight for _, weight in each]))
        for each in zip(*(fit.marginals for fit in fits), strict=True)
    )
