"""Trials as PDDL, for planners: what one agent that knows the holders can do, and what it costs.

The domain is the same for every trial but for the costs; a problem is one agent, one goal chest
and one hypothesis about the holders. Which cells can be entered, and with which amulet, is asked
of the game's rules and written into the problem, so the domain has four actions: `move` onto a
free cell, `pass` onto one that an amulet opens (a barrier, or a wizard whose amulet the agent
holds), and asking, of the holder or of a decoy. Each names its direction first, which is how
`plan_actions` reads a plan back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import product

from onlooker.game.budget import possible_holders
from onlooker.game.grid import ACTIONS, Action, Cell, Map
from onlooker.game.rules import Costs, Effect, effect
from onlooker.game.trial import Expertise, Holders, MainAgent, Npc, Trial

MAIN = "main"  # what the main agent is called here, beside the NPCs' ids
MAX_FILES = 1000  # that `export_pddl` makes unless told otherwise
MAX_STEM = 200  # characters in a file's name before its ending; file systems take 255

_DOMAIN = """\
; One agent of a trial, which knows who holds the amulets.
(define (domain onlooker)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types direction column row colour wizard)
  (:constants {directions} - direction)
  (:predicates
    (agent-at ?x - column ?y - row)
    (has-amulet ?k - colour)
    (column-step ?d - direction ?x ?x2 - column) ; going ?d from column ?x heads for column ?x2
    (row-step ?d - direction ?y ?y2 - row)
    (free ?x - column ?y - row)                  ; anyone may enter
    (opened-by ?x - column ?y - row ?k - colour) ; only the amulet of ?k lets one enter
    (wizard-at ?w - wizard ?x - column ?y - row)
    (holder ?w - wizard ?k - colour)             ; has the amulet of ?k
    (decoy ?w - wizard ?k - colour)              ; is of colour ?k and has no amulet
    (goal-chest ?x - column ?y - row))           ; entering it ends the agent's run
  (:functions (total-cost) - number)

  (:action move
    :parameters (?d - direction ?x - column ?y - row ?x2 - column ?y2 - row)
    :precondition (and {heading}
      (free ?x2 ?y2))
    :effect (and (not (agent-at ?x ?y)) (agent-at ?x2 ?y2) (increase (total-cost) {move})))

  (:action pass
    :parameters (?d - direction ?x - column ?y - row ?x2 - column ?y2 - row ?k - colour)
    :precondition (and {heading}
      (opened-by ?x2 ?y2 ?k) (has-amulet ?k))
    :effect (and (not (agent-at ?x ?y)) (agent-at ?x2 ?y2) (increase (total-cost) {move})))

  (:action ask-holder
    :parameters (?d - direction ?x - column ?y - row ?x2 - column ?y2 - row
      ?w - wizard ?k - colour)
    :precondition (and {heading}
      (wizard-at ?w ?x2 ?y2) (holder ?w ?k) (not (has-amulet ?k)))
    :effect (and (has-amulet ?k) (increase (total-cost) {interact})))

  ; changes nothing; that the agent stays is said because some tools want an effect
  (:action ask-decoy
    :parameters (?d - direction ?x - column ?y - row ?x2 - column ?y2 - row
      ?w - wizard ?k - colour)
    :precondition (and {heading}
      (wizard-at ?w ?x2 ?y2) (decoy ?w ?k) (not (has-amulet ?k)))
    :effect (and (agent-at ?x ?y) (increase (total-cost) {interact}))))
