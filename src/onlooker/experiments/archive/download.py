"""Fetching an archive: from OSF or any https address, into a cache, resumed if it broke off.

The standard library does it, so that no installation needs more for it: one GET with a header.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any

from onlooker.support.files import write_file
from onlooker.support.problems import DataError, Problem
from onlooker.version import __version__

OSF = re.compile(r"osf:([a-z0-9]{5,10})")
ADDRESS = re.compile(r"https?://", re.IGNORECASE)
OSF_ZIP = "https://files.osf.io/v1/resources/{}/providers/osfstorage/?zip="
LOCAL = ("localhost", "127.0.0.1", "::1")  # for which http will do
MOST_BYTES = 8 << 30
TRIES = 4  # in one go, as long as each brings something
TIMEOUT = 60.0  # seconds without a byte
_CHUNK = 1 << 18

Progress = Callable[[int, int | None], None]  # bytes so far, bytes in all if known


def is_address(archive: str) -> bool:
    """Whether an archive is to be fetched.

    >>> is_address("osf:e93kh"), is_address("https://example.org/a.zip"), is_address("folder")
    (True, True, False)
    """
    return archive.startswith("osf:") or bool(ADDRESS.match(archive))


def address_of(archive: str) -> str:
    """Where an archive is fetched from; DataError if that may not be.

    >>> address_of("osf:e93kh")
    'https://files.osf.io/v1/resources/e93kh/providers/osfstorage/?zip='
    """
    if archive.startswith("osf:"):
        match = OSF.fullmatch(archive)
        if match is None:
            raise DataError([Problem(archive, "expected a project such as osf:e93kh")])
        return OSF_ZIP.format(match[1])
    if not _allowed(archive):
        raise DataError([Problem(archive, "expected an address that begins with https://")])
    return archive


def cache_folder() -> Path:
    """Where archives are kept."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "onlooker" / "archives"


def fetch(
    archive: str, cache: Path | None = None, progress: Progress = lambda done, total: None
) -> Path:
    """The zip of an archive in the cache, fetched or resumed if it is not there.

    DataError says what went wrong, and the address to fetch by hand.
    """
    address = address_of(archive)
    folder = cache or cache_folder()
    file = folder / f"{hashlib.sha256(address.encode()).hexdigest()[:16]}.zip"
    if file.exists():
        return file
    folder.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    for _ in range(TRIES):
        before = _size(part)
        try:
            _continue(address, part, progress)
            break
        except _BrokeOffError as error:
            if _size(part) <= before:
                raise _failed(archive, address, part, str(error)) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            if getattr(error, "code", None) == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                part.unlink()  # there is nothing behind it: it is no part of what is there now
                continue
            raise _failed(archive, address, part, _words(error)) from None
    else:
        raise _failed(archive, address, part, "it broke off again and again")
    if not zipfile.is_zipfile(part):
        part.unlink()
        reason = f"what {address} sends is not a zip; fetch it by hand and give the file"
        raise DataError([Problem(archive, reason)])
    part.replace(file)
    _about(part).unlink(missing_ok=True)
    return file


class _BrokeOffError(Exception):
    """A download ended before its end."""


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but not from https to anything else."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Any,
        newurl: str,
    ) -> urllib.request.Request | None:
        if not _allowed(newurl):
            raise urllib.error.URLError(f"it leads to {newurl}, which is not an https address")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _continue(address: str, part: Path, progress: Progress) -> None:
    """Fetch what a part still lacks; from its beginning if the server cannot go on."""
    done, known = _size(part), _read_about(part)
    headers = {"User-Agent": f"onlooker/{__version__}", "Accept-Encoding": "identity"}
    if done and known:
        headers |= {"Range": f"bytes={done}-", "If-Range": known}
    opener = urllib.request.build_opener(_Redirects)
    request = urllib.request.Request(address, headers=headers)
    with opener.open(request, timeout=TIMEOUT) as reply:
        goes_on = reply.status == 206 and _range_begins(reply.headers, done)
        if reply.status == 206 and not goes_on:
            raise ValueError("it sends another part than was asked for")
        length = reply.headers.get("Content-Length")
        begin = done if goes_on else 0
        total = begin + int(length) if length and length.isdecimal() else None
        if total is not None and total > MOST_BYTES:
            raise ValueError(f"{total:,} bytes, which is more than is fetched")
        _write_about(part, reply.headers)
        with part.open("ab" if goes_on else "wb") as file:
            _copy(reply, file, begin, total, progress)


def _copy(
    reply: IO[bytes], file: IO[bytes], done: int, total: int | None, progress: Progress
) -> None:
    """Write what comes, up to its end."""
    progress(done, total)
    while True:
        try:
            chunk = reply.read(_CHUNK)
        except http.client.IncompleteRead as error:
            file.write(error.partial)
            raise _BrokeOffError("the connection was closed") from None
        except OSError as error:
            raise _BrokeOffError(_words(error)) from None
        if not chunk:
            break
        file.write(chunk)
        done += len(chunk)
        progress(done, total)
        if done > MOST_BYTES:
            raise ValueError(f"more than {MOST_BYTES:,} bytes, which is more than is fetched")
    if total is not None and done < total:
        raise _BrokeOffError("the connection was closed")


def _allowed(address: str) -> bool:
    """Whether an address may be asked: https, or a server on this machine."""
    parts = urllib.parse.urlsplit(address)
    if parts.scheme == "http":
        return parts.hostname in LOCAL
    return parts.scheme == "https" and bool(parts.hostname)


def _range_begins(headers: Any, done: int) -> bool:
    return str(headers.get("Content-Range", "")).startswith(f"bytes {done}-")


def _size(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _about(part: Path) -> Path:
    return part.with_suffix(".json")


def _write_about(part: Path, headers: Any) -> None:
    """Remember what the file is that a part is of: only then can it be resumed."""
    etag = headers.get("ETag") or ""
    mark = headers.get("Last-Modified") if etag.startswith("W/") or not etag else etag
    write_file(_about(part), json.dumps({"mark": mark}))


def _read_about(part: Path) -> str | None:
    with suppress(OSError, ValueError, KeyError, TypeError):
        mark = json.loads(_about(part).read_text("utf-8"))["mark"]
        return mark if isinstance(mark, str) else None
    return None


def _words(error: Exception) -> str:
    """An error of the network in words."""
    if isinstance(error, urllib.error.HTTPError):
        return f"the server answers {error.code} {error.reason}"
    reason = getattr(error, "reason", None) or error
    return str(getattr(reason, "strerror", None) or reason)


def _failed(archive: str, address: str, part: Path, reason: str) -> DataError:
    kept = f"; {_size(part):,} bytes are kept, and the same command continues from there"
    kept = kept if _size(part) and _read_about(part) else ""
    by_hand = f"To fetch it by hand: {address} - then give the file instead"
    return DataError([Problem(archive, f"cannot be fetched: {reason}{kept}. {by_hand}")])
