"""A word that changes with the meaning of some modules and of all that they depend on.

Comments, docstrings and formatting have no meaning. What a module depends on are the modules of
this package that it imports, a facade such as `onlooker.game` only as far as its names lead.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[2]
KEPT = Path(__file__).resolve().parent / "__pycache__" / "digests.json"

# What compiled functions are made of, and what the results of observers depend on.
KERNELS = ("onlooker.inference.kernels", "onlooker.observers.kernels")
RESULTS = ("onlooker.observers.batch",)


@cache
def digest_of(*roots: str) -> str:
    """The digest of some modules, or of all in a package, and of what they depend on."""
    known = _kept().get(" ".join(roots), {})
    if known and known["stamps"] == _stamps(known["stamps"]):
        return str(known["digest"])
    modules = sorted(closure(name for root in roots for name in _modules(root)))
    digest = hashlib.sha256()
    for module in modules:
        digest.update(f"{module}\0{meaning(_tree(module))}\0".encode())
    found = digest.hexdigest()[:16]
    _keep(" ".join(roots), found, [str(_file(module)) for module in modules])
    return found


def closure(modules: Iterable[str]) -> set[str]:
    """The modules and all that they import, wherever in a file, directly or not."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += _imports(module)
    return found


def meaning(tree: ast.Module) -> str:
    """The syntax tree as text, without docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body = node.body[1:]
    return ast.dump(tree)


def _imports(module: str) -> list[str]:
    found = []
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("onlooker."):
            found += [_home(str(node.module), alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [a.name for a in node.names if a.name.startswith("onlooker.")]
    return found


def _home(module: str, name: str) -> str:
    """The module in which a name is defined that is imported from another."""
    if _file(f"{module}.{name}").exists():
        return f"{module}.{name}"
    if _file(module).name != "__init__.py":
        return module
    for node in _tree(module).body:
        if isinstance(node, ast.ImportFrom) and any(a.name == name for a in node.names):
            return _home(str(node.module), name)
    return module


def _modules(root: str) -> list[str]:
    file = _file(root)
    if file.name != "__init__.py":
        return [root]
    return [f"{root}.{each.stem}" for each in file.parent.glob("*.py") if each != file]


def _file(module: str) -> Path:
    path = SOURCE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_file(module).read_text("utf-8"))


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
