"""The import of the authors' archive."""

from onlooker.experiments.archive.folders import MAPS, Archive, ArchiveTrial, read_archive

__all__ = ["MAPS", "Archive", "ArchiveTrial", "read_archive"]
