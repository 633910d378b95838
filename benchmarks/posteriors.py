"""One posterior by every system: 3 chests × 3 wizards, an expert, 15 steps, β = 0.5."""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.mapmaker import Size, make_trials
from benchmarks.measuring import QUIET, ROOT, machine, number, with_bar
from benchmarks.sheets import Sheet
from onlooker.game import ACTIONS, Interaction, Move, Trial
from onlooker.planning import Tables, npc_path

SIZE = Size(12, 11, wizards=3, npcs=1)
MAPS = 9
STEPS = 15
BETA = 0.5
REPEAT = 9
SAME = 1e-6
VENV = ROOT / ".venv-bench"
REQUIREMENTS = ROOT / "benchmarks" / "requirements.txt"
PATIENCE = 300  # seconds for the installation

Joint = list[float]  # over (goals, holders), the holders changing fastest


def problems() -> list[Trial]:
    """The first trials whose expert takes more than those steps."""
    trials = [replace(trial, reveals_outcomes=True) for trial in make_trials(SIZE, 5 * MAPS)]
    lengths = [len(npc_path(Tables(trial.map), trial, trial.npcs[0])) for trial in trials]
    return [trial for trial, length in zip(trials, lengths, strict=True) if length > STEPS][:MAPS]


def described(trial: Trial) -> dict[str, Any]:
    """A trial and what is seen of its expert, for a program that does not know onlooker."""
    map = trial.map
    cell, steps = trial.npcs[0].at, []
    for taken in npc_path(Tables(map), trial, trial.npcs[0])[:STEPS]:
        event = taken.event
        asked = map.wizard(event.wizard).at if isinstance(event, Interaction) else None
        steps.append(
            {
                "cell": cell,
                "action": ACTIONS.index(taken.action),
                "asked": asked,
                "gave": isinstance(event, Interaction) and event.gave,
                "arrived": isinstance(event, Move) and event.arrived,
            }
        )
        cell = taken.state.cell
    return {
        "width": map.width,
        "height": map.height,
        "walls": sorted(map.walls),
        "barriers": [barrier.at for barrier in map.barriers],
        "wizards": [wizard.at for wizard in map.wizards],
        "chests": [chest.at for chest in map.chests],
        "start": trial.npcs[0].at,
        "steps": steps,
        "beta": BETA,
        "move": 3,
        "interact": 5,
    }


# -- ours --------------------------------------------------------------------------------------


def engine(trial: Trial) -> Callable[[], Joint]:
    """The compiled engine with the trial packed; each call plans and infers anew."""
    import numpy as np

    from onlooker.inference import Parameters
    from onlooker.inference.kernels.tree import Tree
    from onlooker.inference.room import room_for
    from onlooker.observers.kernels.questions import About, Question, ask, prepare_engine
    from onlooker.observers.kernels.thoughts import Thoughts
    from onlooker.planning.packing import pack
    from onlooker.planning.world import World

    packed, settings = pack([trial]), Parameters(beta=BETA).settings

    def work() -> Joint:
        room = room_for(packed, settings, True, Thoughts, About)
        room.call(prepare_engine.compiled, World, Tree, Thoughts, packed)
        room[About].node = room[Tree].path[0, STEPS]
        question = int(Question.LOG_WEIGHTS)
        room.call(ask.compiled, World, Tree, Thoughts, About, question)
        log_w = room[Thoughts].log_weight
        weights = np.exp(log_w - log_w.max())
        joint: Joint = (weights / weights.sum()).tolist()
        return joint

    return work


def labelled(trial: Trial) -> Callable[[], Joint]:
    """`onlooker.posterior`: labelled rows for every step; nothing is kept from call to call."""
    from onlooker.inference import Parameters
    from onlooker.observers import posterior

    def work() -> Joint:
        tables = posterior(trial, Parameters(beta=BETA))
        goals = {row.goal: row.p for row in tables.goals if row.step == STEPS}
        rows = [row for row in tables.holders if row.step == STEPS]
        return [0.0 if math.isnan(row.p) else goals[row.goal] * row.p for row in rows]

    return work


def plain(trial: Trial) -> Callable[[], Joint]:
    """The plain reference: Dijkstra in Python for each hypothesis, one step at a time."""
    from onlooker.inference.reference import NpcModel, Tables, Watched, normalised

    def work() -> Joint:
        tables = Tables(trial.map)
        model = NpcModel(tables, trial.npcs[0], BETA)
        watched = Watched.unseen(model)
        for seen in npc_path(tables, trial, trial.npcs[0])[:STEPS]:
            watched = watched.after(seen, True)
        chances = normalised({h: weighed.log_weight for h, weighed in watched.weights.items()})
        return [chances.get(hypothesis, 0.0) for hypothesis in model.hypotheses()]

    return work


OURS = {"engine": engine, "labelled": labelled, "plain": plain}


