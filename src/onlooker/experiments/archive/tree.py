"""The files of an archive: those of a folder, and those of zips at any depth.

Nothing is ever unpacked. What lies in a zip is read from it when it is needed, up to a limit, so a
member cannot end up anywhere on the disk. Links and names that lead out of the zip are left aside.
"""

from __future__ import annotations

import lzma
import os
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from onlooker.support.problems import DataError, Problem

MOST_FILES = 200_000  # in a whole archive
MOST_NESTED = 3  # zips inside each other
MOST_ZIP_BYTES = 4 << 30  # of a zip that lies inside another one
UNREADABLE = (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error, lzma.LZMAError)
_CHUNK = 1 << 20

Open = Callable[[], IO[bytes]]


@dataclass
class Tree:
    """The files of an archive by their paths; a file in a zip lies "below" the zip."""

    root: Path
    opened: ExitStack  # the zips
    files: dict[Path, Open] = field(default_factory=dict)
    aside: list[Problem] = field(default_factory=list)  # what was not even looked at, and why

    def read(self, path: Path, most_bytes: int) -> bytes:
        """What is in a file, up to just over the largest size."""
        try:
            with self.files[path]() as file:
                return file.read(most_bytes + 1)
        except (
            OSError,
            RuntimeError,
            NotImplementedError,
            zipfile.BadZipFile,
            zlib.error,
        ) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise DataError([Problem(str(path), f"cannot be read: {reason}")]) from None

    def relative(self, path: Path) -> str:
        """A path as the manifest and messages have it, such as `data.zip/exp1/u1.csv`."""
        return path.relative_to(self.root).as_posix()


@contextmanager
def open_tree(archive: str | os.PathLike[str]) -> Iterator[Tree]:
    """The files of a folder or of a zip, which can be read within this block.

    DataError if it is neither.
    """
    root = Path(archive)
    with ExitStack() as opened:
        tree = Tree(root, opened)
        if root.is_dir():
            for inside, folders, names in os.walk(root):
                folders[:] = sorted(name for name in folders if not _hidden(name))
                for name in sorted(names):
                    _add(tree, Path(inside, name))
        elif root.is_file() and zipfile.is_zipfile(root):
            _add_zip(tree, root, root.open("rb"), 1)
        else:
            reason = "expected the folder of the authors' archive, or a zip of it"
            raise DataError([Problem(str(root), reason)])
        yield tree


def _add(tree: Tree, path: Path) -> None:
    """Add a file of a folder, or what is in it if it is a zip."""
    if _hidden(path.name) or not path.is_file():
        return
    if path.suffix.lower() == ".zip":
        _add_zip(tree, path, path.open("rb"), 1)
    else:
        _keep(tree, path, lambda: path.open("rb"))


def _add_zip(tree: Tree, path: Path, file: IO[bytes], depth: int) -> None:
    """Add the members of a zip, which stays open as long as the tree is used."""
    tree.opened.enter_context(file)
    try:
        packed = tree.opened.enter_context(zipfile.ZipFile(file))
    except (*UNREADABLE, ValueError) as error:
        tree.aside.append(Problem(tree.relative(path), f"no zip that can be read: {error}"))
        return
    for member in packed.infolist():
        if member.is_dir():
            continue
        inside = PurePosixPath(member.filename.replace("\\", "/"))
        place = path / inside.relative_to(inside.anchor)
        if inside.is_absolute() or ".." in inside.parts or ":" in inside.parts[0]:
            reason = f"a name that leads out of the zip: {member.filename[:80]!r}"
            tree.aside.append(Problem(tree.relative(path), reason))
        elif stat.S_ISLNK(member.external_attr >> 16):
            tree.aside.append(Problem(tree.relative(place), "a link"))
        elif any(map(_hidden, inside.parts)):
            continue
        elif inside.suffix.lower() != ".zip":
            _keep(tree, place, partial(packed.open, member))
        elif depth == MOST_NESTED:
            tree.aside.append(Problem(tree.relative(place), f"a zip inside {depth} others"))
        else:
            _add_nested(tree, place, packed, member, depth)


def _add_nested(
    tree: Tree, path: Path, packed: zipfile.ZipFile, member: zipfile.ZipInfo, depth: int
) -> None:
    """Add the members of a zip that lies in a zip, from a nameless copy of it."""
    copy = tree.opened.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - it is one
    try:
        with packed.open(member) as source:
            for chunk in _chunks(source, MOST_ZIP_BYTES):
                copy.write(chunk)
    except UNREADABLE as error:
        tree.aside.append(Problem(tree.relative(path), f"no zip that can be read: {error}"))
        return
    copy.seek(0)
    _add_zip(tree, path, copy, depth + 1)


def _chunks(source: IO[bytes], most_bytes: int) -> Iterator[bytes]:
    size = 0
    while chunk := source.read(_CHUNK):
        size += len(chunk)
        if size > most_bytes:
            raise OSError(f"more than {most_bytes:,} bytes")
        yield chunk


def _keep(tree: Tree, path: Path, opened: Open) -> None:
    if path in tree.files:
        tree.aside.append(Problem(tree.relative(path), "a second file of that name in the zip"))
        return
    if len(tree.files) == MOST_FILES:
        raise DataError([Problem(str(tree.root), f"more than {MOST_FILES:,} files")])
    tree.files[path] = opened


def _hidden(name: str) -> bool:
    """Whether a file or folder is one that systems put beside the user's own."""
    return name.startswith(".") or name == "__MACOSX"
