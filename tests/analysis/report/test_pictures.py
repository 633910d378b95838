"""The supplement of a report: numbered figures, the paper's beside them, sheets of the trials."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from PIL import Image

from onlooker.analysis.report import html, pictures
from onlooker.analysis.report.html import PAPER, paper_figure
from onlooker.analysis.report.pictures import SHOTS, interface_parts, sheet_parts, sheets
from onlooker.experiments.stimuli import stimuli


def png(width: int, height: int) -> bytes:
    content = BytesIO()
    Image.new("RGB", (width, height)).save(content, "PNG")
    return content.getvalue()


def test_figures_are_numbered_where_they_stand_with_the_papers_beside_them() -> None:
    body = [
        html.figure_list(),
        html.picture(png(8, 4), "How it fits", "Words.", "pooled-observed"),
        html.paragraph("between"),
        html.picture(png(4, 8), "Regret", "Regret: words.", "regret"),
    ]
    page = html.page("title", body)
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", page)
    assert captions == [
        "<strong>Figure 1 (the paper’s Fig. 3).</strong> How it fits. Words.",
        "<strong>Figure 2.</strong> Regret: words.",
    ]
    listed = re.findall(r"<tr><td class=word>(.*?)</td><td class=word>(.*?)</td>", page)
    assert listed == [
        ('<a href="#figure-1">Figure 1</a>', "How it fits"),
        ('<a href="#figure-2">Figure 2</a>', "Regret"),
    ]
    assert [f"figure-{number}" in page for number in (1, 2, 3)] == [True, True, False]
    assert page.count("class=flat") == 1
    assert "@@" not in page


def test_a_page_without_figures_has_none() -> None:
    assert "<figure" not in html.page("title", [html.paragraph("words")])


def test_every_figure_of_the_paper_has_one_of_ours() -> None:
    numbers = " ".join(PAPER.values())
    main = [f"Fig. {number}" for number in range(1, 6)]
    assert set(main) <= set(PAPER.values())
    ranges = numbers.replace("A5–A7", "A5, A6, A7")
    assert {int(found) for found in re.findall(r"A(\d+)", ranges)} == set(range(1, 16))
    assert paper_figure("tradeoff-by-experiment") == "Fig. A15"
    assert paper_figure("calibration") == ""


def test_every_trial_is_on_a_sheet() -> None:
    trials = [*stimuli(1)[:3], *stimuli(4)[:2]]
    pages = sheets(trials)
    assert [page.name for page in pages] == ["stimuli-exp1-1", "stimuli-exp4-1"]
    assert [page.title for page in pages] == [
        "Experiment 1, the stimuli",
        "Experiment 4, the stimuli",
    ]
    for page in pages:
        picture = Image.open(BytesIO(page.png))
        assert picture.mode == "P"
        edges = picture.convert("RGB")
        sides = [(0, 0, edges.width, 1), (0, 0, 1, edges.height)]
        assert all(
            edges.crop(side).getcolors() != [(side[2] * side[3], (255,) * 3)] for side in sides
        )
    [first, second] = sheet_parts(pages)
    assert "the paper’s Fig. A4" in first
    assert "the paper’s Figs. A10, A11" in second


def test_too_many_trials_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MOST", 2)
    assert sheets(stimuli(1)[:3]) == []
    assert "more than 2 trials" in "".join(sheet_parts([]))


def test_the_interface_is_shown() -> None:
    parts = list(interface_parts())
    assert len(parts) == 1 + len(SHOTS)
    assert "the paper’s Fig. A2" in "".join(parts)
