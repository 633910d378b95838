"""Write the pages that follow from the code, commands.md and data-dictionary.md: `make docs`."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from html import unescape
from pathlib import Path
from textwrap import dedent

from onlooker.cli.main import Commands
from onlooker.experiments.schema import TABLES, markdown
from onlooker.web.export.tables import ALL_TABLES

HERE = Path(__file__).parent
TYPER = [sys.executable, "-m", "typer", "onlooker.cli.main", "utils", "docs", "--name", "onlooker"]
SECTION = re.compile(r"^## `onlooker (.+?)`\n", re.MULTILINE)
OPTION = re.compile(r"^\* `(?:-\w, )?(--[\w-]+).*\n", re.MULTILINE)
HELP = "* `--help`: Show this message and exit.\n"
OPENING = """# Commands

`onlooker NAME --help` prints what is here. `onlooker --install-completion` makes the shell complete
commands and options.
"""
SHARED = 4  # an option of so many commands is described once
FITS = ("fit", "recover", "power")  # what these have in common is described once, too


def commands() -> str:
    """Every command by group: a line for each, then its options."""
    printed = subprocess.run(TYPER, capture_output=True, encoding="utf-8", check=True).stdout
    _, *parts = SECTION.split(unescape(printed).replace(HELP, ""))
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    uses = Counter(option[0] for text in sections.values() for option in OPTION.finditer(text))
    most = {OPTION.match(line)[1]: line for line, _ in reversed(uses.most_common())}
    shared = [line for line in uses if uses[line] >= SHARED and line in most.values()]
    of_fits = [
        option[0]
        for option in OPTION.finditer(sections[FITS[0]])
        if option[0] not in shared and all(option[0] in sections[name] for name in FITS)
    ]
    places = {"options-of-many-commands": shared, "options-of-fits": of_fits}
    listed, described = [], []
    for group, entries in Commands.panels.items():
        listed += [f"**{group}**", "", "| command | |", "|---|---|"]
        listed += [f"| [`{e.name}`](#onlooker-{e.name}) | {e.summary} |" for e in entries] + [""]
        described += [f"## {group}", ""]
        for entry in entries:
            whole, *parts = sections[entry.name].split("\n### ")
            described += [f"### `onlooker {entry.name}`", "", _section(whole, places), ""]
            for part in parts:
                title, _, text = part.partition("\n")
                described += [f"#### {title}", "", _section(text, places), ""]
    return "\n".join(
        [
            OPENING,
            *listed,
            "## Options of many commands",
            "",
            "".join(shared),
            "## Options of fits",
            "",
            "".join(of_fits),
            *described,
        ]
    )


def _section(text: str, places: dict[str, list[str]]) -> str:
    """A command's help; options that are described in another place are named only."""
    text = re.sub(r"^\*\*(Usage|Arguments|Options|Commands)\*\*:\n\n", "", text, flags=re.MULTILINE)
    text, _, examples = text.partition("Examples:\n\n")
    for place, shared in places.items():
        named = [f"`{option[1]}`" for option in OPTION.finditer(text) if option[0] in shared]
        text = OPTION.sub(
            lambda option, shared=shared: "" if option[0] in shared else option[0], text
        )
        text = re.sub(r"\n\n+(?=\* )", "\n", text.replace("```\n\n", "```\n\n\n")).strip()
        if named:
            gap = "\n" if text.splitlines()[-1].startswith("* ") else "\n\n"
            text += f"{gap}* [as elsewhere](#{place}): {', '.join(named)}"
    if examples:
        text += f"\n\n```sh\n{dedent(examples).strip()}\n```"
    return re.sub(r"```\n+(?=\* )", "```\n\n", re.sub(r"\n{3,}", "\n\n", text))


def data_dictionary() -> str:
    """Every column of every table of a study, as the schema has it."""
    online = [schema for name, schema in ALL_TABLES.items() if name not in TABLES]
    return f"""# Data dictionary

Every table of a [dataset](analysis.md#two-kinds-of-data), column by column. Reading a dataset
checks all of this.

## Tables of every dataset

{markdown()}
## What an online study adds

`onlooker export` writes these as well. `compare`, `fit` and `reproduce` do not read them.

{markdown(online)}"""


PAGES = {"commands.md": commands, "data-dictionary.md": data_dictionary}

if __name__ == "__main__":
    for name, text in PAGES.items():
        (HERE / name).write_text(text(), encoding="utf-8")
