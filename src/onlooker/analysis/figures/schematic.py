"""How Rational Mentalizing decides, drawn with the numbers of one decision of one trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from onlooker.analysis.figures.maps import borrowed, draw_small_map, example_trial
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import (
    HEADING,
    MARGIN,
    SMALL,
    TEXT,
    WIDTH,
    plain_style,
    style_axes,
)
from onlooker.drawing.artists import cut
from onlooker.drawing.explain.story import listed, points
from onlooker.drawing.page import ArtistStyle, Page, wrap_text, write
from onlooker.drawing.style import FAINT_INK, GRID, INK, MAIN, PAPER, agent_styles, tint
from onlooker.game import Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import ACT, OBSERVERS, Decision, Engine, RationalMentalizing
from onlooker.support.extras import figures_extra
from onlooker.support.rounding import counted, percent

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
    from matplotlib.patheffects import withStroke

EXAMPLE, STEP = (3, "m303_2"), 3  # the bundled trial and the decision that are shown
LARGEST, TALLEST = 0.245, 2.95  # inches: a cell, and the map
Place = tuple[float, float, float, float]  # inches: left, top, width, height

SHADE = "#0072B2"
PARTS = {  # which observers have them, in the registry's order
    "infers goals and beliefs": (True, True, False, False),
    "weighs watching against acting": (True, False, True, False),
}
C_SELF, Q_OBS = r"$C_{\mathrm{self}}$", r"$Q_{\mathrm{obs}}$"


@dataclass(frozen=True)
class Moment:
    """One decision of Rational Mentalizing, and what had been seen before it."""

    engine: Engine
    decision: Decision
    seen: tuple[str, ...]  # whom it had watched, step by step
    npc: int  # whose watching is weighed: the cheapest one's

    @classmethod
    def of(
        cls, trial: Trial, step: int | None = None, parameters: Parameters | None = None
    ) -> Moment:
        """The decision after so many observations; ValueError if there is nothing to imagine."""
        engine = Engine(trial, parameters, warn=False)  # those who run observers warn
        result = RationalMentalizing().run(engine)
        last = len(result.trace) - 1
        step = min(STEP, last) if step is None else step
        if not 0 <= step <= last:
            raise ValueError(f"step must be from 0 to {last} in {trial.label}, not {step}")
        decision = result.trace[step]
        costs = {j: q for j, q in enumerate(decision.q_obs or ()) if q is not None}
        if not costs or len(engine.trial.open_colours) != 1:
            reason = "one colour to find out about, and an NPC to watch"
            raise ValueError(f"the schematic needs a decision with {reason}: {trial.label}, {step}")
        return cls(engine, decision, result.choices[:step], min(costs, key=lambda j: (costs[j], j)))

    @property
    def agent(self) -> str:
        """The id of the NPC whose watching is weighed."""
        return self.engine.trial.npcs[self.npc].id

    def hypotheses(self) -> pd.DataFrame:
        """What is thought possible of the NPC, and what watching it would come to."""
        colour, observe = self.engine.trial.open_colours[0], self.engine.parameters.observe
        particles = (self.decision.particles or ())[self.npc]
        rows = [
            {
                "npc": self.agent,
                "goal": particle.goal,
                "holder": particle.holders[colour],
                "p": particle.p,
                "steps": particle.steps,
                "watching": observe * particle.steps,
                "acting": particle.residual,
                "total": observe * particle.steps + particle.residual,
            }
            for particle in particles
        ]
        whole = pd.DataFrame(rows)
        if whole.duplicated(["goal", "holder"]).any():  # they differ in colours of no concern
            means = ["steps", "watching", "acting", "total"]
            whole[means] = whole[means].mul(whole["p"], axis=0)
            whole = whole.groupby(["npc", "goal", "holder"], sort=False).sum().reset_index()
            whole[means] = whole[means].div(whole["p"], axis=0)
        return whole

    def costs(self) -> pd.DataFrame:
        """What is compared: acting now, and watching each NPC first."""
        rows = [{"choice": ACT, "points": self.decision.c_self}]
        npcs = zip(self.engine.trial.npcs, self.decision.q_obs or (), strict=True)
        rows += [{"choice": npc.id, "points": q} for npc, q in npcs if q is not None]
        return pd.DataFrame(rows).assign(chosen=lambda t: t["choice"] == self.decision.choice)


def schematic_plate(
    trial: Trial | None = None,
    step: int | None = None,
    parameters: Parameters | None = None,
    among: Sequence[Trial] | None = None,
) -> Plate:
    """Watch, infer, imagine, compare: the decision after `step` observations of a trial.

    Without a step it is the decision after STEP observations, or the last before. `among` are the
    trials that a report is about.
    """
    moment = Moment.of(trial or example_trial(*EXAMPLE), step, parameters)
    with plain_style():
        figure = _draw(
            moment, " (comes with onlooker)" * bool(borrowed(moment.engine.trial, among))
        )
    when = counted(len(moment.seen), "observation")
    caption = (
        "Rational Mentalizing, with the numbers of one decision (trial"
        f" {moment.engine.trial.label}, after {when}). 1: what has been seen of an NPC."
        " 2: how likely each goal of the NPC together with each holder of the"
        " amulet is, given what was seen; unlikely ones are left out. 3: for each hypothesis, how"
        " long the observer would have to watch before it knew enough, and what acting would then"
        " cost. 4: their mean, Q_obs, is compared with C_self, the cost of acting now; it observes"
        " one step if that is cheaper, and starts again. Below: which of these parts each observer"
        " has." + borrowed(moment.engine.trial, among)
    )
    sources = {"hypotheses": moment.hypotheses(), "costs": moment.costs()}
    return Plate("model", "Rational Mentalizing", caption, figure, sources)


# -- drawing ---------------------------------------------------------------------------------------


def _draw(moment: Moment, source: str) -> Figure:
    map = moment.engine.trial.map
    cell = min(LARGEST, 2.72 / (map.width + 0.1), TALLEST / (map.height + 0.1))
    wide, high = cell * (map.width + 0.1), cell * (map.height + 0.1)
    page = Page(WIDTH, 4.92)
    sheet = page.axes(0, 0, page.width, page.height, gid="sheet")
    sheet.set(xlim=(0, page.width), ylim=(page.height, 0))
    sheet.set_zorder(-1)
    _draw_boxes(sheet)
    seen = f"{moment.agent} after {counted(moment.seen.count(moment.agent), 'step')}"
    seen += f", trial {moment.engine.trial.label}{source}" * bool(source)
    _title(page, MARGIN + 0.08, 0.25, "1", "Watch", seen)
    ax = page.axes(MARGIN + 0.08 + (2.74 - wide) / 2, 0.5, wide, high, gid="map")
    _draw_seen(ax, moment)
    for row, line in enumerate(wrap_text(_question(moment), 2.74, SMALL)):
        page.text(MARGIN + 0.08, 0.5 + high + 0.17 + 0.118 * row, line, SMALL)
    _title(page, 3.3, 0.25, "2", "Infer", f"{moment.agent}’s goal and the holder")
    table = moment.hypotheses()
    _draw_hypotheses(page, (3.3, 0.5, 1.62, 1.6), moment.engine.trial, table)
    _title(page, 5.2, 0.25, "3", "Imagine", "points for watching + acting then")
    c_self = float(moment.decision.c_self or 0.0)
    _draw_imagined(page, (5.2, 0.5, 1.62, 1.6), moment.engine.trial, moment.agent, table, c_self)
    _title(
        page,
        3.3,
        2.62,
        "4",
        "Compare",
        "acting now, and watching first: the mean of 3, weighted by 2",
    )
    _draw_comparison(page, (3.3, 2.74, 3.55, 1.2), moment.engine.trial, moment.costs())
    _draw_arrows(sheet)
    _draw_observers(page, MARGIN, 4.3)
    return page.figure


def _question(moment: Moment) -> str:
    """What the observer of a decision is after and does not know."""
    trial, (colour, *_) = moment.engine.trial, moment.engine.trial.open_colours
    wizards = [wizard.id for wizard in trial.map.wizards_of[colour]]
    return (
        f"The main agent (M) needs the {colour} amulet to reach chest {trial.main.goal}."
        f" It does not know which of {listed(wizards)} holds it, nor what {moment.agent} wants."
    )


def _title(page: Page, left: float, top: float, figure: str, title: str, subtitle: str) -> None:
    page.text(left, top, f"{figure}  {title}", HEADING, weight="bold")
    page.text(left, top + 0.14, subtitle, SMALL, color=FAINT_INK)


def _draw_boxes(sheet: Axes) -> None:
    boxes = ((MARGIN, 0.06, 2.9, 3.98), (3.18, 0.06, 3.72, 2.18), (3.18, 2.44, 3.72, 1.6))
    for x, y, width, height in boxes:
        style = "round,pad=0,rounding_size=0.08"
        look = ArtistStyle(boxstyle=style, facecolor="#FAF9F6", edgecolor=GRID)
        sheet.add_patch(FancyBboxPatch((x, y), width, height, linewidth=1.0, **look))


def _draw_arrows(sheet: Axes) -> None:
    """From watching to inferring, to imagining, to comparing, and back."""
    look = ArtistStyle(arrowstyle="-|>,head_length=4,head_width=2.4", color=INK, linewidth=1.4)
    for start, end in (
        ((2.98, 1.3), (3.22, 1.3)),
        ((4.94, 1.3), (5.16, 1.3)),
        ((6.0, 2.2), (6.0, 2.5)),
        ((3.2, 3.4), (2.97, 3.4)),
    ):
        sheet.add_patch(FancyArrowPatch(start, end, shrinkA=0, shrinkB=0, **look))


def _draw_seen(ax: Axes, moment: Moment) -> None:
    """The map with what has been seen, and the ids of the wizards that matter."""
    trial, engine = moment.engine.trial, moment.engine
    counts = {npc.id: moment.seen.count(npc.id) for npc in trial.npcs}
    paths = {
        npc: path[: counts[npc]]
        for npc, path in zip(counts, engine.paths, strict=True)
        if counts[npc]
    }
    states = {npc: steps[-1].state for npc, steps in paths.items()}
    draw_small_map(ax, trial, paths=paths, states=states, holders=False)
    halo = [withStroke(linewidth=2.0, foreground=PAPER)]
    for wizard in trial.map.wizards_of[engine.trial.open_colours[0]]:
        x, y = wizard.at
        look = ArtistStyle(ha="center", va="center_baseline", path_effects=halo, zorder=9)
        write(ax, x, y + 0.5, wizard.id, SMALL, weight="bold", **look)


# -- panels ----------------------------------------------------------------------------------------


def _draw_hypotheses(page: Page, place: Place, trial: Trial, table: pd.DataFrame) -> None:
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


def _draw_imagined(
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


def _draw_comparison(page: Page, place: Place, trial: Trial, costs: pd.DataFrame) -> None:
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


def _draw_observers(page: Page, left: float, top: float) -> None:
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
