"""What the paper has in its supplement: every trial on sheets, and the interface in pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from io import BytesIO

from onlooker.analysis.report import html
from onlooker.drawing.sheet import sheet_figures
from onlooker.experiments.inventory import experiment_title
from onlooker.experiments.naming import slug
from onlooker.game import ExperimentName, Trial
from onlooker.support.extras import figures_extra

with figures_extra():
    from PIL import Image, ImageChops

MOST = 300  # trials: more are not drawn
DOTS, SHADES = 130, 64  # of a sheet: dots per inch and colours, so that a report stays small
SHOTS = {  # the pictures of the interface; docs/images/make_interface.py takes them
    "instructions": (
        "The interface: instructions",
        "The first page of the tutorial: the map, its pieces and what the participant is after.",
    ),
    "instructions-novice": (
        "The interface: experts and novices",
        "A page of the tutorial, with the way that a novice takes to the chest: it asks wizards"
        " until it has the amulet.",
    ),
    "trial": (
        "The interface: a trial",
        "A trial of Experiment 4 before the first choice: the goal and the points left, the map,"
        " and the choices with what they cost.",
    ),
    "observation": (
        "The interface: observing",
        "The same trial after five observations of one NPC, for one point each: only this NPC has"
        " moved.",
    ),
    "interaction": (
        "The interface: moving and asking",
        "The same trial after moves, for three points each, and after asking a wizard, for five.",
    ),
}


@dataclass(frozen=True)
class Picture:
    """A picture that is not a plate: it shows no numbers."""

    name: str
    title: str
    caption: str
    png: bytes


def sheets(trials: Sequence[Trial]) -> list[Picture]:
    """Every trial with its NPCs' reference paths, some pages for each experiment.

    There are none of more than MOST trials.
    """
    if len(trials) > MOST:
        return []
    found: dict[ExperimentName | None, list[Trial]] = {}
    for trial in trials:
        if not trial.tutorial:
            found.setdefault(trial.experiment, []).append(trial)
    return [page for experiment, mine in found.items() for page in _sheets(experiment, mine)]


def _sheets(experiment: ExperimentName | None, trials: list[Trial]) -> Iterator[Picture]:
    title = "Trials" if experiment is None else f"Experiment {experiment}"
    pages = sheet_figures(trials, title if experiment is None else experiment_title(experiment))
    for number, page in enumerate(pages, start=1):
        part = f", page {number} of {len(pages)}" if len(pages) > 1 else ""
        name = "stimuli" if experiment is None else f"stimuli-{slug(experiment)}"
        yield Picture(
            f"{name}-{number}",
            f"{title}, the stimuli{part}",
            "Every configuration, with the paths that its NPCs take. Scenarios of one map stand in"
            " one frame; a star marks the holder of an amulet.",
            small_png(page),
        )


def small_png(figure: object) -> bytes:
    """A figure without its margins as a small PNG."""
    drawn, small = BytesIO(), BytesIO()
    figure.savefig(drawn, format="png", dpi=DOTS)  # type: ignore[attr-defined]
    picture = Image.open(drawn).convert("RGB")
    ground = Image.new("RGB", picture.size, "white")
    if box := ImageChops.difference(picture, ground).getbbox():
        picture = picture.crop(box)  # a report's page has its own margins
    picture.quantize(SHADES, dither=Image.Dither.NONE).save(small, "PNG", optimize=False)
    return small.getvalue()


def sheet_parts(done: Sequence[Picture]) -> Iterator[str]:
    """The sheets within a report, or why there are none."""
    yield from (html.picture(each.png, each.title, each.caption, each.name) for each in done)
    if not done:
        yield html.paragraph(
            f"There are more than {MOST} trials, too many to draw here; `onlooker stimuli sheet`"
            " draws them."
        )


def interface_parts() -> Iterator[str]:
    """The pictures of the interface within a report."""
    yield html.paragraph(
        "What participants see, in the study that `onlooker serve` runs. The pictures come with"
        " onlooker and show a trial of its stimuli."
    )
    for each in interface():
        yield html.picture(each.png, each.title, each.caption, each.name)


def interface() -> list[Picture]:
    """Pictures of what participants see."""
    folder = files("onlooker.analysis") / "interface"
    return [
        Picture(f"interface-{name}", title, caption, (folder / f"{name}.png").read_bytes())
        for name, (title, caption) in SHOTS.items()
    ]
