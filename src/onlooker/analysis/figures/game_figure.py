"""The game: one trial with labels, and what each choice costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pandas as pd

from onlooker.analysis.figures.callouts import Callout, Label, MapPlace, assign, draw_callouts
from onlooker.analysis.figures.maps import borrowed, draw_small_map, example_trial
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.figures.style import (
    MARGIN,
    SMALL,
    TEXT,
    WIDTH,
    heading,
    plain_style,
)
from onlooker.drawing import pieces
from onlooker.drawing.page import Page, wrap_text
from onlooker.drawing.route import Point
from onlooker.drawing.style import FAINT_INK, GRID, MAIN, agent_styles, amulet_styles, colours_of
from onlooker.game import Cell, Expertise, Step, Trial
from onlooker.inference.parameters import Parameters
from onlooker.observers import Engine
from onlooker.support.extras import figures_extra
from onlooker.support.rounding import counted

with figures_extra():
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyBboxPatch

EXAMPLE = 4, "m409_1"  # the bundled trial that is shown unless another is given
LARGEST, TALLEST = 0.27, 3.3  # inches: a cell, and the map
ROOM = 1.62  # inches: for labels on each side
WATCHED = 5  # steps of the first NPC that are drawn as if they had been watched
CARD, SIGN = 0.78, 0.27  # inches: the height of a card, and its sign's cell


def game_plate(
    trial: Trial | None = None,
    parameters: Parameters | None = None,
    among: Sequence[Trial] | None = None,
) -> Plate:
    """One trial with its parts named, and below it what a participant can do at each step.

    `among` are the trials that a report is about; the caption says if the example is not of them.
    """
    trial = trial or example_trial(*EXAMPLE)
    engine = Engine(trial, parameters)
    seen = engine.paths[0][:WATCHED] if trial.npcs else ()
    callouts = assign(game_labels(trial, seen), trial.map, _places(trial, seen).values())
    with plain_style():
        figure = _draw(
            engine, seen, callouts, " (comes with onlooker)" * bool(borrowed(trial, among))
        )
    rows = [
        {"kind": c.label.kind, "label": c.label.head, "text": c.label.text, "x": x, "y": y}
        for c in callouts
        for x, y in [c.cell]
    ]
    caption = (
        f"The game, on the trial {trial.label}. a: what there is on a map. The star, which marks"
        " the holder of an amulet, is not shown to participants. The line is what has been seen of"
        " an NPC that was watched for some steps. b: the choices at each step, and what they cost."
        + borrowed(trial, among)
    )
    sources = {"labels": pd.DataFrame(rows), "costs": _cards_frame(engine)}
    return Plate("game", "The game", caption, figure, sources)


def game_labels(trial: Trial, seen: Sequence[Step] = ()) -> Iterator[Label]:
    """What there is to name on a trial's map once some steps of the first NPC have been seen."""
    places = _places(trial, seen)
    text = "the participant, who does not know the holders"
    yield Label("main", "Main agent", text, [trial.main.at])
    words = {
        Expertise.EXPERT: "an NPC that knows the holders and takes its cheapest way",
        Expertise.NOVICE: "an NPC that does not know them and asks the nearest wizard first",
    }
    moved = trial.npcs[0].expertise if seen else None
    for expertise, text in words.items():
        text += "; the line: steps watched so far" if expertise == moved else ""
        at = [places[npc.id] for npc in trial.npcs if npc.expertise == expertise]
        if at:
            yield Label(str(expertise), str(expertise).capitalize(), text, at)
    yield from _thing_labels(trial)


def _thing_labels(trial: Trial) -> Iterator[Label]:
    map, holders = trial.map, set(trial.holders.values())
    several = {colour for colour, wizards in map.wizards_of.items() if len(wizards) > 1}
    wizards = [wizard for wizard in map.wizards if wizard.colour in several]
    if held := [wizard.at for wizard in wizards if wizard.id in holders]:
        text = "of the wizards of one colour, the one with the amulet"
        yield Label("holder", "Holder", text, held)
    if decoys := [wizard.at for wizard in wizards if wizard.id not in holders]:
        yield Label("decoy", "Decoy", "a wizard without an amulet", decoys)
    if map.barriers:
        text = "lets pass who has the amulet of its colour"
        yield Label("barrier", "Barrier", text, [barrier.at for barrier in map.barriers])
    chests = {chest.letter: chest.at for chest in map.chests}
    yield Label("goal", "Goal", "the main agent’s chest", [chests.pop(trial.main.goal)])
    if chests:
        text = "an NPC’s goal, perhaps: which is whose is not shown"
        yield Label("chest", "Other chest", text, list(chests.values()))


