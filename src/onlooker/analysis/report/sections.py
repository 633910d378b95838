"""What the sections of the report and of its supplement say, from the tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.human import NEEDS_PARTICIPANTS, PUBLISHED
from onlooker.analysis.data.scopes import Scope
from onlooker.analysis.data.words import number, records
from onlooker.analysis.report import html
from onlooker.analysis.report.writing import (
    DIFFERENCE,
    DIFFERENT_STEPS,
    Cell,
    count,
    experiment,
    interval,
    pooled_first,
    share,
    steps,
    table,
    text,
    value,
    who,
    whole_or,
)
from onlooker.analysis.tables.behaviour import pooled_or_only
from onlooker.analysis.tables.calibration import GRADED, HELD_OUT, LINE, TITLES, Calibration
from onlooker.analysis.tables.comparison import Comparison
from onlooker.analysis.tables.counting import NAMES as COUNTED
from onlooker.analysis.tables.published import OURS, Published
from onlooker.analysis.tables.reliability import DISAGREE
from onlooker.analysis.tables.reversal import SURE, sure
from onlooker.experiments.regret import summaries
from onlooker.experiments.variants import Variant

if TYPE_CHECKING:
    from onlooker.analysis.report.reproduction import Reproduction

ANY_MEETING = Variant("naive_observer", (("meeting", "any"),))
SCOPE = tuple(Scope().columns())  # the columns that say which part of the data a row is of
RELIABILITY = {  # lines below the fits
    "reliability r_SB": "reliability",
    "√r_SB": "ceiling",
    "paper's r_SB": "paper_reliability",
    "√ of the paper's r_SB": "paper_ceiling",
}
MARKED = "✱: the 95 % interval leaves 0 out, which one in twenty does by chance."
MOST_PATTERNS = 3
STATISTICS = {"r": "r", "ccc": "CCC", "rmse": "RMSE"}


# -- people ----------------------------------------------------------------------------------------


def people_parts(done: Reproduction) -> Iterator[str]:
    """How long people watch, who they are, and how well they agree."""
    people, found = done.comparison.people, done.results.people
    whole = records(found)[-1]
    mean, least, most = (number(whole[name], 1, zero=True) for name in ("mean", "least", "most"))
    yield html.finding(
        f"{people[:1].upper()}{people[1:]} watch an NPC for {mean} steps on average, {least} to"
        f" {most} on single trials; in {whole['hardly']} of {whole['n']} means it is less than one"
        " step. What has to be explained is why they watch so much longer on some trials."
    )
    columns: dict[str, tuple[str, Cell]] = {
        "trials": ("trials", count("trials")),
        "means": ("n", count("n")),
        "people a mean": ("people", count("people")),
        "steps watched": ("mean", steps("mean")),
        "SD over trials": ("sd", steps("sd")),
        "least": ("least", steps("least")),
        "most": ("most", steps("most")),
        "below 1 step": ("hardly", count("hardly")),
        "total steps": ("total_steps", steps("total_steps", 1)),
        "total cost": ("cost_total", steps("cost_total", 1)),
    }
    known = {title: cell for title, (name, cell) in columns.items() if found[name].notna().any()}
    yield table(found, {"": experiment, **known})
    yield from _sample_parts(done.comparison)
    yield from counting_parts(done.counting)


def counting_parts(found: pd.DataFrame) -> Iterator[str]:
    """People as the paper counts them beside our rules, where an import has both."""
    if found.empty:
        return
    yield html.heading("As the paper counts, and by our rules")
    yield html.paragraph(
        "The paper counts rows of logs: looks of all times that a level was begun divided by how"
        " often it was, every key, look and interaction as a step, and the points left by the log,"
        " by which it excludes (below Q1 − 1.5 IQR). Our rules count what the replay on the game"
        " comes to, and leave out who did not finish. All other tables are by our rules."
    )

    def cell(name: str) -> Cell:
        return lambda row: number(row[name], 0 if row["what"] == "kept" else 2, zero=True)

    columns: dict[str, Cell] = {
        "": experiment,
        "counted": text("what", COUNTED),
        "by our rules": cell("ours"),
        "as the paper counts": cell("paper"),
        "differ": lambda row: f"{row['differ']} of {row['of']}",
    }
    unlike = found[(found["differ"] > 0) | ~np.isclose(found["ours"], found["paper"])]
    if unlike.empty:
        yield html.paragraph("The two never differ here.")
    else:
        yield table(unlike, columns)


def _sample_parts(comparison: Comparison) -> Iterator[str]:
    """Who took part, who was left out, and how well people agree with people."""
    yield html.heading("Participants")
    said = comparison.sample.replace("", np.nan).dropna(axis=1, how="all")
    said = said.loc[:, (said != 0).any() | (said.columns != "age_known")]
    yield _plain(comparison.sample, [str(key) for key in said if key not in ("data", "needs")])
    missing = sorted({row["needs"] for row in records(comparison.sample) if row.get("needs")})
    yield from (html.paragraph(f"What is missing here needs {what}.") for what in missing)
    excluded = comparison.exclusions
    if len(excluded):
        yield html.paragraph(
            "Excluded: participants whose unspent points over the scored trials fell below the"
            " first quartile by more than 1.5 interquartile ranges, and those who did not finish."
        )
        listed = _plain(excluded, [str(key) for key in excluded if key != "data"])
        yield html.details(f"{len(excluded)} excluded", listed)
    agreed = comparison.reliability
    agreed = agreed[agreed["measure"] == "observed"]
    if agreed["mean_r"].notna().any():
        yield html.heading("How well people agree with people")
        yield html.paragraph("Split-half reliability of observation steps, Spearman–Brown:")
        columns = {
            "": who,
            "r of halves": value("mean_r"),
            "reliability": value("reliability"),
            "splits": count("splits"),
            "why there is none": text("reason"),
        }
        yield table(agreed, columns)


def _plain(frame: pd.DataFrame, keys: list[str]) -> str:
    """The columns of a table under their own names."""

    def cell(key: str) -> Cell:
        def written(row: Mapping[str, Any]) -> str:
            here = row[key]
            if isinstance(here, float):
                return "" if pd.isna(here) else number(here, 0 if here == int(here) else 1)
            return "" if here is None else str(here)

        return written

    return table(frame, {key.replace("_", " "): cell(key) for key in keys})


# -- how well observers fit ------------------------------------------------------------------------


def headline_parts(done: Reproduction) -> Iterator[str]:
    """One table: every observer's r with people in each cell, the paper's and the authors'."""
    comparison, authors = done.comparison, done.results.published
    with_paper = "paper_r" in comparison.fits.columns
    beside = " In brackets, the value that the paper reports." if with_paper else ""
    own = " The authors' counts are those of their own Rational Mentalizing." if authors else ""
    yield html.paragraph(
        f"Observation steps: the mean of {comparison.people} on each trial and NPC against what"
        f" each observer does. Each cell is Pearson's r.{beside}{own} Below, the split-half"
        " reliability r_SB of the data, and √r_SB, which is about what can be expected of r with a"
        " model that is right; by chance r can be above it. There is no r_SB (r < 0) where halves"
        " of the people do not agree."
    )
    if with_paper and any(each.observer == GRADED for each in comparison.variants.values()):
        yield html.paragraph(
            "The parameters of Graded Mentalizing were fitted on the paper's people in Exp. 1 and 2"
            " and stay as they are, so Exp. 3 and 4 are predictions."
        )
    yield _matrix(comparison, authors)


