"""The import of the authors' archive."""

from onlooker.experiments.archive.folders import MAPS, Archive, Level, read_archive

__all__ = ["MAPS", "Archive", "Level", "read_archive"]
