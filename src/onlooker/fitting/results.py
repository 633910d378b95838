"""The tables of a fit: a row for each participant and observer, for each choice, for each trial."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from onlooker.fitting.choices import Appraiser, Choices
from onlooker.fitting.likelihood import Likelihood
from onlooker.fitting.models import Fitted, appraised
from onlooker.fitting.plays import Play
from onlooker.fitting.predictive import predictive_rows
from onlooker.game import Trial
from onlooker.support.arrays import IntArray

Row = dict[str, Any]
TABLES = ("fits", "decisions", "trials", "predictive", "profile")


def result_tables(
    fitted: Sequence[Fitted], plays: Sequence[Play], trials: Sequence[Trial], data: str
) -> dict[str, pd.DataFrame]:
    """All tables of a fit by name; `data` says human or simulated."""
    rows: dict[str, list[Row]] = {name: [] for name in TABLES}
    for one in fitted:
        found = _Found(one, plays, trials)
        rows["fits"] += found.fits()
        rows["decisions"] += found.decisions
        rows["trials"] += found.trial_rows()
        rows["predictive"] += found.predictive()
        rows["profile"] += found.profile()
    frames = {name: pd.DataFrame(each) for name, each in rows.items() if each}
    for frame in frames.values():
        frame.insert(0, "data", data)
    return frames


class _Found:
    """A fitted model at each person's own parameters."""

    def __init__(self, fitted: Fitted, plays: Sequence[Play], trials: Sequence[Trial]) -> None:
        self.fitted, self.model, self.plays = fitted, fitted.model, plays
        self.mine: dict[str, list[int]] = {}
        for index, play in enumerate(plays):
            self.mine.setdefault(play.participant, []).append(index)
        # A setting is appraised once for all whose mode it has.
        self.appraised: dict[int, tuple[Choices, IntArray, Appraiser]] = {}
        for setting in sorted(set(fitted.best)):
            self.appraised[setting] = appraised(
                self.model.observer,
                self.model.settings[setting],
                self.model.space.rule,
                trials,
                plays,
            )
        self.log_p = np.empty(len(plays))  # of each play, at the mode
        for person, setting in zip(range(len(fitted.people)), fitted.best, strict=True):
            choices, which, _ = self.appraised[setting]
            x = fitted.fits[person].map[None]
            mine = self.mine[fitted.people[person]]
            likelihood = self._likelihood(setting, choices)
            self.log_p[mine] = likelihood.of_plays(x)[which[mine], 0]

    def _likelihood(self, setting: int, choices: Choices) -> Likelihood:
        charged = float(self.model.settings[setting].observe)
        return Likelihood(choices, self.model.space, charged)

    def common(self, person: int) -> Row:
        """What all rows of a person have."""
        first = self.plays[self.mine[self.fitted.people[person]][0]]
        return {
            "participant": first.participant,
            "experiment": first.experiment,
            "observer": self.model.observer.name,
            "rule": self.model.rule,
        }

    def fits(self) -> Iterator[Row]:
        """A row for each participant."""
        worst: dict[str, float] = {}
        for row in self.decisions:
            who = row["participant"]
            worst[who] = min(worst.get(who, 1.0), row["p"])
        for person, fit in enumerate(self.fitted.fits):
            setting = self.fitted.best[person]
            choices, which, _ = self.appraised[setting]
            mine = self.mine[self.fitted.people[person]]
            n = int(choices.scored[which[mine]].sum())
            chance = float(choices.chance()[which[mine]].sum())
            k, value = self.model.free, fit.log_likelihood
            yield {
                **self.common(person),
                "n": n,
                "trials": len(mine),
                "forced": int(choices.forced[which[mine]].sum()),
                "late": sum(self.plays[index].late for index in mine),
                **self._estimates(person),
                "parameters": k,
                "log_likelihood": value,
                "chance": chance,
                "pseudo_r2": 1 - value / chance if chance else np.nan,
                "aic": 2 * k - 2 * value,
                "aicc": aicc(value, k, n),
                "bic": k * np.log(n) - 2 * value if n else np.nan,
                "log_posterior": fit.log_posterior,
                "laplace": fit.laplace,
                "log_evidence": fit.log_evidence,
                "log_evidence_narrow": fit.log_evidence_shrunk,
                "log_evidence_wide": fit.log_evidence_widened,
                "cv_trial": float(fit.cv.sum()),
                "worst_p": worst.get(self.fitted.people[person], np.nan),
                "at_bound": fit.at_bound,
                "converged": fit.converged,
                "reason": fit.reason,
                "prior": self.model.words(),
            }

    def _estimates(self, person: int) -> Row:
        """Each parameter's mode, interval and SE, and its value of the greatest likelihood."""
        fit, found = self.fitted.fits[person], Row()
        for index, parameter in enumerate(self.model.space.free):
            ends = {
                "": fit.map,
                "_low": fit.low,
                "_high": fit.high,
                "_mle": fit.mle,
            }
            for end, values in ends.items():
                found[parameter.name + end] = float(parameter.natural(values[index]))
            found[f"{parameter.name}_se"] = float(fit.se[index])
        for name, value in self.model.space.fixed.items():
            found[name] = value
        setting = self.model.settings[self.fitted.best[person]]
        found |= {name: getattr(setting, name) for name in self.model.varied}
        for parameter in self.model.own:
            name, own = parameter.name, self.fitted.own(person, parameter)
            for end in ("low", "high", "mle"):
                found[f"{name}_{end}"] = float(parameter.natural(getattr(own, end)))
            found[f"{name}_se"] = own.sd
        return found

    @cached_property
    def decisions(self) -> list[Row]:
        """A row for each choice that counts."""
        return list(self._decisions())

    def _decisions(self) -> Iterator[Row]:
        for person, fit in enumerate(self.fitted.fits):
            setting = self.fitted.best[person]
            choices, which, appraiser = self.appraised[setting]
            theta = self._likelihood(setting, choices).theta(fit.map[None])
            log_p = self.model.space.rule.log_options(choices, theta)
            for index in self.mine[self.fitted.people[person]]:
                play, member = self.plays[index], choices.member[[int(which[index])]]
                npcs = appraiser.trials[play.trial].npcs
                ids = ["act", *(npc.id for npc in npcs)]
                for number, choice in enumerate(member.indices.tolist(), start=1):
                    place, chosen = choices.place[choice], int(choices.chosen[choice])
                    values = choices.values[place, : len(ids)]
                    yield {
                        **self.common(person),
                        "level": play.level,
                        "position": play.position,
                        "number": number,
                        "options": int(choices.options[place]),
                        "choice": ids[chosen],
                        "forced": False,
                        "p": float(np.exp(log_p[place, chosen])),
                        "log_p": float(log_p[place, chosen]),
                        "p_watch": float(-np.expm1(min(log_p[place, 0], 0.0))),
                        "best": ids[int(np.argmax(values))],
                        **{
                            f"value_{name}": value if np.isfinite(value) else np.nan
                            for name, value in zip(ids, values.tolist(), strict=True)
                        },
                        "late": play.late,
                    }
                if choices.forced[which[index]]:  # all NPCs had arrived
                    yield {
                        **self.common(person),
                        "level": play.level,
                        "position": play.position,
                        "number": len(play.watched) + 1,
                        "options": 1,
                        "choice": "act",
                        "forced": True,
                        "p": 1.0,
                        "log_p": 0.0,
                        "p_watch": 0.0,
                        "best": "act",
                        "late": play.late,
                    }

    def trial_rows(self) -> Iterator[Row]:
        """A row for each trial of each participant: what left-out trials are compared by."""
        for person, fit in enumerate(self.fitted.fits):
            mine = self.mine[self.fitted.people[person]]
            for index, log_p in zip(mine, fit.cv.tolist(), strict=True):
                play = self.plays[index]
                yield {
                    **self.common(person),
                    "level": play.level,
                    "position": play.position,
                    "log_p": float(self.log_p[index]),
                    "cv": log_p,
                }

    def predictive(self) -> Iterator[Row]:
        """A row for each level, NPC and statistic: what was watched, and what is predicted."""
        thetas = [self.model.space.natural(fit.draws) for fit in self.fitted.fits]
        who = {name: person for person, name in enumerate(self.fitted.people)}
        played = [(play, who[play.participant]) for play in self.plays]
        for row in predictive_rows(played, thetas, self.fitted, self.appraised):
            yield {"observer": self.model.observer.name, "rule": self.model.rule, **row}

    def profile(self) -> Iterator[Row]:
        """A row for each setting of a grid: the greatest log likelihood, over all people."""
        if not self.model.varied:
            return
        for setting, values in zip(self.model.settings, self.fitted.profile, strict=True):
            yield {
                "observer": self.model.observer.name,
                "rule": self.model.rule,
                **{name: getattr(setting, name) for name in self.model.varied},
                "participants": len(values),
                "log_likelihood": float(values.sum()),
                "best_of": int((values >= self.fitted.profile.max(axis=0) - 1e-9).sum()),
            }


def aicc(log_likelihood: float, k: int, n: int) -> float:
    """Akaike's criterion corrected for few data; nan where there are too few.

    >>> round(aicc(-8.6886235614, 2, 14), 6)
    22.468156
    """
    return 2 * k - 2 * log_likelihood + 2 * k * (k + 1) / (n - k - 1) if n > k + 1 else np.nan
