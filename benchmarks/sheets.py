"""Tables of measurements: on the terminal, as Markdown, and between markers in a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rich import box
from rich.table import Table

MARKED = re.compile(r"(<!-- bench:([a-z-]+) -->\n).*?(<!-- /bench -->)", re.DOTALL)


@dataclass(frozen=True)
class Sheet:
    """One table; the first column holds words, the others numbers."""

    name: str  # of its file and of its markers
    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    note: str = ""

    def add(self, *cells: str) -> None:
        """Add a row."""
        self.rows.append(cells)

    def table(self) -> Table:
        """The table for the terminal."""
        table = Table(title=self.title, caption=self.note, title_justify="left", box=box.SIMPLE)
        table.caption_justify = "left"
        for index, heading in enumerate(self.columns):
            table.add_column(heading, justify="right" if index else "left")
        for row in self.rows:
            table.add_row(*row)
        return table

    def markdown(self) -> str:
        """The table in Markdown.

        >>> print(Sheet("a", "Title", ("work", "µs"), [("one", "2")]).markdown())
        **Title**
        <BLANKLINE>
        | work | µs |
        |---|---:|
        | one | 2 |
        <BLANKLINE>
        """
        lines = [f"**{self.title}**", "", _line(self.columns)]
        lines.append("|---|" + "---:|" * (len(self.columns) - 1))
        lines += [_line(row) for row in self.rows]
        if self.note:
            lines += ["", self.note]
        return "\n".join(lines) + "\n"

    def write(self, folder: Path) -> None:
        """Write the Markdown into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.md").write_text(self.markdown(), encoding="utf-8")


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def with_tables(page: str, tables: Mapping[str, str]) -> str:
    """A page with what stands between `<!-- bench:NAME -->` and `<!-- /bench -->` replaced.

    Markers whose name has no table keep what they hold.

    >>> with_tables("<!-- bench:a -->\\nold\\n<!-- /bench -->", {"a": "new"})
    '<!-- bench:a -->\\n\\nnew\\n\\n<!-- /bench -->'
    """

    def filled(match: re.Match[str]) -> str:
        table = tables.get(match[2])
        return match[0] if table is None else f"{match[1]}\n{table.strip()}\n\n{match[3]}"

    return MARKED.sub(filled, page)


def write_tables(page: Path, folder: Path) -> list[str]:
    """Put the Markdown files of a folder between their markers in a page; the names written."""
    tables = {file.stem: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.md"))}
    text = page.read_text(encoding="utf-8")
    page.write_text(with_tables(text, tables), encoding="utf-8")
    return [match[2] for match in MARKED.finditer(text) if match[2] in tables]
