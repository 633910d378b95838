"""The import of the authors' archive: their text maps become trials of the four experiments."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from onlooker.experiments.archive.map import (
    METADATA,
    WITH_METADATA,
    MapReader,
    Source,
    text_of,
)
from onlooker.experiments.archive.tree import Tree, open_tree
from onlooker.experiments.inventory import PAPER_EXPERIMENTS, Experiment, differences
from onlooker.game import Trial, TrialError
from onlooker.game.document import load_json
from onlooker.game.problems import MAX_FILE_BYTES
from onlooker.support.problems import Problem
from onlooker.version import __version__

_INVENTORY = {
    1: "s211 s311 s321 s331 s332 s351 s361 s362 s371 s432"
    " s441 s442 s511 s521 s531 s532 s541 s542 s543 s544",
    2: "s221 s311 s321 s331 s332 s341 s342 s351 s361 s371 s411 s421"
    " s431 s432 s441 s442 s511 s521 s531 s532 s541 s542 s543 s544",
    3: "sm211 sm221 sm311 sm321 sm331 sm332 sm341 sm342 sm351 sm361"
    " sm371 sm411 sm421 sm431 sm432 sm511 sm521 sm531 sm541 sm543",
    4: "sm211 sm221 sm311 sm321 sm331 sm341 sm351 sm361 sm371 sm411"
    " sm421 sm431 sm432 sm511 sm521 sm531 sm541 sm543 sm611 sm612",
}
MAPS = {number: tuple(names.split()) for number, names in _INVENTORY.items()}

FOLDER = re.compile(r"problems_exp([1-4])([ _.-].*[0-9].*)?")  # where needed with a date behind


@dataclass(frozen=True)
class ArchiveTrial:
    """One trial of the archive, and the file it comes from."""

    experiment: int
    level: str
    trial: Trial
    source: str  # relative to the archive's folder
    source_sha256: str

    @property
    def file(self) -> str:
        """Where its document is written, relative to the output folder."""
        return f"exp{self.experiment}/{self.level}.json"


@dataclass(frozen=True)
class Archive:
    """What was found in the authors' folders."""

    entries: tuple[ArchiveTrial, ...]
    warnings: tuple[str, ...] = ()
    other_maps: tuple[str, ...] = ()  # maps that are not of the paper's inventory
    absent: tuple[int, ...] = ()  # experiments that have no folder
    metadata: Mapping[str, str] = field(default_factory=dict)  # metadata files -> SHA-256

    @property
    def trials(self) -> tuple[Trial, ...]:
        """The trials in the order of experiments and names."""
        return tuple(entry.trial for entry in self.entries)

    def manifest(self, documents: Mapping[str, str]) -> dict[str, object]:
        """What the manifest says of the maps; the documents are those of the trials, by file."""
        return {
            "onlooker": __version__,
            "levels": [
                {
                    "experiment": entry.experiment,
                    "level": entry.level,
                    "file": entry.file,
                    "sha256": _sha256(documents[entry.file].encode()),
                    "source": entry.source,
                    "source_sha256": entry.source_sha256,
                }
                for entry in self.entries
            ],
            "metadata": [{"source": file, "sha256": sha} for file, sha in self.metadata.items()],
            "warnings": list(self.warnings),
            "other_maps": list(self.other_maps),
            "absent_experiments": list(self.absent),
        }


def read_archive(
    archive: str | os.PathLike[str], experiments: Iterable[int] | None = None
) -> Archive:
    """Read the paper's maps from the authors' archive, a folder or a zip; see `read_maps`."""
    with open_tree(archive) as tree:
        return read_maps(tree, experiments)


