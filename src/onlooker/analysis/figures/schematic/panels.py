"""The panels of the schematic: hypotheses, what is imagined of them, the comparison."""

from __future__ import annotations

import pandas as pd

from onlooker.analysis.figures.style import MARGIN, SMALL, TEXT, WIDTH, style_axes
from onlooker.drawing.artists import cut
from onlooker.drawing.explain.story import points
from onlooker.drawing.page import ArtistStyle, Page, wrap_text, write
from onlooker.drawing.style import FAINT_INK, GRID, INK, MAIN, PAPER, agent_styles, tint
from onlooker.drawing.words import percent
from onlooker.game import Trial
from onlooker.observers import ACT, OBSERVERS
from onlooker.support.extras import figures_extra

with figures_extra():
    from matplotlib.patches import FancyBboxPatch, Rectangle

Place = tuple[float, float, float, float]  # inches: left, top, width, height

SHADE = "#0072B2"
PARTS = {  # which observers have them, in the registry's order
    "infers goals and beliefs": (True, True, False, False),
    "weighs watching against acting": (True, False, True, False),
}
C_SELF, Q_OBS = r"$C_{\mathrm{self}}$", r"$Q_{\mathrm{obs}}$"


def draw_hypotheses(page: Page, place: Place, trial: Trial, table: pd.DataFrame) -> None:
    """A cell for each goal and holder, the darker the likelier."""
    left, top, width, height = place
    goals = list(trial.map.letters)
    colour = next(w.colour for w in trial.map.wizards if w.id == table["holder"].iloc[0])
    wizards = [wizard.id for wizard in trial.map.wizards_of[colour]]
    ax = page.axes(left + 0.42, top + 0.28, width - 0.46, height - 0.3, gid="hypotheses")
    ax.set(xlim=(0, len(wizards)), ylim=(len(goals), 0))
    weights = {
        (goal, holder): float(p)
        for goal, holder, p in zip(table["goal"], table["holder"], table["p"], strict=True)
    }
    most = max(weights.values())
    for row, goal in enumerate(goals):
        write(ax, -0.08, row + 0.5, f"goal {goal}", SMALL, ha="right", va="center_baseline")
        for column, wizard in enumerate(wizards):
            p = weights.get((goal, wizard))
            fill = PAPER if p is None else tint(SHADE, 0.1 + 0.4 * p / most)
            box = ArtistStyle(facecolor=fill, edgecolor=PAPER, linewidth=1.5)
            if p is None:
                box["edgecolor"] = GRID
            gid = f"hypothesis:{goal}:{wizard}"
            ax.add_patch(Rectangle((column + 0.03, row + 0.03), 0.94, 0.94, gid=gid, **box))
            ink = FAINT_INK if p is None else INK
            text = "–" if p is None else percent(p)
            look = ArtistStyle(ha="center", va="center_baseline", color=ink)
            write(ax, column + 0.5, row + 0.5, text, SMALL, **look)
    for column, wizard in enumerate(wizards):
        write(ax, column + 0.5, -0.12, wizard, SMALL, ha="center", va="baseline", weight="bold")


def draw_imagined(
    page: Page, place: Place, trial: Trial, npc: str, table: pd.DataFrame, c_self: float
) -> None:
    """A bar for each hypothesis: watching till it is settled, then acting."""
    left, top, width, height = place
    styles = agent_styles(trial)
    ax = page.axes(left + 0.42, top + 0.28, width - 0.46, height - 0.46, gid="imagined")
    most = max(c_self, table["total"].max())
    style_axes(ax, 3)
    ax.yaxis.grid(visible=False)
    ax.set(xlim=(0, 1.16 * most), ylim=(len(table) - 0.4, -0.6))
    ax.set_yticks(range(len(table)), [f"{row.goal}, {row.holder}" for row in table.itertuples()])
    ax.tick_params(axis="y", length=0)
    rows = range(len(table))
    look = ArtistStyle(height=0.72, linewidth=0.6, zorder=2)
    watch, main = styles[npc].fill, styles[MAIN].fill
    ax.barh(rows, table["watching"], color=watch, edgecolor=watch, **look)
    acting = ArtistStyle(color=tint(main, 0.25), edgecolor=main)
    ax.barh(rows, table["acting"], left=table["watching"], **acting, **look)
    ax.axvline(c_self, color=main, linewidth=1.1, linestyle=(0, (4, 1.6)), zorder=3)
    for index, row in enumerate(table.itertuples()):
        text = f"{points(float(str(row.watching)))} + {points(float(str(row.acting)))}"
        write(ax, 0.06 * most, index, text, SMALL, va="center_baseline", zorder=4)
    write(ax, c_self, -0.72, "act now", SMALL, ha="center", va="baseline", color=main)


