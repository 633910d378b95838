"""What is wrong with a trial, and where: its parts do not fit together, or it cannot be played."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from onlooker.game.grid import Cell, Map, Thing
from onlooker.game.needs import Reach, Region
from onlooker.game.rules import Costs, State, Unavailable, step
from onlooker.game.trial import Holders, MainAgent, Npc, Trial
from onlooker.support.problems import ProblemsError

# How large a trial may be, so that every exact table fits in memory and time
MAX_SIDE = 100  # cells along one side of the grid
MAX_COLOURS = 8  # colours that have wizards
MAX_WIZARDS = 60  # sets of wizards are the bits of a whole number
MAX_CARE = 1000  # points of its own that a teacher gives for one of the learner's
MAX_TABLE = 10_000_000  # hypotheses × states
MAX_FILE_BYTES = 4_000_000

DocumentPath = tuple[str | int, ...]  # into the trial document, e.g. ("npcs", 0, "goal")
Misfit = tuple[DocumentPath, str]  # where, and what is wrong


class TrialError(ProblemsError):
    """A trial was refused; `problems` has everything that was found wrong with it.

    >>> from onlooker.game import parse_trial
    >>> try:
    ...     parse_trial("map:\\n@.\\n")
    ... except TrialError as error:
    ...     print(error.problems[0])
    line 2, column 1: unknown character '@'; add it to the legend
    """


def dotted(path: DocumentPath) -> str:
    """A path as people write it.

    >>> dotted(("npcs", 0, "goal"))
    'npcs[0].goal'
    """
    words = ""
    for part in path:
        words += f"[{part}]" if isinstance(part, int) else f".{part}" if words else part
    return words


def shown(value: object) -> str:
    """A value in a message, cut when it is long."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = repr(type(value).__name__)
    return text if len(text) <= 60 else text[:57] + "..."


# -- whether the parts fit together: ids, cells, holders, goals, limits ---------------------------


def misfits(trial: Trial, document: Any) -> Iterator[Misfit]:
    """What does not fit together of a trial; the document says in which order its parts stood."""
    map = trial.map
    yield from _repeated_ids("wizards", document["wizards"])
    yield from _repeated_ids("npcs", document["npcs"])
    yield from _shared_cells(trial, document)
    yield from _wrong_holders(map, trial.holders)
    yield from _missing_goals(trial)
    yield from _broken_limits(map)


def _repeated_ids(key: str, things: Sequence[dict[str, str]]) -> Iterator[Misfit]:
    """The wizards or NPCs that have the id of one before."""
    ids = [thing["id"] for thing in things]
    if len(set(ids)) == len(ids):
        return
    seen: set[str] = set()
    for index, name in enumerate(ids):
        if name in seen:
            yield (key, index), f"the id {name!r} is used twice"
        seen.add(name)


def _shared_cells(trial: Trial, document: Any) -> Iterator[Misfit]:
    """The things that stand where another one does, in the order of the document."""
    map, walls = trial.map, document["walls"]
    things: tuple[Thing | MainAgent | Npc, ...]
    things = (*map.barriers, *map.wizards, *map.chests, trial.main, *trial.npcs)
    cells = [thing.at for thing in things]
    if len(map.walls) + len(set(cells)) == len(walls) + len(cells) and map.walls.isdisjoint(cells):
        return
    barriers, wizards, chests = document["barriers"], document["wizards"], document["chests"]
    places: list[tuple[DocumentPath, str, list[int]]] = [
        *((("walls", i), "a wall", cell) for i, cell in enumerate(walls)),
        *((("barriers", i), f"a {b['colour']} barrier", b["at"]) for i, b in enumerate(barriers)),
        *((("wizards", i), f"wizard {w['id']}", w["at"]) for i, w in enumerate(wizards)),
        *((("chests", letter), f"chest {letter}", cell) for letter, cell in chests.items()),
        (("main",), "the main agent", document["main"]["at"]),
        *((("npcs", i), npc["id"], npc["at"]) for i, npc in enumerate(document["npcs"])),
    ]
    taken: dict[Cell, str] = {}
    for path, what, (x, y) in places:
        if (x, y) in taken:
            yield path, f"two things in cell {(x, y)}: {taken[x, y]} and {what}"
        else:
            taken[x, y] = what


def _wrong_holders(map: Map, holders: Holders) -> Iterator[Misfit]:
    """Colours without a holder among their wizards, and holders of no colour on the map."""
    for colour, wizards in map.wizards_of.items():
        ids = [wizard.id for wizard in wizards]
        if colour not in holders:
            yield (
                ("holders",),
                f"no holder of the {colour} amulet; one of {', '.join(ids)} must be",
            )
        elif holders[colour] not in ids:
            yield (
                ("holders", colour),
                f"{holders[colour]!r} is not a {colour} wizard; those are {', '.join(ids)}",
            )
    for colour in holders:
        if colour not in map.colours:
            yield ("holders",), f"there is no {shown(colour)} wizard to hold its amulet"


