"""Pieces of a self-contained HTML page: no script, nothing from elsewhere."""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

WIDE = 9  # columns: a table with more is printed smaller; a page that is too wide would be shrunk
FLAT = 0.85  # pictures that are no higher than this for their width share a printed page
NUMBER, LIST = "@@number@@", "@@figures@@"  # what `page` puts in: a figure's number, all figures

PAPER = {  # the paper's figures, by how our figure's name begins; the first that fits counts
    "game": "Fig. 1",
    "model": "Fig. 2",
    "pooled-observed": "Fig. 3",
    "examples-": "Fig. 4",
    "tradeoff-by-experiment": "Fig. A15",
    "tradeoff": "Fig. 5",
    "interface-instructions": "Fig. A1",
    "interface-trial": "Fig. A2",
    "interface-": "Fig. A3",
    "stimuli-exp1": "Fig. A4",
    "stimuli-exp2": "Figs. A5–A7",
    "stimuli-exp3": "Figs. A8, A9",
    "stimuli-exp4": "Figs. A10, A11",
    "cost-observation": "Figs. A12, A13",
    "cost-total": "Fig. A14",
}
STYLE = """
:root { --ink: #1c1f24; --soft: #5b6470; --line: #d9dde3; --paper: #ffffff; --wash: #f5f3ee;
        --accent: #1f56a8; --warn: #8a4b00; --warn-wash: #fff3df; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--wash); color: var(--ink);
       font: 16px/1.55 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 2rem 5rem; background: var(--paper); }
h1 { font-size: 2.1rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 .6rem; padding-top: .6rem;
     border-top: 1px solid var(--line); }
h3 { font-size: 1.02rem; margin: 1.6rem 0 .3rem; }
p.lead { font-size: 1.1rem; color: var(--soft); margin-top: 0; }
p { max-width: 46rem; }
nav { margin: 1.2rem 0 0; font-size: .95rem; display: flex; flex-wrap: wrap; gap: 0 3.5rem; }
nav ol { margin: .3rem 0 .6rem; padding-left: 1.4rem; } nav li { margin: .1rem 0; }
a { color: var(--accent); }
ul.abstract { padding-left: 1.1rem; } ul.abstract li { margin: .2rem 0; }
p.more { font-size: .95rem; }
p.finding { border-left: 4px solid var(--accent); padding-left: .9rem; font-weight: 600; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: .8rem 0;
        font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; text-align: right; vertical-align: top;
         border-bottom: 1px solid var(--line); }
th { text-align: right; color: var(--soft); font-weight: 600; }
td { white-space: nowrap; } td.word { white-space: normal; }
th.word, td.word { text-align: left; }
details { margin: 1rem 0; } summary { cursor: pointer; color: var(--accent); }
tr.strong td { font-weight: 650; }
figure { margin: 1.6rem 0; }
figure img { max-width: 100%; height: auto; display: block; border: 1px solid var(--line); }
figcaption { font-size: .92rem; color: var(--soft); margin-top: .5rem; max-width: 50rem; }
.banner { background: var(--warn-wash); color: var(--warn); border-left: 5px solid var(--warn);
          padding: .7rem 1rem; margin: 1.2rem 0; font-weight: 600; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .88em; }
pre { background: var(--wash); padding: .8rem 1rem; overflow-x: auto; }
dl { display: grid; grid-template-columns: max-content auto; gap: .2rem 1.2rem; font-size: .92rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
@page { size: A4; margin: 16mm 14mm; }
@media print {
  html { font-size: 10pt; } body { background: none; font-size: 1rem; }
  main { padding: 0; max-width: none; } p, figcaption { max-width: none; orphans: 3; widows: 3; }
  nav, .screen { display: none; } .scroll { overflow: visible; }
  h1, h2, h3, summary { break-after: avoid; } tr, figure, .banner { break-inside: avoid; }
  h2 { margin-top: 1.6rem; }
  thead { display: table-header-group; }
  table { font-size: 7.5pt; } th, td { padding: .15rem .4rem; } th { white-space: normal; }
  td.word:first-child { min-width: 18mm; }
  table.wide { font-size: 6.5pt; } .wide th, .wide td { padding: .15rem .2rem; }
  .wide th { max-width: 18mm; }
  #verdict table { font-size: 7pt; }
  #verdict td:first-child, #claims td:first-child { min-width: 42mm; }
  #verdict td:last-child, #claims td:last-child { min-width: 22mm; }
  details::details-content { content-visibility: visible; height: auto; }
  summary { color: var(--ink); font-weight: 600; list-style: none; }
  figure { margin: .8rem 0; } figure img { max-height: 225mm; margin: 0 auto; border: none; }
  figure.flat img { max-height: 106mm; } /* two on a page */
  main.short { font-size: .95rem; line-height: 1.4; }
  main.short figure img { max-height: 84mm; }
  main.short figcaption { font-size: .84rem; line-height: 1.3; margin-top: .2rem; }
  main.short section:not(#claims) .scroll { break-inside: avoid; }
  p.finding { break-inside: avoid; } p:has(+ figure, + .scroll) { break-after: avoid; }
  p.more { break-before: avoid; }
  pre { white-space: pre-wrap; columns: 2; }
}
"""


def page(title: str, body: Iterable[str], prefix: str = "", *, short: bool = False) -> str:
    """A whole page; its figures are numbered, with a prefix such as S of a supplement.

    Figures and tables of a short one take less room on paper.
    """
    kind = ' class="short"' if short else ""
    return _numbered(
        prefix,
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main{kind}>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n",
    )


