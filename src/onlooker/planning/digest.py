"""A word that changes with the meaning of some modules and of all that they depend on.

Comments, docstrings and formatting have no meaning. What a module depends on are the statements of
this package that define the names it uses, directly or not, and not what else is in their files.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[2]
KEPT = Path(__file__).resolve().parent / "__pycache__" / "digests.json"

# What compiled functions are made of, and what the results of observers depend on.
KERNELS = (
    "onlooker.inference.kernels",
    "onlooker.observers.kernels",
    "onlooker.planning.borrowing",
)
RESULTS = (*KERNELS, "onlooker.observers.batch")

EVERYTHING = "*"  # all names of a module
Used = tuple[str, str]  # a module, and a name in it or EVERYTHING


@cache
def digest_of(*roots: str) -> str:
    """The digest of some modules, or of all in a package, and of what they depend on."""
    known = _kept().get(" ".join(roots), {})
    if known and known["stamps"] == _stamps(known["stamps"]):
        return str(known["digest"])
    statements = closure(name for root in roots for name in _modules(root))
    digest = hashlib.sha256()
    for module, numbers in sorted(statements.items()):
        for number in sorted(numbers):
            meaning = ast.dump(_parsed(module).statements[number])
            digest.update(f"{module}\0{meaning}\0".encode())
    found = digest.hexdigest()[:16]
    _keep(" ".join(roots), found, [str(_file(module)) for module in statements])
    return found


def closure(modules: Iterable[str]) -> dict[str, set[int]]:
    """For each module the numbers of the statements that some modules depend on, or are made of."""
    found: dict[str, set[int]] = defaultdict(set)
    waiting = [(module, EVERYTHING) for module in modules]
    asked = set(waiting)
    while waiting:
        module, name = waiting.pop()
        new = _parsed(module).defining(name) - found[module]
        found[module] |= new
        for number in new:
            used = set(_parsed(module).uses(number)) - asked
            asked |= used
            waiting += used
    return found


class _Module:
    """The statements of a module: an import for each name, no docstrings."""

    def __init__(self, module: str) -> None:
        tree = ast.parse(_file(module).read_text("utf-8"))
        _remove_docstrings(tree)
        self.module = module
        self.statements = [each for statement in tree.body for each in _single(statement)]
        self.bound = [set(_bound(statement)) for statement in self.statements]
        self.names = set().union(*self.bound)

    def defining(self, name: str) -> set[int]:
        """The statements that give a name its value, and those that are there for their effect."""
        if name == EVERYTHING:
            return set(range(len(self.statements)))
        return {n for n, bound in enumerate(self.bound) if name in bound or not bound}

    def uses(self, number: int) -> Iterator[Used]:
        """What a statement uses of this package."""
        for node in ast.walk(self.statements[number]):
            if isinstance(node, ast.Name) and node.id in self.names:
                yield self.module, node.id
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("onlooker."):
                yield from (_imported(str(node.module), alias.name) for alias in node.names)
            elif isinstance(node, ast.Import):
                names = (alias.name for alias in node.names)
                yield from ((name, EVERYTHING) for name in names if name.startswith("onlooker."))


@cache
def _parsed(module: str) -> _Module:
    return _Module(module)


def _remove_docstrings(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]


def _single(statement: ast.stmt) -> list[ast.stmt]:
    """A statement, or the imports of single names that it stands for."""
    if isinstance(statement, ast.ImportFrom):
        return [ast.ImportFrom(statement.module, [a], statement.level) for a in statement.names]
    if isinstance(statement, ast.Import):
        return [ast.Import([alias]) for alias in statement.names]
    return [statement]


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement gives a value."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def _imported(module: str, name: str) -> Used:
    """What an import of a name from a module leads to."""
    if _file(f"{module}.{name}").exists():
        return f"{module}.{name}", EVERYTHING
    return module, name if name in _parsed(module).names else EVERYTHING


def _modules(root: str) -> list[str]:
    file = _file(root)
    if file.name != "__init__.py":
        return [root]
    return [f"{root}.{each.stem}" for each in file.parent.glob("*.py") if each != file]


def _file(module: str) -> Path:
    path = SOURCE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


# -- to parse all of it takes a tenth of a second, so that digests are kept with the files' times --


def _stamps(files: Iterable[str]) -> dict[str, list[int]]:
    found = {}
    for file in files:
        try:
            about = Path(file).stat()
        except OSError:
            return {}
        found[file] = [about.st_mtime_ns, about.st_size]
    return found


def _kept() -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(KEPT.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found


def _keep(roots: str, digest: str, files: list[str]) -> None:
    kept = _kept() | {roots: {"digest": digest, "stamps": _stamps(files)}}
    try:
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps(kept), "utf-8")
    except OSError:
        return  # then it is worked out again