def _matrix(comparison: Comparison, authors: Published | None) -> str:
    """Observers down, experiments and NPCs across; the last lines are the reliability."""
    rows = records(comparison.fits[comparison.fits["measure"] == "observed"])
    # Where an experiment has several NPCs, each of them; where roles differ, the roles.
    scopes = list(dict.fromkeys(map(_scope, rows)))
    with_npcs = {which for which, npc, _ in scopes if npc}
    with_roles = {which for which, _, role in scopes if role}
    shown = [
        (which, npc, role)
        for which, npc, role in scopes
        if role
        or (npc and which not in with_roles)
        or (not npc and which not in with_npcs | with_roles)
    ]
    found = {(_scope(row), row["observer"]): row for row in rows}

    def cell(row: Mapping[str, Any]) -> str:
        paper = number(row.get("paper_r"))
        return number(row.get("r")) + (f" ({paper})" if paper else "")

    lines = [
        [title, *(cell(found.get((scope, label), {})) for scope in shown)]
        for label, title in comparison.titles().items()
    ]
    if authors is not None:
        theirs = {_scope(row): row for row in records(authors.agreement)}
        values = [number(theirs.get(scope, {}).get(f"r_{PUBLISHED}")) for scope in shown]
        lines.insert(1, ["… the authors' counts", *values])
    first = {_scope(row): row for row in reversed(rows)}
    agreed = comparison.reliability
    agreed = agreed[(agreed["measure"] == "observed") & (agreed["reason"] == DISAGREE)]
    unlike = set(map(_scope, records(agreed)))
    for title, name in RELIABILITY.items():
        values = [
            "r < 0" if name == "reliability" and scope in unlike else number(first[scope].get(name))
            for scope in shown
        ]
        lines += [[title, *values]] if any(values) else []
    heads = [who(dict(zip(SCOPE, scope, strict=True))) for scope in shown]
    return html.table(["", *heads], lines)