def measure(name: str) -> dict[str, Any]:
    """The same times as `peers.measure`, of one of ours."""
    trials, make = problems(), OURS[name]
    begin = time.perf_counter()
    first = make(trials[0])()
    after = time.perf_counter()
    new = again = math.inf
    work = make(trials[0])
    for _ in range(REPEAT):
        start = time.perf_counter()
        others = [make(trial)() for trial in trials[1:]]
        new = min(new, (time.perf_counter() - start) / len(others))
        start = time.perf_counter()
        work()
        again = min(again, time.perf_counter() - start)
    times = {"first": after - begin, "new": new, "again": again}
    return {**times, "import": _import_seconds(), "posteriors": [first, *others]}


def _import_seconds() -> float:
    """How long our imports take in a fresh process."""
    code = "import time; a = time.perf_counter(); import onlooker.inference as _"
    code += "; print(time.perf_counter() - a)"
    command = [sys.executable, "-c", code]
    return float(subprocess.run(command, capture_output=True, check=True).stdout)


# -- theirs ------------------------------------------------------------------------------------


def environment() -> Path | str:
    """The Python for the peers, its environment made where it is missing; or why there is none."""
    python, stamp = VENV / "bin" / "python", VENV / ".installed"
    digest = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return python
    QUIET.print(f"Setting up {VENV.name} for msdm and JAX, once …")
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        for command in (
            [sys.executable, "-m", "venv", "--clear", str(VENV)],
            [*pip, "--no-deps", "-r", str(REQUIREMENTS)],
        ):
            subprocess.run(
                command, check=True, capture_output=True, encoding="utf-8", timeout=PATIENCE
            )
    except subprocess.TimeoutExpired:
        return f"installing took more than {PATIENCE} s"
    except subprocess.CalledProcessError as error:
        return (error.stderr.strip() or error.stdout.strip() or "no reason given").splitlines()[-1]
    stamp.write_text(digest)
    return python


def run_system(command: list[str], words: str) -> dict[str, Any]:
    """What one system measured in a process of its own, the better of two runs each."""
    runs = []
    for _ in range(2):
        done = subprocess.run(
            command, input=words, stdout=subprocess.PIPE, encoding="utf-8", check=True, cwd=ROOT
        )
        runs.append(json.loads(done.stdout))
    times = {key: min(run[key] for run in runs) for key in ("import", "first", "new", "again")}
    return {**times, "posteriors": runs[0]["posteriors"]}


SYSTEMS = {
    "engine": "onlooker, engine",
    "labelled": "onlooker, `posterior` with labelled rows",
    "plain": "onlooker, plain reference (Dijkstra)",
    "jax": "JAX, one compiled value iteration",
    "msdm": "msdm, its value iteration",
}


def against_peers() -> Sheet:
    """The same posterior by all systems that can be had."""
    trials = problems()
    words = json.dumps([described(trial) for trial in trials])
    commands = {name: [sys.executable, "-m", "benchmarks.posteriors", name] for name in OURS}
    python = environment()
    if isinstance(python, Path):
        script = str(ROOT / "benchmarks" / "peers.py")
        commands |= {name: [str(python), script, name] for name in ("jax", "msdm")}
    else:
        QUIET.print(f"msdm and JAX are skipped, they cannot be installed here: {python}")
    found = {}
    for name, command in with_bar(commands.items(), "posteriors"):
        try:
            found[name] = run_system(command, words)
        except subprocess.CalledProcessError:
            if name in OURS:
                raise
            QUIET.print(f"{name} is skipped, it does not run here")
    farthest = _farthest([each["posteriors"] for each in found.values()])
    if farthest > SAME:
        raise AssertionError(f"the posteriors differ by {farthest}")
    return _sheet(found, len(trials), farthest)


def _farthest(posteriors: list[list[Joint]]) -> float:
    """The largest difference between any system's probability and the first one's."""
    first = posteriors[0]
    return max(
        abs(p - q)
        for other in posteriors
        for one, two in zip(first, other, strict=True)
        for p, q in zip(one, two, strict=True)
    )


def _sheet(found: dict[str, dict[str, Any]], maps: int, farthest: float) -> Sheet:
    sheet = Sheet(
        "peers",
        "A posterior over 9 hypotheses after 15 steps on a 12×11 map",
        ("system", "import, s", "first ever, ms", "new map, ms", "ratio", "same map, ms", "ratio"),
        note=(
            f"All agree within {farthest:.0e} on {maps} maps. First ever: compiling, or loading"
            " what was compiled. New map: from the map to the posterior, nothing to compile. Same"
            " map: planned and inferred again with the model already built. Ratios are to"
            f" onlooker's engine. {machine()}"
        ),
    )
    base = found["engine"]
    for name, times in found.items():
        cells = [number(times["import"]), number(1000 * times["first"])]
        for key in ("new", "again"):
            cells += [number(1000 * times[key]), number(times[key] / base[key])]
        sheet.add(SYSTEMS[name], *cells)
    return sheet


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1])))
