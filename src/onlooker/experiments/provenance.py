"""Where a result comes from: the code, the settings and the inputs behind an output."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from onlooker.experiments.trialset import LOG, PROVENANCE
from onlooker.support.files import json_text, write_file
from onlooker.version import __version__

PACKAGES = (
    "numpy",
    "numba",
    "scipy",
    "arviz-stats",
    "pandas",
    "pyarrow",
    "distributed",
    "matplotlib",
    "rich",
    "typer",
)  # those that are installed are listed
_CHUNK = 1 << 16  # bytes that are hashed in one go
PACKAGE = Path(__file__).parents[1]  # onlooker's own folder

Keep = Callable[[Path], bool]


def provenance(
    inputs: Iterable[str | os.PathLike[str]],
    config: Mapping[str, Any],
    seed: int | None = None,
    keep: Keep | None = None,
) -> dict[str, Any]:
    """What is behind an output, as plain data.

    An input is a file, listed by its name, or a folder, whose files are listed by their names
    relative to it; `keep` says which of them count, if not all. Nothing says whose machine it
    was: no absolute path, no name of a host or user. Nor are logs of people listed, whose names
    are their ids.

    >>> found = provenance(["examples/early-turn.map"], {"beta": 0.5}, seed=7)
    >>> found["inputs"][0]["name"], found["config"], found["seed"]
    ('early-turn.map', {'beta': 0.5}, 7)
    """
    commit, dirty = git_state(PACKAGE)
    return {
        "onlooker": __version__,
        "git_sha": commit,
        "git_dirty": dirty,
        "config": dict(config),
        "config_sha256": config_hash(config),
        "seed": seed,
        "python": platform.python_version(),
        "packages": _versions(PACKAGES),
        "platform": {"system": platform.system(), "machine": platform.machine()},
        "inputs": [
            {"name": name, "sha256": file_hash(file)} for name, file in _files(inputs, keep)
        ],
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def write_provenance(
    output: str | os.PathLike[str],
    inputs: Iterable[str | os.PathLike[str]],
    config: Mapping[str, Any],
    seed: int | None = None,
    keep: Keep | None = None,
) -> Path:
    """Write what is behind an output, and the output's own hash, beside it; where it is written."""
    output = Path(output)
    about = {"output": {"name": output.name, "sha256": file_hash(output)}}
    about |= provenance(inputs, config, seed, keep)
    beside = output.with_name(output.name + PROVENANCE)
    write_file(beside, json_text(about))
    return beside


def config_hash(config: Mapping[str, Any]) -> str:
    """SHA-256 of a configuration as canonical JSON: keys sorted, no blanks.

    >>> config_hash({"b": 1, "a": 2}) == config_hash({"a": 2, "b": 1})
    True
    """
    text = json.dumps(
        dict(config), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return hashlib.sha256(text.encode()).hexdigest()


def file_hash(file: str | os.PathLike[str]) -> str:
    """SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    with open(file, "rb", buffering=0) as opened:
        while chunk := opened.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def git_state(package: Path) -> tuple[str | None, bool | None]:
    """The commit that a package's folder is checked out from, and whether it was changed since.

    Both are None where git is missing or the package is not part of a checkout, such as when it
    is installed in an environment inside somebody's own repository.
    """
    if _git(package, "ls-files", "--error-unmatch", "version.py") is None:
        return None, None
    commit = _git(package, "rev-parse", "HEAD")
    changed = _git(package, "status", "--porcelain", "--untracked-files=no", "--", ":/")
    added = _git(package, "status", "--porcelain", "--", ".")  # files of the package not yet known
    if commit is None or changed is None or added is None:
        return None, None
    return commit, bool(changed or added)


def _git(folder: Path, *words: str) -> str | None:
    """What git prints, or None if it cannot say."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", *words],
            cwd=folder,
            env=environment | {"GIT_OPTIONAL_LOCKS": "0"},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _versions(names: Iterable[str]) -> dict[str, str]:
    found = {}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _files(
    inputs: Iterable[str | os.PathLike[str]], keep: Keep | None
) -> Iterator[tuple[str, Path]]:
    """Each input file and what to call it."""
    for path in map(Path, inputs):
        if not path.is_dir():
            yield path.name, path
            continue
        for parts, file in sorted(_below(path)):
            hidden = any(part.startswith(".") for part in parts)
            if LOG.fullmatch(file.name):
                continue
            if file.is_file() and (keep(file) if keep else not hidden):
                yield "/".join(parts), file


def _below(folder: Path) -> Iterator[tuple[tuple[str, ...], Path]]:
    """What is in a folder and those below, with the parts of its name relative to the folder."""
    for inside, _, names in os.walk(folder):
        parts = Path(inside).relative_to(folder).parts
        for name in names:
            yield (*parts, name), Path(inside, name)
