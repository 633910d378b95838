"""The report of a reproduction: an argument in order, then the details."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from onlooker.analysis import html
from onlooker.analysis.argument.ablation_page import ablation_parts
from onlooker.analysis.argument.behaviour_page import (
    hedging_parts,
    preference_parts,
    reversal_parts,
    whom_parts,
)
from onlooker.analysis.argument.calibration_page import calibration_parts
from onlooker.analysis.argument.cost_page import regret_parts, total_parts, tradeoff_parts
from onlooker.analysis.argument.findings import (
    ablation_finding,
    costs_finding,
    misses_finding,
    whether_finding,
    whom_finding,
)
from onlooker.analysis.argument.fit_page import fit_parts
from onlooker.analysis.argument.people_page import people_parts
from onlooker.analysis.argument.published_page import published_parts
from onlooker.analysis.argument.verdict_page import verdict_parts
from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.report_details import (
    provenance_parts,
    readings_parts,
    sensitivity_parts,
    setup_parts,
)
from onlooker.analysis.report_individual import individual_parts
from onlooker.analysis.supplement import interface_parts, sheet_parts

if TYPE_CHECKING:
    from onlooker.analysis.reproduction import Reproduction


@dataclass(frozen=True, slots=True)
class Part:
    """A section: what it says, and the names of the figures that follow (with * for any)."""

    anchor: str
    title: str
    write: Callable[[Reproduction, Path], Iterator[str]]
    figures: tuple[str, ...] = ()


def report(done: Reproduction, pictures: Path) -> str:
    """The page; `pictures` is the folder with the figures."""
    places = _places(done)
    groups = [
        (title, [(part.anchor, part.title) for part in parts]) for title, parts in GROUPS.items()
    ]
    body = [html.opening(done.title, done.lead), *_banner(done), html.contents(groups)]
    for part in _parts():
        drawn = (
            html.picture(pictures / f"{plate.name}.png", plate.title, plate.caption)
            for plate in places[part.anchor]
        )
        body.append(html.section(part.anchor, part.title, [*part.write(done, pictures), *drawn]))
    return html.page(done.title, body)


def _parts() -> Iterator[Part]:
    for parts in GROUPS.values():
        yield from parts


def _places(done: Reproduction) -> dict[str, list[Plate]]:
    """The figures of each section; one that no section names comes in the last that takes all."""
    places: dict[str, list[Plate]] = {part.anchor: [] for part in _parts()}
    more = [done.regret_plate] if done.regret_plate else []
    for plate in (*done.plates, *done.argument.plates(), *more):
        place = next(
            part for part in _parts() if any(fnmatch(plate.name, name) for name in part.figures)
        )
        places[place.anchor].append(plate)
    return places


def _banner(done: Reproduction) -> Iterator[str]:
    if done.comparison.data == "simulated":
        what = "about these players" if done.comparison.artificial else "a check of the machinery"
        yield (
            f'<div class="banner">{done.comparison.people.capitalize()}. Everything below that'
            f" compares models with participants is {what}, not evidence about people, and does not"
            " stand beside the paper's values.</div>"
        )


# -- what the sections say -------------------------------------------------------------------------


def _finding(text: str) -> Iterator[str]:
    if text:
        yield html.finding(text)


def _verdict(done: Reproduction, _: Path) -> Iterator[str]:
    return verdict_parts(done.argument.verdicts)


def _people(done: Reproduction, _: Path) -> Iterator[str]:
    return people_parts(done)


def _whether(done: Reproduction, _: Path) -> Iterator[str]:
    yield from _finding(whether_finding(done))
    yield from fit_parts(done)


def _whom(done: Reproduction, _: Path) -> Iterator[str]:
    found, titles = done.argument, done.comparison.titles()
    people = done.comparison.people
    yield from _finding(whom_finding(done))
    yield from preference_parts(found.preferences, titles)
    yield from whom_parts(found.whom, titles, people)
    yield from reversal_parts(found.reversal, found.reversal_trials, titles, people)


def _ablations(done: Reproduction, _: Path) -> Iterator[str]:
    yield from _finding(ablation_finding(done))
    yield from ablation_parts(done)


def _misses(done: Reproduction, _: Path) -> Iterator[str]:
    yield from _finding(misses_finding(done))
    yield from hedging_parts(done.argument.hedging, done.comparison.people)
    yield from calibration_parts(done.argument.calibration, done.comparison.resamples)


def _costs(done: Reproduction, _: Path) -> Iterator[str]:
    yield from _finding(costs_finding(done))
    yield from tradeoff_parts(done.comparison)
    yield from total_parts(done.comparison)
    yield from regret_parts(done)


def _authors(done: Reproduction, _: Path) -> Iterator[str]:
    return published_parts(done.argument.published)


def _readings(done: Reproduction, _: Path) -> Iterator[str]:
    return readings_parts(done)


def _game(done: Reproduction, _: Path) -> Iterator[str]:
    yield html.paragraph("What participants play, and how the full model decides.")


def _figures(done: Reproduction, _: Path) -> Iterator[str]:
    yield html.figure_list()
    yield from (html.paragraph(words) for words in done.left_out)
    yield html.paragraph(
        "Each figure lies beside this page as SVG and PNG, with the numbers behind every panel as"
        " CSV."
    )


def _setup(done: Reproduction, _: Path) -> Iterator[str]:
    yield from setup_parts(done)
    yield from sheet_parts(done.sheets)


def _interface(_: Reproduction, __: Path) -> Iterator[str]:
    return interface_parts()


def _provenance(done: Reproduction, _: Path) -> Iterator[str]:
    return provenance_parts(done)


GROUPS: dict[str, tuple[Part, ...]] = {
    "The argument": (
        Part("verdict", "What holds", _verdict),
        Part("people", "What people do", _people),
        Part(
            "whether",
            "Whether and when to watch",
            _whether,
            ("pooled-observed", "observed*", "examples-exp[12]"),
        ),
        Part("whom", "Whom to watch", _whom, ("examples-*",)),
        Part("ablations", "Why the ablations fail", _ablations),
        Part("misses", "What the model misses", _misses, ("calibration*",)),
        Part(
            "costs",
            "What that costs",
            _costs,
            ("tradeoff*", "total-steps*", "cost-total*", "regret*"),
        ),
    ),
    "Details": (
        Part("authors", "Against the authors' own model", _authors, ("authors-*",)),
        Part("readings", "Readings of the paper", _readings),
        Part("individual", "Single people", individual_parts),
        Part("sensitivity", "What the parameters change", sensitivity_parts),
        Part("game", "The game and the model", _game, ("game", "model")),
        Part("figures", "More figures", _figures, ("*",)),
        Part("set-up", "Stimuli and parameters", _setup),
        Part("interface", "The interface", _interface),
        Part("provenance", "Provenance", _provenance),
    ),
}
