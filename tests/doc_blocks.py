"""The fenced blocks of the documentation, and running them as a reader would.

A page says what it needs in a comment on the line before a block:

- `<!-- not run: why -->`: the block is not run, only looked over (`look_over`);
- `<!-- status 2 -->`: its last command leaves with this status.

A block with a title (```text title="maps/fork.map") is a file that the reader writes. The folder `e93kh`
is there: an archive of our own in the authors' layout.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import typer

from onlooker.cli import main
from running import run_here

RUN = ("sh", "console", "python")
WITH_FIGURES = ("tutorial", "cookbook", "figures")  # pages whose commands make their pictures
FENCE = re.compile(
    r"(?:^ *<!-- (?P<mark>[^\n]*) -->\n\n?)?"
    r"^(?P<indent> *)```(?P<language>\w*)(?: title=\"(?P<title>[^\"\n]+)\")?[^\n]*\n"
    r"(?P<text>.*?)^(?P=indent)```",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    title: str
    text: str
    mark: str = ""

    @property
    def skipped(self) -> bool:
        return self.mark.startswith("not run: ")

    @property
    def status(self) -> int:
        return int(self.mark.removeprefix("status ")) if self.mark.startswith("status ") else 0

    @property
    def where(self) -> str:
        return f"{self.page}, line {self.line}"

    @property
    def opening(self) -> str:
        """Its first command, by which the list of blocks that are not run calls it."""
        return self.text.splitlines()[0].partition(" #")[0].strip()


def blocks_of(page: Path) -> list[Block]:
    """All fenced blocks of a page."""
    text, found = page.read_text("utf-8"), []
    for match in FENCE.finditer(text):
        lines = match["text"].splitlines()
        body = "".join(line.removeprefix(match["indent"]) + "\n" for line in lines)
        line = text.count("\n", 0, match.start("text"))
        mark, title = (match["mark"] or "").strip(), match["title"] or ""
        found.append(Block(page.name, line, match["language"], title, body, mark))
    return found


def figures_of(page: Path) -> list[str]:
    """The figures that a page shows and its own commands make."""
    return re.findall(rf"\(images/{page.stem}-([\w-]+\.png)\)", page.read_text("utf-8"))


def commands_of(block: Block) -> list[tuple[str, str | None]]:
    """The commands of a block, each with the output that is shown of it (None: anything)."""
    if block.language == "sh":
        joined = block.text.replace("\\\n", " ")
        lines = [line.strip() for line in joined.splitlines()]
        return [(line, None) for line in lines if line and not line.startswith("#")]
    starts = [m.start() for m in re.finditer(r"^\$ ", block.text, re.MULTILINE)]
    assert starts[:1] == [0], f"{block.where}: a console block begins with '$ '"
    pieces = [block.text[a:b] for a, b in pairwise([*starts, len(block.text)])]
    parts = (piece.removeprefix("$ ").partition("\n") for piece in pieces)
    return [(command, output) for command, _, output in parts]


def run_block(block: Block, names: dict[str, object]) -> None:
    """Run a block in the working folder and compare what it prints with what it shows."""
    beside = os.fspath(Path(sys.executable).parent)  # where `onlooker` is
    if beside not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join((beside, os.environ["PATH"]))
    if block.language == "python":
        _run_python(block, names)
        return
    commands = commands_of(block)
    for number, (command, shown) in enumerate(commands, 1):
        status, printed = run_command(command)
        wanted = block.status if number == len(commands) else 0
        assert status == wanted, f"{block.where}: {command}: status {status}\n{printed}"
        if shown is not None:
            same = shown_pattern(shown).fullmatch(trimmed(printed))
            assert same, f"{block.where}: {command} prints\n{printed}\nbut the page shows\n{shown}"


def run_command(command: str) -> tuple[int, str]:
    """Run a line of shell; `onlooker` itself runs in this process, which is quicker."""
    if command == ". .venv/bin/activate":
        return 0, ""  # the tests run in it
    assert not command.startswith(("onlooker serve", "make ")), f"{command} must not be run"
    plain = not re.search(r"[|<>;&]", command)
    if plain and command.startswith("onlooker "):
        expanded = ["bash", "-O", "failglob", "-c", f"printf '%s\\0' {command}"]
        words = subprocess.run(expanded, capture_output=True, check=True).stdout.decode()
        out = io.StringIO()
        return run_here(words.split("\0")[1:-1], out, out), out.getvalue()
    done = subprocess.run(
        ["bash", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=1200,  # only a hang takes that long
    )
    return done.returncode, done.stdout


def _run_python(block: Block, names: dict[str, object]) -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(block.text, block.where, "exec"), names)
    lines = block.text.splitlines()
    expected = [line.partition("  # ")[2] for line in lines if re.match(r"\s*print\(", line)]
    assert out.getvalue().splitlines() == expected, block.where


def shown_pattern(shown: str) -> re.Pattern[str]:
    """What output must be like: … stands for anything, on a line of its own for any lines."""
    patterns = (
        r"(?:.*\n)*?" if line == "…" else ".*?".join(map(re.escape, line.split("…"))) + r"\n"
        for line in trimmed(shown).splitlines()
    )
    return re.compile("".join(patterns))


def trimmed(text: str) -> str:
    """Output without spaces at the ends of lines and empty lines around it."""
    return "".join(line.rstrip() + "\n" for line in text.strip("\n").splitlines())


def look_over(block: Block) -> None:
    """Check that the onlooker commands and options of a block that is not run exist."""
    if block.language not in ("sh", "console"):
        return
    for command, _ in commands_of(block):
        words = shlex.split(re.sub(r"\$\(.*?\)", "…", command), comments=True)
        if words[:1] != ["onlooker"]:
            continue
        found, context = typer.main.get_command(main.app), None
        name, *rest = words
        while hasattr(found, "get_command"):
            context = found.make_context(name, [], parent=context, resilient_parsing=True)
            name, *rest = rest
            found = found.get_command(context, name)
            assert found is not None, f"{block.where}: there is no command {name}"
        try:
            found.make_context(name, rest, parent=context).close()
        except Exception as error:
            raise AssertionError(f"{block.where}: {command}: {error!r}") from error
