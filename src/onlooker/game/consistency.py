"""Whether the parts of a trial fit together: ids, cells, holders, goals, limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onlooker.game.grid import Barrier, Cell, Chest, Map, Thing, Wizard
from onlooker.game.limits import MAX_COLOURS, MAX_TABLE, MAX_WIZARDS, table_size
from onlooker.game.problems import DocumentPath, shown
from onlooker.game.trial import Holders, MainAgent, Npc

Misfit = tuple[DocumentPath, str]  # where, and what is wrong


def repeated_ids(key: str, things: Sequence[Wizard | Npc]) -> Iterator[Misfit]:
    """The wizards or NPCs that have the id of one before."""
    if len({thing.id for thing in things}) == len(things):
        return
    seen: set[str] = set()
    for index, thing in enumerate(things):
        if thing.id in seen:
            yield (key, index), f"the id {thing.id!r} is used twice"
        seen.add(thing.id)


def shared_cells(
    map: Map,
    walls: Sequence[Cell],
    barriers: Sequence[Barrier],
    wizards: Sequence[Wizard],
    chests: Sequence[Chest],
    main: MainAgent,
    npcs: Sequence[Npc],
) -> Iterator[Misfit]:
    """The things that stand where another one does, in the order of the document."""
    things: tuple[Thing | MainAgent | Npc, ...] = (*barriers, *wizards, *chests, main, *npcs)
    cells = [thing.at for thing in things]
    if len(map.walls) + len(set(cells)) == len(walls) + len(cells) and map.walls.isdisjoint(cells):
        return
    places: list[tuple[DocumentPath, str, Cell]] = [
        *((("walls", i), "a wall", cell) for i, cell in enumerate(walls)),
        *((("barriers", i), f"a {b.colour} barrier", b.at) for i, b in enumerate(barriers)),
        *((("wizards", i), f"wizard {w.id}", w.at) for i, w in enumerate(wizards)),
        *((("chests", c.letter), f"chest {c.letter}", c.at) for c in chests),
        (("main",), "the main agent", main.at),
        *((("npcs", i), npc.id, npc.at) for i, npc in enumerate(npcs)),
    ]
    taken: dict[Cell, str] = {}
    for path, what, cell in places:
        if cell in taken:
            yield path, f"two things in cell {cell}: {taken[cell]} and {what}"
        else:
            taken[cell] = what


def wrong_holders(map: Map, holders: Holders) -> Iterator[Misfit]:
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


def missing_goals(map: Map, main: MainAgent, npcs: Sequence[Npc]) -> Iterator[Misfit]:
    """The agents whose chest is not on the map."""
    agents: list[tuple[DocumentPath, MainAgent | Npc]] = [(("main",), main)]
    agents += [(("npcs", index), npc) for index, npc in enumerate(npcs)]
    for path, agent in agents:
        if agent.goal not in map.letters:
            chests = ", ".join(map.letters)
            yield (*path, "goal"), f"there is no chest {agent.goal}; the chests are {chests}"


def broken_limits(map: Map) -> Iterator[Misfit]:
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
