"""Figures of fits: single people and groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from onlooker.analysis.data.words import Source
from onlooker.analysis.figures import canvas
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import PEOPLE, TEXT, WIDTH, observer_styles, shorts, titles
from onlooker.drawing.page import text_width, wrap_text
from onlooker.drawing.style import FAINT_INK
from onlooker.experiments.naming import in_order
from onlooker.experiments.tables import experiment_order
from onlooker.fitting.comparing import DECIDED, POOLED, IndividualComparison
from onlooker.fitting.folders import Fits
from onlooker.fitting.recovery import wilson
from onlooker.game import ExperimentName
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.ticker import FuncFormatter

BINS = 10
ROW = 40  # participants side by side
SCALE, BARS, LINE = 0.8, 1.8, 0.14  # inches: a scale's width, bars with a legend, a line of text


def fitting_plates(fits: Fits, compared: IndividualComparison) -> list[Plate]:
    """Every figure that a fit allows."""
    players = bool(fits.about.get("players"))
    source = Source.of(simulated=fits.data == "simulated", players=players)
    found = [*_selection_plates(compared, source), _watching(fits, source), _counts(fits, source)]
    if "profile" in fits.tables:
        found.append(_profile(fits, source))
    if "group" in fits.tables:
        found.append(_groups(fits, source))
    return found


def _selection_plates(compared: IndividualComparison, source: Source) -> Iterator[Plate]:
    selection = compared.tables["selection"]
    attributions = compared.tables["attributions"]
    numbers = in_order(attributions["experiment"])
    observers = list(dict.fromkeys(selection["observer"]))
    yield _evidence(compared.tables["people"], observers, compared, source)
    yield _attributions(attributions, numbers, observers, source)
    yield _frequencies(selection, observers, compared, source)


def _wide(attributions: pd.DataFrame, experiment: ExperimentName, value: str) -> pd.DataFrame:
    here = attributions[attributions["experiment"] == experiment]
    return here.pivot(index="participant", columns="observer", values=value)


def _evidence(
    people: pd.DataFrame, observers: list[str], compared: IndividualComparison, source: Source
) -> Plate:
    """A bar for each person: by how much the best observer leads, in that observer's colour."""
    names, look = titles(observers), observer_styles(observers)
    order = {name: place for place, name in enumerate(observers)}
    ranked = people.assign(place=people["best"].map(order)).sort_values(
        ["experiment", "undecided", "place", "lead"],
        ascending=[True, True, True, False],
        key=experiment_order,
    )
    rows = [
        (experiment, group.iloc[begin : begin + ROW], begin == 0)
        for experiment, group in ranked.groupby("experiment", sort=True)
        for begin in range(0, len(group), ROW)
    ]
    most = max(float(people["lead"].max()), DECIDED) * 1.05
    width = max(len(group) for _, group, _ in rows)
    answers = {
        experiment: wrap_text(answer, WIDTH - SCALE, TEXT, "bold")
        for experiment, answer in compared.answers.items()
    }
    height = BARS + max(text_width(name, TEXT) for name in people["participant"])
    height += LINE * max(map(len, answers.values()))
    with canvas.canvas(len(rows), 1, height, source) as page:
        for ax, (experiment, group, first) in zip(page.flat, rows, strict=True):
            drawn = zip(group["best"], group["lead"], group["undecided"], strict=True)
            for place, (best, lead, undecided) in enumerate(drawn):
                paint = look[best].bar
                if undecided:
                    paint = {"facecolor": "white", "edgecolor": paint["facecolor"], "linewidth": 1}
                ax.bar([place], [lead], width=0.8, **paint)
            ax.axhline(DECIDED, color=FAINT_INK, linewidth=0.8, linestyle=(0, (4, 3)))
            ax.set_xticks(range(len(group)), group["participant"], rotation=90)
            ax.set(xlim=(-0.6, max(width, 8) - 0.4), ylim=(0, most))
            ax.set_ylabel(f"lead over the next best\n({compared.unit})")
            ax.set_title("\n".join(answers[experiment]) if first else "")
        handles: list[Any] = [
            Patch(**look[name].bar, label=names[name])
            for name in observers
            if name in set(people["best"])
        ]
        handles.append(Patch(facecolor="white", edgecolor=FAINT_INK, label="undecided"))
        line: dict[str, Any] = {"color": FAINT_INK, "linestyle": (0, (4, 3))}
        handles.append(Line2D([], [], **line, label=f"decided from {DECIDED:g} up"))
        page.figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 4))
    return Plate(
        "evidence-of-people",
        "Who describes each participant best",
        source.caption(
            f"{'; '.join(compared.answers.values())}. For each participant, by how much the"
            f" {compared.unit} of the best observer is above that of the next. Bars have the"
            " colour of the best observer; those of undecided participants, whose best observer"
            f" leads by less than {DECIDED:g} (broken line), are empty."
        ),
        page.figure,
        {"people": people},
    )


