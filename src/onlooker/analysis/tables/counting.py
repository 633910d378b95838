"""People as the paper counts them beside our rules, for data that has both: an imported archive.

The paper counts rows of logs: looks of all times that a level was begun divided by how often it
was, all keys, looks and interactions as steps, and the points that the log says were left, by which
it excludes. Our rules count what the replay on the game comes to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.human import KEY
from onlooker.analysis.data.words import MODEL
from onlooker.experiments.exclusion import exclude
from onlooker.support.arrays import pearson

NAMES = {
    "kept": "people kept",
    "looks": "looks at an NPC",
    "steps": "steps in a trial",
    "score": "points left in all trials",
    "r": "r of Rational Mentalizing with mean looks",
}
LOGGED = {  # by table, what an import has beside our own counts
    "participants": ("logged_score", "logged_excluded"),
    "trials": ("logged_steps",),
    "observations": ("logged_looks",),
}


def counting(tables: Mapping[str, pd.DataFrame], predictions: pd.DataFrame) -> pd.DataFrame:
    """Experiment × what is counted: ours, the paper's, and in how many cases the two differ.

    Empty if the data has no counts of the paper's.
    """
    columns = ["experiment", "what", "ours", "paper", "differ", "of"]
    if any(name not in tables[table] for table, names in LOGGED.items() for name in names):
        return pd.DataFrame(columns=columns)
    rows = [
        {"experiment": number, **row}
        for number in sorted(set(tables["participants"]["experiment"]), key=str)
        for row in _experiment(
            {name: table[table["experiment"] == number] for name, table in tables.items()},
            predictions[predictions["observer"] == MODEL],
        )
    ]
    return pd.DataFrame(rows, columns=columns)


def _experiment(
    tables: Mapping[str, pd.DataFrame], predictions: pd.DataFrame
) -> Iterator[dict[str, Any]]:
    people, trials = tables["participants"], tables["trials"]
    trials = trials[~trials["tutorial"]]
    ours = set(exclude(people, trials).kept["participant"])
    paper = set(people.loc[~people["logged_excluded"].astype(bool), "participant"])

    def row(what: str, both: Iterable[float], differ: int, of: int) -> dict[str, Any]:
        mine, theirs = both
        return {"what": what, "ours": mine, "paper": theirs, "differ": differ, "of": of}

    yield row("kept", (len(ours), len(paper)), len(ours ^ paper), len(people))
    watched = tables["observations"]
    watched = watched.merge(trials[["participant", "level"]], on=["participant", "level"])
    unlike = int((watched["observed"] != watched["logged_looks"]).sum())
    looks = (
        watched.loc[watched["participant"].isin(who), name]
        for who, name in ((ours, "observed"), (paper, "logged_looks"))
    )
    yield row("looks", (float(each.mean()) for each in looks), unlike, len(watched))
    steps = trials["observed"] + trials["moves"] + trials["interactions"]
    means = (
        float(each[trials["participant"].isin(who)].mean())
        for who, each in ((ours, steps), (paper, trials["logged_steps"]))
    )
    yield row("steps", means, int((steps != trials["logged_steps"]).sum()), len(trials))
    score = trials.groupby("participant")["unspent"].sum()
    logged = people.set_index("participant")["logged_score"].astype(float)
    both = pd.DataFrame({"ours": score, "paper": logged}).dropna()
    means = (
        float(both.loc[both.index.isin(who), name].mean())
        for who, name in ((ours, "ours"), (paper, "paper"))
    )
    yield row("score", means, int((both["ours"] != both["paper"]).sum()), len(both))
    fits = (
        _r(watched[watched["participant"].isin(who)], name, predictions)
        for who, name in ((ours, "observed"), (paper, "logged_looks"))
    )
    cells = watched.groupby(KEY)[["observed", "logged_looks"]].mean()
    apart = int((cells["observed"] != cells["logged_looks"]).sum())
    yield row("r", fits, apart, len(cells))


def _r(watched: pd.DataFrame, name: str, predictions: pd.DataFrame) -> float:
    """r of the model's looks with people's means."""
    means = watched.groupby(KEY)[name].mean().rename("people").reset_index()
    both = means.merge(predictions[[*KEY, "observed"]], on=KEY)
    return float(pearson(both["observed"], both["people"])) if len(both) > 2 else np.nan