def read_maps(tree: Tree, experiments: Iterable[int] | None = None) -> Archive:
    """Read the paper's maps; TrialError lists all that is wrong.

    An experiment that has no folder is left out, unless it is asked for by its number.
    """
    wanted = sorted(set(experiments or ()))
    folders = _folders(tree)
    present = [number for number in wanted or PAPER_EXPERIMENTS if folders[number]]
    absent = [number for number in wanted or PAPER_EXPERIMENTS if not folders[number]]
    if not present or (wanted and absent):
        names = ", ".join(f"problems_exp{number}" for number in absent)
        raise TrialError([Problem("", f"found no folder {names} in it")], source=str(tree.root))
    reader = _ArchiveReader(tree)
    entries = [
        entry
        for number in present
        for entry in reader.read(PAPER_EXPERIMENTS[number], folders[number])
    ]
    if reader.problems:
        raise TrialError(dict.fromkeys(reader.problems))
    return Archive(
        tuple(entries),
        tuple(dict.fromkeys(reader.warnings)),
        tuple(reader.other_maps),
        tuple(absent),
        reader.metadata,
    )


def _folders(tree: Tree) -> dict[int, list[Path]]:
    """The folders of each experiment, that with the latest date last."""
    found: dict[int, set[Path]] = {number: set() for number in PAPER_EXPERIMENTS}
    for path in tree.files:
        folder = path.parent
        name = folder.resolve().name if folder == tree.root else folder.name
        if match := FOLDER.fullmatch(name):
            found[int(match[1])].add(folder)
    return {number: sorted(paths, key=lambda p: (p.name, p)) for number, paths in found.items()}


class _ArchiveReader:
    """Reads the folders of the experiments and collects what is wrong or odd in them."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.problems: list[Problem] = []
        self.warnings: list[str] = []
        self.other_maps: list[str] = []
        self.metadata: dict[str, str] = {}

    def read(self, experiment: Experiment, folders: list[Path]) -> list[ArchiveTrial]:
        """The trials of one experiment, each with its file."""
        number = experiment.number
        sources = self.sources(experiment, folders)
        if missing := [name for name in MAPS[number] if name not in sources]:
            reason = f"maps of Experiment {number} are missing: {', '.join(missing)}"
            self.problems.append(Problem(str(folders[-1]), reason))
        entries: list[ArchiveTrial] = []
        for _, source in sorted(sources.items()):
            relative, sha256 = self.relative(source.path), _sha256(source.content)
            reader = MapReader(experiment, source)
            trials = reader.trials()
            entries += [ArchiveTrial(number, each.label, each, relative, sha256) for each in trials]
            self.problems += reader.problems
            self.warnings += [f"{relative}: {warning}" for warning in reader.warnings]
        if not self.problems:
            odd = differences(experiment, [entry.trial for entry in entries])
            self.warnings += [f"Experiment {number}: {words}" for words in odd]
        return entries

    def sources(self, experiment: Experiment, folders: list[Path]) -> dict[str, Source]:
        """The inventory's maps by name, each from the last folder that has it."""
        found: dict[str, Source] = {}
        for folder in folders:
            metadata = self.read_metadata(experiment, folder)
            for path in sorted(path for path in self.tree.files if path.parent == folder):
                name = path.stem
                if path.suffix != ".txt":
                    continue
                if name not in MAPS[experiment.number]:
                    self.other_maps.append(self.relative(path))
                    continue
                source = Source(path, self.tree.read(path, MAX_FILE_BYTES), metadata)
                if name in found and source.differs(found[name]):
                    other = self.relative(found[name].path)
                    warning = f"{self.relative(path)}: differs from {other}; this one is taken"
                    self.warnings.append(warning)
                found[name] = source
        return found

    def read_metadata(self, experiment: Experiment, folder: Path) -> dict[str, object] | None:
        """What the folder's metadata say of each map; None if they cannot be read."""
        file = folder / METADATA
        if experiment.number not in WITH_METADATA or file not in self.tree.files:
            return {}
        content = self.tree.read(file, MAX_FILE_BYTES)
        self.metadata[self.relative(file)] = _sha256(content)
        try:
            entries = load_json(text_of(content))
        except TrialError as error:
            self.problems += [Problem(str(file), str(problem)) for problem in error.problems]
            return None
        if not isinstance(entries, dict):
            self.problems.append(Problem(str(file), "expected an object of maps and goals"))
            return None
        return entries

    def relative(self, path: Path) -> str:
        """A path as the manifest and the warnings have it."""
        return self.tree.relative(path)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
