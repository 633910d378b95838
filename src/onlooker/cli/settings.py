"""`onlooker settings`: an example of a study's settings, and the hash of a password."""

from __future__ import annotations

from typing import Annotated

import typer

from onlooker.cli.serve import web_extra


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(settings)


def settings(
    password: Annotated[
        bool,
        typer.Option("--password", help="Ask for a password and print the line with its hash."),
    ] = False,
) -> None:
    """Print an example of a study's settings (TOML), with everything that can be set.

    Write it to a file, change it, and give it to --settings of serve, preflight and bots.
    """
    with web_extra():
        from onlooker.web.settings import EXAMPLE
        from onlooker.web.settings.passwords import hash_password
    if password:
        chosen = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        print(f'password_hash = "{hash_password(chosen)}"')
    else:
        print(EXAMPLE.read_text(encoding="utf-8"), end="")
