"""Layers import leftward only: game ← planning ← inference ← … ← cli."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import onlooker

SOURCE = Path(__file__).parents[1] / "src" / "onlooker"

# Each layer may import those named before it; analysis, web and sweep stand side by side.
ORDER = [
    {"support", "version"},
    {"game"},
    {"planning"},
    {"inference"},
    {"observers"},
    {"experiments"},
    {"fitting"},
    {"drawing"},
    {"players"},
    {"analysis", "web", "sweep"},
    {"cli"},
]
RANK = {layer: rank for rank, layers in enumerate(ORDER) for layer in layers}
MODULES = sorted(SOURCE.rglob("*.py"))


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Every module that a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= imported_from(node)
    return found


def imported_from(node: ast.ImportFrom) -> set[str]:
    """The modules behind `from module import names`; the package's own names lead to their layer."""
    if node.module != "onlooker":
        return {node.module or ""}
    homes = {name: home for home, names in onlooker._HOMES.items() for name in names}
    homes["__version__"] = "version"
    return {f"onlooker.{homes.get(alias.name, alias.name)}" for alias in node.names}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("from onlooker import web", {"onlooker.web"}),
        ("from onlooker import Engine, cli as c", {"onlooker.observers", "onlooker.cli"}),
        ("from onlooker import __version__", {"onlooker.version"}),
        ("from onlooker.game import Trial", {"onlooker.game"}),
        ("def f():\n    import onlooker.web.app, json", {"onlooker.web.app", "json"}),
    ],
)
def test_every_form_of_import_is_seen(tmp_path: Path, line: str, expected: set[str]) -> None:
    (tmp_path / "module.py").write_text(line)
    assert imports(tmp_path / "module.py") == expected


def test_every_part_of_the_package_has_its_layer() -> None:
    assert {layer_of(path) for path in MODULES} <= {*RANK, "__init__", "__main__"}


def test_modules_import_their_own_layer_or_one_to_the_left() -> None:
    wrong = []
    for path in MODULES:
        layer = layer_of(path)
        for name in imports(path) if layer in RANK else ():  # the package's own front has no layer
            parts = name.split(".")
            other = parts[1] if len(parts) > 1 else "version"  # the front imports no layer
            if parts[0] == "onlooker" and other != layer and RANK[other] >= RANK[layer]:
                wrong.append(f"{path.relative_to(SOURCE)} imports {name}")
    assert not wrong


# Inside these layers too, what comes later imports what comes before, never the reverse.
ROOMS = {
    "analysis": ["data", "tables", "claims", "figures", "report"],
    "web": [
        *("texts", "settings", "study", "store", "limits", "participant"),
        *("export", "researcher", "replay", "server", "bots", "preflight"),
    ],
}


def room_of(module: str, layer: str) -> str | None:
    """The room of a module of a layer, such as onlooker.analysis.tables.comparison."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["onlooker", layer] and len(parts) > 2 else None


@pytest.mark.parametrize("layer", ROOMS)
def test_rooms_import_their_own_or_one_to_the_left(layer: str) -> None:
    wrong, rooms = [], ROOMS[layer]
    for path in MODULES:
        module = ".".join(("onlooker", *path.relative_to(SOURCE).with_suffix("").parts))
        room = room_of(module, layer)
        if room is None or room == "__init__":
            continue
        assert room in rooms, f"{module}: expected one of the rooms {', '.join(rooms)}"
        for name in imports(path):
            other = room_of(name, layer)
            if other in rooms and rooms.index(other) > rooms.index(room):
                wrong.append(f"{module} imports {name}")
    assert not wrong


def test_the_game_needs_the_standard_library_alone() -> None:
    paths = [path for path in MODULES if layer_of(path) == "game"]
    outside = {name.split(".")[0] for path in paths for name in imports(path)} - {"onlooker"}
    assert outside <= sys.stdlib_module_names
