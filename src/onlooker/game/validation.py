"""Whether a trial can be played: chests and wizards in reach, fixed actions available."""

from __future__ import annotations

from collections.abc import Iterator

from onlooker.game.grid import Cell
from onlooker.game.needs import Reach, Region
from onlooker.game.problems import DocumentPath
from onlooker.game.rules import Costs, State, Unavailable, step
from onlooker.game.trial import Npc, Trial


def playability(trial: Trial) -> Iterator[tuple[DocumentPath, str]]:
    """What keeps a well-formed trial from being played, each with its place in the document."""
    agents: list[tuple[DocumentPath, str, Cell]] = [(("main",), "the main agent", trial.main.at)]
    agents += [(("npcs", i), npc.id, npc.at) for i, npc in enumerate(trial.npcs)]
    reach = Reach(trial.map)
    fine = 0  # the cells from which everything can be reached
    for path, who, start in agents:
        if not fine & reach.bit(start):
            amulets, region = reach.surely_obtainable(start)
            found = [*_unreached_chests(reach, who, amulets, region)]
            if len(amulets) < len(trial.map.colours):  # else every wizard can be asked
                found += _unreached_wizards(reach, path, who, start)
            yield from found
            if not found:
                fine |= reach.region(reach.bit(start), frozenset())
    for index, npc in enumerate(trial.npcs):
        if npc.actions:
            yield from _fixed_actions(trial, index, npc)


def _unreached_chests(
    reach: Reach, who: str, amulets: frozenset[str], region: Region
) -> Iterator[tuple[DocumentPath, str]]:
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


def _unreached_wizards(
    reach: Reach, path: DocumentPath, who: str, start: Cell
) -> Iterator[tuple[DocumentPath, str]]:
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


def _fixed_actions(trial: Trial, index: int, npc: Npc) -> Iterator[tuple[DocumentPath, str]]:
    state = State(npc.at)
    for count, action in enumerate(npc.actions or ()):
        result = step(trial.map, state, action, npc.goal, trial.holders, Costs())
        if isinstance(result, Unavailable):
            place: DocumentPath = ("npcs", index, "actions", count)
            yield place, f"{npc.id} cannot take action {count + 1} ({action}): {result.reason}"
            return
        state = result.state
