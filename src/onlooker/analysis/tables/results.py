"""Everything that follows from predictions and people's data: each table, when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from onlooker.analysis.data.human import HumanBehaviour
from onlooker.analysis.data.scopes import POOLED, Scope
from onlooker.analysis.data.words import ObserverName, observer_names, records
from onlooker.analysis.tables import behaviour, diagnosis, whether
from onlooker.analysis.tables import calibration as calibrating
from onlooker.analysis.tables import published as publishing
from onlooker.analysis.tables import reversal as reversing
from onlooker.analysis.tables.comparison import TABLES, Comparison, paired
from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.experiments.naming import in_order
from onlooker.experiments.variants import Variant
from onlooker.game import ExperimentName
from onlooker.inference import Parameters


class NeedsError(Exception):
    """What data a number would need."""


@dataclass(frozen=True)
class Results:
    """People beside observers.

    `predictions` are of all trials, also of those that no people of the data at hand played.
    """

    predictions: pd.DataFrame
    human: HumanBehaviour
    comparison: Comparison
    parameters: Parameters = field(default_factory=Parameters)

    def __post_init__(self) -> None:
        ours, theirs = self.comparison.source, self.human.source
        if ours is not theirs:
            data = f"{ours.data!r} data, not of {theirs.data!r} data"
            raise ValueError(f"comparison must be of the same people as human: it is of {data}")

    # -- tables

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A row for each observer, level and NPC, as `paired` gives it."""
        return paired(self.predictions, self.human)

    @cached_property
    def contrasts(self) -> pd.DataFrame:
        """Experiment × two observers × statistic."""
        return behaviour.contrasts(self.comparison, self.pairs)

    @cached_property
    def people(self) -> pd.DataFrame:
        """How long people watch, by experiment."""
        return whether.people_table(self.comparison, self.pairs)

    @cached_property
    def whether(self) -> pd.DataFrame:
        """Whether and how long: experiment × observer."""
        return whether.whether_when(self.comparison, self.pairs)

    @cached_property
    def preferences(self) -> pd.DataFrame:
        """Whom observers watch more: experiment × observer."""
        return reversing.preferences(self.predictions)

    @cached_property
    def npc_preference_agreement(self) -> pd.DataFrame:
        """Whether people watch the same NPC more: experiment × observer."""
        return behaviour.npc_preference_agreement(self.comparison, self.pairs)

    @cached_property
    def reversal(self) -> pd.DataFrame:
        """People's expert minus novice: experiment × observer × whom it prefers."""
        return reversing.reversal(self.comparison, self.pairs)

    @cached_property
    def reversal_trials(self) -> pd.DataFrame:
        """The same in each trial with an expert and a novice."""
        return reversing.reversal_trials(self.pairs, self.human)

    @cached_property
    def hedging(self) -> pd.DataFrame:
        """Experiment × what the model watches."""
        return behaviour.hedging(self.comparison, self.pairs)

    @cached_property
    def influence(self) -> pd.DataFrame:
        """What single trials do to r: experiment × observer."""
        return behaviour.influence(self.comparison, self.pairs)

    @cached_property
    def similarity_to_model(self) -> pd.DataFrame:
        """How like the model observers are, in counts and in total cost: experiment × observer."""
        return diagnosis.similarity_to_model(self.comparison, self.predictions)

    @cached_property
    def advantage(self) -> pd.DataFrame:
        """How much better the model fits, in counts and in total cost: experiment × observer."""
        return diagnosis.advantage(self.comparison, self.pairs)

    @cached_property
    def published(self) -> publishing.Published | None:
        """The agreement with the authors' own counts, where the file has them."""
        return publishing.published(self.comparison, self.pairs, self.human)

    @cached_property
    def calibration(self) -> calibrating.Calibration:
        """What a straight line and graded choices add to the model."""
        return calibrating.calibrate(
            self.predictions, self.human, self.parameters, self.comparison.resampler
        )

    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables that are there, by the names of their files."""
        parts = {name: getattr(self.comparison, name) for name in TABLES}
        parts["pairs"] = self.pairs.drop(columns="variant")
        derived = {
            "contrasts": self.contrasts,
            "people": self.people,
            "whether": self.whether,
            "preferences": self.preferences,
            "whom": self.npc_preference_agreement,
            "reversal": self.reversal,
            "reversal-trials": self.reversal_trials,
            "hedging": self.hedging,
            "influence": self.influence,
            "likeness": self.similarity_to_model,
            "advantage": self.advantage,
            "calibration": self.calibration.fits,
            "calibration-differences": self.calibration.differences,
            "calibration-lines": self.calibration.lines,
        }
        if self.published is not None:
            derived["authors-agreement"] = self.published.agreement
            derived["authors-counts"] = self.published.counts
        return parts | {name: frame for name, frame in derived.items() if not frame.empty}

    # -- single numbers

    @cached_property
    def observers(self) -> dict[str, ObserverName]:
        """The names of the observers, in the order of panels."""
        return observer_names(self.comparison.variants.values())

    @property
    def experiments(self) -> list[ExperimentName]:
        """The experiments that there is data of."""
        return in_order(self.pairs["experiment"])

    @cached_property
    def variants(self) -> dict[str, Variant]:
        """All observers that are predicted, by the labels that the tables have."""
        return dict(zip(self.predictions["observer"], self.predictions["variant"], strict=True))

    def other_reading(self, observer: str) -> str | None:
        """The label of another reading of an observer, if there is one."""
        labels = [n for n, each in self.variants.items() if each.observer == observer]
        return next((label for label in labels if label != observer), None)

    def need_people(self, *numbers: ExperimentName) -> None:
        """Refuse to go on without people of some experiments; of all, if none is named."""
        wanted = numbers or tuple(PAPER_EXPERIMENTS)
        if missing := [each for each in wanted if each not in self.experiments]:
            raise NeedsError(f"people of Exp. {', '.join(map(str, missing))}")

    def fit(self, scope: Scope, observer: str, measure: str = "observed") -> dict[str, Any]:
        """How an observer fits people."""
        self.need_people(*([scope.experiment] if scope.experiment else []))
        fits = self.comparison.fits
        rows = scope.rows(fits[(fits["measure"] == measure) & (fits["observer"] == observer)])
        found = records(rows)
        if not found:
            raise NeedsError(f"predictions of {observer}")
        if found[0]["needs"] and pd.isna(found[0]["rmse"]):
            raise NeedsError(found[0]["needs"])
        return found[0]

    def slope(self, who: str, experiment: int | str) -> dict[str, Any]:
        """The slope of observation cost on execution cost; of an observer, over all its trials."""
        if who == "people":
            self.need_people(*([experiment] if experiment != POOLED else []))
            who = self.comparison.data
        table = self.comparison.slopes
        found = records(table[(table["experiment"] == experiment) & (table["who"] == who)])
        if not found:
            raise NeedsError(f"trials of Exp. {experiment}")
        if found[0]["needs"]:
            raise NeedsError(found[0]["needs"])
        return found[0]
