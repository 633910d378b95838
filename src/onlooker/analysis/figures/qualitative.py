"""Single trials: the map with the NPCs' paths, and below it who watched whom for how long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import pandas as pd

from onlooker.analysis.data.human import KEY, NEEDS_PARTICIPANTS
from onlooker.analysis.data.scopes import TRIAL
from onlooker.analysis.figures.example_trials import choose_trials, rule_words
from onlooker.analysis.figures.maps import draw_small_map, maps_of
from onlooker.analysis.figures.plate import MissingFigure, Plate
from onlooker.analysis.figures.style import (
    MARGIN,
    SMALL,
    TEXT,
    WIDTH,
    heading,
    number,
    panel_letter,
    plain_style,
    stamp,
    style_axes,
)
from onlooker.analysis.tables.results import Results
from onlooker.drawing import pieces
from onlooker.drawing.artists import FONT
from onlooker.drawing.page import ArtistStyle, Page, text_width, write
from onlooker.drawing.style import INK, AgentStyle, agent_styles, tint
from onlooker.experiments.inventory import experiment_title
from onlooker.experiments.naming import slug
from onlooker.game import ExperimentName, Trial
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 2
LARGEST = 0.262  # inches: a cell of a map, so that its letters are as large as small text
TALLEST = 3.2  # inches: a map
BARS, LEFT = 1.05, 0.42  # inches: the bars' height, and left of them
PANEL = "people"  # the series that is not an observer's


@dataclass(frozen=True)
class Example:
    """One trial and what is drawn of it."""

    trial: Trial
    bars: pd.DataFrame  # data, experiment, level, agent, expertise, who, observed, se, n
    shows: str  # what it was chosen for


def qualitative_plates(study: Results, trials: Sequence[Trial]) -> list[Plate | MissingFigure]:
    """A plate for each experiment, with the trials that `choose_trials` takes."""
    plates: list[Plate | MissingFigure] = []
    chosen = _chosen(study, trials)
    for experiment in study.experiments:
        name, title = f"examples-{slug(experiment)}", f"Examples from Experiment {experiment}"
        examples = [
            Example(trial, bars_frame(study, experiment, trial.label), shows)
            for trial, shows in chosen
            if trial.experiment == experiment
        ]
        if not examples:
            plates.append(MissingFigure(name, title, "the maps of its trials"))
            continue
        with plain_style():
            figure = _draw(study, experiment, examples)
        sources = {example.trial.label: example.bars for example in examples}
        caption = _caption(study, title, examples)
        plates.append(Plate(name, title, caption, figure, sources))
    return plates


def bars_frame(study: Results, experiment: ExperimentName, level: str) -> pd.DataFrame:
    """How long each NPC of a trial was watched: by people first, then by each observer."""
    names = {"observed": "observed", "se_observed": "se"}
    means = study.human.means.rename(columns=names)
    means = means[(means["experiment"] == experiment) & (means["level"] == level)]
    people = means[[*KEY, "n", "observed", "se"]].assign(who=PANEL)
    pairs = study.pairs[(study.pairs["experiment"] == experiment) & (study.pairs["level"] == level)]
    roles = dict(zip(pairs["agent"], pairs["expertise"], strict=True))
    parts = [people]
    for observer in study.observers:
        mine = pairs[pairs["observer"] == observer].rename(columns={"model_observed": "observed"})
        parts.append(mine[[*KEY, "observed"]].assign(who=observer))
    bars = pd.concat([part for part in parts if len(part)], ignore_index=True)
    bars = bars.assign(data=study.human.source.data, expertise=bars["agent"].map(roles))
    return bars[["data", *KEY, "expertise", "who", "observed", "se", "n"]]


def _chosen(study: Results, trials: Sequence[Trial]) -> list[tuple[Trial, str]]:
    known = maps_of(trials)
    rows = choose_trials(study, trials)[[*TRIAL, "shows"]].itertuples(index=False, name=None)
    return [(known[number, level], shows) for number, level, shows in rows]


def _caption(study: Results, title: str, examples: list[Example]) -> str:
    people = study.human.source.people
    errors = not all(example.bars["se"].isna().all() for example in examples)
    rule = rule_words([example.shows for example in examples])
    names = "; ".join(f"{name.short}, {name.title}" for name in study.observers.values())
    whiskers = (
        "error bars: ± one standard error"
        if errors
        else f"there are no error bars, which need {NEEDS_PARTICIPANTS}"
    )
    return study.human.source.caption(
        f"{title}. Maps: the trial with the path that each NPC takes when it is watched to its"
        f" end; a star marks the holder of an amulet. Bars: steps for which each NPC was watched,"
        f" filled for {people} (mean; {whiskers}), light for the observers ({names}). {rule}"
    )


# -- drawing ---------------------------------------------------------------------------------------


def _draw(study: Results, experiment: ExperimentName, examples: list[Example]) -> Figure:
    rows, width = ceil(len(examples) / COLUMNS), (WIDTH - 2 * MARGIN) / COLUMNS
    maps = [example.trial.map for example in examples]
    cell = min(LARGEST, *((width - 0.3) / map.width for map in maps))
    cell = min(cell, *(TALLEST / map.height for map in maps))
    tallest = cell * (max(map.height for map in maps) + 0.1)
    pitch = 0.3 + tallest + 0.42 + BARS + 0.52
    page = Page(WIDTH, 0.42 + rows * pitch)
    stamp(page, study.human.source.stamp)
    title = experiment_title(experiment)
    heading(page, MARGIN, 0.23, "", title, WIDTH - 2.2)
    every = pd.concat([example.bars for example in examples])
    highest = float((every["observed"] + every["se"].fillna(0)).max())
    for index, example in enumerate(examples):
        row, column = divmod(index, COLUMNS)
        x, y = MARGIN + column * width, 0.42 + row * pitch
        trial = example.trial
        name = f"{example.shows}: {trial.label}"
        heading(page, x, y + 0.17, panel_letter(index), name, width)
        wide, high = cell * (trial.map.width + 0.1), cell * (trial.map.height + 0.1)
        left = x + (width - wide) / 2
        ax = page.axes(left, y + 0.3, wide, high, gid=f"map:{trial.label}")
        draw_small_map(ax, trial)
        _draw_names(page, example.trial, x + LEFT, y + 0.3 + tallest + 0.08)
        place = x + LEFT, y + 0.3 + tallest + 0.42, width - LEFT - 0.15, BARS
        ax = page.axes(*place, gid=f"bars:{example.trial.label}")
        draw_bars(ax, study, example, highest)
    return page.figure


def _draw_names(page: Page, trial: Trial, left: float, top: float) -> None:
    """Which token is which NPC's."""
    size, x = 0.21, left
    ax = page.cells(0, top, page.width, size, size, gid=f"names:{trial.label}")
    for npc in trial.npcs:
        style = agent_styles(trial)[npc.id]
        number = len(trial.npcs) > 1
        place = (x + size / 2) / size, 0.5
        pieces.draw_agent(ax, place, f"name:{npc.id}", style, number=number)
        text = f"{npc.id}, {npc.expertise}, to {npc.goal}"
        write(ax, (x + size + 0.03) / size, 0.5, text, TEXT - 0.4, va="center_baseline")
        x += size + 0.03 + text_width(text, TEXT - 0.4) + 0.15