def _scope(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in SCOPE)


def fit_parts(done: Reproduction) -> Iterator[str]:
    """All statistics of each observer, and whether and when apart."""
    comparison = done.comparison
    yield html.heading("How well the observers fit")
    fits = comparison.fits[comparison.fits["measure"] == "observed"]
    columns: dict[str, Cell] = {
        "": who,
        "observer": text("observer", comparison.titles()),
        "n": count("n"),
        "r": interval("r"),
        "CCC": interval("ccc"),
        "RMSE": value("rmse"),
        "MAE": value("mae"),
        "mean difference": value("mean_difference"),
        "r_SB": value("reliability"),
        "√r_SB": value("ceiling"),
    }
    if "paper_r" in fits:
        columns |= {"paper's r": interval("paper_r"), "difference": value("difference_r")}
    yield html.paragraph(f"95 % bootstrap intervals over maps, {comparison.resamples} resamples.")
    yield table(fits, columns)
    missing = sorted({row["needs"] for row in records(fits) if row.get("needs")})
    yield from (html.paragraph(f"Empty cells need {what}.") for what in missing)
    yield from (html.paragraph(note) for note in comparison.notes)
    yield from _two_readings(comparison, records(fits))
    yield from whether_parts(done.results.whether, comparison)


def _two_readings(comparison: Comparison, rows: list[dict[str, Any]]) -> Iterator[str]:
    """Why the Naive Observer is there twice, if it is."""
    twice = [label for label, variant in comparison.variants.items() if variant == ANY_MEETING]
    if not twice:
        return
    values = {row["observer"]: row for row in rows if _scope(row) == (2, "", "")}
    plain, other = values.get(ANY_MEETING.observer), values.get(twice[0])
    numbers = ""
    if comparison.data == "human" and plain and other and not pd.isna(plain.get("paper_r")):
        numbers = (
            f" In Exp. 2 the paper reports r {number(plain['paper_r'])}; the text's reading gives"
            f" {number(plain['r'])}, the other {number(other['r'])}."
        )
    yield html.paragraph(
        "The Naive Observer is there twice. By the paper's text it watches until an NPC meets a"
        " wizard of the colour it needs, and it does not watch novices. With meeting=any it watches"
        " every NPC until it meets any wizard. The paper's text and its numbers do not quite fit"
        f" one reading, so both are shown.{numbers}"
    )


def whether_parts(found: pd.DataFrame, comparison: Comparison) -> Iterator[str]:
    """Whether people watch when an observer does, and for how long."""
    people = comparison.people
    yield html.heading("Whether and when, apart")
    yield html.paragraph(
        f"Whether: the steps that {people} watch in trials in which an observer watches nobody, and"
        " in the others. When: r over the trials in which it watches at all. A trial counts once,"
        f" with all its NPCs. {MARKED}"
    )
    yield from pooled_first(
        found,
        {
            "": experiment,
            "observer": text("observer", comparison.titles()),
            "trials": count("n"),
            "skipped": count("skips"),
            f"{people} there": steps("people_skip"),
            f"{people}, other trials": steps("people_watch"),
            "difference": DIFFERENT_STEPS,
            "r where it watches": interval("r"),
        },
    )


