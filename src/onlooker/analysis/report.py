"""The report of a reproduction: a page that a person enjoys reading."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from onlooker.analysis import html
from onlooker.analysis.argument.behaviour_page import hedging_parts, whom_parts
from onlooker.analysis.argument.calibration_page import calibration_parts
from onlooker.analysis.argument.cost_page import regret_parts, tradeoff_parts
from onlooker.analysis.argument.fit_page import fit_parts
from onlooker.analysis.argument.people_page import sample_parts
from onlooker.analysis.argument.verdict_page import verdict_parts
from onlooker.analysis.argument.writing import people_word
from onlooker.analysis.report_details import (
    provenance_parts,
    readings_parts,
    sensitivity_parts,
    setup_parts,
)
from onlooker.analysis.report_individual import individual_parts

if TYPE_CHECKING:
    from onlooker.analysis.reproduction import Reproduction

SECTIONS = (
    ("verdict", "Verdict"),
    ("headline", "Fit"),
    ("whom", "Whom"),
    ("figures", "Figures"),
    ("tradeoff", "Watching and acting"),
    ("calibration", "Calibration"),
    ("regret", "Regret"),
    ("people", "Participants"),
    ("readings", "Readings of the paper"),
    ("individual", "Single people"),
    ("sensitivity", "Sensitivity"),
    ("set-up", "Stimuli and parameters"),
    ("provenance", "Provenance"),
)


def report(done: Reproduction, pictures: Path) -> str:
    """The page; `pictures` is the folder with the figures."""
    body = [
        html.opening(done.title, done.lead),
        *_banner(done),
        _contents(),
        html.section("verdict", "What holds", verdict_parts(done.argument.verdicts)),
        html.section("headline", "How well the observers fit", fit_parts(done)),
        html.section("whom", "Whom to watch", _whom(done)),
        html.section("figures", "Figures", _pictures(done, pictures)),
        html.section("tradeoff", "Watching and acting", tradeoff_parts(done.comparison)),
        html.section("calibration", "What the model misses", _calibration(done, pictures)),
        html.section("regret", "How close to the best", regret_parts(done, pictures)),
        html.section("people", "Participants", sample_parts(done.comparison)),
        html.section("readings", "Readings of the paper", readings_parts(done)),
        html.section("individual", "Single people", individual_parts(done, pictures)),
        html.section(
            "sensitivity", "What the parameters change", sensitivity_parts(done, pictures)
        ),
        html.section("set-up", "Stimuli and parameters", setup_parts(done)),
        html.section("provenance", "Provenance", provenance_parts(done)),
    ]
    return html.page(done.title, body)


def _banner(done: Reproduction) -> Iterator[str]:
    if done.comparison.data == "simulated":
        yield (
            '<div class="banner">Simulated participants. Everything below that compares models with'
            " participants is a check of the machinery, not evidence about people, and does not"
            " stand beside the paper's values.</div>"
        )


def _contents() -> str:
    links = " ".join(f'<a href="#{anchor}">{title}</a>' for anchor, title in SECTIONS)
    return f"<nav>{links}</nav>"


def _pictures(done: Reproduction, pictures: Path) -> Iterator[str]:
    for plate in done.plates:
        yield html.picture(pictures / f"{plate.name}.png", plate.title, plate.caption)
    yield from (html.paragraph(words) for words in done.left_out)
    yield html.paragraph(
        "Each figure lies beside this page as SVG and PNG, with the numbers behind every panel as"
        " CSV."
    )


def _whom(done: Reproduction) -> Iterator[str]:
    return whom_parts(done.argument.whom, done.comparison.titles(), people_word(done.comparison))


def _calibration(done: Reproduction, pictures: Path) -> Iterator[str]:
    yield from hedging_parts(done.argument.hedging, people_word(done.comparison))
    yield from calibration_parts(done.argument.calibration, done.comparison.resamples)
    plate = done.argument.calibration_plate
    if plate is not None:
        yield html.picture(pictures / f"{plate.name}.png", plate.title, plate.caption)
