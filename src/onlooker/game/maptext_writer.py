"""Writing the map text, whose format `maptext` describes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from onlooker.game.grid import Cell
from onlooker.game.maptext import COMMENT, FLOOR, WALL
from onlooker.game.trial import Trial

Free = Callable[[str], str]  # wanted characters -> one that is still free
LegendLine = tuple[str, tuple[str, list[Cell]]]  # character, its meaning and its cells


def dump_map_text(trial: Trial) -> str:
    """The map text of a trial, which reads back as the same trial."""
    legend = dict(_legend(trial))
    characters = {cell: character for character, (_, cells) in legend.items() for cell in cells}
    map = trial.map
    rows = [
        "".join(
            WALL if (x, y) in map.walls else characters.get((x, y), FLOOR) for x in range(map.width)
        )
        for y in range(map.height)
    ]
    lines = [
        f"{key}: {_setting(value)}"
        for key in ("name", "experiment", "scenario")
        if (value := getattr(trial, key)) is not None
    ]
    if trial.tutorial:
        lines.append("tutorial: yes")
    lines.append(f"outcomes: {'revealed' if trial.reveals_outcomes else 'hidden'}")
    lines += ["", "map:", *rows, "", "legend:"]
    lines += [f"{character} = {meaning}" for character, (meaning, _) in legend.items() if meaning]
    fixed = [npc for npc in trial.npcs if npc.actions is not None]
    if fixed:
        lines += ["", "actions:"]
        lines += [f"{npc.id}: {' '.join(npc.actions or ()) or 'none'}" for npc in fixed]
    return "\n".join(lines) + "\n"


def _setting(value: int | str) -> str:
    """A setting so that it is read back as it is."""
    if isinstance(value, int):
        return str(value)
    plain = not value.startswith('"') and not re.fullmatch(r"[0-9]+", value)
    return value if plain else json.dumps(value, ensure_ascii=False)


def _legend(trial: Trial) -> Iterator[LegendLine]:
    """Each character with its meaning and cells; chests stand for themselves, without a meaning."""
    free = _free_characters(set(trial.map.letters))
    for chest in trial.map.chests:
        yield chest.letter, ("", [chest.at])
    yield free("@"), (f"main agent, goal {trial.main.goal}", [trial.main.at])
    for npc in trial.npcs:
        digit = npc.id[-1] if npc.id[-1] in "123456789" else "123456789"
        care = "" if npc.care is None else f", care {npc.care:g}"
        told = "" if npc.told is None else f", told {npc.told}"
        yield free(digit), (f"{npc.expertise} {npc.id}, goal {npc.goal}{care}{told}", [npc.at])
    yield from _wizard_legend(trial, free)
    for colour in sorted({barrier.colour for barrier in trial.map.barriers}):
        cells = [barrier.at for barrier in trial.map.barriers if barrier.colour == colour]
        yield free("=%~+^"), (f"{colour} barrier", cells)


def _wizard_legend(trial: Trial, free: Free) -> Iterator[LegendLine]:
    wizards = trial.map.wizards
    numbered = all(wizard.id == f"w{index + 1}" for index, wizard in enumerate(wizards))
    for colour, of_colour in trial.map.wizards_of.items():
        initial = colour[0].lower()
        for wizard in of_colour:
            holder = trial.holders[colour] == wizard.id
            wanted = "$&!?*" if holder and len(of_colour) > 1 else initial
            name = "" if numbered else f" {wizard.id}"
            if not numbered or holder:
                meaning = f"{colour} wizard{name}{', holder' if holder else ''}"
                yield free(wanted), (meaning, [wizard.at])
        decoys = [wizard.at for wizard in of_colour if wizard.id != trial.holders[colour]]
        if numbered and decoys:
            yield free(initial), (f"{colour} wizard", decoys)


def _free_characters(taken: set[str]) -> Free:
    """A function that gives the first character of those wanted, or any, that is still free."""
    taken = taken | {WALL, FLOOR, COMMENT}

    def pool() -> Iterator[str]:
        yield from "abcdefghijklmnopqrstuvwxyz123456789"
        yield from (c for c in map(chr, range(0xC0, 0x3000)) if c.isalpha() and c.isprintable())

    def free(wanted: str) -> str:
        character: str = next(c for c in (*wanted, *pool()) if c not in taken)
        taken.add(character)
        return character

    return free