def _attributions(
    attributions: pd.DataFrame, numbers: list[ExperimentName], observers: list[str], source: Source
) -> Plate:
    names, look = titles(observers), observer_styles(observers)
    with canvas.canvas(len(numbers), 1, 1.7, source) as page:
        for ax, experiment in zip(page.flat, numbers, strict=True):
            wide = _wide(attributions, experiment, "z")[observers]
            order = wide.assign(best=wide.to_numpy().argmax(axis=1), most=wide.max(axis=1))
            wide = wide.loc[order.sort_values(["best", "most"], ascending=[True, False]).index]
            below = np.zeros(len(wide))
            for observer in observers:
                paint = look[observer].bar | {"linewidth": 0.2, "label": names[observer]}
                ax.bar(range(len(wide)), wide[observer], 1.0, below, **paint)
                below = below + wide[observer].to_numpy()
            ax.set(xlim=(-0.5, len(wide) - 0.5), ylim=(0, 1), ylabel="probability")
            ax.set_xlabel("participants")
            ax.set_xticks([])
            ax.set_title(f"Experiment {experiment}")
        page.figure.legend(
            *page.flat[0].get_legend_handles_labels(),
            loc="outside lower center",
            ncols=len(observers),
        )
    return Plate(
        "attributions",
        "Whom each participant is taken for",
        source.caption(
            "For each participant, the probability that it follows each observer, given everybody's"
            " data."
        ),
        page.figure,
        {"attributions": attributions},
    )


def _frequencies(
    selection: pd.DataFrame, observers: list[str], compared: IndividualComparison, source: Source
) -> Plate:
    parts = list(dict.fromkeys(selection["experiment"]))
    short, look = shorts(observers), observer_styles(observers)
    equal: dict[str, Any] = {"color": FAINT_INK, "linewidth": 0.8, "linestyle": (0, (4, 3))}
    with canvas.canvas(1, len(parts), 2.5, source) as page:
        for ax, part in zip(page.flat, parts, strict=True):
            rows = selection[selection["experiment"] == part].set_index("observer").loc[observers]
            for index, (observer, row) in enumerate(rows.iterrows()):
                style = look[str(observer)]
                ends = [[row["r"] - row["r_low"]], [row["r_high"] - row["r"]]]
                ax.errorbar([index - 0.12], [row["r"]], ends, capsize=2, **style.point)
                ax.bar([index + 0.18], [row["pxp"]], width=0.25, color=style.colour, alpha=0.45)
            ax.set_xticks(range(len(rows)), [short[name] for name in observers])
            ax.axhline(1 / len(observers), **equal)
            ax.set(ylim=(0, 1.02), ylabel="share or probability" if part == parts[0] else "")
            name = "All" if part == POOLED else f"Exp. {part}"
            ax.set_title(f"{name}: BOR {rows['bor'].iloc[0]:.2f}")
        point: dict[str, Any] = {"color": FAINT_INK, "linestyle": "", "marker": "o"}
        handles: list[Any] = [
            Line2D([], [], **point, label="share of participants (r, 95 % interval)"),
            Patch(color=FAINT_INK, alpha=0.45, label="chance of being the most frequent (PXP)"),
            Line2D([], [], **equal, label="all equally frequent"),
        ]
        page.figure.legend(handles=handles, loc="outside lower center", ncols=3)
    key = ", ".join(f"{short[name]} {title}" for name, title in titles(observers).items())
    return Plate(
        "frequencies",
        "How frequent each observer is",
        source.caption(
            "Points are the expected frequency of each observer among participants, with 95 %"
            " intervals; bars the protected exceedance probability; BOR the probability that all"
            f" are equally frequent ({compared.method}, α0 = {compared.alpha0:g}). The broken line"
            f" is at equal frequencies. {key}."
        ),
        page.figure,
        {"selection": selection},
    )