# -- whom ------------------------------------------------------------------------------------------


def preference_parts(preferences: pd.DataFrame, titles: Mapping[str, str]) -> Iterator[str]:
    """Which of two NPCs the observers watch more."""
    if preferences.empty:
        return
    yield html.heading("Whom the observers watch more")
    yield html.paragraph(
        "In how many trials an observer watches the first NPC more (the expert, where roles"
        " differ), the other, or both equally. It needs no people."
    )
    columns = {
        "": experiment,
        "observer": text("observer", titles),
        "trials": count("n"),
        "the first or expert": count("first"),
        "the other or novice": count("last"),
        "equally": count("alike"),
    }
    yield table(preferences, columns)


def whom_parts(whom: pd.DataFrame, titles: Mapping[str, str], people: str) -> Iterator[str]:
    """Which of two NPCs is watched more."""
    yield html.heading("One NPC or the other")
    if whom.empty:
        yield html.paragraph("Whom people watch needs data of trials with two NPCs (Exp. 3 and 4).")
        return
    yield html.paragraph(
        "The difference between the two NPCs of a trial (in Exp. 4 expert minus novice), observer"
        f" against {people}; and in how many of the trials in which the observer prefers one of"
        f" them {people} prefer the same."
    )
    columns = {
        "": experiment,
        "observer": text("observer", titles),
        "trials": count("n"),
        "r": interval("r"),
        "CCC": interval("ccc"),
        "prefers one": count("prefers"),
        f"{people} agree": share("agree"),
    }
    yield table(whom, columns)
    for row in records(whom.drop_duplicates("experiment")):
        yield html.paragraph(
            f"{experiment(row)}: {people} watch the first NPC (the expert, where roles differ) more"
            f" in {row['people_first']} trials and the other in {row['people_last']}."
        )


def reversal_parts(
    reversal: pd.DataFrame, trials: pd.DataFrame, titles: Mapping[str, str], people: str
) -> Iterator[str]:
    """Whether the preference between expert and novice changes with the map."""
    if reversal.empty:
        return
    yield html.heading("Expert or novice: does the preference reverse?")
    yield html.paragraph(
        f"Steps for which {people} watch the expert minus those for the novice, in the trials in"
        " which an observer watches the one or the other more. An observer foresees the reversal"
        " if the difference is above 0 where it prefers the expert and below 0 where it prefers the"
        f" novice. {MARKED}"
    )
    columns = {
        "": experiment,
        "observer": text("observer", titles),
        "it prefers": text("prefers"),
        "trials": count("n"),
        "expert − novice": interval("people", "{}", mark=True, zero=True),
        "expert more": count("people_expert"),
        "novice more": count("people_novice"),
    }
    yield table(reversal, columns)
    if trials["people_se"].notna().any():
        experts, novices = sure(trials)
        yield html.paragraph(
            f"Single trials: in {experts} of {len(trials)} the expert is watched more by at least"
            f" {SURE:g} standard errors, in {novices} the novice. Each trial is in"
            " tables/reversal-trials.csv."
        )


# -- why the ablations fail ------------------------------------------------------------------------


def ablation_parts(done: Reproduction) -> Iterator[str]:
    """Too much or too little, against each other, and what tells observers apart."""
    titles, found = done.comparison.titles(), done.results
    yield from direction_parts(done.comparison)
    yield from contrast_parts(found.contrasts, found.influence, titles)
    yield from _diagnosis(found.likeness, found.advantage, titles)


def direction_parts(comparison: Comparison) -> Iterator[str]:
    """The mean of what observers do minus what people do."""
    fits = comparison.fits
    fits = fits[(fits["measure"] == "observed") & (fits["npc"] == "") & (fits["role"] == "")]
    yield html.heading("Too much or too little")
    yield html.paragraph(
        f"Steps that each observer watches an NPC minus those of {comparison.people}, on average."
        f" Above 0 it watches too much. {MARKED}"
    )
    titles, cell = comparison.titles(), interval("mean_difference", mark=True, zero=True)
    lines: dict[str, list[str]] = {}
    for row in records(fits):
        lines.setdefault(titles[row["observer"]], []).append(cell(row))
    heads = [experiment(row) for row in records(fits.drop_duplicates("experiment"))]
    yield html.table(["", *heads], [[title, *values] for title, values in lines.items()])


