"""Reading text files, and writing files whole or not at all."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from onlooker.support.problems import Problem, ProblemsError

StrPath = str | os.PathLike[str]

_CHUNK = 1 << 14  # bytes that are read in one go
_BINARY: int = getattr(os, "O_BINARY", 0)  # on Windows, where line ends are changed without it


def read_text(path: StrPath, most_bytes: int | None = None) -> str:
    """The text of a UTF-8 file; ProblemsError if it cannot be read, is too large or is not text."""
    try:
        content = _read(path, most_bytes)
    except FileNotFoundError:
        raise ProblemsError([Problem("", "there is no such file")], source=path) from None
    except OSError as error:
        raise ProblemsError(
            [Problem("", f"cannot be read: {error.strerror}")], source=path
        ) from None
    if most_bytes is not None and len(content) > most_bytes:
        reason = f"a file of more than {most_bytes:,} bytes, which is more than is read"
        raise ProblemsError([Problem("", reason)], source=path)
    try:
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        problem = Problem(f"byte {error.start}", "not UTF-8 text")
        raise ProblemsError([problem], source=path) from None


def _read(path: StrPath, most_bytes: int | None) -> bytes:
    """The bytes of a file, or a few more than `most_bytes` of them."""
    chunks: list[bytes] = []
    size = 0
    # Of many small files, opening takes most of the time, and `open` twice as long.
    handle = os.open(path, os.O_RDONLY | _BINARY)
    try:
        while (most_bytes is None or size <= most_bytes) and (chunk := os.read(handle, _CHUNK)):
            chunks.append(chunk)
            size += len(chunk)
    finally:
        os.close(handle)
    return b"".join(chunks)


def write_file(path: StrPath, content: str | bytes) -> None:
    """Write a file whole or not at all: a reader never sees half of it, nor does a power cut."""
    with replacing(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


def json_text(value: object) -> str:
    """A value as the JSON text that is written to files: indented, with a line end."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


@contextmanager
def replacing(path: StrPath) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when the block ends without an error.

    It is on the disk before it is renamed, so that a crash leaves the old file or the new one.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with errors_name(path):
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            with temporary.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def sync_folder(folder: StrPath) -> None:
    """Have a folder's entries written to the disk, where the system can do that."""
    with suppress(OSError):  # Windows cannot, nor can some network file systems
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def errors_name(path: StrPath) -> Iterator[None]:
    """Within this block, an OSError names `path`, not a temporary file beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from None
