"""How cost grows with the grid, the wizards and the NPCs, one at a time from a base."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace

from benchmarks.mapmaker import Size, make_trials
from benchmarks.measuring import best, fresh, machine, number, peak_megabytes, with_bar
from benchmarks.sheets import Sheet
from onlooker.game.problems import table_size
from onlooker.observers import Batch, Parameters

MAPS = 12  # of each size
ROUNDS = 3
BASE = Size(11, 12, wizards=4, npcs=2)
GRIDS = [replace(BASE, width=w, height=h) for w, h in ((11, 12), (20, 20), (30, 30), (50, 50))]
WIZARDS = [replace(BASE, wizards=count) for count in (2, 4, 8, 12)]
NPCS = [replace(BASE, npcs=count) for count in (1, 2, 4, 6)]


def measure(size: Size) -> dict[str, float]:
    """Seconds a trial and memory of random trials of a size."""
    trials = make_trials(size, MAPS)
    batch = Batch(trials)
    parameters = Parameters(prune=0.5 / size.wizards)
    batch.run(parameters)  # with as much memory as they need from then on
    times = best({"batch": lambda: batch.run(parameters)}, 9, "")
    return {
        "seconds": times["batch"] / MAPS,
        "peak": peak_megabytes(),
        "size": float(table_size(trials[0].map)),
    }


def growth() -> Sheet:
    """The table of how cost grows."""
    sheet = Sheet(
        "scaling",
        "Four observers on a random trial, as it grows",
        ("what grows", "µs a trial", "times the smallest", "size of the tables", "peak MB"),
        note=(
            f"Means of {MAPS} random maps with three chests, two of them barred; every second NPC"
            " is a novice; prune is half of one over the number of wizards. The size of the tables"
            " is hypotheses × cells × sets of amulets, as times the smallest."
            f" Each in a process of its own. {machine()}"
        ),
    )
    groups = {"grid": GRIDS, "wizards": WIZARDS, "NPCs": NPCS}
    sizes = [(what, size) for what, group in groups.items() for size in group]
    found = _measured([size for _, size in sizes])
    for what, size in sizes:
        this, first = found[size], found[groups[what][0]]
        sheet.add(
            _words(what, size),
            number(1e6 * this["seconds"]),
            number(this["seconds"] / first["seconds"]),
            number(this["size"] / first["size"]),
            number(this["peak"]),
        )
    return sheet


def _measured(sizes: list[Size]) -> dict[Size, dict[str, float]]:
    """The least that each size takes, in processes of their own, all sizes in turn."""
    found: dict[Size, dict[str, float]] = {}
    for size in with_bar([*dict.fromkeys(sizes)] * ROUNDS, "scaling"):
        now = fresh("benchmarks.scaling", json.dumps(asdict(size)))
        before = found.get(size, now)
        found[size] = {key: min(value, before[key]) for key, value in now.items()}
    return found


def _words(what: str, size: Size) -> str:
    if what == "grid":
        return f"{size.width}×{size.height} grid"
    count = size.wizards if what == "wizards" else size.npcs
    return f"{count} {what if count > 1 else what.removesuffix('s')}"


if __name__ == "__main__":
    print(json.dumps(measure(Size(**json.loads(sys.argv[1])))))
