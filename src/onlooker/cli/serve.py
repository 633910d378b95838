"""`onlooker serve`: the experiment in the browser."""

from __future__ import annotations

import errno
import ipaddress
import os
import secrets
import socket
import threading
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from onlooker.cli.errors import InputError, refusing
from onlooker.cli.inputs import observers_of, parameters_of, recordings_of
from onlooker.cli.options import Data, SettingsFile, StimuliFolder, StudyExperiment
from onlooker.support.extras import needs_extra

if TYPE_CHECKING:
    from onlooker.game import ExperimentName
    from onlooker.web.settings import Researcher, Settings

DATABASE = "onlooker-study.sqlite3"
PASSWORD = "ONLOOKER_PASSWORD"  # the environment variable
ADDRESS = "expected an address of this machine, such as 127.0.0.1"
LIBRARIES = ("alembic", "fastapi", "httpx", "psycopg", "pydantic", "sqlalchemy", "uvicorn")


def serve(
    experiment: StudyExperiment = None,
    settings: SettingsFile = None,
    database: Annotated[
        str, typer.Option(metavar="URL", help="An SQLite file or a PostgreSQL URL.")
    ] = DATABASE,
    stimuli: StimuliFolder = None,
    trials: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="More trials to replay: a file or folder; repeatable."),
    ] = None,
    data: Data = None,
    observer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="More observers to replay: package.module:Class; repeatable.",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="0 takes any free port.")
    ] = 8000,
) -> None:
    """Run the experiment in the browser.

    Without settings it is for trying out: a file in this folder as the database, the bundled
    stimuli, this machine only. The researcher's pages need a password: that of the settings, or
    of the environment variable ONLOOKER_PASSWORD. On this machine only, one is made up and printed
    if there is none; an address that others can reach is refused without.

    With --data the researcher's replay also offers the people of a dataset, on the trials of
    --trials or else of the import or ours.
    """
    from onlooker.experiments.trialset import load_trials
    from onlooker.observers.warm import compiling_beside

    with web_extra():
        from onlooker.web.participant.service import StudyService
        from onlooker.web.replay.gallery import draw_cards
        from onlooker.web.server.app import create_app
        from onlooker.web.server.run import ending_on_sigterm
        from onlooker.web.server.run import serve as run
        from onlooker.web.store import BusyError, Store
        from onlooker.web.store.health import write_problem
        from onlooker.web.store.use import InUseError, server_lock
        from onlooker.web.study.course import load_courses

    port = _free(host, port)
    chosen = study_settings(settings, experiment, stimuli)
    chosen, password = _with_password(chosen, host)
    if missing := chosen.admission.missing:
        raise InputError(f"admission: the environment variable {missing[0]} is not set")
    more = load_trials(trials) if trials else []
    recordings = recordings_of(data, trials or []) if data else None
    own = observers_of(observer) if observer else []
    parameters_of(None, own)  # refuses what cannot be declared
    courses = load_courses(chosen)  # before there is a database: a study may be refused
    with ExitStack() as stack:
        stack.enter_context(ending_on_sigterm())
        stack.enter_context(compiling_beside())
        try:
            stack.enter_context(server_lock(database))
            store = stack.enter_context(Store(database))
            problem = write_problem(store)
        except (BusyError, InUseError, ValueError) as error:
            raise InputError(f"--database {shown_database(database)}: {error}") from None
        if problem:
            raise InputError(f"--database {shown_database(database)}: cannot be written: {problem}")
        public = settings is None  # a study for people computes nothing for outsiders
        service = StudyService(chosen, store, courses)
        app = create_app(
            chosen,
            store,
            service=service,
            trials=more,
            recordings=recordings,
            observers=own,
            public_replay=public,
        )
        lines = _links(chosen, host, port, password, shown_database(database), public)
        if recordings is not None:
            people = f"{len(recordings.participants)} people of {data}"
            lines.insert(-1, f"  Data         {people}, in the researcher's replay")
        print(*lines, sep="\n", flush=True)
        try:
            if public:
                threading.Thread(target=draw_cards, daemon=True).start()
            run(app, host, port, log_level="warning")
        except KeyboardInterrupt:  # uvicorn passes it on once all calls are answered
            print("Stopped.")


