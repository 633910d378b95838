"""Figures of what fits can find out: recovered parameters and observers, and power."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from onlooker.analysis.data.words import Source
from onlooker.analysis.figures import canvas
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import SMALL, number, observer_styles, shorts, titles
from onlooker.drawing.page import ArtistStyle
from onlooker.drawing.style import FAINT_INK
from onlooker.experiments.naming import in_order, slug
from onlooker.game import ExperimentName

SIMULATED = Source.SIMULATED
SCALES = {"log": "log {}", "logit": "log odds of {}", "plain": "{}"}


def recovery_plates(tables: Mapping[str, pd.DataFrame]) -> list[Plate]:
    """A plate of true against estimated parameters for each experiment, errors, and confusion."""
    found = []
    recovery, summary = tables["recovery"], tables["recovery-summary"]
    for experiment in in_order(recovery["experiment"]):
        rows = recovery[recovery["experiment"] == experiment]
        about = summary[summary["experiment"] == experiment]
        found.append(_scatter(experiment, rows, about))
        if any(str(name).startswith("error_r_") for name in summary):
            found.append(_errors(experiment, about))
        if "confusion" in tables:
            confusion = tables["confusion"]
            found.append(_confusion(experiment, confusion[confusion["experiment"] == experiment]))
    return found


def _scatter(experiment: ExperimentName, rows: pd.DataFrame, summary: pd.DataFrame) -> Plate:
    observers = list(dict.fromkeys(rows["observer"]))
    names, look = titles(observers), observer_styles(observers)
    most = max(rows[rows["observer"] == name]["parameter"].nunique() for name in observers)
    with canvas.canvas(len(observers), most, 2.1, SIMULATED) as page:
        for line, observer in zip(page.panels, observers, strict=True):
            mine = rows[rows["observer"] == observer]
            parameters = list(dict.fromkeys(mine["parameter"]))
            for ax in line[len(parameters) :]:
                ax.set_axis_off()
            for ax, parameter in zip(line, parameters, strict=False):
                each = mine[mine["parameter"] == parameter]
                [about] = summary[
                    (summary["observer"] == observer) & (summary["parameter"] == parameter)
                ].to_dict("records")
                least = each["true"].min()
                ax.axline((least, least), slope=1, color=FAINT_INK, linewidth=0.8, zorder=0)
                points = look[observer].point | {"markersize": 3, "alpha": 0.5}
                ax.plot(each["true"], each["estimate"], **points)
                name = SCALES[str(about["scale"])].format(parameter)
                ax.set(xlabel=f"true {name}", ylabel="estimate")
                ax.set_title(names[observer] if parameter == parameters[0] else "")
                words = f"r = {number(about['r'])}, slope {number(about['slope'])}"
                ax.set_title(words, loc="right", fontsize=SMALL, fontweight="normal")
    caption = (
        f"Experiment {experiment}: people made by each observer with parameters drawn from the"
        f" prior, {rows['trials'].iloc[0]} trials each. Each point is a person: the true value and"
        " the mode of its posterior. The line is where both are the same."
    )
    return Plate(
        f"recovery-{slug(experiment)}",
        f"Are parameters recovered? Experiment {experiment}",
        SIMULATED.caption(caption),
        page.figure,
        {"people": rows, "summary": summary},
    )


def _errors(experiment: ExperimentName, summary: pd.DataFrame) -> Plate:
    observers = list(dict.fromkeys(summary["observer"]))
    names = titles(observers)
    several = [o for o in observers if (summary["observer"] == o).sum() > 1]
    with canvas.canvas(1, max(1, len(several)), 2.2, SIMULATED) as page:
        for ax, observer in zip(page.flat, several, strict=False):
            rows = summary[summary["observer"] == observer].set_index("parameter")
            parameters = list(rows.index)
            matrix = np.array(
                [
                    [1.0 if a == b else rows.loc[a, f"error_r_{b}"] for b in parameters]
                    for a in parameters
                ],
                dtype=float,
            )
            canvas.heat(ax, matrix, parameters, parameters, -1, "RdBu_r")
            ax.set_title(names[observer])
    return Plate(
        f"recovery-errors-{slug(experiment)}",
        f"Do errors of estimates go together? Experiment {experiment}",
        SIMULATED.caption(
            "Correlations between the errors of estimates, over people. Far from 0, one parameter"
            " takes the place of another."
        ),
        page.figure,
        {"errors": summary},
    )


def _confusion(experiment: ExperimentName, table: pd.DataFrame) -> Plate:
    criteria = list(dict.fromkeys(table["criterion"]))
    observers = list(dict.fromkeys(table["simulated"]))
    short = shorts(observers)
    names = [short[name] for name in observers]
    with canvas.canvas(2, len(criteria), 2.1, SIMULATED) as page:
        for column, criterion in enumerate(criteria):
            rows = table[table["criterion"] == criterion]
            for line, value in enumerate(("share", "inversion")):
                wide = rows.pivot(index="simulated", columns="fitted", values=value)
                ax = page.panels[line][column]
                canvas.heat(
                    ax, wide.loc[observers, observers].to_numpy(float), names, names, 0, "Blues"
                )
                ax.set_title(criterion if not line else "")
                ax.set_xlabel("fitted")
            page.panels[0][column].set_ylabel("made by\n(rows sum to 1)" if not column else "")
            page.panels[1][column].set_ylabel("made by\n(columns sum to 1)" if not column else "")
    key = ", ".join(f"{short[name]} {title}" for name, title in titles(observers).items())
    return Plate(
        f"confusion-{slug(experiment)}",
        f"Are observers recognised? Experiment {experiment}",
        SIMULATED.caption(
            "Above, how often people made by an observer (rows) are best fitted by each (columns)."
            " Below, how likely people who are best fitted by an observer (columns) were made by"
            f" each. By each criterion: {', '.join(criteria)}. {key}."
        ),
        page.figure,
        {"confusion": table},
    )


def power_plate(table: pd.DataFrame) -> Plate:
    """The share of studies that find the right observer, by participants and trials."""
    experiments = in_order(table["experiment"])
    lengths = sorted(set(table["trials"]))
    observers = list(dict.fromkeys(table["observer"]))
    styles, names = observer_styles(observers), titles(observers)
    mark = ArtistStyle(linestyle="solid", markersize=4)
    looks = {observer: styles[observer].point | mark for observer in observers}
    legend = {names[observer]: look for observer, look in looks.items()}
    with canvas.canvas(len(experiments), len(lengths), 2.0, SIMULATED, legend=legend) as page:
        for line, experiment in zip(page.panels, experiments, strict=True):
            for ax, length in zip(line, lengths, strict=True):
                here = table[(table["experiment"] == experiment) & (table["trials"] == length)]
                ax.axhline(0.8, color=FAINT_INK, linewidth=0.8, linestyle=(0, (4, 3)))
                for observer, look in looks.items():
                    rows = here[here["observer"] == observer]
                    canvas.line_band(ax, rows, look, "participants", "share")
                ax.set_xscale("log")
                sizes = sorted(set(here["participants"]))
                ax.set_xticks(sizes, [str(size) for size in sizes])
                ax.minorticks_off()
                ax.set(ylim=(-0.03, 1.03), xlabel="participants (log scale)")
                ax.set_ylabel("studies that find it")
                ax.set_title(f"Exp. {experiment}, {length} trials each")
    return Plate(
        "power",
        "How many participants and trials a study needs",
        SIMULATED.caption(
            "The share of simulated studies in which random-effects selection gives the observer"
            " that made all participants a protected exceedance probability above .95. Bands are"
            " Wilson's 95 % intervals; the broken line is at 80 %."
        ),
        page.figure,
        {"power": table},
    )
