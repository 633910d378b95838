"""Draw overview.svg, the picture of the first page: `python docs/images/make_overview.py`."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

OUT = Path(__file__).with_name("overview.svg")
COLUMN, ROW = 138, 74  # pixels from one box to the next
WIDTH, HEIGHT = 112, 34  # of a box
LEFT, TOP = 14, 42


@dataclass(frozen=True)
class Box:
    """A file or a command, in a column and a row, with a line below it."""

    name: str
    about: str = ""
    is_command: bool = False

    def draw(self, x: float, y: float) -> str:
        """The box as SVG, with its upper left corner there."""
        kind = "command" if self.is_command else "file"
        shape = f'<rect class="{kind}" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        if not self.is_command:  # a sheet with a folded corner
            right, low, fold = x + WIDTH, y + HEIGHT, 10
            shape = (
                f'<path class="file" d="M{x} {y}H{right - fold}l{fold} {fold}V{low}H{x}z"/>'
                f'<path class="fold" d="M{right - fold} {y}v{fold}h{fold}"/>'
            )
        middle = x + WIDTH / 2
        text = f'<text class="{kind}" x="{middle}" y="{y + 22}">{escape(self.name)}</text>'
        text += (
            f'<text class="about" x="{middle}" y="{y + HEIGHT + 15}">{escape(self.about)}</text>'
        )
        return shape + text


def file(name: str, about: str = "") -> Box:
    """A file or folder."""
    return Box(name, about)


def command(name: str, about: str = "") -> Box:
    """A command: `onlooker NAME`."""
    return Box(name, about, is_command=True)


LANES: tuple[tuple[str, tuple[tuple[Box, ...], ...]], ...] = (
    (
        "A trial: what would an observer do, and why?",
        (
            (
                file("fork.map", "a map you draw"),
                command("check", "is it valid?"),
                command("run", "whom, how long?"),
                command("explain", "why?"),
                file("why.png, .html"),
            ),
        ),
    ),
    (
        "Data: which observer describes people?",
        (
            (
                file("choices.csv", "your own table"),
                command("import-data", "checks every choice"),
                file("dataset/", "one format for all"),
                command("fit", "each person"),
                file("fits/", "parameters, evidence"),
                command("compare", "--individual"),
                file("people.csv", "who follows which"),
            ),
            (
                file("maps/", "or the bundled trials"),
                command("predict", "every observer"),
                file("predictions.csv", "steps watched"),
                command("compare", "with the dataset"),
                file("tables", "r, CCC, RMSE"),
            ),
            (
                file("maps/, dataset/", "or nothing at all"),
                command("reproduce", "all of this in one"),
                file("report.html", "figures, tables"),
            ),
        ),
    ),
    (
        "A study: how do I collect data online?",
        (
            (
                file("study.toml", "onlooker settings"),
                command("preflight", "is it ready?"),
                command("serve", "people take part"),
                file("study.sqlite3", "every event"),
                command("export", "pseudonyms only"),
                file("dataset/", "read it as above"),
            ),
        ),
    ),
)
STYLE = """
text { font: 12.5px system-ui, "Segoe UI", Arial, sans-serif; text-anchor: middle; fill: #222 }
text.lane { font-size: 15px; font-weight: 600; text-anchor: start; fill: #004c7a }
text.about { font-size: 11.5px; fill: #555 }
text.command { font-family: ui-monospace, Menlo, Consolas, monospace; fill: #fff }
rect.command { fill: #0072b2 }
path.file { fill: #f5f7fa; stroke: #8a97a5 }
path.fold { fill: #fff; stroke: #8a97a5 }
path.arrow { stroke: #555; fill: none; stroke-width: 1.4; marker-end: url(#head) }
"""
HEAD = (
    '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
    ' orient="auto"><path d="M0 0L8 4L0 8z" fill="#555"/></marker>'
)


def drawing() -> str:
    """The whole picture."""
    parts, y, widest = [], TOP, 0
    for title, rows in LANES:
        parts.append(f'<text class="lane" x="{LEFT}" y="{y - 14}">{escape(title)}</text>')
        for row in rows:
            for column, box in enumerate(row):
                x = LEFT + column * COLUMN
                parts.append(box.draw(x, y))
                if column:
                    gap = f"M{x - COLUMN + WIDTH + 3} {y + HEIGHT / 2}H{x - 3}"
                    parts.append(f'<path class="arrow" d="{gap}"/>')
            widest = max(widest, len(row))
            y += ROW
        y += 34
    width, height = LEFT * 2 + (widest - 1) * COLUMN + WIDTH, y - 44
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>Files and the commands between them</title><style>{STYLE}</style>"
        f"<defs>{HEAD}</defs>{''.join(parts)}</svg>\n"
    )


if __name__ == "__main__":
    OUT.write_text(drawing(), encoding="utf-8")
    print(OUT, f"{OUT.stat().st_size / 1000:.0f} kB")
