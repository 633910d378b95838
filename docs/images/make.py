"""Make the pictures of the docs: `python docs/images/make.py`.

Those of the tutorial, the cookbook and the figures come from the commands on these pages, run as a
reader would run them; the others are drawn here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image, ImageChops

from onlooker import Parameters, run
from onlooker.drawing import draw_map, map_figure, pieces, save_figure
from onlooker.drawing.explain import explain_figure
from onlooker.drawing.style import (
    FAINT_INK,
    GRID,
    INK,
    MAIN,
    agent_styles,
    amulet_styles,
    tint,
)
from onlooker.drawing.trails import draw_ask, draw_sample
from onlooker.game import State, Step, Trial, load_trial, parse_trial, step
from onlooker.observers import OBSERVERS, Engine, RationalMentalizing
from onlooker.observers.imagination import imagined_path, tour_path
from onlooker.planning import as_played

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LARGEST, COLOURS = 60_000, (96, 64, 48)  # of a picture: bytes; shades that are tried
CELL = 0.42  # inches

SMALL = parse_trial("""
map:
b..2.
##.##
A=@3h

legend:
@ = main agent, goal A
2 = expert agent2, goal A
3 = novice agent3, goal A
b = blue wizard
h = blue wizard, holder
= = blue barrier
""")
ALONE = parse_trial("""
map:
b..2.h
##.###
##@=A#

legend:
@ = main agent, goal A
2 = expert agent2, goal A
b = blue wizard
h = blue wizard, holder
= = blue barrier
""")
BLUE = amulet_styles(["blue"])["blue"]
STYLES = agent_styles(SMALL)

Draw = Callable[[Axes], None]


def made_by_pages() -> list[Path]:
    """The figures that the commands of some pages write, made small."""
    sys.path.insert(0, os.fspath(ROOT / "tests"))
    from doc_blocks import RUN, WITH_FIGURES, blocks_of, figures_of, run_block

    os.environ["COLUMNS"] = "80"
    made, before = [], os.getcwd()
    for name in WITH_FIGURES:
        page = ROOT / "docs" / f"{name}.md"
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "examples", Path(folder, "examples"))
            os.chdir(folder)
            sys.path.insert(0, folder)
            names: dict[str, object] = {"__name__": "__main__"}
            for block in blocks_of(page):
                if block.title:
                    Path(block.title).parent.mkdir(exist_ok=True)
                    Path(block.title).write_text(block.text)
                elif block.language in RUN and not block.skipped:
                    run_block(block, names)
            for figure in figures_of(page):
                made.append(HERE / f"{name}-{figure}")
                shrink(next(Path().rglob(figure)), made[-1])
            os.chdir(before)
    return made


def model() -> list[Path]:
    """The maps of the model page's examples, and what `explain` draws of the second."""
    made = []
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.png"
        for name, paths in (("early-turn", True), ("two-experts", False)):
            trial = load_trial(ROOT / "examples" / f"{name}.map")
            engine = Engine(trial)
            shown = {"agent2": engine.paths[0]} if paths else None
            save_figure(map_figure(trial, paths=shown, legend=False), large)
            made.append(HERE / f"model-map-{name}.png")
            shrink(large, made[-1], widest=700)
        save_figure(explain_figure(engine, RationalMentalizing().run(engine)), large)
        made.append(HERE / "model-two-experts.png")
        shrink(large, made[-1])
    return made