def web_extra() -> AbstractContextManager[None]:
    """Import the web application within this block; MissingExtraError says how to get it."""
    return needs_extra("web", "the online experiment", *LIBRARIES)


def study_settings(
    file: Path | None, experiment: ExperimentName | None = None, stimuli: Path | None = None
) -> Settings:
    """The settings in a file, or those for trying out, with what the command line says."""
    from onlooker.experiments.stimuli import bundled
    from onlooker.web.settings import SettingsError, Stimuli, default_settings, load_settings

    with refusing("", SettingsError):
        settings = load_settings(file) if file else default_settings(experiment or 1)
    if experiment is not None and settings.study.run != (experiment,):
        changes: dict[str, object] = {"experiment": experiment, "experiments": {}}
        known = {"study": settings.study.model_copy(update=changes), "quota": {}, "stimuli": {}}
        settings = settings.model_copy(update=known)
    if stimuli is not None:
        own = {number: Stimuli(folder=stimuli) for number in settings.study.run}
        settings = settings.model_copy(update={"stimuli": own})
    elif experiment is not None and experiment not in (*bundled(), *settings.stimuli):
        ours = ", ".join(map(str, bundled()))
        raise InputError(
            f"--experiment {experiment}: {ours} are bundled; expected --stimuli DIR, the maps of"
            " another"
        )
    return settings


def is_local(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> is_local("127.0.0.1"), is_local("localhost"), is_local("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _with_password(settings: Settings, host: str) -> tuple[Settings, str | None]:
    """The settings with a password, and the password if it was made up for this run."""
    from onlooker.web.settings import Researcher
    from onlooker.web.settings.passwords import hash_password

    if settings.researcher.configured:
        _refuse_weak(settings.researcher, host)
        return settings, None
    made = None
    if os.environ.get(PASSWORD):
        researcher = Researcher(password_env=PASSWORD)
        _refuse_weak(researcher, host)
    elif is_local(host):
        made = secrets.token_urlsafe(9)
        researcher = Researcher(password_hash=hash_password(made))
    else:
        raise InputError(
            f"--host {host}: others can reach this address, so the researcher's pages need a"
            f" password: set the environment variable {PASSWORD}, or password_hash in the settings"
        )
    return settings.model_copy(update={"researcher": researcher}), made


def _refuse_weak(researcher: Researcher, host: str) -> None:
    """InputError if others can reach the server and the password is easily guessed."""
    if researcher.weakness and not is_local(host):
        raise InputError(
            f"the password in {researcher.password_env} is too weak: {researcher.weakness}"
        )


def _links(
    settings: Settings, host: str, port: int, password: str | None, database: str, public: bool
) -> list[str]:
    """What to open in the browser."""
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}"
    numbers = ", ".join(map(str, settings.study.run))
    lines = [f"Experiment {numbers}: {settings.study.title}; data in {database}"]
    if public:
        lines.append(f"  Gallery      {address}/gallery  (begin here: what the model thinks)")
    if settings.study.allow_test_runs:
        lines.append(f"  Participant  {address}/  (a test run, which never counts)")
    lines.append(
        f"  Prolific     {address}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
        "&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    lines.append(f"  Researcher   {address}/researcher")
    if password:
        lines.append(f"  Password     {password}  (for this run only)")
    return [*lines, "Ctrl+C stops it; nothing is lost."]


def shown_database(database: str) -> str:
    """A database without its password."""
    from sqlalchemy import make_url

    return make_url(database).render_as_string() if "://" in database else database


def _free(host: str, port: int) -> int:
    """The port to listen on; InputError if the address is none of ours or the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except UnicodeError:
            raise InputError(f"--host {host[:40]}: {ADDRESS}, not this") from None
        except OSError as error:
            reason = error.strerror or str(error)
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                raise InputError(f"--host {host}: {reason}; {ADDRESS}") from None
            raise InputError(f"--host {host} --port {port}: {reason}; try another --port") from None
        return int(probe.getsockname()[1])
