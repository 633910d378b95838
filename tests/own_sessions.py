"""Session logs of our own in the authors' format: simulated people on our maps, with warts.

The logs are written from what the people chose, so the writer knows what is in them, and says so in
`truth.json`: the order of the levels, blocks, looks, steps, keys without effect, lost rows, scores and
who is excluded. Nothing of the reader is used.
"""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from typing import Any

from onlooker.experiments.simulation import simulate
from onlooker.game import (
    ACTIONS,
    Act,
    Cell,
    Choice,
    Interaction,
    Move,
    Observe,
    Stage,
    Trial,
    Turn,
    Unavailable,
    opening,
    parse_choice,
    replay,
    take,
)
from onlooker.observers import GradedMentalizing
from onlooker.planning import stage

SESSIONS = "sessions"
TRUTH = "truth.json"
PEOPLE = 6  # in each experiment
LEVELS = 10  # that each plays
PLAIN, OTHER_NAMES, IDLE_KEYS, LOST_ROWS, BROKEN_OFF, LITTLE_KNOWN = range(PEOPLE)  # their warts

_HEAD = ("Timestamp", "Type", "Player Action", "Player X", "Player Y")
_TAIL = ("Interaction Type", "Interaction Details")
COLUMNS = (
    *_HEAD, "NPC X", "NPC Y", "Steps Remaining", "NPC Path Type", "NPC Current Path Index", *_TAIL,
)  # fmt: skip
COLUMNS_OF_TWO = (
    *_HEAD, "Observed Agent ID", "NPC 1 X", "NPC 1 Y", "NPC 2 X", "NPC 2 Y", "Steps Remaining",
    "NPC 1 Path Type", "NPC 1 Path Index", "NPC 2 Path Type", "NPC 2 Path Index", *_TAIL,
)  # fmt: skip
PREFIX = {"agent2": "NPC 2", "agent3": "NPC 1"}  # of the columns where there are two NPCs

Row = dict[str, object]


@dataclass
class BlockText:
    """One time that a level was begun: its rows, and what is true of it."""

    name: str
    begin: float
    rows: list[Row] = field(default_factory=list)
    end: float = 0.0
    without_effect: int = 0
    lost: int = 0
    replays: bool = True
    finished: bool = False
    points: int | None = None


# -- one block -------------------------------------------------------------------------------------


def block_of(
    game: Stage, name: str, choices: Sequence[Choice], begin: float, rng: random.Random,
    idle: float = 0.0, double: bool = False, points_more: int = 0,
) -> BlockText:  # fmt: skip
    """What the authors' game logs of some choices; `idle` is the share of idle keys."""
    block = BlockText(name, begin)
    time = begin
    two = len(game.trial.npcs) > 1
    seen: dict[str, Cell] = {}
    situation = opening(game)

    def row(kind: str, player: bool = True, **more: object) -> Row:
        x, y = situation.main.cell
        found: Row = {"Timestamp": stamp(time), "Type": kind}
        if player:
            found |= {"Player X": float(x), "Player Y": float(y)}
            for npc, cell in seen.items():
                prefix = PREFIX[npc] if two else "NPC"
                found |= {f"{prefix} X": float(cell[0]), f"{prefix} Y": float(cell[1])}
                found[f"{prefix} Path Type"] = "experienced1"
        return found | more

    block.rows += [row("LEVEL_START", player=False)] * (2 if double else 1)
    asked: set[str] = set()
    for turn in replay(game, choices):
        for idle_row in idle_rows(game, situation, turn, asked, rng, idle):
            time += rng.uniform(0.2, 1.5)
            block.rows.append(row("GAME_ACTION", **{"Player Action": idle_row}))
            block.without_effect += 1
        time += rng.uniform(0.2, 1.5)
        if isinstance(turn.choice, Observe):
            index = game.trial.npc_index(turn.choice.npc)
            seen[turn.choice.npc] = turn.situation.npcs[index].cell
            whom = {"Observed Agent ID": float(2 + index)} if two else {}
            block.rows.append(row("AGENT_OBSERVE", **whom))
        else:
            key = row("GAME_ACTION", **{"Player Action": str(turn.choice)})
            beside = []
            if isinstance(turn.event, Interaction):
                asked.add(turn.event.wizard)
                gave = f"{turn.event.colour}Amulet" if turn.event.gave else ""
                beside = [
                    row(
                        "INTERACTION", **dict(zip(_TAIL, ("wizard_interaction", gave), strict=True))
                    )
                ]
            block.rows += [*beside, key] if beside and rng.random() < 0.3 else [key, *beside]
        if turn.situation.over:  # the player is still seen beside the chest
            block.finished = True
            block.points = game.budget - turn.situation.spent + points_more
            letter = dict(zip(_TAIL, ("treasure_interaction", game.trial.main.goal), strict=True))
            block.rows += [row("INTERACTION", **letter), row("LEVEL_COMPLETE")]
            time += 3
            block.rows.append(row("LEVEL_COMPLETE", **{"Steps Remaining": float(block.points)}))
        situation = turn.situation
    block.end = time
    return block


