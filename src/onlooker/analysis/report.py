"""The report of a reproduction: a page that a person enjoys reading."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from onlooker.analysis import html
from onlooker.analysis.argument.behaviour_page import contrast_parts, hedging_parts, whom_parts
from onlooker.analysis.argument.calibration_page import calibration_parts
from onlooker.analysis.argument.verdict_page import verdict_parts
from onlooker.analysis.comparison import Comparison
from onlooker.analysis.report_individual import individual_parts
from onlooker.analysis.scopes import POOLED, Scope
from onlooker.analysis.supplement import interface_parts, sheet_parts
from onlooker.analysis.words import number
from onlooker.experiments.regret import summaries
from onlooker.experiments.variants import Variant
from onlooker.support.rounding import rounded

if TYPE_CHECKING:
    from onlooker.analysis.reproduction import Reproduction

SCOPE = tuple(Scope().columns())  # the columns that say which part of the data a row is of
SECTIONS = (
    ("verdict", "Verdict"),
    ("headline", "Fit"),
    ("whom", "Whom"),
    ("figures", "Figures"),
    ("tradeoff", "Watching and acting"),
    ("calibration", "Calibration"),
    ("regret", "Regret"),
    ("people", "Participants"),
    ("readings", "Readings of the paper"),
    ("individual", "Single people"),
    ("sensitivity", "Sensitivity"),
    ("set-up", "Stimuli and parameters"),
    ("interface", "The interface"),
    ("provenance", "Provenance"),
)

CEILINGS = {  # lines below the fits
    "reliability r_SB": "reliability",
    "ceiling √r_SB": "ceiling",
    "paper's r_SB": "paper_reliability",
    "ceiling from the paper's r_SB": "paper_ceiling",
}


def report(done: Reproduction, pictures: Path) -> str:
    """The page; `pictures` is the folder with the figures."""
    body = [
        html.opening(done.title, done.lead),
        *_banner(done),
        _contents(),
        html.section("verdict", "What holds", verdict_parts(done.argument.verdicts)),
        html.section("headline", "How well the observers fit", _headline(done)),
        html.section("whom", "Whom to watch", _whom(done)),
        html.section("figures", "Figures", _pictures(done, pictures)),
        html.section("tradeoff", "Watching and acting", _tradeoff(done.comparison)),
        html.section("calibration", "What the model misses", _calibration(done, pictures)),
        html.section("regret", "How close to the best", _regret(done, pictures)),
        html.section("people", "Participants", _people(done.comparison)),
        html.section("readings", "Readings of the paper", _readings(done)),
        html.section("individual", "Single people", individual_parts(done, pictures)),
        html.section("sensitivity", "What the parameters change", _sensitivity(done, pictures)),
        html.section("set-up", "Stimuli and parameters", _setup(done)),
        html.section("interface", "The interface", interface_parts()),
        html.section("provenance", "Provenance", _provenance(done)),
    ]
    return html.page(done.title, body)


def interval(row: dict[str, Any], name: str) -> str:
    """A value with its confidence interval."""
    value = number(row[name])
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    if not value or low is None or pd.isna(low):
        return value
    return f"{value} [{number(low)}, {number(high)}]"


def _banner(done: Reproduction) -> Iterator[str]:
    if done.comparison.data == "simulated":
        yield (
            '<div class="banner">Simulated participants. Everything below that compares models with'
            " participants is a check of the machinery, not evidence about people, and does not"
            " stand beside the paper's values.</div>"
        )


def _contents() -> str:
    links = " ".join(f'<a href="#{anchor}">{title}</a>' for anchor, title in SECTIONS)
    return f"<nav>{links}</nav>"


def _experiment(row: Mapping[str, Any]) -> str:
    return "Pooled" if row["experiment"] == POOLED else f"Exp. {row['experiment']}"


def _who(row: Mapping[str, Any]) -> str:
    npcs = row["npc"] or row["role"]
    return f"{_experiment(row)}, {npcs}" if npcs else _experiment(row)


def _scope(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in SCOPE)


def _headline(done: Reproduction) -> Iterator[str]:
    comparison = done.comparison
    rows = _records(comparison.fits[comparison.fits["measure"] == "observed"])
    people = _people_word(comparison)
    with_paper = "paper_r" in comparison.fits.columns
    beside = " In brackets, the value that the paper reports." if with_paper else ""
    yield html.paragraph(
        f"Observation steps: the mean of {people} on each trial and NPC against what each observer"
        f" does. Each cell is Pearson's r.{beside} Below, the split-half reliability r_SB of the"
        " data, and the ceiling √r_SB: no model's r with the means can be expected above it."
    )
    titles = comparison.titles()
    yield _matrix(rows, titles, with_paper)
    summary = f"All statistics, with 95 % bootstrap intervals ({comparison.resamples} resamples)"
    yield html.details(summary, _all_fits(rows, titles, with_paper))
    missing = sorted({row["needs"] for row in rows if row.get("needs")})
    yield from (html.paragraph(f"Empty cells need {what}.") for what in missing)
    yield from (html.paragraph(note) for note in comparison.notes)
    yield from contrast_parts(done.argument.contrasts, done.argument.influence, titles)


def _matrix(rows: list[dict[str, Any]], titles: Mapping[str, str], with_paper: bool) -> str:
    """Observers down, experiments and NPCs across; the last line is the ceiling."""
    # Where an experiment has several NPCs, each of them; where roles differ, the roles.
    scopes = list(dict.fromkeys(_scope(row) for row in rows))
    with_npcs = {experiment for experiment, npc, _ in scopes if npc}
    with_roles = {experiment for experiment, _, role in scopes if role}
    shown = [
        (experiment, npc, role)
        for experiment, npc, role in scopes
        if role
        or (npc and experiment not in with_roles)
        or (not npc and experiment not in with_npcs | with_roles)
    ]
    found = {(_scope(row), row["observer"]): row for row in rows}
    heads = [dict(zip(SCOPE, scope, strict=True)) for scope in shown]
    head = ["", *map(_who, heads)]
    lines = []
    for observer in dict.fromkeys(row["observer"] for row in rows):
        line = [titles[observer]]
        for scope in shown:
            row = found.get((scope, observer), {})
            paper = number(row.get("paper_r")) if with_paper else ""
            line.append(number(row.get("r")) + (f" ({paper})" if paper else ""))
        lines.append(line)
    first = {_scope(row): row for row in reversed(rows)}
    for title, name in CEILINGS.items():
        values = [number(first[scope].get(name)) for scope in shown]
        lines += [[title, *values]] if any(values) else []
    return html.table(head, lines)


def _all_fits(rows: list[dict[str, Any]], titles: Mapping[str, str], with_paper: bool) -> str:
    head = ["", "observer", "n", "r", "CCC", "RMSE", "MAE", "mean difference", "r_SB", "√r_SB"]
    head += ["paper's r", "difference"] if with_paper else []
    lines = []
    for row in rows:
        line = [_who(row), titles[row["observer"]], number(row["n"], 0)]
        line += [interval(row, "r"), interval(row, "ccc")]
        names = ("rmse", "mae", "mean_difference", "reliability", "ceiling")
        line += [number(row[name]) for name in names]
        if with_paper:
            line += [interval(row, "paper_r"), number(row["difference_r"])]
        lines.append(line)
    return html.table(head, lines, words=2)


def _pictures(done: Reproduction, pictures: Path) -> Iterator[str]:
    yield html.figure_list()
    for plate in done.plates:
        yield html.picture(pictures / f"{plate.name}.png", plate.title, plate.caption)
    yield from (html.paragraph(words) for words in done.left_out)
    yield html.paragraph(
        "Each figure lies beside this page as SVG and PNG, with the numbers behind every panel as"
        " CSV."
    )


def _tradeoff(comparison: Comparison) -> Iterator[str]:
    yield html.paragraph(
        "The slope of observation cost on execution cost over trials: whether those who spend more"
        " on acting also spend more on watching."
    )
    titles = comparison.titles()
    lines = [
        [
            _experiment(row),
            titles.get(row["who"], row["who"]),
            number(row["n"], 0),
            number(row["slope"], 3),
            f"[{number(row['low'], 3)}, {number(row['high'], 3)}]"
            if not pd.isna(row["low"])
            else "",
            row["needs"] or row["reason"] or "",
        ]
        for row in _records(comparison.slopes)
    ]
    head = ["", "who", "trials", "slope", "95 % interval", ""]
    yield html.table(head, lines, words=2)


def _whom(done: Reproduction) -> Iterator[str]:
    return whom_parts(done.argument.whom, done.comparison.titles(), _people_word(done.comparison))


def _people_word(comparison: Comparison) -> str:
    return "simulated participants" if comparison.data == "simulated" else "people"


def _calibration(done: Reproduction, pictures: Path) -> Iterator[str]:
    yield from hedging_parts(done.argument.hedging, _people_word(done.comparison))
    yield from calibration_parts(done.argument.calibration, done.comparison.resamples)
    plate = done.argument.calibration_plate
    if plate is not None:
        yield html.picture(pictures / f"{plate.name}.png", plate.title, plate.caption)


def _regret(done: Reproduction, pictures: Path) -> Iterator[str]:
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
        [
            Variant(each.observer).title,
            *(_points(each.by_experiment[name]) for name in experiments),
            *(_points(value) for value in (each.regret, each.largest, each.regret_actual)),
        ]
        for each in found
    ]
    head = ["", *(f"Exp. {name}" for name in experiments), "all", "largest", "as it is"]
    yield html.table(head, lines)
    refused = {(row.experiment, row.level): row.reason for row in done.regrets if row.reason}
    if refused:
        shown = "; ".join(list(refused.values())[:10])
        yield html.paragraph(f"Left out, {len(refused)} trials: {shown}.")
    plate = done.regret_plate
    if plate is not None:
        yield html.picture(pictures / f"{plate.name}.png", plate.title, plate.caption)


def _people(comparison: Comparison) -> Iterator[str]:
    rows = _records(comparison.sample)
    filled = comparison.sample.dropna(axis=1, how="all").columns
    keys = [str(key) for key in filled if key not in ("data", "needs")]
    lines = [[_cell(row[key]) for key in keys] for row in rows]
    yield html.table([key.replace("_", " ") for key in keys], lines, words=1)
    missing = sorted({row["needs"] for row in rows if row.get("needs")})
    yield from (html.paragraph(f"What is missing here needs {what}.") for what in missing)
    excluded = _records(comparison.exclusions)
    if excluded:
        yield html.paragraph(
            "Excluded: participants whose unspent points over the scored trials fell below the"
            " first quartile by more than 1.5 interquartile ranges, and those who did not finish."
        )
        keys = [key for key in excluded[0] if key != "data"]
        yield html.table(keys, [[_cell(row[key]) for key in keys] for row in excluded], words=1)
    reliability = [row for row in _records(comparison.reliability) if row["measure"] == "observed"]
    if reliability and not all(pd.isna(row["reliability"]) for row in reliability):
        yield html.paragraph("Split-half reliability of observation steps, Spearman–Brown:")
        yield html.table(
            ["", "reliability", "splits"],
            [
                [_who(row), number(row["reliability"]), number(row["splits"], 0)]
                for row in reliability
            ],
        )


def _readings(done: Reproduction) -> Iterator[str]:
    yield html.paragraph(
        "Where the paper leaves a step open, an option changes it. Each was run again: how many of"
        " an observer's counts differ from those above, and what r over all trials becomes."
    )
    lines = [
        [
            row["option"],
            Variant(row["observer"]).title,
            row["meaning"],
            f"{row['differ']} of {row['predictions']}",
            number(row["r_default"], 3),
            number(row["r_option"], 3),
        ]
        for row in _records(done.readings)
    ]
    head = ["option", "observer", "what it changes", "counts that differ", "r", "r with it"]
    yield html.table(head, lines, words=3)


def _sensitivity(done: Reproduction, pictures: Path) -> Iterator[str]:
    if done.sensitivity is None:
        yield html.paragraph(f"Left out: {done.without_sensitivity or 'it was not asked for'}.")
        return
    from onlooker.analysis.sensitivity.page import sensitivity_parts

    for plate in done.sensitivity_plates:
        yield html.picture(pictures / f"{plate.name}.png", plate.title, plate.caption)
    yield from sensitivity_parts(done.sensitivity)


def _setup(done: Reproduction) -> Iterator[str]:
    for rows, words in ((done.inventory, 1), (done.parameters, 2)):
        head, *lines = rows
        yield html.table(head, lines, words)
    yield from sheet_parts(done.sheets)


def _provenance(done: Reproduction) -> Iterator[str]:
    origin = done.provenance
    inputs = origin["inputs"]
    yield html.facts(
        [
            ("onlooker", str(origin["onlooker"])),
            (
                "git",
                (origin["git_sha"] or "not a checkout") + " (changed)" * bool(origin["git_dirty"]),
            ),
            ("seed", str(origin["seed"])),
            ("configuration", f"sha256 {origin['config_sha256']}"),
            ("Python", origin["python"]),
            ("packages", ", ".join(f"{k} {v}" for k, v in origin["packages"].items())),
            ("inputs", f"{len(inputs)} files, listed in provenance.json" if inputs else "bundled"),
            ("made", origin["created"]),
        ]
    )
    yield html.preformatted(json.dumps(origin["config"], indent=2, ensure_ascii=False))


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return frame.to_dict("records")  # type: ignore[return-value]


def _points(value: float | None) -> str:
    return "" if value is None else rounded(value, 2).replace("-", "−")


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return number(value, 0 if value == int(value) else 1) if not pd.isna(value) else ""
    return "" if value is None else str(value)