def _places(trial: Trial, seen: Sequence[Step]) -> dict[str, Cell]:
    """Where the NPCs are."""
    places = {npc.id: npc.at for npc in trial.npcs}
    return places | ({trial.npcs[0].id: seen[-1].state.cell} if seen else {})


def _cards(engine: Engine) -> list[tuple[str, int, str]]:
    """What can be done at each step: its name, its cost and what comes of it."""
    costs = engine.parameters.costs
    return [
        ("observe", costs.observe, "only this NPC takes its next step"),
        ("move", costs.move, "only the main agent goes, by one cell"),
        ("ask", costs.interact, "a holder gives the amulet of its colour, a decoy nothing"),
        ("budget", engine.budget, "at the start of this trial; what is not spent is kept"),
    ]


def _cards_frame(engine: Engine) -> pd.DataFrame:
    return pd.DataFrame(_cards(engine), columns=["choice", "points", "text"])


# -- drawing ---------------------------------------------------------------------------------------


def _draw(engine: Engine, seen: Sequence[Step], callouts: list[Callout], source: str) -> Figure:
    trial, map = engine.trial, engine.trial.map
    room = WIDTH - 2 * (MARGIN + ROOM + 0.26)
    cell = min(LARGEST, room / (map.width + 0.1), TALLEST / (map.height + 0.1))
    wide, high = cell * (map.width + 0.1), cell * (map.height + 0.1)
    page = Page(WIDTH, 0.36 + high + 0.42 + CARD + 0.1)
    heading(page, MARGIN, 0.21, "a", f"A trial: {trial.label}{source}", 4.0)
    frame = MapPlace((WIDTH - wide) / 2, 0.36, cell, map, ROOM)
    ax = page.axes(frame.left, frame.top, wide, high, gid="map")
    moved = {trial.npcs[0].id: seen} if seen else {}
    states = {npc: steps[-1].state for npc, steps in moved.items()}
    draw_small_map(ax, trial, paths=moved, states=states)
    draw_callouts(page, frame, callouts)
    top = 0.36 + high + 0.36
    heading(page, MARGIN, top, "b", "At each step", 3.0)
    _draw_cards(page, engine, top + 0.1)
    return page.figure


def _draw_cards(page: Page, engine: Engine, top: float) -> None:
    cards = _cards(engine)
    width = (WIDTH - 2 * MARGIN - 0.1 * (len(cards) - 1)) / len(cards)
    signs = _signs(engine.trial)
    heads = {"observe": "Observe an NPC", "move": "Move", "ask": "Ask a wizard", "budget": "Budget"}
    for index, (name, points, text) in enumerate(cards):
        left = MARGIN + index * (width + 0.1)
        ax = page.cells(left, top, width, CARD, SIGN, gid=f"card:{name}")
        box = FancyBboxPatch(
            (0.05, 0.05),
            width / SIGN - 0.1,
            CARD / SIGN - 0.1,
            boxstyle="round,pad=0,rounding_size=0.2",
            facecolor="none",
            edgecolor=GRID,
            linewidth=1.0,
        )
        ax.add_patch(box)
        begin = left + 0.1
        if name in signs:
            signs[name](ax, (0.85, 0.85))
            begin = left + 0.42
        page.text(begin, top + 0.2, heads[name], TEXT, weight="bold")
        page.text(begin, top + 0.325, counted(points, "point"), SMALL)
        for row, line in enumerate(wrap_text(text, width - 0.18, SMALL)):
            page.text(left + 0.1, top + 0.5 + 0.118 * row, line, SMALL, color=FAINT_INK)


def _signs(trial: Trial) -> dict[str, Callable[[Axes, Point], None]]:
    """What is drawn on the cards: whose choice it is about."""
    agents, colours = agent_styles(trial), amulet_styles(colours_of(trial.map))
    numbered = len(trial.npcs) > 1

    def agent(name: str) -> Callable[[Axes, Point], None]:
        return lambda ax, at: pieces.draw_agent(
            ax, at, f"card:{name}", agents[name], number=numbered
        )

    signs = {"move": agent(MAIN)}
    if trial.npcs:
        signs["observe"] = agent(trial.npcs[0].id)
    if trial.map.wizards:
        style = colours[trial.map.wizards[0].colour]
        signs["ask"] = lambda ax, at: pieces.draw_wizard(ax, at, "card:wizard", style)
    return signs
