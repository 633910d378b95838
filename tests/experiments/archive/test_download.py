"""Fetching an archive from a server of our own, which breaks off and goes on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from breaking_server import CONTENT, Handler, Server
from onlooker.experiments.archive import download
from onlooker.experiments.archive.download import address_of, fetch
from onlooker.support.problems import DataError
from zips import packed


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as found:
        found.asked = []
        thread = threading.Thread(target=found.serve_forever, daemon=True)
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def test_a_file_is_fetched_once(server: Server, tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    file = fetch(server.address, tmp_path / "cache", lambda done, total: seen.append((done, total)))
    assert file.read_bytes() == CONTENT
    assert seen[0] == (0, len(CONTENT))
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert fetch(server.address, tmp_path / "cache") == file
    assert server.asked == [None]
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [file.name]


def test_what_breaks_off_is_resumed_in_the_same_call(server: Server, tmp_path: Path) -> None:
    server.break_after = len(CONTENT) // 3
    assert fetch(server.address, tmp_path).read_bytes() == CONTENT
    third = len(CONTENT) // 3
    assert server.asked == [None, *(f"bytes={third * n}-" for n in range(1, len(server.asked)))]


def test_what_breaks_off_is_resumed_by_the_next_call(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "TRIES", 1)
    server.break_after = 1000
    with pytest.raises(DataError, match=r"1,000 bytes are kept, and the same command continues"):
        fetch(server.address, tmp_path)
    server.break_after = None
    assert fetch(server.address, tmp_path).read_bytes() == CONTENT
    assert server.asked == [None, "bytes=1000-"]


def test_another_file_is_fetched_from_its_beginning(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "TRIES", 1)
    server.break_after = 1000
    with pytest.raises(DataError):
        fetch(server.address, tmp_path)
    server.break_after, server.etag = None, '"2"'
    server.content = packed({"other.txt": b"other"})
    assert fetch(server.address, tmp_path).read_bytes() == server.content


@pytest.mark.parametrize("etag", [None, '"1"'])
def test_a_server_that_cannot_go_on_begins_again(
    server: Server, tmp_path: Path, etag: str | None
) -> None:
    server.break_after, server.ranges, server.etag = 1000, False, etag
    with pytest.raises(DataError, match="the connection was closed"):
        fetch(server.address, tmp_path)
    server.break_after = None
    assert fetch(server.address, tmp_path).read_bytes() == CONTENT


def test_a_part_that_is_too_long_is_fetched_again(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(download, "TRIES", 1)
        server.break_after = 1000
        with pytest.raises(DataError):
            fetch(server.address, tmp_path)
    server.break_after, server.content = None, packed({"other.txt": b"other"})
    assert fetch(server.address, tmp_path).read_bytes() == server.content
    assert server.asked == [None, "bytes=1000-", None]


def test_what_is_no_zip_is_refused_and_not_kept(server: Server, tmp_path: Path) -> None:
    server.content = b"<html>sign in</html>"
    with pytest.raises(DataError, match="is not a zip; fetch it by hand"):
        fetch(server.address, tmp_path)
    server.content = CONTENT
    assert fetch(server.address, tmp_path).read_bytes() == CONTENT


def test_there_is_a_limit(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "MOST_BYTES", 1000)
    with pytest.raises(DataError, match="bytes, which is more than is fetched"):
        fetch(server.address, tmp_path)


def test_only_https_is_asked(server: Server, tmp_path: Path) -> None:
    server.redirect = "http://example.org/archive.zip"
    with pytest.raises(DataError, match="which is not an https address"):
        fetch(server.address, tmp_path)
    for address in ("http://example.org/a.zip", "https:/a.zip/", "osf:", "osf:E93KH/../.."):
        with pytest.raises(DataError, match="expected a"):
            address_of(address)


def test_without_a_network_the_address_is_named(tmp_path: Path) -> None:
    with Server(("127.0.0.1", 0), Handler) as gone:
        address = gone.address
    with pytest.raises(DataError) as caught:
        fetch(address, tmp_path)
    assert str(caught.value) == (
        f"{address}: cannot be fetched: Connection refused."
        f" To fetch it by hand: {address} - then give the file instead"
    )


def test_osf_is_asked_for_the_whole_project() -> None:
    assert "/e93kh/" in address_of("osf:e93kh")
