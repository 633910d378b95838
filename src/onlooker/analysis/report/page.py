"""The report of a reproduction: a short argument, and a supplement with everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from onlooker.analysis.report import findings, html, logs_page, sections, verdict_page
from onlooker.analysis.report.details_page import (
    provenance_parts,
    readings_parts,
    sensitivity_parts,
    setup_parts,
)
from onlooker.analysis.report.individual_page import individual_parts
from onlooker.analysis.report.pictures import interface_parts, sheet_parts
from onlooker.analysis.report.teachers_page import teachers_parts
from onlooker.analysis.tables.behaviour import MODEL, pooled_or_only

if TYPE_CHECKING:
    from onlooker.analysis.figures.plate import Plate
    from onlooker.analysis.report.reproduction import Reproduction

FIGURES = "figures"  # the section of the supplement with the list of its figures
SUPPLEMENT = "supplement.html"


@dataclass(frozen=True, slots=True)
class Part:
    """A section: what it says, and the names of the figures that follow (with * for any)."""

    anchor: str
    title: str
    write: Callable[[Reproduction, Path], Iterator[str]]
    figures: tuple[str, ...] = ()


def report(done: Reproduction, pictures: Path) -> str:
    """The page to read: an abstract, one table, and the argument with its figures.

    `pictures` is the folder with the figures.
    """
    body = [html.opening(done.title, done.lead), *_banner(done)]
    body += [html.abstract(findings.abstract(done)), *sections.headline_parts(done)]
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
        yield html.section(part.anchor, part.title, [*part.write(done, pictures), *drawn])


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


# -- the argument ----------------------------------------------------------------------------------


def _finding(text: str) -> Iterator[str]:
    if text:
        yield html.finding(text)


def _more(anchor: str) -> str:
    return html.link("More in the supplement", f"{SUPPLEMENT}#{anchor}")


def _short_verdict(done: Reproduction, _: Path) -> Iterator[str]:
    yield from verdict_page.short_parts(done.verdicts, done.comparison)
    yield _more("verdict")


def _short_whether(done: Reproduction, _: Path) -> Iterator[str]:
    yield from _finding(findings.whether_finding(done))
    table = pooled_or_only(done.results.whether)
    yield from sections.whether_parts(table, done.comparison)
    yield _more("whether")


def _short_whom(done: Reproduction, _: Path) -> Iterator[str]:
    found, titles, people = (
        done.results,
        done.comparison.titles(),
        done.comparison.people,
    )
    yield from _finding(findings.whom_finding(done))
    yield from sections.whom_parts(found.whom, titles, people)
    mine = found.reversal[found.reversal["observer"] == MODEL] if len(found.reversal) else None
    if mine is not None and len(mine):
        yield from sections.reversal_parts(mine, found.reversal_trials, titles, people)
    yield _more("whom")


def _short_ablations(done: Reproduction, _: Path) -> Iterator[str]:
    yield from _finding(findings.ablation_finding(done))
    yield from sections.direction_parts(done.comparison)
    table = done.results.contrasts
    if not table.empty:
        table = table[table["observer"] == MODEL]
    titles = done.comparison.titles()
    yield from sections.contrast_parts(table, done.results.influence.iloc[:0], titles)
    yield _more("ablations")


def _short_misses(done: Reproduction, _: Path) -> Iterator[str]:
    table = done.results.hedging
    if not table.empty:
        yield from sections.hedging_parts(pooled_or_only(table), done.comparison.people)
    yield from sections.short_calibration_parts(done.results.calibration)
    yield _more("misses")


def _short_costs(done: Reproduction, _: Path) -> Iterator[str]:
    yield from _finding(findings.costs_finding(done))
    yield from sections.regret_parts(done)
    yield _more("costs")


def _short_logs(done: Reproduction, _: Path) -> Iterator[str]:
    yield from logs_page.short_parts(done)
    yield _more("from-logs")


ARGUMENT = (
    Part("claims", "What is the same and what holds", _short_verdict),
    Part("when", "Whether and when to watch", _short_whether, ("pooled-observed", "examples-exp2")),
    Part("who", "Whom to watch", _short_whom, ("examples-exp4",)),
    Part("why", "Why the ablations fail", _short_ablations),
    Part("more", "What the model misses", _short_misses, ("calibration*",)),
    Part("price", "What that costs", _short_costs, ("tradeoff",)),
    Part("logs", "What only logs show", _short_logs, ("logs",)),
)


# -- the supplement --------------------------------------------------------------------------------


def _verdict(done: Reproduction, _: Path) -> Iterator[str]:
    return verdict_page.verdict_parts(done.verdicts, done.comparison)


def _people(done: Reproduction, _: Path) -> Iterator[str]:
    return sections.people_parts(done)


def _whether(done: Reproduction, _: Path) -> Iterator[str]:
    yield from sections.fit_parts(done)


def _whom(done: Reproduction, _: Path) -> Iterator[str]:
    found, titles = done.results, done.comparison.titles()
    people = done.comparison.people
    yield from sections.preference_parts(found.preferences, titles)
    yield from sections.whom_parts(found.whom, titles, people)
    yield from sections.reversal_parts(found.reversal, found.reversal_trials, titles, people)


def _ablations(done: Reproduction, _: Path) -> Iterator[str]:
    return sections.ablation_parts(done)


def _misses(done: Reproduction, _: Path) -> Iterator[str]:
    yield from sections.hedging_parts(done.results.hedging, done.comparison.people)
    calibration = done.results.calibration
    yield from sections.calibration_parts(calibration, done.comparison.resamples)


def _costs(done: Reproduction, _: Path) -> Iterator[str]:
    yield from sections.tradeoff_parts(done.comparison, done.comparison.slopes)
    yield from sections.total_parts(done.comparison)
    yield from sections.regret_parts(done)


def _logs(done: Reproduction, _: Path) -> Iterator[str]:
    return logs_page.long_parts(done)


def _authors(done: Reproduction, _: Path) -> Iterator[str]:
    return sections.published_parts(done.results.published)


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


EVERYTHING = (
    Part("verdict", "The paper's claims, one by one", _verdict),
    Part("people", "What people do", _people),
    Part("whether", "Whether and when to watch", _whether, ("observed*", "examples-exp1")),
    Part("whom", "Whom to watch", _whom, ("examples-exp3",)),
    Part("ablations", "Why the ablations fail", _ablations),
    Part("misses", "What the model misses", _misses),
    Part("costs", "What that costs", _costs, ("tradeoff-*", "regret*", "total-steps*", "cost-*")),
    Part("from-logs", "What only logs show", _logs, ("logs-*",)),
    Part("authors", "Against the authors' own model", _authors, ("authors-*",)),
    Part("readings", "Readings of the paper", _readings),
    Part("teachers", "Teachers", teachers_parts, ("teachers-*",)),
    Part("individual", "Single people", individual_parts),
    Part("sensitivity", "What the parameters change", sensitivity_parts),
    Part("game", "The game and the model", _game, ("game", "model")),
    Part(FIGURES, "All figures of the supplement", _figures),
    Part("set-up", "Stimuli and parameters", _setup),
    Part("interface", "The interface", _interface),
    Part("provenance", "Provenance", _provenance),
)
