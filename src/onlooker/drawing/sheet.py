"""Stimulus sheets: every configuration of a set of trials on pages to print, as in a supplement."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from onlooker.drawing import pieces
from onlooker.drawing.artists import Group, cut
from onlooker.drawing.figure import FORMATS, draw_map, save_figure
from onlooker.drawing.legend import LegendRow, legend_rows
from onlooker.drawing.page import Page, text_width
from onlooker.drawing.route import Paths, Point
from onlooker.drawing.style import FAINT_INK, GRID, PAPER, agent_styles, shade
from onlooker.experiments.layout import base_maps
from onlooker.game import Npc, Trial
from onlooker.planning import NoPathError, Tables, npc_paths
from onlooker.support.extras import figures_extra
from onlooker.support.files import write_file

with figures_extra():
    import matplotlib
    import matplotlib.style
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyBboxPatch

# All in inches; an A4 page, upright.
WIDTH, HEIGHT, MARGIN = 8.27, 11.69, 0.42
TITLE = 0.36
GUTTER, PAD = 0.11, 0.06  # between frames, and inside them
WIDEST_GUTTER = 0.3  # between rows, where there is room to spare
NAME, LINE = 0.19, 0.16  # a caption's first line, and those below it, which are about the NPCs
TOKEN, GAP = 0.15, 0.1  # the cell that an NPC's token is drawn in, and between NPCs
WORDS, NAMES = 6.8, 8.0  # points
NEARLY = 0.12  # a row is still put on the page if this much of it has no room: all get smaller
LARGEST = 0.42  # a cell of a map
SIGN, ENTRY = 0.18, 0.225  # in the legend: the cell that a sign is drawn in, and from line to line
INDENT, APART = 0.285, 0.17  # from a sign to its text, and from a text to the next sign
ENTRIES = 7.0  # points

T = TypeVar("T")
Lines = list[list[tuple[float, T]]]  # what stands in each line, and how far from its begin
SheetRow = list[list[Trial]]  # the groups that stand side by side


def sheet_figures(
    trials: Iterable[Trial],
    title: str = "",
    *,
    columns: int = 4,
    rows: int | None = None,
    holders: bool = True,
) -> list[Figure]:
    """Pages with every trial, its NPCs' reference paths drawn in; A4, upright.

    The scenarios of a base map stand side by side in one frame. `columns` and `rows` say how many
    maps a page has; without `rows`, as many as fit. `holders` marks who holds the amulets.
    """
    groups = [_by_scenario(group) for group in base_maps(trials)]
    if not groups:
        raise ValueError("there are no trials to draw")
    if columns < 1 or (rows is not None and rows < 1):
        raise ValueError(f"a page has at least one column and row, not {columns} by {rows}")
    with matplotlib.style.context("default"):  # whatever the user's settings are
        return _Sheet(groups, title, columns, rows, holders).draw()


def save_sheet(
    trials: Iterable[Trial], path: str | os.PathLike[str], title: str = "", **look: Any
) -> list[Path]:
    """Write a sheet to a file, and say which files were written; `look` is as in `sheet_figures`.

    A .pdf has all pages. Of .png and .svg there is a file for each page: with several pages,
    sheet.png becomes sheet-1.png, sheet-2.png and so on.
    """
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{path}: a sheet's name ends in {', '.join(FORMATS)}")
    figures = sheet_figures(trials, title, **look)
    if path.suffix.lower() == ".pdf":
        write_file(path, _pdf(figures))
        return [path]
    files = [path]
    if len(figures) > 1:
        files = [path.with_stem(f"{path.stem}-{number + 1}") for number in range(len(figures))]
    for figure, file in zip(figures, files, strict=True):
        save_figure(figure, file)
    return files


def _pdf(figures: Sequence[Figure]) -> bytes:
    """All pages in one document, which has no date, so that the same pages give the same bytes."""
    from matplotlib.backends.backend_pdf import PdfPages  # with it come tools for fonts

    content = BytesIO()
    settings: dict[Any, Any] = {"pdf.fonttype": 42}
    with (
        matplotlib.rc_context(settings),
        PdfPages(content, metadata={"CreationDate": None}) as document,
    ):
        for figure in figures:
            document.savefig(figure)
    return content.getvalue()


def _by_scenario(group: list[Trial]) -> list[Trial]:
    """A base map's trials, by scenario where scenarios are numbers."""
    if all(isinstance(trial.scenario, int) for trial in group):
        return sorted(group, key=lambda trial: f"{trial.scenario:>9}")
    return group