def _missing_goals(trial: Trial) -> Iterator[Misfit]:
    """The agents whose chest is not on the map."""
    for path, _, agent in _agents(trial):
        if agent.goal not in trial.map.letters:
            chests = ", ".join(trial.map.letters)
            yield (*path, "goal"), f"there is no chest {agent.goal}; the chests are {chests}"


def _agents(trial: Trial) -> Iterator[tuple[DocumentPath, str, MainAgent | Npc]]:
    """Every agent, with its place in the document and what messages call it."""
    yield ("main",), "the main agent", trial.main
    for index, npc in enumerate(trial.npcs):
        yield ("npcs", index), npc.id, npc


def _broken_limits(map: Map) -> Iterator[Misfit]:
    """What makes the map too large for exact tables."""
    if len(map.colours) > MAX_COLOURS:
        yield (
            ("wizards",),
            f"wizards of {len(map.colours)} colours; at most {MAX_COLOURS} are allowed",
        )
    elif len(map.wizards) > MAX_WIZARDS:
        yield ("wizards",), f"{len(map.wizards)} wizards; at most {MAX_WIZARDS} are allowed"
    elif (size := table_size(map)) > MAX_TABLE:
        yield (
            (),
            f"too large: hypotheses × states is {size:,}, at most {MAX_TABLE:,} is allowed"
            " (fewer wizards, chests, colours or cells)",
        )


def table_size(map: Map) -> int:
    """Hypotheses (chest × holder of each colour) times states (cell × amulets held)."""
    hypotheses = len(map.chests) * map.assignments
    return int(hypotheses * map.width * map.height * 2 ** len(map.colours))


# -- whether it can be played: chests and wizards in reach, fixed actions available ----------------


def playability(trial: Trial) -> Iterator[Misfit]:
    """What keeps a well-formed trial from being played, each with its place in the document."""
    reach = Reach(trial.map)
    fine = 0  # the cells from which everything can be reached
    for path, who, agent in _agents(trial):
        start = agent.at
        if not fine & reach.bit(start):
            amulets, region = reach.surely_obtainable(start)
            found = [*_unreached_chests(reach, who, amulets, region)]
            if len(amulets) < len(trial.map.colours):  # else every wizard can be asked
                found += _unreached_wizards(reach, path, who, start)
            yield from found
            if not found:
                fine |= reach.region(reach.bit(start), frozenset())
    for index, npc in enumerate(trial.npcs):
        yield from _fixed_actions(trial, index, npc)


def _unreached_chests(
    reach: Reach, who: str, amulets: frozenset[str], region: Region
) -> Iterator[Misfit]:
    map = reach.map
    unreached = [chest for chest in map.chests if not region & reach.bit(chest.at)]
    if not unreached:
        return
    near = reach.around(region)
    unlucky = [
        f"{next(w.id for w in wizards if not near & reach.bit(w.at))} holds the {colour} amulet"
        for colour, wizards in map.wizards_of.items()
        if colour not in amulets
    ]
    when = f" if {' and '.join(unlucky)}" if unlucky else ""
    orphans = sorted({barrier.colour for barrier in map.barriers} - {*map.colours})
    if orphans:  # mistyped, perhaps
        when += f"; no wizard is {' or '.join(orphans)}, so nothing opens such a barrier"
    when = when or ": walls are in the way"
    for chest in unreached:
        yield (
            ("chests", chest.letter),
            f"{who} cannot reach chest {chest.letter} at {chest.at}{when}",
        )


def _unreached_wizards(reach: Reach, path: DocumentPath, who: str, start: Cell) -> Iterator[Misfit]:
    map = reach.map
    near = reach.around(reach.region(reach.bit(start), frozenset(map.colours)))
    unreached = [wizard for wizard in map.wizards if not near & reach.bit(wizard.at)]
    for letter, colours in reach.needs(start).items():
        for colour in colours or ():
            for wizard in unreached:
                if wizard.colour == colour:
                    yield (
                        path,
                        f"{who} cannot reach wizard {wizard.id} at {wizard.at} even with all"
                        f" amulets, and may need it for chest {letter}",
                    )


def _fixed_actions(trial: Trial, index: int, npc: Npc) -> Iterator[Misfit]:
    state = State(npc.at)
    for count, action in enumerate(npc.actions or ()):
        result = step(trial.map, state, action, npc.goal, trial.holders, Costs())
        if isinstance(result, Unavailable):
            place: DocumentPath = ("npcs", index, "actions", count)
            yield place, f"{npc.id} cannot take action {count + 1} ({action}): {result.reason}"
            return
        state = result.state