def contrast_parts(
    contrasts: pd.DataFrame, influence: pd.DataFrame, titles: Mapping[str, str]
) -> Iterator[str]:
    """The observers against each other, and what single trials do to their r."""
    if not contrasts.empty:
        yield html.heading("Observers against each other")
        yield html.paragraph(
            "Differences between observers over all trials at hand, each in the same resamples."
            f" Above 0 in r and CCC, and below 0 in RMSE, the first fits better. {MARKED}"
        )
        yield _differences(pooled_or_only(contrasts), "observer", titles)
    if not influence.empty:
        yield html.paragraph("How much of r is one trial's: r without the trial that matters most.")
        columns = {
            "": experiment,
            "observer": text("observer", titles),
            "without": text("trial"),
            "r": value("r"),
            "r without it": value("r_without"),
            "least without any one": value("r_least"),
            "most": value("r_most"),
        }
        yield html.details("Influence of single trials", table(influence, columns))


def _differences(found: pd.DataFrame, first: str, titles: Mapping[str, str]) -> str:
    """Pairs down, statistics across."""
    keys = ["experiment", first, "than"]
    lines: dict[tuple[Any, ...], list[str]] = {}
    for row in records(found):
        lines.setdefault(tuple(row[key] for key in keys), []).append(DIFFERENCE(row))
    rows = [
        dict(zip([*keys, *STATISTICS], [*pair, *values], strict=True))
        for pair, values in lines.items()
    ]
    columns: dict[str, Cell] = {
        "": experiment,
        "first": text(first, titles),
        "second": text("than", titles),
        **{title: text(name) for name, title in STATISTICS.items()},
    }
    return table(pd.DataFrame(rows), columns)


def _diagnosis(
    likeness: pd.DataFrame, advantage: pd.DataFrame, titles: Mapping[str, str]
) -> Iterator[str]:
    """Whether counts tell observers apart better than total costs."""
    if likeness.empty:
        return
    yield html.heading("Do counts tell observers apart better than total cost?")
    yield html.paragraph(
        "r of each observer's predictions with those of Rational Mentalizing over all trials, once"
        " of the steps watched in a trial, once of its total cost. Where r is near 1, correlating"
        f" that measure with people can hardly tell the two apart. It needs no people. {MARKED}"
    )
    labels: dict[str, Cell] = {
        "": experiment,
        "observer": text("observer", titles),
        "trials": count("n"),
    }
    columns = labels | {
        "r, counts": interval("r_counts", "r_{}_counts"),
        "r, total cost": interval("r_total", "r_{}_total"),
        "difference": DIFFERENCE,
    }
    yield table(pooled_or_only(likeness), columns)
    if advantage.empty:
        yield html.paragraph(
            "How much better Rational Mentalizing fits people by either measure needs"
            f" {NEEDS_PARTICIPANTS}."
        )
        return
    yield html.paragraph(
        "How much larger the r of Rational Mentalizing with people is than the observer's: in the"
        " steps watched, in total cost, and the first minus the second. Above 0, counts tell the"
        " two apart better."
    )
    columns = labels | {
        "lead in counts": interval("counts", mark=True),
        "lead in total cost": interval("total", mark=True),
        "difference": DIFFERENCE,
        "its r, total cost": value("r_total"),
    }
    yield table(pooled_or_only(advantage), columns)


# -- what the model misses -------------------------------------------------------------------------


def hedging_parts(hedging: pd.DataFrame, people: str) -> Iterator[str]:
    """What people do where the model watches nobody, and elsewhere."""
    if hedging.empty:
        return
    yield html.heading("Hedging")
    yield html.paragraph(
        f"Steps for which {people} watch an NPC where Rational Mentalizing watches nobody,"
        f" only the other NPC, or this one. {MARKED}"
    )
    columns = {
        "": experiment,
        "the model watches": text("model_watches"),
        "n": count("n"),
        people: steps("people"),
        "model": steps("model"),
        "difference": DIFFERENT_STEPS,
    }
    yield from pooled_first(hedging, columns)