def opening(title: str, lead: str) -> str:
    """The head line of a page, and the line below it."""
    return f'<h1>{escape(title)}</h1>\n<p class="lead">{escape(lead)}</p>'


def preformatted(text: str) -> str:
    """A text with its lines as they are."""
    return f"<pre>{escape(text)}</pre>"


def section(anchor: str, title: str, parts: Iterable[str]) -> str:
    """A headed part of the page."""
    inner = "\n".join(parts)
    return f'<section id="{anchor}">\n<h2>{escape(title)}</h2>\n{inner}\n</section>'


def finding(text: str) -> str:
    """What a section comes to, in a sentence or two, if there is something to be said."""
    return f'<p class="finding">{escape(text)}</p>' if text else ""


def heading(title: str) -> str:
    """A heading within a section."""
    return f"<h3>{escape(title)}</h3>"


def contents(parts: Iterable[tuple[str, Sequence[tuple[str, str]]]]) -> str:
    """A linked table of contents: groups of sections, each an anchor with its title."""
    groups = []
    for title, links in parts:
        items = "".join(
            f'<li><a href="#{anchor}">{escape(text)}</a></li>' for anchor, text in links
        )
        groups.append(f"<div><strong>{escape(title)}</strong><ol>{items}</ol></div>")
    return f"<nav>{''.join(groups)}</nav>"


def paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{escape(text)}</p>"


def link(text: str, address: str) -> str:
    """A line that leads to another page, or to a place in it."""
    return f'<p class="more"><a href="{escape(address)}">{escape(text)}</a></p>'


def abstract(points: Iterable[tuple[str, str]]) -> str:
    """What a page comes to, in a few points, each with what it is about."""
    items = (
        f"<li><b>{escape(title)}.</b> {escape(words)}</li>" for title, words in points if words
    )
    return f'<ul class="abstract">{"".join(items)}</ul>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; columns that hold words stand to the left and may break into lines.

    >>> table(["who", "n"], [["people", "3 of 4"]]).count("class=word")
    2
    """
    lines = list(rows)
    words = [
        any(re.search("[A-Za-z]{3}", each) for each in column)
        for column in zip(*lines, strict=True)
    ]
    kinds = [" class=word" if each else "" for each in words or [False] * len(head)]

    def row(tag: str, values: Sequence[str]) -> str:
        cells = zip(kinds, values, strict=True)
        return f"<tr>{''.join(f'<{tag}{kind}>{escape(text)}</{tag}>' for kind, text in cells)}</tr>"

    inner = f"<thead>{row('th', head)}</thead><tbody>{''.join(row('td', each) for each in lines)}"
    kind = " class=wide" if len(head) > WIDE else ""
    return f'<div class="scroll"><table{kind}>{inner}</tbody></table></div>'


def details(summary: str, inner: str, *, printed: bool = True) -> str:
    """Something that is shown when it is asked for, and on paper unless it is not `printed`."""
    kind = "" if printed else " class=screen"
    return f"<details{kind}><summary>{escape(summary)}</summary>{inner}</details>"


def paper_figure(name: str) -> str:
    """The number of the paper's figure, or nothing where the paper has no such figure.

    >>> paper_figure("examples-exp2"), paper_figure("regret")
    ('Fig. 4', '')
    """
    return next((number for begin, number in PAPER.items() if name.startswith(begin)), "")


def picture(png: Path | bytes, title: str, caption: str, name: str = "") -> str:
    """A picture within the page, with its caption; `page` gives it its number.

    Its name, by default the file's, says which figure of the paper it corresponds to.
    """
    content = png if isinstance(png, bytes) else png.read_bytes()
    width, height = struct.unpack(">II", content[16:24])  # where a PNG has its size
    data = base64.b64encode(content).decode("ascii")
    paper = paper_figure(name or ("" if isinstance(png, bytes) else png.stem))
    kind = " class=flat" if height < FLAT * width else ""
    known = f" (the paper’s {paper})" if paper else ""
    words = caption if title in caption else f"{title}. {caption}"
    return (
        f'<figure id="figure-{NUMBER}" data-title="{escape(title)}" data-paper="{paper}"{kind}>'
        f'<img alt="{escape(title)}" src="data:image/png;base64,{data}">'
        f"<figcaption><strong>Figure {NUMBER}{known}.</strong> {escape(words)}</figcaption>"
        "</figure>"
    )


def figure_list() -> str:
    """Where `page` puts the list of all figures, with the paper's beside them."""
    return LIST


def _numbered(prefix: str, text: str) -> str:
    """Number the figures in the order in which they stand, and list them."""
    before, *parts = text.split("<figure ")
    numbers = [f"{prefix}{index}" for index in range(1, len(parts) + 1)]
    parts = [part.replace(NUMBER, n) for n, part in zip(numbers, parts, strict=True)]
    rows = []
    for number, part in zip(numbers, parts, strict=True):
        found = re.match(r'id="[^"]*" data-title="([^"]*)" data-paper="([^"]*)"', part)
        title, paper = found.groups() if found else ("", "")
        link = f'<a href="#figure-{number}">Figure {number}</a>'
        rows.append(f"<tr><td class=word>{link}</td><td class=word>{title}</td>")
        rows[-1] += f"<td class=word>{paper or '–'}</td></tr>"
    head = "".join(f"<th class=word>{word}</th>" for word in ("", "shows", "the paper’s"))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    listed = details("All figures, and the paper’s that they correspond to", table)
    return "<figure ".join([before, *parts]).replace(LIST, listed)


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and their values."""
    inner = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in pairs)
    return f"<dl>{inner}</dl>"
