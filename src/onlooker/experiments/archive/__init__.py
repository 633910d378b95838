"""The import of the authors' archive."""

from onlooker.experiments.archive.folders import MAPS, Archive, ArchiveTrial, read_archive
from onlooker.experiments.archive.importing import Import, import_archive

__all__ = ["MAPS", "Archive", "ArchiveTrial", "Import", "import_archive", "read_archive"]
