"""Which trials are shown as examples: two of each experiment between which the model differs.

What people did plays no part in the choice, so that examples cannot be picked for a good fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from onlooker.analysis.data.scopes import TRIAL
from onlooker.analysis.data.words import MODEL
from onlooker.analysis.figures.maps import maps_of
from onlooker.analysis.tables.results import Results
from onlooker.experiments.layout import too_alike
from onlooker.game import Trial
from onlooker.observers import GradedMentalizing

COLUMNS = [*TRIAL, "shows", "spread"]
EVEN, LARGEST = "observers apart", "where the observers lie farthest apart"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a contrast: a word for it, and which trials belong to it."""

    word: str
    meaning: str
    sign: int = 0  # of the first NPC's count minus the other's; 0: it is about how long
    least: float | None = None  # the quantile of the counts above 0 that the count is at least
    most: float | None = None  # the quantile that it is at most


SKIP = Side("skip", "the model watches nobody")
SHORT = Side("short", "the model’s count is in the lowest quarter of those above 0", most=0.25)
LONG = Side("long", "the model’s count is in the highest quarter of those above 0", least=0.75)
ONE = Side("one NPC", "the model watches the first NPC most beyond the other", sign=1)
OTHER = Side("the other NPC", "the model watches the other NPC most beyond the first", sign=-1)
NOVICE = Side("novice", "the model watches the novice most beyond the expert", sign=-1)
EXPERT = Side("expert", "the model watches the expert most beyond the novice", sign=1)


def choose_trials(study: Results, trials: Sequence[Trial]) -> pd.DataFrame:
    """Two trials of each experiment between which Rational Mentalizing differs, a row each.

    With one NPC and one chest it is a trial that the model skips against one that it watches
    shortly; with one NPC and several chests, short against long; with two NPCs, one against the
    other; with an expert and a novice, novice against expert. Among the trials of a side with one
    NPC, the one is taken where the observers lie farthest apart (`spreads`); with two NPCs, where
    the model's counts for them do. Equals are told apart by the spread, then by name. Only complete
    trials count: their map is given, every observer of the experiment predicts them, and people's
    mean is known for every NPC. The two maps must not be too similar. Where the model has no
    trial on a side, the one of the largest spread is taken.
    """
    known, ranked = maps_of(trials), _ranked(study)
    chosen: list[dict[str, object]] = []
    for number in study.experiments:
        rows = ranked[ranked["experiment"] == number]
        rows = rows[[key in known for key in rows[TRIAL].itertuples(index=False, name=None)]]
        taken: list[Trial] = []
        for side in sides(known[number, level] for level in rows["level"]) if len(rows) else ():
            for word, part in ((side.word, _on(side, rows)), (EVEN, rows)):
                free = [
                    row
                    for row in part.to_dict("records")
                    if not any(too_alike(known[number, row["level"]].map, t.map) for t in taken)
                ]
                if free:
                    taken.append(known[number, free[0]["level"]])
                    chosen.append({str(k): v for k, v in free[0].items()} | {"shows": word})
                    break
    return pd.DataFrame(chosen, columns=COLUMNS)


def sides(trials: Iterable[Trial]) -> tuple[Side, Side]:
    """The contrast that an experiment with such trials is about."""
    every = list(trials)
    if any(len(trial.npcs) > 1 for trial in every):
        roles = {npc.expertise for trial in every for npc in trial.npcs}
        return (NOVICE, EXPERT) if len(roles) > 1 else (ONE, OTHER)
    return (SHORT, LONG) if any(len(t.map.chests) > 1 for t in every) else (SKIP, SHORT)


def rule_words(shown: Sequence[str]) -> str:
    """The rule by which trials with such words were chosen, as a sentence."""
    every = {side.word: side for side in (SKIP, SHORT, LONG, ONE, OTHER, NOVICE, EXPERT)}
    parts = [f"“{word}”: {every[word].meaning}" for word in dict.fromkeys(shown) if word in every]
    with_sign = any(word in every and every[word].sign for word in shown)
    among = "" if with_sign else f", each {LARGEST}"
    rest = f" “{EVEN}” is the trial {LARGEST}." if EVEN in shown else ""
    return (
        f"Chosen by a rule that does not look at people: {'; '.join(parts)}{among}; two maps that"
        f" are not similar.{rest}"
    )


def _on(side: Side, rows: pd.DataFrame) -> pd.DataFrame:
    """The trials of a side, the best example first; rows are in the order of their spread."""
    if side.sign:
        there = rows[side.sign * rows["gap"] > 0]
        return there.sort_values("gap", ascending=side.sign < 0, kind="stable")
    counts, watched = rows["count"], rows.loc[rows["count"] > 0, "count"]
    if side.least is not None:
        return rows[counts >= watched.quantile(side.least)]
    if side.most is not None:
        return rows[(counts > 0) & (counts <= watched.quantile(side.most))]
    return rows[counts == 0]


def _ranked(study: Results) -> pd.DataFrame:
    """The complete trials with the model's count and gap, those of the largest spread first."""
    mine = study.pairs[study.pairs["observer"] == MODEL]
    ordered = mine.sort_values([*TRIAL, "expertise", "agent"], kind="stable")
    groups = ordered.groupby(TRIAL)["model_observed"]
    table = groups.sum().rename("count").to_frame()
    table["gap"] = (groups.first() - groups.last()).where(groups.size() > 1, 0)
    found = spreads(study).merge(table.reset_index(), on=TRIAL)
    return found.sort_values(["spread", "level"], ascending=[False, True])


def spreads(study: Results) -> pd.DataFrame:
    """How far the observers' predictions lie apart, for each complete trial.

    It is the standard deviation (1/n) of the predicted observation steps, summed over the NPCs.
    """
    pairs = study.pairs
    pairs = pairs[pairs["observer"] != GradedMentalizing.name]  # by the paper's observers alone
    observers = pairs.groupby("experiment")["observer"].transform("nunique")
    there = pairs.groupby(TRIAL)["observer"].transform("nunique")
    gaps = pairs["human_observed"].isna().groupby([pairs[name] for name in TRIAL]).transform("any")
    complete = pairs[(there == observers) & ~gaps]
    of_npc = complete.groupby([*TRIAL, "agent"])["model_observed"].std(ddof=0)
    return of_npc.groupby(level=TRIAL).sum().rename("spread").reset_index()