"""
_HEADING = """\
(agent-at ?x ?y) (not (goal-chest ?x ?y))
      (column-step ?d ?x ?x2) (row-step ?d ?y ?y2)"""

_SAFE_WORD = re.compile(r"[a-z][a-z0-9_]{0,19}")
_PLAN_STEP = re.compile(
    rf"\b(?:move|pass|ask-holder|ask-decoy)[\s(]+({'|'.join(ACTIONS)})\b", re.IGNORECASE
)


def domain(costs: Costs | None = None) -> str:
    """The rules for an agent that knows the holders, as a PDDL domain.

    >>> print(domain().splitlines()[1])
    (define (domain onlooker)
    """
    costs = costs or Costs()
    directions = " ".join(ACTIONS)
    return _DOMAIN.format(
        directions=directions, heading=_HEADING, move=costs.move, interact=costs.interact
    )


def problem(
    trial: Trial,
    agent: str = MAIN,
    goal: str | None = None,
    holders: Holders | None = None,
) -> str:
    """A PDDL problem: an agent ("main" or an NPC's id) on its way to a chest.

    `goal` and `holders` are a hypothesis; without them they are the agent's own and the trial's.
    """
    who = _agent(trial, agent)
    goal = who.goal if goal is None else goal
    if goal not in trial.map.letters:
        chests = ", ".join(trial.map.letters)
        raise ValueError(f"there is no chest {goal!r}; the chests are {chests}")
    end = _cell(trial.map.chest(goal).at)
    facts = [
        f"(agent-at {_cell(who.at)})",
        f"(goal-chest {end})",
        *_steps(trial.map),
        *_ways_in(trial.map),
        *_wizards(trial.map, trial.holders if holders is None else holders),
    ]
    return f"""\
; trial {_quoted(trial.label)}, agent {_quoted(agent)}, goal chest {_quoted(goal)}
(define (problem onlooker-problem)
  (:domain onlooker)
  (:objects
    {_lines(_objects(trial.map))}
  )
  (:init
    (= (total-cost) 0)
    {_lines(facts)}
  )
  (:goal (agent-at {end}))
  (:metric minimize (total-cost)))
"""


def plan_actions(plan: str) -> tuple[Action, ...]:
    """The actions of a plan for such a problem: one step a line, as planners write them.

    >>> plan_actions("(ask-holder up x1 y2 x1 y1 wizard-w1 colour-blue)\\n(move left x1 y2 x0 y2)")
    (<Action.UP: 'up'>, <Action.LEFT: 'left'>)
    """
    actions = []
    for line in plan.splitlines():
        words = line.partition(";")[0].strip()
        if match := _PLAN_STEP.search(words):
            actions.append(Action(match[1].lower()))
        elif words:
            raise ValueError(f"not a step of a plan in the domain onlooker: {words!r}")
    return tuple(actions)


def export_pddl(
    trial: Trial, costs: Costs | None = None, limit: int = MAX_FILES
) -> Iterator[tuple[str, str]]:
    """File names and texts: the domain, then a problem for each agent, goal and holders.

    The names of those that hold in the trial end in `-true.pddl`. Each text is made when it is
    asked for; a trial with more than `limit` of them is refused immediately.
    """
    agents = (MAIN, *(npc.id for npc in trial.npcs))
    for agent in agents:
        _agent(trial, agent)
    chests, assignments = len(trial.map.chests), trial.map.assignments
    count = 1 + len(agents) * chests * assignments
    if count > limit:
        raise ValueError(
            f"{trial.label} would need {count:,} PDDL files, more than the limit of {limit:,}:"
            f" the domain, and agents × chests × assignments of holders ="
            f" {len(agents)} × {chests} × {assignments:,} problems"
        )
    return _files(trial, agents, costs)


def _files(trial: Trial, agents: Iterable[str], costs: Costs | None) -> Iterator[tuple[str, str]]:
    yield "domain.pddl", domain(costs)
    words = _words(agents)
    for agent, goal in product(words, trial.map.letters):
        start = f"{words[agent]}-goal_{goal}"
        for number, holders in enumerate(possible_holders(trial.map), start=1):
            stem = "-".join((start, *_holders_words(trial.map, holders)))
            if len(stem) > MAX_STEM:
                stem = f"{start}-holders_{number}"
            if goal == _agent(trial, agent).goal and holders == dict(trial.holders):
                stem += "-true"
            yield f"{stem}.pddl", problem(trial, agent, goal, holders)


def _agent(trial: Trial, agent: str) -> MainAgent | Npc:
    if agent == MAIN:
        return trial.main
    npc = trial.npc(agent)
    if npc.expertise is Expertise.TEACHER:
        raise ValueError(
            f"{trial.label}: {agent} is a teacher, whose actions depend on what a learner"
            " believes; PDDL cannot express that"
        )
    return npc


def _objects(map: Map) -> Iterator[str]:
    yield " ".join(f"x{x}" for x in range(map.width)) + " - column"
    yield " ".join(f"y{y}" for y in range(map.height)) + " - row"
    for kind, names in (("colour", _colour_names(map)), ("wizard", _wizard_names(map))):
        for original, name in names.items():
            yield f"{name} - {kind} ; {_quoted(original)}"


def _steps(map: Map) -> Iterator[str]:
    """Which column and which row each direction leads to."""
    for action in ACTIONS:
        for axis, letter, by, size in zip(
            ("column", "row"), "xy", action.delta, (map.width, map.height), strict=True
        ):
            yield " ".join(
                f"({axis}-step {action} {letter}{at} {letter}{at + by})"
                for at in range(size)
                if 0 <= at + by < size
            )


def _ways_in(map: Map) -> Iterator[str]:
    """How each cell can be entered; cells that nothing opens, such as walls, are left out."""
    names = _colour_names(map)
    for cell in map.cells():
        if effect(map, cell, frozenset()) is Effect.MOVE:
            yield f"(free {_cell(cell)})"
            continue
        for colour in map.colours:
            if effect(map, cell, frozenset({colour})) is Effect.MOVE:
                yield f"(opened-by {_cell(cell)} {names[colour]})"


def _wizards(map: Map, holders: Holders) -> Iterator[str]:
    colour_names, names = _colour_names(map), _wizard_names(map)
    for colour, wizards in map.wizards_of.items():
        ids = [wizard.id for wizard in wizards]
        holder = holders.get(colour)
        if holder not in ids:
            known = ", ".join(ids)
            raise ValueError(f"the {colour} wizards are {known}: {holder!r} cannot be the holder")
        for wizard in wizards:
            role = "holder" if wizard.id == holder else "decoy"
            yield f"(wizard-at {names[wizard.id]} {_cell(wizard.at)})"
            yield f"({role} {names[wizard.id]} {colour_names[colour]})"


# -- names and layout ------------------------------------------------------------------------------


def _cell(cell: Cell) -> str:
    return f"x{cell[0]} y{cell[1]}"


def _colour_names(map: Map) -> dict[str, str]:
    return {colour: f"colour-{word}" for colour, word in _words(map.colours).items()}


def _wizard_names(map: Map) -> dict[str, str]:
    words = _words(wizard.id for wizard in map.wizards)
    return {wizard_id: f"wizard-{word}" for wizard_id, word in words.items()}


def _holders_words(map: Map, holders: Holders) -> Iterator[str]:
    colours, wizards = _words(map.colours), _words(wizard.id for wizard in map.wizards)
    return (f"{colours[colour]}_{wizards[holders[colour]]}" for colour in map.colours)


def _words(originals: Iterable[str]) -> dict[str, str]:
    """A word for each original, all different, that PDDL and every file system can take.

    Both may take capitals for small letters. A word that had to be changed ends in a hyphen and
    its number; no other word has a hyphen.
    """
    words = {}
    for number, original in enumerate(originals, start=1):
        letters = re.sub("[^a-z0-9]+", "_", original.lower()).lstrip("_0123456789")
        changed = f"{letters[:20] or 'unnamed'}-{number}"
        words[original] = original if _SAFE_WORD.fullmatch(original) else changed
    return words


def _quoted(text: str) -> str:
    """A text for a comment: ASCII on one line, whatever is in it."""
    return json.dumps(text)


def _lines(lines: Iterable[str]) -> str:
    return "\n    ".join(lines)
