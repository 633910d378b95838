"""Help, examples, suggestions and completion."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from onlooker.cli.errors import refuse_misspelt
from onlooker.cli.main import Commands, app
from running import ROOT, onlooker

ENTRIES = [entry for panel in Commands.panels.values() for entry in panel]
HEAVY = ("numba", "scipy", "pandas", "matplotlib", "numpy", "sqlalchemy")

LOADED = f"""
import sys
from onlooker.cli.main import main
try:
    main()
except SystemExit:
    print(*[name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
"""


PROGRAM = "import sys; sys.argv[0] = 'onlooker'; from onlooker.__main__ import main; main()"


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with its full name, those of groups too."""
    for entry in ENTRIES:
        command = entry.load()
        yield entry.name, command
        for name, each in getattr(command, "commands", {}).items():
            yield f"{entry.name} {name}", each


COMMANDS = dict(commands())
EXAMPLES = [
    line.strip()
    for command in COMMANDS.values()
    for line in (command.epilog or "").splitlines()
    if line.strip().startswith("onlooker ")
]


@pytest.mark.parametrize("words", [["--help"], ["fit", "--help"], ["serve", "--help"]])
def test_help_loads_no_large_library(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True
    )
    assert "Usage:" in done.stdout
    assert done.stderr == "\n"


def test_a_command_loads_only_its_own_module() -> None:
    program = LOADED.replace(f"in {HEAVY}", "in sys.modules if name.startswith('onlooker.cli.')")
    done = subprocess.run(
        [sys.executable, "-c", program, "check", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    shared = {"errors", "inputs", "lazy", "main", "options"}
    assert {name.rpartition(".")[2] for name in done.stderr.split()} == {*shared, "trials"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_helps(name: str) -> None:
    printed, _ = onlooker(*name.split(), "--help")
    assert "Usage:" in printed
    assert not re.search(r"<(?:bool|str|path|int|float|list)\b", printed), "a type of Python"
    if examples := COMMANDS[name].epilog:
        assert "Examples:" in printed
        lines = [line.strip() for line in examples.splitlines()[2:]]
        assert all(f" {line}" in printed for line in lines), "an example is wrapped at 80 columns"


def test_summaries_fit_a_line() -> None:
    printed, _ = onlooker("--help")
    for entry in ENTRIES:
        assert re.search(rf"{entry.name} +{re.escape(entry.summary)}", printed), entry.name
        assert entry.summary.endswith(".")


def test_paragraphs_are_wrapped_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, command in COMMANDS.items():
        assert all("\n" not in text for text in command.help.split("\n\n")), name
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 60)
    printed, _ = onlooker("check", "--help")
    paragraph = printed.partition("Each problem")[2].partition("╭")[0].strip().splitlines()
    assert all(len(line.strip()) > 35 for line in paragraph[:-1])


@pytest.mark.parametrize(
    "example",
    [  # the longest draws maps, as a test of `stimuli design` does
        pytest.param(each, marks=[pytest.mark.slow] * each.startswith("onlooker stimuli design"))
        for each in EXAMPLES
    ],
)
def test_examples_run(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    onlooker(*example.split()[1:])


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 15


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("chek", "Did you mean 'check'"),
        ("stimuli lst", "Did you mean 'list'"),
        ("run {map} --set betta=1", "--set: there is no parameter 'betta'; did you mean beta?\n"),
        (
            "run {map} --observer naive_obsever",
            "--observer: there is no observer 'naive_obsever'; did you mean naive_observer?\n",
        ),
        ("run {map} --observer naive", "no observer 'naive'; did you mean naive_observer?\n"),
        (
            "run {map} --observer rational",
            "did you mean rational_mentalizing or rational_observer?\n",
        ),
        ("run {map} --set temp=2", "no parameter 'temp'; did you mean temperature?\n"),
        (
            "benchmark {map} --player randm -o out",
            "--player: there is no player 'randm'; did you mean random?\n",
        ),
        (
            "sweep --grid betta=1,2 -o out",
            "--grid: there is no parameter 'betta'; did you mean beta?\n",
        ),
        (
            "sweep --range prun=0:1 --sobol 2 -o out",
            "--range: there is no parameter 'prun'; did you mean prune?\n",
        ),
        (
            "fit --human {map} -o out --free tempreature",
            "--free: there is no parameter 'tempreature'; did you mean temperature?\n",
        ),
        (
            "fit --human {map} -o out --grid betta=1,2",
            "--grid: there is no parameter 'betta'; did you mean beta?\n",
        ),
        ("run {map} --set zzz=1", "--set: there is no parameter 'zzz'; the parameters are move,"),
    ],
)
def test_misspelt_words(
    words: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    example = ROOT / "examples" / "two-experts.map"
    _, complaints = onlooker(*words.format(map=example).split(), status=2)
    assert expected in complaints
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("onlooker se", ["sensitivity", "settings", "serve"]),
        ("onlooker stimuli in", ["inventory"]),
        ("onlooker run --ob", ["--observer"]),
        ("onlooker run --observer naive", ["naive_observer"]),
        ("onlooker fit --set be", ["beta="]),
    ],
)
def test_completion_in_bash(typed: str, expected: list[str]) -> None:
    words = typed.split()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ
        | {
            "_ONLOOKER_COMPLETE": "complete_bash",
            "COMP_WORDS": typed,
            "COMP_CWORD": str(len(words) - 1),
        },
    )
    assert done.stdout.split() == expected, done.stderr


def test_the_group_is_the_one_that_the_reference_documents() -> None:
    group = typer.main.get_command(app)
    with group.make_context("onlooker", [], resilient_parsing=True) as context:
        assert group.list_commands(context) == [entry.name for entry in ENTRIES]  # type: ignore[attr-defined]


def test_a_class_of_ones_own_may_resemble_an_observer() -> None:
    refuse_misspelt("--observer", "observer", "ideal_observers:Mine", ["ideal_observer"])
