"""Zips for tests."""

from __future__ import annotations

import io
import stat
import zipfile


def packed(files: dict[str, bytes], links: dict[str, str] | None = None) -> bytes:
    """A zip of some files and links."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(name, text)
        for name, target in (links or {}).items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            file.writestr(info, target)
    return content.getvalue()