CALIBRATED: dict[str, Cell] = {
    "": experiment,
    "prediction": text("model", TITLES),
    "n": count("n"),
    **{title: interval(name) for name, title in STATISTICS.items()},
    "mean difference": steps("mean_difference"),
}


def short_calibration_parts(found: Calibration) -> Iterator[str]:
    """How a straight line and graded choices fit, over all experiments."""
    if found.left_out:
        return
    yield html.heading("Only a scale, or graded choices?")
    yield html.paragraph(
        "Rational Mentalizing as it is, with a straight line on it, and with graded choices, whose"
        " parameters were fitted on the paper's people in Exp. 1 and 2 and are a prediction in"
        " Exp. 3 and 4."
    )
    yield table(pooled_or_only(found.fits), CALIBRATED)


def calibration_parts(found: Calibration, resamples: int) -> Iterator[str]:
    """What a straight line and graded choices add to the model."""
    yield html.heading("Only a scale, or graded choices?")
    if found.left_out:
        yield html.paragraph(f"Left out: {found.left_out}.")
        return
    yield html.paragraph(
        "The model chooses one way or the other; people hedge. Is the model off by a scale only,"
        " or does it need graded choices? Each prediction of observation steps is compared with"
        " the same means. A straight line cannot change r within an experiment, only agreement"
        " (CCC) and error (RMSE, in steps)."
    )
    fitted = [[TITLES[model], words] for model, words in found.fitted_on.items()]
    yield html.table(["prediction", "fitted on"], fitted)
    yield from pooled_first(found.fits, CALIBRATED)
    yield html.paragraph(
        "Differences, each in the same resamples of maps on both sides. Above 0 in r and CCC,"
        f" and below 0 in RMSE, the first fits better. {MARKED}"
    )
    whole = pooled_or_only(found.differences)
    yield _differences(whole, "model", TITLES)
    single = found.differences.drop(whole.index)
    if not single.empty:
        yield html.details("The same by experiment", _differences(single, "model", TITLES))
    yield html.paragraph(
        f"Intervals: percentile bootstrap over maps, {resamples} resamples, with all fitted"
        " parameters held at their values, so they do not contain the uncertainty of fitting. A"
        " prediction fitted on the data that it is compared with looks better than it is."
    )
    yield html.paragraph(f"Lines: {'; '.join(_lines(found))}.")


def _lines(found: Calibration) -> Iterator[str]:
    rows = records(found.lines)
    whole = [row for row in rows if row["model"] == LINE][:1]
    for row in [*whole, *(row for row in rows if row["model"] == HELD_OUT)]:
        use = "all" if row["model"] == LINE else f"Exp. {row['experiment']}"
        yield (
            f"for {use}, fitted on Exp. {row['fitted_on']}: {number(row['intercept'])} +"
            f" {number(row['slope'])} × the model's steps"
        )


# -- what that costs -------------------------------------------------------------------------------


def tradeoff_parts(comparison: Comparison, slopes: pd.DataFrame) -> Iterator[str]:
    """The slopes of observation cost on execution cost."""
    yield html.heading("Watching and acting")
    yield html.paragraph(
        "The slope of observation cost on execution cost over trials: whether those who spend more"
        f" on acting also spend more on watching. The slope of {comparison.people} is over the"
        " trials that they played, those of observers over all trials."
    )
    columns: dict[str, Cell] = {
        "": experiment,
        "who": text("who", {comparison.data: comparison.people} | comparison.titles()),
        "trials": count("n"),
        "slope": interval("slope", "{}", digits=3),
        "missing": lambda row: f"needs {row['needs']}" if row["needs"] else row["reason"] or "",
    }
    yield from pooled_first(slopes, columns)


def total_parts(comparison: Comparison) -> Iterator[str]:
    """How well total steps and total cost are reproduced."""
    fits = comparison.fits
    yield html.heading("What a trial takes in all")
    found = fits[fits["measure"].isin(["total_steps", "cost_total"]) & fits["rmse"].notna()]
    if found.empty:
        yield html.paragraph(f"People's total steps and costs need {NEEDS_PARTICIPANTS}.")
        return
    yield html.paragraph(
        "Total steps (watched, moved, asked) and total cost of each trial, people against each"
        " observer. A difference below 0 means that the observer takes less than people."
    )
    columns = {
        "": experiment,
        "total": text("measure", {"total_steps": "steps", "cost_total": "cost (points)"}),
        "observer": text("observer", comparison.titles()),
        "r": interval("r"),
        "CCC": value("ccc"),
        "difference": interval("mean_difference", digits=1, zero=True),
    }
    yield from pooled_first(found, columns)