class _Sheet:
    """The pages: what goes where, and how large."""

    def __init__(
        self, groups: list[list[Trial]], title: str, columns: int, rows: int | None, holders: bool
    ) -> None:
        self.title, self.holders = title, holders
        trials = [trial for group in groups for trial in group]
        self.paths = {id(trial): _paths(trial) for trial in trials}
        self.slot = (WIDTH - 2 * MARGIN - (columns - 1) * GUTTER) / columns
        wide = max(trial.map.width for trial in trials) + 0.1
        self.high = max(trial.map.height for trial in trials) + 0.1
        self.captions = {
            id(trial): _lines([(_npc_width(n), n) for n in trial.npcs], self.slot - 2 * PAD, GAP)
            for trial in trials
        }
        self.caption = NAME + LINE * max(map(len, self.captions.values()))
        self.top = MARGIN + TITLE + ENTRY * len(self._legend(trials)) + GUTTER
        room, fixed = HEIGHT - self.top - MARGIN, self.caption + 2 * PAD
        self.cell = min(LARGEST, (self.slot - 2 * PAD) / wide)
        natural = self.cell * self.high + fixed
        number = rows or max(1, int((room + GUTTER) / (natural + GUTTER) + NEARLY))
        tallest = (room + GUTTER) / number - GUTTER - fixed
        self.cell = min(self.cell, tallest / self.high)
        if self.cell <= 0:
            raise ValueError(f"a page has no room for {number} rows of {columns} maps")
        self.frame = self.cell * self.high + fixed
        gutter = (room - number * self.frame) / max(1, number - 1)
        self.pitch = self.frame + min(WIDEST_GUTTER, gutter)
        lines = _packed(groups, columns)
        self.pages = [lines[i : i + number] for i in range(0, len(lines), number)]

    def draw(self) -> list[Figure]:
        """Draw all pages."""
        return [self._draw_page(number, rows) for number, rows in enumerate(self.pages)]

    def _legend(self, trials: list[Trial]) -> Lines[LegendRow]:
        """The lines of the legend: what occurs on any of some maps."""
        rows: dict[str, LegendRow] = {}
        for trial in trials:
            of_trial = legend_rows(trial, holders=self.holders, paths=self.paths[id(trial)])
            if trial.npcs:
                of_trial.insert(1 + len(trial.npcs), LegendRow("goal of an NPC", _draw_arrow))
            rows = _merged(rows, of_trial)
        widths = [(_entry_width(row), row) for row in rows.values()]
        return _lines(widths, WIDTH - 2 * MARGIN, APART)

    def _draw_page(self, number: int, rows: list[SheetRow]) -> Figure:
        page = Page(WIDTH, HEIGHT)
        if self.title:
            page.text(MARGIN, MARGIN + 0.16, cut(self.title, 70), 13, weight="bold", gid="title")
        if len(self.pages) > 1:
            text = f"page {number + 1} of {len(self.pages)}"
            right = WIDTH - MARGIN
            page.text(right, MARGIN + 0.16, text, 8, color=FAINT_INK, ha="right", gid="page")
        trials = [trial for row in rows for group in row for trial in group]
        _draw_legend(page, MARGIN, MARGIN + TITLE, self._legend(trials))
        frames = page.axes(0, 0, WIDTH, HEIGHT)
        frames.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
        index = 0
        for line, row in enumerate(rows):
            left, top = MARGIN, self.top + line * self.pitch
            for group in row:
                width = len(group) * (self.slot + GUTTER)
                self._draw_frame(frames, left, top, width - GUTTER, f"group:{index}")
                for trial in group:
                    self._draw_trial(page, left, top + PAD, trial, f"trial:{index}")
                    left += self.slot + GUTTER
                    index += 1
        return page.figure

    def _draw_frame(self, ax: Axes, left: float, top: float, width: float, gid: str) -> None:
        """The frame around the scenarios of one base map."""
        box = FancyBboxPatch((left, top), width, self.frame, "round,pad=0,rounding_size=0.06")
        box.set(facecolor=PAPER, edgecolor=shade(GRID, 0.15), linewidth=0.8, gid=gid)
        ax.add_patch(box)

    def _draw_trial(self, page: Page, left: float, top: float, trial: Trial, gid: str) -> None:
        width, height = (self.cell * (side + 0.1) for side in (trial.map.width, trial.map.height))
        left += (self.slot - width) / 2
        room, name = self.slot - 2 * PAD, cut(trial.label, 40)
        size = min(NAMES, NAMES * room / text_width(name, NAMES, "bold"))
        page.text(left, top + 0.12, name, size, weight="bold", gid=f"{gid}:name")
        ax = page.axes(left, top + self.caption, width, height, gid=gid)
        draw_map(ax, trial, holders=self.holders, paths=self.paths[id(trial)])
        self._draw_npcs(ax, trial)

    def _draw_npcs(self, ax: Axes, trial: Trial) -> None:
        """Above a map: what each NPC is and which chest it goes to."""
        several, styles = len(trial.npcs) > 1, agent_styles(trial)
        (left, _), (_, top), unit = ax.get_xlim(), ax.get_ylim(), TOKEN / self.cell
        for line, npcs in enumerate(self.captions[id(trial)]):
            y = top - (self.caption - NAME + 0.02 - LINE * (line + 0.5)) / self.cell
            for inches, npc in npcs:
                x, style = left + inches / self.cell, styles[npc.id]
                place, gid = (x + 0.5 * unit, y), f"caption:{npc.id}"
                pieces.draw_agent(ax, place, f"{gid}:token", style, number=several, scale=unit)
                words = Group(ax, gid, pieces.AGENT_LAYER)
                words.text(x + 1.2 * unit, y, _says(npc), WORDS / 72 / self.cell, ha="left")


