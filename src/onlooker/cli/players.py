"""`onlooker players`: let something else play."""

from __future__ import annotations

import json
import math
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from onlooker.cli.errors import InputError, planned, refusing, resumable
from onlooker.cli.inputs import NO_EXPERIMENT, in_words, trials_of
from onlooker.cli.options import Budget, BudgetOption, Experiment, output_to
from onlooker.cli.printing import bar
from onlooker.players.chat import players_extra
from onlooker.support.rounding import counted

if TYPE_CHECKING:
    from onlooker.game import ExperimentName
    from onlooker.players.chat.endpoint import Endpoint
    from onlooker.players.chat.running import ChatRun
    from onlooker.players.chat.study import ChatStudy

KEY = "ONLOOKER_API_KEY"

app = typer.Typer(
    name="players",
    help="Let language models play, and keep what they do.",
    no_args_is_help=True,
    add_completion=False,
)


class Text(StrEnum):
    """The ways in which a map is written."""

    GRID = "grid"
    COORDINATES = "coordinates"
    PROSE = "prose"


@app.command()
def run(
    model: Annotated[str, typer.Option(metavar="NAME", help="The model, as the server calls it.")],
    url: Annotated[
        str, typer.Option(metavar="URL", help="The server, e.g. http://localhost:11434/v1.")
    ],
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH", help="Trial files or folders.")
    ] = None,
    output: Annotated[Path | None, output_to("Where to write, and to continue.")] = None,
    experiment: Experiment = None,
    participants: Annotated[
        int, typer.Option(min=1, max=10_000, metavar="N", help="How often everything is played.")
    ] = 1,
    orderings: Annotated[
        bool,
        typer.Option(
            "--orderings", help="A participant plays ten trials, as people do, instead of all."
        ),
    ] = False,
    text: Annotated[Text, typer.Option(help="How a map is written.")] = Text.GRID,
    budget: BudgetOption = Budget.MAP,
    temperature: Annotated[
        float | None, typer.Option(metavar="T", help="Sent with each request.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Sent with each request.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, metavar="S", help="Sent with each request; participant 2 has S + 1."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Another field of each request, its value as JSON or text; repeatable.",
        ),
    ] = None,
    most: Annotated[
        int, typer.Option(min=1, max=500, metavar="N", help="A trial ends after N choices.")
    ] = 200,
    key_env: Annotated[
        str, typer.Option(metavar="NAME", help="The environment variable that has the key.")
    ] = KEY,
    at_once: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="Trials at the same time.")
    ] = 4,
    timeout: Annotated[
        float, typer.Option(min=0.01, metavar="S", help="Seconds to wait for an answer.")
    ] = 120.0,
    retries: Annotated[
        int, typer.Option(min=0, max=100, metavar="N", help="New tries after a failed request.")
    ] = 6,
    wait: Annotated[
        float, typer.Option(min=0.0, metavar="S", help="Seconds before a new try, then doubled.")
    ] = 1.0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the first prompts and ask nobody.")
    ] = False,
) -> None:
    """Let a language model play, and write its data like any study's.

    Works with any server of the chat-completions protocol. Each trial is a conversation: the rules
    in the words of the tutorial, and for every choice what happened, the map, the points and the
    choices. An answer's last line must be `CHOICE:` and one of them; after a second answer that is
    not, the trial is left unfinished. Every prompt and answer is kept in DIR/conversations as it
    comes, and the same command continues where it was interrupted. DIR/dataset has the data, which
    `compare` and `fit` read.

    Examples:
        onlooker players run examples --model m --url http://localhost/v1 --dry-run
    """
    from onlooker.experiments.naming import by_experiment

    with players_extra():
        from onlooker.players.chat.endpoint import Endpoint
        from onlooker.players.chat.study import ChatStudy
    if not paths and experiment is None:
        raise InputError("nothing to play: expected trial files, folders or --experiment NAME")
    trials = trials_of(paths, experiment)
    if temperature is not None and not math.isfinite(temperature):
        raise InputError(f"--temperature {temperature:g}: expected a number")
    options = _options(option, {"temperature": temperature, "max_tokens": max_tokens})
    study = ChatStudy(
        model, trials, text.value, budget.value, participants, orderings, seed, options, most
    )
    key = os.environ.get(key_env, "").strip()
    if key_env != KEY and not key and not dry_run:
        raise InputError(f"--key-env: the environment variable {key_env} is not set")
    try:
        endpoint = Endpoint(url, model, key, key_env, options, timeout, retries, wait)
        with planned(in_words(paths)):
            jobs = study.jobs
    except ValueError as error:
        is_option = str(error).partition(":")[0] in ("url", "model", "timeout", "wait")
        raise InputError(f"{'--' if is_option else ''}{error}") from None
    if not jobs:
        raise InputError(NO_EXPERIMENT)
    if left := len(trials) - sum(len(group) for group in by_experiment(trials).values()):
        print(
            f"{counted(left, 'trial')} for practice or of no experiment: left out", file=sys.stderr
        )
    if dry_run:
        _print_prompts(study)
        return
    if output is None:
        raise InputError("--output: missing; expected the folder to write to")
    _run(study, endpoint, output, at_once, paths)