def regret_parts(done: Reproduction) -> Iterator[str]:
    """What each observer pays more than the ideal one."""
    yield html.heading("How close to the best")
    yield html.paragraph(
        "What each observer pays more than the ideal observer, in points a trial. The ideal"
        " observer weighs everything that could be seen and has the least expected cost of all who"
        " know no more and do not watch again once they have acted. Means are over all worlds of a"
        " trial: every goal of every NPC with every assignment of holders. As it is: in the world"
        " that is true."
    )
    found = summaries(done.regrets)
    experiments = list(found[0].by_experiment) if found else []
    lines = [
        [Variant(each.observer).title]
        + [
            number(points, zero=True)
            for points in (
                *(each.by_experiment[name] for name in experiments),
                *(each.regret, each.largest, each.regret_actual),
            )
        ]
        for each in found
    ]
    head = ["", *(f"Exp. {name}" for name in experiments), "all", "largest", "as it is"]
    yield html.table(head, lines)
    refused = {(row.experiment, row.level): row.reason for row in done.regrets if row.reason}
    if refused:
        shown = "; ".join(list(refused.values())[:10])
        yield html.paragraph(f"Left out, {len(refused)} trials: {shown}.")


# -- the authors' own model ------------------------------------------------------------------------


def published_parts(found: Published | None) -> Iterator[str]:
    """Our counts beside those of the authors' own Rational Mentalizing."""
    if found is None:
        yield html.paragraph(
            f"Needs the counts of the authors' own model: a column {PUBLISHED} in the file of"
            " means."
        )
        return
    whole = records(found.whole)[-1]
    yield html.paragraph(
        f"{whole['same']} of {whole['n']} counts are the same as those of the authors' own Rational"
        " Mentalizing, which their file gives beside people's means. Differences are ours minus"
        " theirs, in steps; r and CCC are with people."
    )
    columns: dict[str, Cell] = {
        "": experiment,
        "counts": count("n"),
        "the same": count("same"),
        "within 1": count("within_one"),
        "largest": whole_or("largest"),
        "mean difference": steps("mean_difference"),
    }
    for name, title in (("r", "r"), ("ccc", "CCC")):
        for whose, word in ((OURS, "ours"), (PUBLISHED, "theirs")):
            columns[f"{title}, {word}"] = interval(f"{name}_{whose}", f"{name}_{{}}_{whose}")
    yield table(found.whole, columns)
    differing = found.differing
    if differing.empty:
        return
    ours, theirs = ((differing[name] - differing["people"]).abs() for name in (OURS, PUBLISHED))
    yield html.paragraph(
        f"Of the {len(differing)} that differ, {patterns(found)}. Ours is larger in"
        f" {int((differing[OURS] > differing[PUBLISHED]).sum())}, and people's mean is nearer to"
        f" ours in {int((ours < theirs).sum())} and to theirs in {int((theirs < ours).sum())}."
    )
    columns = {
        "": experiment,
        "trial": text("level"),
        "NPC": text("agent"),
        "ours": whole_or(OURS),
        "theirs": whole_or(PUBLISHED),
        "people": steps("people"),
    }
    yield table(differing, columns)


def patterns(found: Published, most: int = MOST_PATTERNS) -> str:
    """What the counts that differ have in common, the most frequent first."""
    parts = []
    for row in records(found.patterns().head(most)):
        size = f"{whole_or('size')({'size': abs(row['difference'])})} step"
        size += "s" * (abs(row["difference"]) != 1)
        word = "fewer" if row["difference"] < 0 else "more"
        are = "is" if row["n"] == 1 else "are"
        where = f"the {row['expertise']} of {experiment(row)}"
        parts.append(f"{row['n']} {are} {size} {word} on {where}")
    return "; ".join(parts)