def draw_bars(ax: Axes, study: Results, example: Example, highest: float) -> None:
    """A group of bars for people and for each observer, a bar for each NPC."""
    bars = example.bars
    people = study.human.source.people.replace(" ", "\n")
    whos = {PANEL: people} | {name: n.short for name, n in study.observers.items()}
    style_axes(ax, 4)
    ax.xaxis.grid(visible=False)
    ax.set(xlim=(-0.6, len(whos) - 0.4), ylim=(0, 1.22 * max(highest, 1.0)))
    ax.set_xticks(range(len(whos)), list(whos.values()))
    ax.tick_params(axis="x", length=0, labelsize=TEXT - 0.4, labelfontfamily=FONT, pad=3)
    below = ArtistStyle(transform=ax.get_xaxis_transform(), va="top")
    write(ax, -0.5, -0.33, _told_below(bars), SMALL, **below)
    for x, who, npc, row in _bar_places(example, list(whos)):
        _draw_bar(ax, x, who == PANEL, npc, row, 0.78 / len(example.trial.npcs))
    ax.set_ylabel("steps watched", fontfamily=FONT, fontsize=SMALL + 0.4, color=INK)


def _told_below(bars: pd.DataFrame) -> str:
    """How many people the means are of, and what there are no standard errors for lack of."""
    people = bars[bars["who"] == PANEL]
    counts = sorted(set(people["n"].dropna().astype(int)))
    text = "n = " + "–".join(str(count) for count in dict.fromkeys([counts[0], counts[-1]]))
    if people["se"].isna().all():
        text += "; standard errors need each participant’s data"
    return text


def _bar_places(
    example: Example, whos: list[str]
) -> Iterator[tuple[float, str, AgentStyle, dict[str, float]]]:
    """Where each bar stands, whose it is, how its NPC looks, and its row."""
    npcs, styles = example.trial.npcs, agent_styles(example.trial)
    step = 0.78 / len(npcs)
    table = example.bars.set_index(["who", "agent"])
    columns = {key: table[key].to_dict() for key in ("observed", "se")}
    for group, who in enumerate(whos):
        for index, npc in enumerate(npcs):
            if (who, npc.id) in table.index:
                x = group + (index - (len(npcs) - 1) / 2) * step
                values = {key: float(columns[key][who, npc.id]) for key in columns}
                yield x, who, styles[npc.id], values


def _draw_bar(
    ax: Axes, x: float, of_people: bool, style: AgentStyle, row: dict[str, float], width: float
) -> None:
    value, error = row["observed"], row["se"]
    fill = style.fill if of_people else tint(style.fill, 0.3)
    gid = f"{ax.get_gid()}:{style.number}:{x:.2f}"
    look = ArtistStyle(facecolor=fill, edgecolor=style.fill, linewidth=0.9, zorder=2)
    ax.bar([x], [value], width=0.9 * width, gid=gid, **look)
    top = value
    if error == error and of_people:
        whisker = ArtistStyle(ecolor=INK, elinewidth=1.0, capsize=2.2, zorder=3)
        ax.errorbar([x], [value], yerr=[error], fmt="none", **whisker)
        top += error
    text = number(value, 0 if value == round(value) else 1)
    offset = 0.02 * ax.get_ylim()[1]
    write(ax, x, top + offset, text, SMALL, ha="center", va="bottom")
