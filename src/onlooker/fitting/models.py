"""Models to fit and what fitting them to a study takes: jobs that can run anywhere."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from onlooker.fitting.choices import Appraiser, Choices, Key, choices_of, is_priced
from onlooker.fitting.individual import NODES, PersonFit, fit_people
from onlooker.fitting.likelihood import Likelihood
from onlooker.fitting.parameters import (
    CHOOSING,
    Estimated,
    ModelError,
    Space,
    checked,
    nothing_free,
    rule_named,
    space_of,
    spread,
)
from onlooker.fitting.plays import Play, trials_by_name
from onlooker.fitting.rules import Rule
from onlooker.game import Trial
from onlooker.inference.declaring import PRESCRIBED
from onlooker.inference.parameters import Parameters
from onlooker.observers import ChoiceRule, Observer, depends, find_observer, parameters_class
from onlooker.observers.registry import observer_of, observer_word
from onlooker.support.arrays import FloatArray, IntArray

Run = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], Iterator[Any]]  # does jobs anywhere

OWN_NODES = {1: 11, 2: 7, 3: 5}  # values of each parameter of an observer's own, by their number


def run_here(work: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
    """Do jobs one after the other in this process."""
    for job in jobs:
        yield work(*job)


@dataclass(frozen=True)
class Model:
    """An observer, a rule by which it chooses, and the parameters of that rule.

    `settings` are the parameters of the observer itself: one, or several that are compared. Those
    of `own` are estimated: the settings have values of them, with the weights of their priors.
    """

    observer: Observer
    space: Space
    settings: tuple[Parameters, ...]
    varied: tuple[str, ...] = ()  # the names that differ between the settings
    own: tuple[Estimated, ...] = ()  # those of them that have a prior
    weights: tuple[float, ...] = (1.0,)  # of the settings, before anything is seen

    @property
    def rule(self) -> str:
        """The rule by which it chooses."""
        return self.space.rule.name

    @property
    def unit(self) -> str:
        """What the values are measured in that the rule chooses by."""
        return (PRESCRIBED if self.space.rule.prescribed else self.observer.unit).name

    @property
    def free(self) -> int:
        """How many parameters are fitted."""
        return len(self.space.free) + len(self.varied)

    def words(self) -> str:
        """The priors and fixed values in words."""
        priors = {each.name: each.words() for each in self.own}
        return "; ".join([self.space.words(), *(self._varied(n, priors) for n in self.varied)])

    def _varied(self, name: str, priors: Mapping[str, str]) -> str:
        each = list(dict.fromkeys(getattr(setting, name) for setting in self.settings))
        if name in priors:
            return f"{priors[name]} at {len(each)} values from {each[0]:g} to {each[-1]:g}"
        written = ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in each)
        return f"{name} in {written}, equally likely"


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

    What an observer declares with a prior is free too, unless `free` names others. `settings` are
    a grid over `varied`. A prior is of every observer, or of one as "observer.name".

    >>> model_of("rational_mentalizing").space.names
    ('temperature', 'lapse')
    """
    found = observer_of(observer)
    priors = _priors_of(found.name, priors or {})
    settings = [_with_own(found, setting) for setting in settings]
    own = _own(found, settings[0], free, fixed, priors, varied)
    if rule is None:
        rule = str(ChoiceRule.SOFTMAX if found.rule is ChoiceRule.HARD else found.rule)
        free = None if rule == "graded" else free
    by = rule_named(rule)
    try:
        by.check(found)
        settings = [_fixed(found, setting, fixed or {}) for setting in settings]
    except ValueError as error:
        raise ModelError(str(error)) from None
    space = space_of(found, by, free, fixed, priors, settings[0], is_priced(found, by))
    settings, varied = _relevant_settings(found, settings, varied)
    grid = Counter(_over_priors(settings, own))
    weights = tuple(count / grid.total() for count in grid.values())
    return Model(found, space, tuple(grid), (*varied, *(e.name for e in own)), own, weights)


