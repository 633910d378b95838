"""Make the pictures of the docs: `python docs/images/make.py`.

The tutorial's come from the commands on its page, run as a reader would run them, the model page's
from the command that it names; the glossary's are drawn with the code that draws maps.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from onlooker.drawing import draw_map, pieces, save_figure
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
from onlooker.observers import Engine, RationalMentalizing
from onlooker.observers.imagination import imagined_path, tour_path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WIDEST, COLOURS = 1400, 96  # of the tutorial's figures: pixels and shades
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


def tutorial() -> list[Path]:
    """The figures that the tutorial's commands write, made small."""
    sys.path.insert(0, os.fspath(ROOT / "tests"))
    from doc_blocks import RUN, blocks_of, run_command

    made = []
    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        for block in blocks_of(ROOT / "docs" / "tutorial.md"):
            if block.title:
                Path(block.title).parent.mkdir(exist_ok=True)
                Path(block.title).write_text(block.text)
            elif block.language in RUN and " --png " in block.text:
                run_command(block.text.strip())
        for figure in sorted(Path().glob("*.png")):
            made.append(HERE / f"tutorial-{figure.name}")
            shrink(figure, made[-1])
        os.chdir(before)
    return made


def model() -> list[Path]:
    """The figures of the model page's examples, made small."""
    made = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("two-experts", "early-turn"):
            large = Path(folder) / f"{name}.png"
            trial = load_trial(ROOT / "examples" / f"{name}.map")
            engine = Engine(trial)
            save_figure(explain_figure(engine, RationalMentalizing().run(engine)), large)
            made.append(HERE / f"model-{name}.png")
            shrink(large, made[-1])
    return made


def shrink(source: Path, target: Path) -> None:
    """Write a picture with fewer pixels and shades."""
    picture = Image.open(source).convert("RGB")
    picture.thumbnail((WIDEST, 10 * WIDEST))
    picture.quantize(COLOURS).save(target, optimize=True)


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
    """How likely each of three wizards is the holder; what is no candidate is pale."""
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
    return path


def main() -> None:
    """Make them all, and say how large they are."""
    for path in (*tutorial(), *model(), *glossary(), learner()):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