def observers() -> Path:
    """What each of the four pays for watching and for acting on one map."""
    trial = load_trial(ROOT / "examples" / "expert-and-novice.map")
    results = [run(trial, observer()) for observer in OBSERVERS.values()]
    figure = Figure(figsize=(8, 2.6), layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.subplots()
    titles = [observer.title for observer in OBSERVERS.values()]
    costs = Parameters().costs
    left = [0] * len(results)
    styles = agent_styles(trial)
    parts: dict[str, tuple[list[int], str]] = {
        f"watching {npc.id} ({npc.expertise})": (
            [result.observed[index] * costs.observe for result in results],
            styles[npc.id].fill,
        )
        for index, npc in enumerate(trial.npcs)
    }
    parts["moving"] = ([result.moves * costs.move for result in results], tint(INK, 0.35))
    asking = [result.interactions * costs.interact for result in results]
    parts["asking wizards"] = (asking, tint(INK, 0.7))
    for label, (points, colour) in parts.items():
        ax.barh(titles, points, left=left, color=colour, label=label, edgecolor="white")
        left = [a + b for a, b in zip(left, points, strict=True)]
    for row, total in enumerate(left):
        ax.text(total + 0.7, row, str(total), va="center")
    ax.invert_yaxis()
    ax.set(xlabel="points", xlim=(0, max(left) * 1.08))
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
    path = HERE / "observers-costs.png"
    figure.savefig(path, dpi=110)
    shrink(path, path)
    return path


def teachers() -> Path:
    """The path of a teacher beside that of an expert, on one map."""
    text = (ROOT / "examples" / "teachers" / "feint.map").read_text()
    figure = Figure(figsize=(10, 4.2), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    for ax, kind in zip(figure.subplots(1, 2), ("expert", "teacher"), strict=True):
        trial = as_played(parse_trial(text.replace("teacher", kind)))
        draw_map(ax, trial, holders=True, paths={"agent2": Engine(trial).paths[0]})
        ax.set_title(f"an {kind}" if kind == "expert" else f"a {kind}", fontsize=15)
    path = HERE / "teachers-feint.png"
    figure.savefig(path, dpi=100)
    shrink(path, path)
    return path


def fitting() -> Path:
    """The cookbook's figure of single people, with what its parts mean."""
    picture = Image.open(HERE / "cookbook-evidence-of-people.png").convert("RGB")
    wide, high = picture.size
    figure = Figure(figsize=(wide / 100, (high + 110) / 100), facecolor="white")
    FigureCanvasAgg(figure)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.imshow(picture, extent=(0, wide, 0, high))
    ax.set(xlim=(0, wide), ylim=(-110, high))
    ax.set_axis_off()
    notes = {  # words: where their number stands, as shares of the picture
        "A bar is a person; its colour, the\nobserver that describes them best.": (0.143, 0.5),
        "Its height is the lead over the next\nbest: 3 means 20 times as likely.": (0.48, 0.66),
        "Below the line the data do not decide:\nreport this person as undecided.": (0.927, 0.5),
    }
    disc = {"boxstyle": "circle", "facecolor": "#C2183C", "edgecolor": "white", "linewidth": 2}
    for index, (words, (x, y)) in enumerate(notes.items()):
        left = (0.02 + index * 0.33) * wide
        for place in ((x * wide, y * high), (left, -40)):
            ax.text(*place, str(index + 1), fontsize=14, color="white", bbox=disc)
        ax.text(left + 35, -20, words, fontsize=14.5, va="top", color=INK)
    path = HERE / "fitting-annotated.png"
    figure.savefig(path, dpi=100)
    shrink(path, path)
    return path


def shrink(source: Path, target: Path, widest: int = 1400) -> None:
    """Write a picture with so few shades and pixels that it is small."""
    picture = Image.open(source).convert("RGB")
    _, _, _, end = ImageChops.invert(picture).getbbox() or picture.getbbox()
    picture = picture.crop((0, 0, picture.width, min(end + 20, picture.height)))  # no empty page
    while True:
        picture.thumbnail((widest, 10 * widest))
        for colours in COLOURS:
            few = picture.quantize(
                colours, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE
            )
            few.save(target, optimize=True)
            if target.stat().st_size <= LARGEST:
                return
        widest = int(picture.width * 0.92)


def glossary() -> list[Path]:
    """A small picture for each term that has one."""
    pictures: dict[str, tuple[float, float, Draw]] = {
        "wall": (1, 1, lambda ax: pieces.draw_wall(ax, (0, 0), "wall")),
        "wizard": (1, 1, lambda ax: pieces.draw_wizard(ax, (0, 0), "wizard", BLUE)),
        "holder": (1, 1, lambda ax: pieces.draw_wizard(ax, (0, 0), "w", BLUE, holder="star")),
        "amulet": (1, 1, lambda ax: pieces.draw_holder(ax, (0, 0), "amulet", 1.9)),
        "barrier": (1, 1, lambda ax: pieces.draw_barrier(ax, (0, 0), "barrier", BLUE)),
        "chest": (1, 1, lambda ax: pieces.draw_chest(ax, (0, 0), "chest", "A")),
        "goal": (1, 1, _goal),
        "main-agent": (1, 1, lambda ax: _agent(ax, MAIN)),
        "expert": (1, 1, lambda ax: _agent(ax, "agent2")),
        "novice": (1, 1, lambda ax: _agent(ax, "agent3")),
        "teacher": (1, 1, _teacher),
        "npc": (2, 1, _npcs),
        "interaction": (2, 1, _interaction),
        "path": (2, 1, lambda ax: draw_sample(ax, (0.5, 0), "path", STYLES["agent2"])),
        "belief": (3, 1.6, lambda ax: _bars(ax, (0.55, 0.4, 0.05))),
        "candidate": (3, 1.6, lambda ax: _bars(ax, (0.55, 0.4, 0.05), lines={"prune": 0.1})),
        "settled": (3, 1.6, lambda ax: _bars(ax, (0.97, 0.02, 0.01), lines={"converge": 0.95})),
    }
    made = []
    for name, (width, height, draw) in pictures.items():
        figure, ax = _figure(width, height)
        ax.set(xlim=(-0.55, width - 0.45), ylim=(height - 0.45, -0.55))
        draw(ax)
        made.append(_save(figure, name))
    made.extend(_maps())
    return made


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(CELL * (width + 0.1), CELL * (height + 0.1)))
    FigureCanvasAgg(figure)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    ax.set_aspect("equal")
    return figure, ax


def _save(figure: Figure, name: str) -> Path:
    path = HERE / f"glossary-{name}.svg"
    save_figure(figure, path)
    return path


def _agent(ax: Axes, who: str, x: float = 0) -> None:
    pieces.draw_agent(ax, (x, 0), f"agent:{who}", STYLES[who], number=False)


def _teacher(ax: Axes) -> None:
    style = agent_styles(load_trial(ROOT / "examples" / "teachers" / "feint.map"))["agent2"]
    pieces.draw_agent(ax, (0, 0), "agent:teacher", style, number=False)


def _npcs(ax: Axes) -> None:
    _agent(ax, "agent2")
    _agent(ax, "agent3", 1)


def _goal(ax: Axes) -> None:
    pieces.draw_goal(ax, (0, 0), "goal", STYLES[MAIN])
    pieces.draw_chest(ax, (0, 0), "chest", "A")


def _interaction(ax: Axes) -> None:
    _agent(ax, "agent2")
    pieces.draw_wizard(ax, (1, 0), "wizard", BLUE)
    draw_ask(ax, (0.5, 0), "ask", STYLES["agent2"], gave=None)


def _bars(ax: Axes, chances: tuple[float, ...], lines: dict[str, float] | None = None) -> None:
    """How likely each of three wizards is the holder; a wizard that is not a candidate is pale."""
    high, low = 1.2, 1.05
    least = (lines or {}).get("prune", 0.0)
    top = (lines or {}).get("converge")
    for x, chance in enumerate(chances):
        pale = chance < least or (top is not None and chance < top)
        ax.fill_between([x - 0.3, x + 0.3], low - high, low, color=tint(GRID, 0.5), lw=0)
        shade = tint(BLUE.fill, 0.3) if pale else BLUE.fill
        ax.fill_between([x - 0.3, x + 0.3], low - high * chance, low, color=shade, lw=0)
    for chance in (lines or {}).values():
        ax.plot([-0.45, 2.45], [low - high * chance] * 2, color=INK, lw=1, ls=(0, (2, 1.5)))
    ax.plot([-0.45, 2.45], [low, low], color=FAINT_INK, lw=1)


def _maps() -> list[Path]:
    engine = Engine(ALONE)
    guess = imagined_path(engine, engine.opening, 0, "A", {"blue": "w1"})
    real = engine.paths[0]
    wanted = {
        "map": (SMALL, {}),
        "trial": (SMALL, {}),
        "hypothesis": (ALONE, {"agent2": guess}),
        "particle": (ALONE, {"agent2": guess[:1]}),
        "c-self": (ALONE, {MAIN: _tour(engine)}),
        "observation": (ALONE, {"agent2": real[:1]}),
    }
    made = []
    for name, (trial, paths) in wanted.items():
        made.append(_save(_small_map(trial, paths, holders=name == "trial"), name))
    return made


def _tour(engine: Engine) -> list[Step]:
    """The way through all candidates and on to the chest, as the game would have it."""
    trial, state = engine.trial, State(engine.trial.main.at)
    tour = tour_path(engine, engine.opening, engine.candidates(engine.belief(engine.opening)))
    taken = []
    for action in tour.actions if tour else ():
        after = step(
            trial.map, state, action, trial.main.goal, trial.holders, engine.parameters.costs
        )
        assert isinstance(after, Step)
        taken.append(after)
        state = after.state
    return taken


def _small_map(trial: Trial, paths: dict[str, Sequence[Step]], *, holders: bool) -> Figure:
    figure, ax = _figure(trial.map.width, trial.map.height)
    draw_map(ax, trial, holders=holders, paths=paths)
    return figure


def learner() -> Path:
    """The curve of the example that learns when to watch."""
    path = HERE / "players-learner.png"
    example = ["examples/learner.py", "examples/early-turn.map", "-o", str(path)]
    subprocess.run([sys.executable, *example], check=True, cwd=ROOT)
    shrink(path, path)
    return path


def main() -> None:
    """Make them all, and say how large they are."""
    for path in (
        *model(),
        observers(),
        teachers(),
        *glossary(),
        learner(),
        *made_by_pages(),
        fitting(),
    ):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
