"""Our browser modules as one script, for a page that has no server to load them from.

Each module becomes a function that returns what it exports, in the order of the imports. It
understands the few forms of import and export that our modules use and refuses others.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from onlooker.web import STATIC

_IMPORT = re.compile(
    r"^import\s+(?:\{(?P<names>[^}]*)\}|\*\s+as\s+(?P<all>\w+))\s+from\s+"
    r"\"(?P<file>\.{1,2}/[\w./-]+)\";$",
    re.MULTILINE,
)
_EXPORT = re.compile(
    r"^export\s+(?=(?:async\s+)?(?:function\*?|const|class)\s+(?P<name>\w+))", re.MULTILINE
)
_NOTHING = re.compile(r"^export \{\};$", re.MULTILINE)
_COMMENT = re.compile(r"/\*\*.*?\*/\s*", re.DOTALL)


class BundleError(ValueError):
    """A module has an import or export that the bundler does not know."""


def bundle(entry: str, folder: Path = STATIC) -> str:
    """A script that does what loading a module would do.

    >>> script = bundle("shared/words.js")
    >>> "export" in script, "function describe(" in script
    (False, True)
    """
    done: dict[str, str] = {}
    _add(entry, folder, done, ())
    return '"use strict";\n' + "\n".join(done.values())


def _add(name: str, folder: Path, done: dict[str, str], path: tuple[str, ...]) -> None:
    """Put a module behind those that it imports."""
    if name in done:
        return
    if name in path:
        raise BundleError(f"{name} imports itself by way of {', '.join(path)}")
    text = _COMMENT.sub("", (folder / name).read_text(encoding="utf-8"))
    for found in _IMPORT.finditer(text):
        _add(_imported(found, name), folder, done, (*path, name))
    exported = [found["name"] for found in _EXPORT.finditer(text)]
    text = _IMPORT.sub(lambda found: _constant(found, name), text)
    text = _NOTHING.sub("", _EXPORT.sub("", text)).strip()
    if unknown := re.search(r"^(?:import|export)\b.*|\bimport\(", text, re.MULTILINE):
        raise BundleError(f"{name}: not known: {unknown.group()}")
    given = ", ".join(exported)
    done[name] = f"const {_variable(name)} = (() => {{\n{text}\nreturn {{ {given} }};\n}})();"


def _imported(found: re.Match[str], importer: str) -> str:
    """The module that an import names, by its path from the folder."""
    name = posixpath.normpath(posixpath.join(posixpath.dirname(importer), found["file"]))
    if name.startswith(".."):
        raise BundleError(f"{importer}: {found['file']} is outside the folder")
    return name


def _constant(found: re.Match[str], importer: str) -> str:
    """An import as a constant."""
    source = _variable(_imported(found, importer))
    if found["all"]:
        return f"const {found['all']} = {source};"
    names = [name.strip() for name in found["names"].split(",") if name.strip()]
    return f"const {{ {', '.join(re.sub(r' as ', ': ', name) for name in names)} }} = {source};"


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))