def _watching(fits: Fits, source: Source) -> Plate:
    """How often people watch, by how much better that is than acting."""
    decisions = fits.tables["decisions"]
    observers = list(dict.fromkeys(decisions["observer"]))
    names, look = titles(observers), observer_styles(observers)
    sources = {}
    with canvas.canvas(1, len(observers), 2.2, source) as page:
        for ax, observer in zip(page.flat, observers, strict=True):
            rows = decisions[(decisions["observer"] == observer) & ~decisions["forced"]]
            worth = rows[[n for n in rows if str(n).startswith("value_") and n != "value_act"]]
            gain = worth.max(axis=1) - rows["value_act"]
            binned = _binned(gain, rows["choice"] != "act", rows["p_watch"])
            style = look[observer]
            ax.plot(binned["gain"], binned["predicted"], color=style.colour, linewidth=1.4)
            ends = [binned["watched"] - binned["low"], binned["high"] - binned["watched"]]
            points = style.point | {"color": PEOPLE, "markersize": 4, "elinewidth": 0.8}
            ax.errorbar(binned["gain"], binned["watched"], ends, **points)
            ax.set(ylim=(-0.03, 1.03), ylabel="P(watch)" if observer == observers[0] else "")
            ax.set_xlabel("watching − acting")
            ax.set_title(names[observer], fontsize=7)
            sources[observer] = binned
    return Plate(
        "watching-by-value",
        "How often people watch, by what it is worth",
        source.caption(
            "Choices in ten bins of equal number, or at each value where there are few, by how much"
            " more watching is worth than acting to each observer. Points: how often people"
            " watched, with 95 % intervals. Line: the fitted probability."
        ),
        page.figure,
        sources,
    )


