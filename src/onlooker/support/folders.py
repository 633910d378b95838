"""Writing folders whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from onlooker.support.files import errors_name, write_file


def write_whole(folder: Path, files: Mapping[str, str], old: Collection[str] = ()) -> None:
    """Put files into a folder, by their paths in it; what is called `old` there gives way.

    They are written beside it first. If one cannot be put in its place, all is as it was before.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (
        errors_name(folder),
        tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as temporary,
    ):
        new, before = Path(temporary, "new"), Path(temporary, "old")
        for place, text in files.items():
            write_file(new / place, text)
        before.mkdir()
        begun = not folder.exists()
        folder.mkdir(exist_ok=True)
        placed: list[str] = []
        try:
            for name in sorted(old):
                (folder / name).rename(before / name)
            for path in sorted(new.iterdir()):
                path.rename(folder / path.name)
                placed.append(path.name)
        except BaseException:
            for name in placed:
                (folder / name).rename(new / name)
            for path in before.iterdir():
                path.rename(folder / path.name)
            if begun:
                shutil.rmtree(folder, ignore_errors=True)
            raise


@contextmanager
def filling(output: Path, page: str) -> Iterator[Path]:
    """A folder to write a page and what is behind it into; at the end all goes to `output`.

    What an earlier page of that name left there and this one does not have is removed. If the
    block fails, `output` stays as it was.
    """
    listed = output / f".{page}.files"
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output, prefix=".making-") as name:
        work = Path(name)
        yield work
        made = [path.relative_to(work) for path in sorted(work.rglob("*")) if path.is_file()]
        before = _listed_in(listed)
        write_file(listed, "".join(f"{file.as_posix()}\n" for file in made))
        for file in made:
            place = output / file
            place.parent.mkdir(parents=True, exist_ok=True)
            os.replace(work / file, place)
        for file in before - set(made):
            _remove(output, file)


def _listed_in(list_file: Path) -> set[Path]:
    """The files that an earlier page listed as its own; none if the list cannot be read."""
    try:
        return {Path(line) for line in list_file.read_text(encoding="utf-8").splitlines()}
    except (FileNotFoundError, UnicodeDecodeError):
        return set()


def _remove(folder: Path, file: Path) -> None:
    """Remove a file below a folder, and the folder it was in if that is empty then.

    Whoever can edit the list must not be able to remove files elsewhere, so a name that leads out
    of the folder, as it is written or through a link, is passed over.
    """
    place = folder / file
    inside = place.parent.resolve().is_relative_to(folder.resolve())
    if file.is_absolute() or ".." in file.parts or not inside or place.is_dir():
        return
    place.unlink(missing_ok=True)
    if place.parent != folder and place.parent.is_dir() and not any(place.parent.iterdir()):
        place.parent.rmdir()
