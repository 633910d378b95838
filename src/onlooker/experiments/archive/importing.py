"""The whole import: maps, people and what the authors published, read and written in one go."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onlooker.experiments.archive.folders import Archive, read_maps
from onlooker.experiments.archive.people import (
    REPAIRED,
    STOPPED,
    Mask,
    Note,
    People,
    read_people,
)
from onlooker.experiments.archive.published import (
    MODEL,
    Agreement,
    Numbers,
    Published,
    agreement_of,
    means_csv,
    means_of,
    read_published,
)
from onlooker.experiments.archive.tabulating import exclude_as_the_paper, records_of
from onlooker.experiments.archive.tree import open_tree
from onlooker.experiments.dataset import dataset_files
from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.experiments.records import Records
from onlooker.game import dump_document
from onlooker.support.files import json_text
from onlooker.support.folders import write_whole
from onlooker.support.problems import MOST_LISTED, DataError, Problem

MANIFEST = "manifest.json"
PEOPLE = "people"
MEANS = "means.csv"
NAME = "The people of the paper"
DESCRIPTION = (
    "Logs of the authors' archive (osf.io/e93kh) replayed on onlooker's game. Columns that begin"
    " with logged_ are as the paper counts; people are numbered so that nobody is recognised."
)


@dataclass(frozen=True)
class Import:
    """Everything that was read from an archive, and what it comes to."""

    maps: Archive
    people: People
    published: Published
    records: Records
    means: Numbers  # of people whose logs were read, else as the authors give them
    cuts: dict[int, float]  # the score below which the paper's rule excludes
    excluded: Counter[int]  # people of each experiment whom our own rule excludes
    agreement: Agreement  # of the means of people with those that the archive gives
    notes: tuple[Note, ...]

    @property
    def missing(self) -> list[str]:
        """What the archive does not have, in words."""
        found = [
            f"maps of Experiment {number} (no folder problems_exp{number})"
            for number in self.maps.absent
        ]
        if not self.people.persons:
            found.append("people (no folder exp1 … exp4 with logs u….csv)")
        if not self.means:
            found.append("means of people")
        if not self.published.counts:
            found.append("predictions of the authors (model_outputs)")
        return found

    @property
    def points(self) -> Counter[tuple[int, str, int]]:
        """How many trials have so many points more left by the log than by our rules."""
        rows = self.records.trials
        return Counter(
            (row["experiment"], row["level"], row["logged_unspent"] - row["unspent"])
            for row in rows
            if row["replayed"] and row["finished"] and row["logged_unspent"] is not None
        )

    def write(self, output: str | os.PathLike[str]) -> None:
        """Write everything, or nothing; an earlier import in the folder gives way."""
        mask = Mask(self.people)
        files = {entry.file: dump_document(entry.trial) for entry in self.maps.entries}
        manifest = self.maps.manifest(files) | self.about(mask)
        if self.people.persons:
            tables = self.records.tables()
            extra = {"importedFrom": "the authors' archive"}
            dataset = dataset_files(tables, NAME, DESCRIPTION, extra=extra)
            files |= {f"{PEOPLE}/{name}": text for name, text in dataset.items()}
        if self.means:
            files[MEANS] = means_csv(self.means, self.published.counts)
        files[MANIFEST] = json_text(manifest)
        folder = Path(output)
        ours = {*(f"exp{number}" for number in range(1, 5)), PEOPLE, MEANS, MANIFEST}
        there = {path.name for path in folder.iterdir()} & ours if folder.is_dir() else set()
        if there and MANIFEST not in there:
            names = ", ".join(sorted(there))
            reason = f"there is {names} already, but not of an import; it is not replaced"
            raise DataError([Problem(str(folder), reason)])
        write_whole(folder, files, there)

    def about(self, mask: Mask) -> dict[str, Any]:
        """What the manifest says of people and of what the authors published."""
        agree, checked = self.people.positions
        return {
            "missing": self.missing,
            "people": {
                "sha256_of_all_logs": self.people.digest if self.people.persons else None,
                "logs_found": self.people.found,
                "experiments": [self.summary(number) for number in sorted(self.cuts)],
                "tutorial_blocks": self.people.tutorials,
                "npc_positions": {
                    "compared": checked,
                    "agree": agree,
                    "share": agree / checked if checked else None,
                },
                "points_that_differ": [
                    {"experiment": number, "level": level, "more_in_log": more, "trials": count}
                    for (number, level, more), count in sorted(self.points.items())
                    if more
                ],
            },
            "published": {
                "files": [mask(file) for file in self.published.files],
                "counts": len(self.published.counts),
                "means": len(self.published.means),
                "means_compared": self.agreement.compared,
                "means_that_agree": self.agreement.agree,
                "median_difference_of_means": round(self.agreement.apart, 6),
                "of_the_same_people": self.agreement.same_people,
            },
            "notes": [
                {
                    "what": kind,
                    "count": len(notes),
                    "first": [f"{mask.place(note)}: {mask(note.reason)}" for note in notes]
                    if kind in (STOPPED, REPAIRED)
                    else [
                        f"{mask.place(note)}: {mask(note.reason)}" for note in notes[:MOST_LISTED]
                    ],
                }
                for kind, notes in self.by_kind().items()
            ],
        }

    def by_kind(self) -> dict[str, list[Note]]:
        """The notes of each kind."""
        found: dict[str, list[Note]] = {}
        for note in self.notes:
            found.setdefault(note.kind, []).append(note)
        return found

    def summary(self, experiment: int) -> dict[str, Any]:
        """What the people of an experiment come to."""
        people = [each for each in self.people.persons if each.experiment == experiment]
        rows = [row for row in self.records.trials if row["experiment"] == experiment]
        return {
            "experiment": experiment,
            "people": len(people),
            "completed": sum(each.completed for each in people),
            "excluded_by_the_paper": sum(each.excluded for each in people),
            "cut": self.cuts[experiment],
            "excluded_by_our_rules": self.excluded[experiment],
            "trials": len(rows),
            "finished": sum(row["finished"] for row in rows),
            "replayed": sum(row["replayed"] for row in rows),
            "begun_more_than_once": sum(row["logged_blocks"] > 1 for row in rows),
            "looks": sum(row["observed"] for row in rows),
            "looks_that_differ": sum(
                row["logged_looks"] != row["observed"]
                for row in self.records.observations
                if row["experiment"] == experiment
            ),
            "keys_and_looks_without_effect": sum(row["without_effect"] for row in rows),
            "moves_put_in": sum(row["repaired"] for row in rows),
        }


def import_archive(
    archive: str | os.PathLike[str], experiments: Collection[int] | None = None
) -> Import:
    """Read an archive; DataError or TrialError lists what makes it useless.

    What is wrong with single logs is noted, and the rest goes on.
    """
    with open_tree(archive) as tree:
        wanted = sorted(set(experiments or PAPER_EXPERIMENTS))
        maps = read_maps(tree, experiments)
        trials = {(entry.experiment, entry.level): entry.trial for entry in maps.entries}
        people = read_people(tree, trials.values(), wanted)
        published = read_published(tree, trials)
    if people.found and not people.persons:
        raise DataError(
            Problem(_place(tree.root, note), f"{note.kind}: {note.reason}") for note in people.notes
        )
    cuts = exclude_as_the_paper(people) if people.persons else {}
    records = records_of(people)
    means = means_of(people)
    agreement = agreement_of(means, published.means)
    for row in records.observations if published.counts and agreement.same_people else ():
        counts = published.counts.get((row["experiment"], row["level"], row["agent"]), {})
        row[MODEL] = counts.get(MODEL)
    aside = [Note("files left aside", each.place, None, each.reason) for each in tree.aside]
    return Import(
        maps,
        people,
        published,
        records,
        means or published.means,
        cuts,
        _excluded(records) if people.persons else Counter(),
        agreement,
        (*aside, *people.notes, *published.notes),
    )


def imported_by(folder: Path) -> tuple[Path, list[Path]] | None:
    """The people and the folders of trials of an import: its folder, or that of its people."""
    whole = folder.parent if folder.name == PEOPLE else folder
    if not (whole / MANIFEST).is_file() or not (whole / PEOPLE).is_dir():
        return None
    return whole / PEOPLE, [path for path in sorted(whole.glob("exp[1-4]")) if path.is_dir()]


def _excluded(records: Records) -> Counter[int]:
    """How many of each experiment are left out of analyses: by the replay, as of any dataset."""
    import pandas as pd

    from onlooker.experiments.exclusion import exclude

    if not records.trials:
        return Counter(row["experiment"] for row in records.participants)
    table = exclude(pd.DataFrame(records.participants), pd.DataFrame(records.trials)).table
    return Counter(int(number) for number in table["experiment"])


def _place(root: Path, note: Note) -> str:
    line = f": line {note.line}" if note.line is not None else ""
    return f"{root / note.file}{line}"