def _priors_of(
    observer: str, priors: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """The priors of an observer: those for all, then those for it alone."""
    own = f"{observer}."
    alone = {name[len(own) :]: prior for name, prior in priors.items() if name.startswith(own)}
    return {name: prior for name, prior in priors.items() if "." not in name} | alone


def _with_own(observer: Observer, setting: Parameters) -> Parameters:
    """A setting that has the parameters of an observer's own."""
    if set(observer.own_parameters()) <= set(setting.declared()):
        return setting
    return parameters_class([observer])(**asdict(setting))


def _own(
    observer: Observer,
    setting: Parameters,
    free: Sequence[str] | None,
    fixed: Mapping[str, float] | None,
    priors: Mapping[str, tuple[float, float]] | None,
    varied: Sequence[str],
) -> tuple[Estimated, ...]:
    """The parameters of an observer, not of its choices, that are estimated."""
    if free is None:
        free = [name for name, each in observer.own_parameters().items() if each.prior]
    return tuple(
        checked(Estimated.of(declared, (priors or {}).get(name)))
        for name, declared in setting.declared().items()
        if name in free and name not in CHOOSING and depends(observer, name)
        if name not in (fixed or {}) and name not in varied
    )


def _fixed(observer: Observer, setting: Parameters, fixed: Mapping[str, float]) -> Parameters:
    """A setting with values of parameters that are not of choices."""
    values: dict[str, Any] = {
        name: int(value) if declared.whole and float(value).is_integer() else value
        for name, declared in setting.declared().items()
        if name not in CHOOSING and name in fixed and depends(observer, name)
        for value in [fixed[name]]
    }
    return replace(setting, **values)


def _over_priors(settings: Sequence[Parameters], own: Sequence[Estimated]) -> Iterator[Parameters]:
    """Each setting with values of its own parameters, all of them equally probable."""
    count = OWN_NODES.get(len(own), min(OWN_NODES.values()))
    for setting in settings:
        axes = [spread(setting.declared()[each.name], each, count) for each in own]
        for values in product(*axes):
            each: dict[str, Any] = dict(zip((e.name for e in own), values, strict=True))
            yield replace(setting, **each)


def _relevant_settings(
    observer: Observer, settings: Sequence[Parameters], varied: Sequence[str]
) -> tuple[list[Parameters], tuple[str, ...]]:
    """The settings that differ for an observer, and the names that differ between them."""
    vain = [name for name in varied if not depends(observer, name)]
    same: dict[str, Any] = {name: getattr(settings[0], name) for name in vain}
    several = dict.fromkeys(replace(each, **same) for each in settings)
    return list(several), tuple(name for name in varied if name not in vain)


@dataclass(frozen=True)
class Fitted:
    """What a model makes of the people of a study."""

    model: Model
    people: tuple[str, ...]
    fits: tuple[PersonFit, ...]  # of each person
    best: tuple[int, ...]  # the setting behind each person's mode
    shares: FloatArray  # (people, settings): the posterior of each setting
    profile: FloatArray  # (settings, people): greatest log likelihood
    totals: FloatArray  # (people, nodes): log likelihood on the grid, if kept

    def own(self, person: int, parameter: Estimated) -> OwnEstimate:
        """A person's estimate of a parameter of the observer's own, on its unbounded scale."""
        values = [getattr(setting, parameter.name) for setting in self.model.settings]
        x = parameter.free(values)
        order, share = np.argsort(x, kind="stable"), self.shares[person]
        below = np.cumsum(share[order])
        low, high = (x[order][np.searchsorted(below, end * below[-1])] for end in (0.025, 0.975))
        mean = float(share @ x)
        sd = float(np.sqrt(share @ (x - mean) ** 2))
        likeliest = int(self.profile[:, person].argmax())
        return OwnEstimate(float(x[self.best[person]]), low, high, float(x[likeliest]), sd)


class OwnEstimate(NamedTuple):
    """What is known of a parameter of an observer's own, on its unbounded scale."""

    mode: float
    low: float
    high: float
    mle: float
    sd: float


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
    for model in models:
        if not model.space.free:
            raise nothing_free(model.observer.name, model.space.rule)
    known = trials_by_name(trials)
    used = [known[key] for key in dict.fromkeys(play.trial for play in plays)]
    jobs = [
        (
            number,
            observer_word(model.observer),
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
        fits, best, shares = zip(
            *(
                _over_settings([fits[i] for fits, _ in several], np.log(model.weights))
                for i in range(len(people))
            ),
            strict=True,
        )
        profile = np.array([[fit.log_likelihood for fit in fits] for fits, _ in several])
        found.append(Fitted(model, people, fits, best, np.stack(shares), profile, several[0][1]))
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
    known = trials_by_name(trials)
    wanted: dict[Key, Trial] = {key: known[key] for key in dict.fromkeys(p.trial for p in plays)}
    appraiser = Appraiser(observer, wanted, setting, rule)
    return *choices_of(plays, appraiser), appraiser


def _over_settings(
    fits: Sequence[PersonFit], log_weight: FloatArray
) -> tuple[PersonFit, int, FloatArray]:
    """One person's fits under several settings as one, the best setting, and all their shares."""
    evidence = np.array([fit.log_evidence for fit in fits]) + log_weight
    share = np.exp(evidence - np.logaddexp.reduce(evidence))
    if len(fits) == 1:
        return fits[0], 0, share
    posterior = np.array([fit.log_posterior for fit in fits]) + log_weight
    mode = int(np.argmax(posterior))
    most = int(np.argmax([fit.log_likelihood for fit in fits]))

    def mean(values: Iterable[Any]) -> Any:
        each = np.array(list(values))
        with np.errstate(invalid="ignore"):  # Laplace's may be nan
            return np.logaddexp.reduce(
                each + log_weight.reshape(-1, *(1,) * (each.ndim - 1)), axis=0
            )

    return (
        replace(
            fits[mode],
            mle=fits[most].mle,
            log_likelihood=fits[most].log_likelihood,
            at_bound=fits[most].at_bound,
            log_posterior=float(posterior[mode]),
            laplace=float(mean(fit.laplace for fit in fits)),
            log_evidence=float(mean(fit.log_evidence for fit in fits)),
            log_evidence_shrunk=float(mean(fit.log_evidence_shrunk for fit in fits)),
            log_evidence_widened=float(mean(fit.log_evidence_widened for fit in fits)),
            without=mean(fit.without for fit in fits),
            marginals=_mixed(fits, share),
        ),
        mode,
        share,
    )


def _mixed(
    fits: Sequence[PersonFit], share: FloatArray
) -> tuple[tuple[FloatArray, FloatArray], ...]:
    """The posterior of each parameter over all settings."""
    return tuple(
        (each[0][0], share @ np.stack([weight for _, weight in each]))
        for each in zip(*(fit.marginals for fit in fits), strict=True)
    )