def _lines(items: Iterable[tuple[float, T]], width: float, gap: float) -> Lines[T]:
    """Items of these widths, a gap between them, in lines as long as a width allows."""
    lines: Lines[T] = []
    right = width
    for space, item in items:
        if right + space > width:
            lines.append([])
            right = 0.0
        lines[-1].append((right, item))
        right += space + gap
    return lines


def _npc_width(npc: Npc) -> float:
    return 1.2 * TOKEN + text_width(_says(npc), WORDS)


def _says(npc: Npc) -> str:
    told = f" ({npc.told_words})" if npc.told_words else ""
    return f"{npc.expertise}{told} → {npc.goal}"


def _paths(trial: Trial) -> Paths:
    """The NPCs' reference paths by their ids."""
    try:
        paths = npc_paths(Tables(trial.map), trial)
    except NoPathError as error:
        raise NoPathError(f"{trial.label}: {error}") from None
    return {npc.id: path for npc, path in zip(trial.npcs, paths, strict=True)}


def _packed(groups: list[list[Trial]], columns: int) -> list[SheetRow]:
    """Rows of groups, none with more trials than there are columns; large groups are cut."""
    rows: list[SheetRow] = []
    free = 0
    for group in groups:
        for start in range(0, len(group), columns):
            part = group[start : start + columns]
            if len(part) > free:
                rows.append([])
                free = columns
            rows[-1].append(part)
            free -= len(part)
    return rows


# -- the legend ------------------------------------------------------------------------------------


def _entry_width(row: LegendRow) -> float:
    return INDENT + text_width(row.text, ENTRIES)


def _draw_legend(page: Page, left: float, top: float, lines: Lines[LegendRow]) -> None:
    """Draw the lines; each sign has separate Axes, whose gid is "legend:" and its text."""
    for number, line in enumerate(lines):
        for x, row in line:
            place, gid = (left + x, top + ENTRY * number), f"legend:{row.text}"
            ax = page.cells(*place, _entry_width(row), ENTRY, SIGN, gid=gid)
            middle = ENTRY / SIGN / 2
            row.draw(ax, (0.67, middle))
            text = Group(ax, "text", pieces.AGENT_LAYER)
            text.text(INDENT / SIGN, middle, row.text, ENTRIES / 72 / SIGN, ha="left")


def _draw_arrow(ax: Axes, place: Point) -> None:
    """The arrow that captions have before an NPC's goal."""
    Group(ax, "arrow", pieces.AGENT_LAYER).text(*place, "→ A", ENTRIES / 72 / SIGN)


def _merged(known: dict[str, LegendRow], rows: list[LegendRow]) -> dict[str, LegendRow]:
    """The rows of both, each once, the new ones before those that follow them on their map."""
    merged = list(known.values())
    place = len(merged)
    for row in reversed([LegendRow(_general(row.text), row.draw) for row in rows]):
        texts = [old.text for old in merged]
        if row.text in texts:
            place = texts.index(row.text)
        else:
            merged.insert(place, row)
    return {row.text: row for row in merged}


def _general(text: str) -> str:
    """What a legend says of one map, said of many: an agent's goal is not the same on all."""
    return text.partition(", goal ")[0].replace("other chests", "other chest")
