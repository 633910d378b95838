"""The report of a reproduction: a short argument, and a supplement with everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from onlooker.analysis.figures.plate import Plate
from onlooker.analysis.report import html
from onlooker.analysis.report.abstract import abstract
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.sections import (
    ablations,
    authors,
    costs,
    details,
    fits,
    logs,
    misses,
    people,
    single_people,
    teachers,
    verdicts,
    whom,
)

SUPPLEMENT = "supplement.html"
FIGURES = "figures"  # the section of the supplement with the list of its figures


@dataclass(frozen=True, slots=True)
class Part:
    """A section: what it says, the names of the figures that follow (with * for any), and the
    section of the supplement that has more.
    """

    anchor: str
    title: str
    write: Callable[[Reproduction], Iterator[str]]
    figures: tuple[str, ...] = ()
    more: str = ""


def report(done: Reproduction, pictures: Path) -> str:
    """The page to read: an abstract, one table, and the argument with its figures.

    `pictures` is the folder with the figures.
    """
    body = [html.opening(done.title, done.lead), *_banner(done)]
    body += [html.abstract(abstract(done)), *fits.headline(done)]
    body.append(html.link("Supplement: every claim, table, figure and setting", SUPPLEMENT))
    body += _sections(done, pictures, ARGUMENT)
    return html.page(done.title, body, short=True)


def supplement(done: Reproduction, pictures: Path) -> str:
    """The page with everything: all claims, tables and figures, stimuli and settings."""
    title = f"{done.title}: supplement"
    links = [(part.anchor, part.title) for part in EVERYTHING]
    body = [html.opening(title, done.lead), *_banner(done)]
    body += [html.link("Back to the report", "report.html"), html.contents([("Contents", links)])]
    body += _sections(done, pictures, EVERYTHING)
    return html.page(title, body, prefix="S")


def _sections(done: Reproduction, pictures: Path, parts: Sequence[Part]) -> Iterator[str]:
    places = _places(done, parts)
    for part in parts:
        drawn = (
            html.picture(pictures / f"{plate.name}.png", plate.title, plate.caption)
            for plate in places[part.anchor]
        )
        body = [*part.write(done), *drawn]
        if part.more:
            body.append(html.link("More in the supplement", f"{SUPPLEMENT}#{part.more}"))
        yield html.section(part.anchor, part.title, body)


def _places(done: Reproduction, parts: Sequence[Part]) -> dict[str, list[Plate]]:
    """The figures of each section: each comes in the first that names it."""
    places: dict[str, list[Plate]] = {part.anchor: [] for part in parts}
    for plate in done.plates:
        for part in parts:
            if any(fnmatch(plate.name, name) for name in part.figures):
                places[part.anchor].append(plate)
                break
    if FIGURES in places:  # what no section names comes with the list of figures
        named = [name for part in (*ARGUMENT, *EVERYTHING) for name in part.figures]
        places[FIGURES] += [
            plate for plate in done.plates if not any(fnmatch(plate.name, name) for name in named)
        ]
    return places


def _banner(done: Reproduction) -> Iterator[str]:
    if worth := done.comparison.source.worth:
        yield (
            f'<div class="banner">{done.comparison.people.capitalize()}. Everything below that'
            f" compares models with participants is {worth}, and does not stand beside the paper's"
            " values.</div>"
        )


WHEN = ("pooled-observed", "examples-exp2")
ARGUMENT = (
    Part("claims", "What is the same and what holds", verdicts.short, more="verdict"),
    Part("when", "Whether and when to watch", fits.short, WHEN, "whether"),
    Part("who", "Whom to watch", whom.short, ("examples-exp4",), "whom"),
    Part("why", "Why the ablations fail", ablations.short, more="ablations"),
    Part("more", "What the model misses", misses.short, ("calibration*",), "misses"),
    Part("price", "What that costs", costs.short, ("tradeoff",), "costs"),
    Part("logs", "What only logs show", logs.short, ("logs",), "from-logs"),
)
COSTS = ("tradeoff-*", "regret*", "total-steps*", "cost-*")
EVERYTHING = (
    Part("verdict", "The paper's claims, one by one", verdicts.full),
    Part("people", "What people do", people.full),
    Part("whether", "Whether and when to watch", fits.full, ("observed*", "examples-exp1")),
    Part("whom", "Whom to watch", whom.full, ("examples-exp3",)),
    Part("ablations", "Why the ablations fail", ablations.full),
    Part("misses", "What the model misses", misses.full),
    Part("costs", "What that costs", costs.full, COSTS),
    Part("from-logs", "What only logs show", logs.full, ("logs-*",)),
    Part("authors", "Against the authors' own model", authors.full, ("authors-*",)),
    Part("readings", "Readings of the paper", details.readings),
    Part("teachers", "Teachers", teachers.full, ("teachers-*",)),
    Part("individual", "Single people", single_people.full, ("individual/*",)),
    Part("sensitivity", "What the parameters change", details.sensitivity, ("sensitivity-*",)),
    Part("game", "The game and the model", details.game, ("game", "model")),
    Part(FIGURES, "All figures of the supplement", details.figures),
    Part("set-up", "Stimuli and parameters", details.setup),
    Part("interface", "The interface", details.interface),
    Part("provenance", "Provenance", details.provenance),
)