def _binned(gain: pd.Series, watched: pd.Series, predicted: pd.Series) -> pd.DataFrame:
    gain = gain.round(9)
    if gain.nunique() <= BINS:
        bins = gain
    else:
        order = pd.Series(np.arange(len(gain)), index=gain.sort_values(kind="stable").index)
        bins = (order * BINS // len(gain)).reindex(gain.index)
    rows = []
    for index in bins.groupby(bins).groups.values():
        n, count = len(index), int(watched[index].sum())
        low, high = wilson(count, n)
        rows.append(
            {
                "gain": float(gain[index].mean()),
                "n": n,
                "watched": count / n,
                "low": low,
                "high": high,
                "predicted": float(predicted[index].mean()),
            }
        )
    return pd.DataFrame(rows).sort_values("gain")


def _counts(fits: Fits, source: Source) -> Plate:
    """Mean counts of each level and NPC against what fitted models predict."""
    table = fits.tables["predictive"]
    table = table[table["statistic"] == "steps"]
    observers = list(dict.fromkeys(table["observer"]))
    names, look = titles(observers), observer_styles(observers)
    with canvas.canvas(1, len(observers), 2.2, source) as page:
        most = float(max(table["watched"].max(), table["predicted"].max())) * 1.05 + 0.5
        for ax, observer in zip(page.flat, observers, strict=True):
            rows = table[table["observer"] == observer]
            ax.plot([0, most], [0, most], color=FAINT_INK, linewidth=0.8)
            inside = (rows["low"] <= rows["watched"]) & (rows["watched"] <= rows["high"])
            points = look[observer].point | {"markersize": 3, "alpha": 0.6}
            ax.plot(rows["predicted"], rows["watched"], **points)
            error = np.sqrt(((rows["predicted"] - rows["watched"]) ** 2).mean())
            words = f"RMSE {error:.2f}, {inside.mean():.0%} within"
            ax.set(xlim=(0, most), ylim=(0, most), xlabel="predicted steps")
            ax.set_ylabel("watched steps" if observer == observers[0] else "")
            ax.set_title(f"{names[observer]}\n{words}", fontsize=7)
    return Plate(
        "predicted-counts",
        "What was watched, and what fitted observers would watch",
        source.caption(
            "Each point is an NPC of a level: the mean steps that participants watched, and what"
            " they would watch on average at their fitted parameters. “Within” is the share of"
            " means in the 90 % interval of the prediction."
        ),
        page.figure,
        {"counts": table},
    )


def _profile(fits: Fits, source: Source) -> Plate:
    table = fits.tables["profile"]
    observers = list(dict.fromkeys(table["observer"]))
    known = {"data", "observer", "rule", "participants", "log_likelihood", "best_of"}
    varied = [name for name in table if name not in known]
    names, look = titles(observers), observer_styles(observers)
    with canvas.canvas(1, len(varied), 2.4, source) as page:
        for ax, name in zip(page.flat, varied, strict=True):
            for observer in observers:
                rows = table[table["observer"] == observer]
                best = rows.groupby(name)["log_likelihood"].max()
                line = look[observer].point | {"linestyle": "solid", "markersize": 4}
                values = [_value(value) for value in best.index]
                ax.plot(values, best - best.max(), label=names[observer], **line)
            ax.set(xlabel=str(name), ylabel="log likelihood, less the best")
        page.flat[0].legend()
    return Plate(
        "profile-likelihood",
        "Which settings of the observers fit best",
        source.caption(
            "The greatest log likelihood of all participants together at each setting, all other"
            " parameters fitted to each participant."
        ),
        page.figure,
        {"profile": table},
    )


def _value(value: Any) -> Any:
    return value if isinstance(value, str) else float(value)


def _groups(fits: Fits, source: Source) -> Plate:
    group, people = fits.tables["group"], fits.tables["group_people"]
    means = group[group["quantity"] == "mean"]
    panels: list[Mapping[str, Any]] = means.drop_duplicates(["observer", "parameter"])[
        ["observer", "parameter", "scale"]
    ].to_dict("records")  # type: ignore[assignment]
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    names, numbers = titles(dict.fromkeys(means["observer"])), in_order(means["experiment"])
    with canvas.canvas(rows, columns, 2.0, source) as page:
        for ax in page.flat[len(panels) :]:
            ax.set_axis_off()
        for ax, panel in zip(page.flat, panels, strict=False):
            observer, parameter = panel["observer"], panel["parameter"]
            same = (people["observer"] == observer) & (people["parameter"] == parameter)
            hue = observer_styles([observer])[observer].colour
            for place, experiment in enumerate(numbers):
                mine = people[same & (people["experiment"] == experiment)].sort_values("alone")
                x = place + np.linspace(-0.3, 0.3, len(mine))
                for left, alone, shrunk in zip(x, mine["alone"], mine["estimate"], strict=True):
                    ax.annotate(
                        "",
                        (left, shrunk),
                        (left, alone),
                        arrowprops={"arrowstyle": "-|>", "color": FAINT_INK, "linewidth": 0.4},
                    )
                ax.plot(x, mine["alone"], ".", color=FAINT_INK, markersize=2)
                ax.plot(x, mine["estimate"], ".", color=hue, markersize=3)
                [row] = means[
                    (means["observer"] == observer)
                    & (means["parameter"] == parameter)
                    & (means["experiment"] == experiment)
                ].to_dict("records")
                ax.plot([place - 0.35, place + 0.35], [row["natural"]] * 2, color="black")
            if panel["scale"] == "log":
                ax.set_yscale("log")
                for axis_formatter in (ax.yaxis.set_major_formatter, ax.yaxis.set_minor_formatter):
                    axis_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            ax.set_xticks(range(len(numbers)), [f"Exp. {each}" for each in numbers])
            ax.set(ylabel=parameter + " (log scale)" * (panel["scale"] == "log"))
            ax.set_title(names[observer], fontsize=7)
    return Plate(
        "groups",
        "People alone and as members of their group",
        source.caption(
            "Grey dots: the mode of each participant fitted alone. Coloured dots: the same"
            " participant as a member of its group, towards whose mean (black line) the group draws"
            " it."
        ),
        page.figure,
        {"group": group, "people": people},
    )