def idle_rows(
    game: Stage, situation: Any, turn: Turn, asked: set[str], rng: random.Random, share: float
) -> list[str]:
    """Keys that do nothing and are pressed before a turn: walls, asked wizards, a held key."""
    found = []
    if rng.random() < share:
        for action in ACTIONS:
            result = take(game, situation, Act(action))
            wall = isinstance(result, Unavailable)
            again = (
                isinstance(result, Turn)
                and isinstance(result.event, Interaction)
                and result.event.wizard in asked
            )
            if wall or again:
                found.append(str(action))
                break
    if isinstance(turn.event, Move) and isinstance(turn.choice, Act) and rng.random() < share:
        found.append(str(turn.choice))  # held down: it is logged before it moves anybody
    return found


def lose_walk(block: BlockText, rows: int, rng: random.Random) -> None:
    """Lose some keys in a row, on a walk that has no detour: as many moves are to be put in."""
    places = [
        (row["Player X"], row["Player Y"]) if row["Type"] == "GAME_ACTION" else None
        for row in block.rows
    ]
    spots = []
    for first in range(1, len(places) - rows):
        window = places[first : first + rows + 1]
        here, there = window[0], window[-1]
        if here is None or there is None or None in window or places[first - 1] is None:
            continue
        apart = abs(float(there[0]) - float(here[0])) + abs(float(there[1]) - float(here[1]))  # type: ignore[arg-type]
        if apart == rows and places[first - 1] != here:
            spots.append(first)
    first = rng.choice(spots)
    del block.rows[first : first + rows]
    block.lost += rows


def lose_asking(block: BlockText) -> None:
    """Lose the key and the row of the holder's gift, without which no barrier opens."""
    index = next(
        i for i, row in enumerate(block.rows) if str(row.get(_TAIL[1], "")).endswith("Amulet")
    )
    near = [i for i in (index - 1, index + 1) if block.rows[i]["Type"] == "GAME_ACTION"]
    at = block.rows[index]["Player X"], block.rows[index]["Player Y"]
    keys = [i for i in near if (block.rows[i]["Player X"], block.rows[i]["Player Y"]) == at]
    before_or_after = keys[0] if block.rows[index - 1]["Type"] == "GAME_ACTION" else keys[-1]
    for gone in sorted({index, before_or_after}, reverse=True):
        del block.rows[gone]
    block.replays = False


def lose_look(block: BlockText) -> None:
    """Lose the first look, so that the NPC is a step ahead of what is then logged."""
    looks = [i for i, row in enumerate(block.rows) if row["Type"] == "AGENT_OBSERVE"]
    del block.rows[looks[0]]
    block.replays = False


def stamp(seconds: float) -> str:
    """A time as the authors write it."""
    text = datetime.fromtimestamp(round(seconds, 3), UTC).isoformat(" ", timespec="milliseconds")
    return text.replace("+00:00", "Z")


# -- one person ------------------------------------------------------------------------------------


def their_name(number: int, level: str, modified: bool) -> str:
    """What the authors call a level in logs."""
    name = level.replace("scenario", "")
    if number == 1:
        name = name.removesuffix("_1")
        return f"mod_{name}" if modified else name
    return name