def _options(words: list[str] | None, short: dict[str, float | None]) -> dict[str, Any]:
    """Further fields of a request."""
    from onlooker.players.chat.endpoint import OWN

    found: dict[str, Any] = {name: value for name, value in short.items() if value is not None}
    for word in words or ():
        name, equals, value = word.partition("=")
        name = name.strip()
        if not equals or not name:
            raise InputError(f"--option {word}: expected NAME=VALUE, such as top_p=0.9")
        if name in found:
            raise InputError(f"--option {word}: it is set twice")
        if name in OWN:
            raise InputError(f"--option {word}: it cannot be set")
        if name == "seed":
            raise InputError(f"--option {word}: it cannot be set; expected --seed")
        try:
            found[name] = json.loads(value, parse_constant=_no_constant)
        except ValueError:
            found[name] = value
    return found


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _run(
    study: ChatStudy,
    endpoint: Endpoint,
    output: Path,
    at_once: int,
    paths: list[str] | None,
) -> None:
    from onlooker.experiments.provenance import provenance
    from onlooker.players.chat.endpoint import EndpointError
    from onlooker.players.chat.running import run_chat, write_run

    try:
        with resumable(output), bar("trials", len(study.jobs)) as update:

            def progress(done: ChatRun) -> None:
                tokens = counted(done.usage.tokens_in + done.usage.tokens_out, "token")
                update(len(done.played), words=tokens)

            done = run_chat(study, endpoint, output, at_once, progress)
    except EndpointError as error:
        kept = f"\nwhat was played is kept in {output}; the same command continues from there"
        raise InputError(f"{error}{kept if output.exists() else ''}") from None
    config = {"command": "players run", "participants": study.participants, **study.settings}
    origin = provenance(paths or [], config, study.seed)
    with refusing():
        place = write_run(done, output, {"provenance": origin})
    _print(done)
    print(place)


def _print(done: ChatRun) -> None:
    usage = done.usage
    before = f" ({done.known} of them before)" if done.known else ""
    print(
        f"{done.study.name}: {counted(len(done.played), 'trial')}{before},"
        f" {len(done.failures)} of them unfinished, {counted(usage.answers, 'answer')},"
        f" tokens {usage.tokens_in} in and {usage.tokens_out} out"
    )
    if usage.uncounted:
        answers = counted(usage.uncounted, "answer")
        print(f"the server did not report the tokens of {answers}", file=sys.stderr)
    from onlooker.support.problems import first_lines

    lines = [
        f"{play.job.participant}, {play.job.stage.trial.label}: unfinished: {play.failure}"
        for play in done.failures
    ]
    for line in first_lines(lines):
        print(line, file=sys.stderr)


def _print_prompts(study: ChatStudy) -> None:
    """The first prompts of each experiment, as a model would get them."""
    from onlooker.players.chat.conversation import preview

    shown: set[ExperimentName] = set()
    for job in study.jobs:
        if job.experiment not in shown:
            shown.add(job.experiment)
            for title, prompt in preview(job.stage, study.variant):
                print(f"--- Experiment {job.experiment}, {title} ---\n\n{prompt}\n")
    print(f"{counted(len(study.jobs), 'trial')}; nobody was asked")
