"""A group of commands that imports a command's module only when the command is run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

EXAMPLES = "Examples:"  # begins the last paragraph of a docstring, a command on each line


class Entry(NamedTuple):
    """What is known of a command before it is imported."""

    name: str
    summary: str
    place: str = ""  # module:function, or the module of a group; by default both are the name

    def load(self) -> Any:
        """The command or group itself."""
        module, _, function = (self.place or f"{self.name}:{self.name}").partition(":")
        found = import_module(f"onlooker.cli.{module}")
        if function:
            app = typer.Typer(add_completion=False)
            app.command(self.name)(getattr(found, function))
            command: Any = typer.main.get_command(app)
            _lay_out(command)
        else:
            command = typer.main.get_group(found.app)
            _show_no_types(command)
            for each in command.commands.values():
                _lay_out(each)
        command.short_help = self.summary
        return command


class LazyGroup(TyperGroup):
    """Commands that are listed by their entries."""

    panels: ClassVar[dict[str, tuple[Entry, ...]]]
    _listing = False

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._entries = {entry.name: entry for panel in self.panels.values() for entry in panel}
        self.commands = {
            entry.name: TyperCommand(entry.name, short_help=entry.summary, rich_help_panel=panel)
            for panel, entries in self.panels.items()
            for entry in entries
        }

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command, imported unless it is only listed."""
        if self._listing or cmd_name not in self._entries:
            return super().get_command(ctx, cmd_name)
        return self._entries[cmd_name].load()

    def get_params(self, ctx: Any) -> list[Any]:
        """The options of all commands together."""
        return _without_types(super().get_params(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """List the commands in the help text."""
        with self._listed():
            super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """List the commands that begin so."""
        with self._listed():
            return super().shell_complete(ctx, incomplete)

    @contextmanager
    def _listed(self) -> Iterator[None]:
        self._listing = True
        try:
            yield
        finally:
            self._listing = False


def _lay_out(command: Any) -> None:
    """Let the terminal wrap the paragraphs of a command's help, and show its examples last."""
    text, _, examples = (command.help or "").partition(f"\n\n{EXAMPLES}\n")
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    _show_no_types(command)
    command.help = "\n\n".join(paragraphs)
    command.short_help = paragraphs[0]
    if examples:
        lines = "\n".join(f"    {line.strip()}" for line in examples.splitlines())
        command.epilog = f"{EXAMPLES}\n\n{lines}"


def _show_no_types(command: Any) -> None:
    params = command.get_params
    command.get_params = lambda ctx: _without_types(params(ctx))


def _without_types(params: list[Any]) -> list[Any]:
    """The parameters, without the <bool> that help texts show of a flag, or an argument's type."""
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""
        elif param.param_type_name == "argument":
            param.display_type_rich = lambda ctx: None
    return params