def draw_comparison(page: Page, place: Place, trial: Trial, costs: pd.DataFrame) -> None:
    """A bar for each choice, the chosen one filled, and what comes of it."""
    left, top, width, height = place
    styles = agent_styles(trial)
    high = height - 0.2
    ax = page.axes(left + 0.95, top + 0.1, width - 2.3, high, gid="comparison")
    most = costs["points"].max()
    ax.set(xlim=(0, 1.0 * most), ylim=(len(costs) - 0.4, -0.6))
    for index, row in enumerate(costs.to_dict("records")):
        act, value = row["choice"] == ACT, float(row["points"])
        style = styles[MAIN if act else str(row["choice"])]
        fill = style.fill if row["chosen"] else tint(style.fill, 0.25)
        look = ArtistStyle(facecolor=fill, edgecolor=style.fill, height=0.62, linewidth=0.9)
        ax.barh([index], [value], gid=f"cost:{row['choice']}", **look)
        name = ["act now", C_SELF] if act else [f"watch {cut(str(row['choice']), 9)}", Q_OBS]
        beside = ArtistStyle(ha="right", va="center")
        write(ax, -0.03 * most, index, "\n".join(name), TEXT, parse_math=True, **beside)
        value_look = ArtistStyle(ha="left", va="center_baseline", weight="bold")
        write(ax, value + 0.03 * most, index, points(value), TEXT, **value_look)
    _draw_outcomes(page, (left + width - 1.02, top + 0.1, 1.02, high), costs)


def _draw_outcomes(page: Page, place: Place, costs: pd.DataFrame) -> None:
    """Both ends of the comparison; the one that it came to stands out."""
    left, top, width, height = place
    chosen = str(costs.loc[costs["chosen"], "choice"].iloc[0])
    ends = {
        "otherwise": ("act on what it believes", chosen == ACT),
        f"{Q_OBS} < {C_SELF}": ("observe one step, then again from 1", chosen != ACT),
    }
    each = (height - 0.1) / 2
    for index, (condition, (outcome, holds)) in enumerate(ends.items()):
        ax = page.axes(left, top + index * (each + 0.1), width, each, gid=f"outcome:{index}")
        ax.set(xlim=(0, width), ylim=(each, 0))
        edge = INK if holds else GRID
        box = ArtistStyle(boxstyle="round,pad=0,rounding_size=0.05", facecolor=PAPER)
        frame = FancyBboxPatch((0.01, 0.01), width - 0.02, each - 0.02, **box)
        frame.set(edgecolor=edge, linewidth=1.4 if holds else 0.9)
        ax.add_patch(frame)
        ink = INK if holds else FAINT_INK
        write(ax, 0.06, 0.15, condition, TEXT, weight="bold", color=ink, parse_math=True)
        for row, line in enumerate(wrap_text(outcome, width - 0.1, SMALL)):
            write(ax, 0.06, 0.265 + 0.112 * row, line, SMALL, color=ink)


def draw_observers(page: Page, left: float, top: float) -> None:
    """Which parts each observer has."""
    width = WIDTH - 2 * MARGIN
    first = 1.75
    each = (width - first) / len(OBSERVERS)
    for column, observer in enumerate(OBSERVERS.values()):
        x = left + first + (column + 0.5) * each
        page.text(x, top, observer.title, SMALL, weight="bold", ha="center")
    ax = page.axes(left, top + 0.06, width, 0.02, gid="observers")
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.plot([0, 1], [0.5, 0.5], color=FAINT_INK, linewidth=0.7)
    for row, (part, has) in enumerate(PARTS.items(), start=1):
        y = top + 0.2 * row
        page.text(left + 0.08, y, part, SMALL)
        for column, holds in enumerate(has):
            x = left + first + (column + 0.5) * each
            page.text(x, y, "✓" if holds else "–", TEXT, ha="center", weight="bold")