def session_text(
    number: int, session: str, blocks: Sequence[BlockText], end: float, about: dict[str, str] | None,
    completed: bool = True, without: Sequence[str] = (),
) -> str:  # fmt: skip
    """A log, its blocks in the order of their names."""
    columns = [c for c in (COLUMNS_OF_TWO if number > 2 else COLUMNS) if c not in without]
    created = blocks[0].begin - 300
    head = [f"Session ID,{session}", f"Created At,{stamp(created)}"]
    if completed:
        head.insert(1, f"Completed At,{stamp(end)}")
    user = ["(no demographics found),"]
    if about is not None:
        user = [f"{name},{value}" for name, value in about.items()]
    parts = [head, ["User Data", *user], ["Comprehension Check", "Passed,TRUE"]]
    check = {"Timestamp": stamp(created + 60), "Type": "INTERACTION"}
    check |= dict(zip(_TAIL, ("comprehension_check", "passed"), strict=True))
    ends = [{"Timestamp": stamp(end), "Type": "EXPERIMENT_COMPLETE"}] if completed else []
    named = [("comprehension_check", [check]), ("experiment", ends)]
    named += [(block.name, block.rows) for block in blocks]
    for name, rows in sorted(named, key=lambda each: each[0]):
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        parts.append([f"Level: {name}", text.getvalue().rstrip("\n")])
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def level_truth(blocks: Sequence[BlockText], npcs: Sequence[str], position: int) -> dict[str, Any]:
    """What is true of a level, from its blocks."""
    rows = [row for block in blocks for row in block.rows]
    watched = [row for row in rows if row["Type"] == "AGENT_OBSERVE"]
    counted = ("GAME_ACTION", "AGENT_OBSERVE", "INTERACTION")
    last = blocks[-1]
    found = {
        "position": position,
        "observed": {
            npc: sum(row.get("Observed Agent ID", 2.0) == float(npc[-1]) for row in watched)
            / len(blocks)
            for npc in npcs
        },
        "finished": last.finished,
        "blocks": len(blocks),
        "unspent": last.points,
        "steps": sum(row["Type"] in counted for row in rows),
        "replayed": last.replays,
    }
    if last.replays:  # else it depends on how far a reader gets
        found["without_effect"] = sum(block.without_effect for block in blocks)
        found["lost_rows"] = sum(block.lost for block in blocks)
    return found


# -- everybody -------------------------------------------------------------------------------------


def write_sessions(folder: Path, number: int, trials: Sequence[Trial]) -> None:
    """Write the logs of an experiment's people, and what is true of them."""
    rng = random.Random(number)
    names = [trial.label for trial in trials]
    orderings = [rng.sample(names, LEVELS) for _ in range(PEOPLE)]
    records = simulate(number, trials, orderings, GradedMentalizing(), PEOPLE, seed=11)
    logs: dict[tuple[str, str], list[Choice]] = {}
    for row in records.actions:
        logs.setdefault((row["participant"], row["level"]), []).append(parse_choice(row["choice"]))
    games = {trial.label: stage(trial) for trial in trials}
    truth: dict[str, Any] = {}
    here = folder / SESSIONS / f"exp{number}"
    here.mkdir(parents=True)
    for index, levels in enumerate(orderings):
        who = f"sim{number}{index + 1:04}"
        plays = {level: logs[who, level] for level in levels}
        session = f"u{1_700_000_000_000 + number * 86_400_000 + index * 3_600_000}"
        text, said = person_of(number, index, session, plays, games, rng)
        file = here / f"{session}.csv"
        file.write_bytes(text.encode("utf-8-sig" if index == PLAIN else "utf-8"))
        truth[f"exp{number}/{file.name}"] = said
    mark_excluded(truth)
    path = folder / SESSIONS / TRUTH
    known = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(known | truth, indent=1))


