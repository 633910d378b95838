"""Put the numbers of a recovery into the page on fits: python docs/recovery_tables.py FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

PAGE = Path(__file__).parent / "fitting.md"
PAIR = ("graded_mentalizing", "rational_mentalizing")
BEGIN, END = "<!-- recovery:", "<!-- recovery ends -->"


def tables(folder: Path) -> str:
    """The summary and the diagonals of the confusion as Markdown."""
    summary = pd.read_csv(folder / "recovery-summary.csv")
    confusion = pd.read_csv(folder / "confusion.csv")
    people, trials = summary["participants"].iloc[0], summary["trials"].iloc[0]
    lines = [
        f"{people} people made by each observer in each experiment, {trials} trials each,"
        " parameters drawn from the central 90 % of the priors (r of true and estimated values;"
        " coverage of 95 % intervals):",
        "",
    ]
    numbers = sorted(set(summary["experiment"]))
    lines += ["| observer | parameter | " + " | ".join(f"Exp. {n}" for n in numbers) + " |"]
    lines += ["|---|---|" + "---|" * len(numbers)]
    for (observer, parameter), rows in summary.groupby(["observer", "parameter"], sort=False):
        by = rows.set_index("experiment")
        cells = [f"{by.loc[n, 'r']:.2f} ({by.loc[n, 'coverage']:.2f})" for n in numbers]
        lines.append(f"| `{observer}` | {parameter} | " + " | ".join(cells) + " |")
    lines += [
        "",
        "Share of them whose best observer is the one that made them, by evidence (by BIC):",
    ]
    lines += ["", "| made by | " + " | ".join(f"Exp. {n}" for n in numbers) + " |"]
    lines += ["|---|" + "---|" * len(numbers)]
    right = confusion[confusion["simulated"] == confusion["fitted"]]
    for observer, rows in right.groupby("simulated", sort=False):
        found = rows.set_index(["experiment", "criterion"])["share"]
        cells = [f"{found[n, 'evidence']:.2f} ({found[n, 'bic']:.2f})" for n in numbers]
        lines.append(f"| `{observer}` | " + " | ".join(cells) + " |")
    taken = confusion[confusion["criterion"] == "evidence"]
    taken = taken.set_index(["simulated", "fitted", "experiment"])["share"]
    lines += ["", "The two that weigh what watching would bring, taken for each other by evidence:"]
    lines += ["", "| made by | taken for | " + " | ".join(f"Exp. {n}" for n in numbers) + " |"]
    lines += ["|---|---|" + "---|" * len(numbers)]
    for made, other in (PAIR, PAIR[::-1]):
        cells = [f"{taken[made, other, n]:.2f}" for n in numbers]
        lines.append(f"| `{made}` | `{other}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Rewrite the part of the page between its marks."""
    page = PAGE.read_text(encoding="utf-8")
    begin = page.index("\n", page.index(BEGIN)) + 1
    text = page[:begin] + "\n" + tables(Path(sys.argv[1])) + "\n" + page[page.index(END) :]
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