def person_of(
    number: int, index: int, session: str, plays: dict[str, list[Choice]],
    games: dict[str, Stage], rng: random.Random,
) -> tuple[str, dict[str, Any]]:  # fmt: skip
    """The log of one person, and what is true of it."""
    time = int(session[1:]) / 1000 + 300
    blocks: dict[str, list[BlockText]] = {}
    levels = list(plays)
    for level, choices in plays.items():
        last, repeated = level == levels[-1], level == levels[2]
        name = their_name(number, level, modified=index % 2 == 1)
        kept = choices
        if index == BROKEN_OFF and last:
            kept = choices[: max(1, len(choices) // 2)]
        more = 0
        if index == OTHER_NAMES and level == levels[1]:
            more = 2
        if index == LITTLE_KNOWN and number == 1:
            more = -400
        idle = 0.2 if index == IDLE_KEYS else 0.0
        for cut in [True, False] if index == BROKEN_OFF and repeated else [False]:
            block = block_of(
                games[level], name, kept[:3] if cut else kept, time, rng, idle,
                double=index > OTHER_NAMES, points_more=more,
            )  # fmt: skip
            blocks.setdefault(level, []).append(block)
            time = block.end + rng.uniform(2, 9)
    if index == LOST_ROWS:
        lose(blocks, rng)
    everything = [block for level in blocks.values() for block in level]
    if index == PLAIN:
        start = {"Timestamp": stamp(everything[0].begin - 60), "Type": "LEVEL_START"}
        practice = f"{'sm111' if number > 2 else 's111'}{'_1' if number > 1 else ''}"
        everything.append(BlockText(practice, everything[0].begin - 60, [start]))
    if index == LITTLE_KNOWN:
        unknown = their_name(number, "sm999_scenario1" if number > 2 else "s999_1", modified=False)
        start = {"Timestamp": stamp(time), "Type": "LEVEL_START"}
        everything.append(BlockText(unknown, time, [start]))
    about = None
    if index != LITTLE_KNOWN:
        about = {
            "prolificId": random.Random(session).randbytes(12).hex(),
            "age": str(20 + 3 * index + number),
            "gender": ("female", "male", "non-binary")[index % 3],
            "feedback": '"I liked it, mostly',  # never closed
            "timestamp": str(int(time * 1000)),
        }
    text = session_text(
        number, session, sorted(everything, key=lambda block: block.begin), time, about,
        completed=index != LITTLE_KNOWN,
        without=[c for c in COLUMNS_OF_TWO + COLUMNS if "Path" in c] if index == OTHER_NAMES else (),
    )  # fmt: skip
    if index == PLAIN:
        text = text.replace("\n", "\r\n")
    npcs = {level: [npc.id for npc in game.trial.npcs] for level, game in games.items()}
    said: dict[str, Any] = {
        level: level_truth(each, npcs[level], position)
        | {"choices": [str(choice) for choice in plays[level]] if each[-1].replays else []}
        for position, (level, each) in enumerate(blocks.items(), start=1)
    }
    if index == BROKEN_OFF:
        said[levels[-1]]["choices"] = said[levels[-1]]["choices"][
            : max(1, len(plays[levels[-1]]) // 2)
        ]
    return text, {
        "levels": said,
        "score": sum(each["unspent"] or 0 for each in said.values()),
        "completed": index != BROKEN_OFF,
        "age": int(about["age"]) if about else None,
        "gender": about["gender"] if about else None,
        "prolificId": about["prolificId"] if about else None,
    }


def lose(blocks: dict[str, list[BlockText]], rng: random.Random) -> None:
    """Lose rows of some levels: of walks, of the gift that opens a barrier, and a look."""
    every = [each[0] for each in blocks.values()]
    lose_walk(every[0], 1, rng)
    lose_walk(every[1], 3, rng)
    lose_asking(every[2])
    watched = [
        block
        for block in every[3:]
        if sum(row["Type"] == "AGENT_OBSERVE" for row in block.rows) > 1
        and block.rows[-1].get("Steps Remaining") is not None
    ]
    if watched:
        lose_look(watched[0])


def mark_excluded(truth: dict[str, Any]) -> None:
    """Say who is below Q1 − 1.5 IQR of the scores."""
    low, _, high = quantiles([said["score"] for said in truth.values()], n=4, method="inclusive")
    for said in truth.values():
        said["excluded"] = said["score"] < low - 1.5 * (high - low)


def add_strays(folder: Path) -> None:
    """Add what is not to be read: pilots, copies, somebody else under the same id, other files."""
    first = min((folder / SESSIONS / "exp1").glob("u*.csv"))
    second = min((folder / SESSIONS / "exp2").glob("u*.csv"))
    for place in ("exp1_pilot", "unused/exp1", "unused/exp2"):
        (folder / place).mkdir(parents=True)
    pilot = first.read_text("utf-8").replace(first.stem, "u1600000000000")
    (folder / "exp1_pilot" / "u1600000000000.csv").write_text(pilot, "utf-8")
    shutil.copy(first, folder / "unused" / "exp1" / first.name)
    changed = second.read_text("utf-8").replace("left", "right")
    (folder / "unused" / "exp2" / second.name).write_text(changed, "utf-8")
    (folder / SESSIONS / "exp3" / "summary.csv").write_text("a,b\n1,2\n")
    (folder / SESSIONS / "exp4" / "u1.csv").write_bytes(bytes(range(256)))
