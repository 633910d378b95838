"""A person at the terminal as a player: with keys as in the browser, or with lines of text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TextIO

from rich.console import Console, Group, RenderableType, ScreenContext
from rich.table import Table
from rich.text import Text

from onlooker.drawing import view_texts
from onlooker.drawing.style import agent_styles
from onlooker.game import ACTIONS, Act, Action, Choice, Observe, PlayerView, Score, parse_choice
from onlooker.players.keys import Read, keys

LETTERS = {Action.UP: "w", Action.LEFT: "a", Action.DOWN: "s", Action.RIGHT: "d"}
SIGNS = {Action.UP: "↑", Action.LEFT: "←", Action.DOWN: "↓", Action.RIGHT: "→"}
LEAVE = ("q", "quit")
TASK = "Reach your chest with as many points left as you can: act, or watch somebody first."


class LeftError(Exception):
    """The person left before the trial was over."""


class LineError(ValueError):
    """A line is not a choice that can be made now."""


def observe_keys(view: PlayerView, npc: str) -> list[str]:
    """The keys that watch an NPC: its number, and O where it is the only one."""
    number = agent_styles(view)[npc].number
    return ["o", number] if len(view.npcs) == 1 else [number]


def choice_of(view: PlayerView, word: str) -> Choice | None:
    """The choice that a key or a word stands for, whether or not it is available now."""
    word = word.strip()
    for action in ACTIONS:
        if word.lower() in (action, LETTERS[action]):
            return Act(action)
    for npc in view.npcs:
        if word.lower() in observe_keys(view, npc.id):
            return Observe(npc.id)
    try:
        return parse_choice(word)
    except ValueError:
        return None


class TerminalPlayer(ABC):
    """A person who is shown views and answers with words; `log` and `times` are of this trial."""

    def __init__(self) -> None:
        self.begin("")

    def begin(self, title: str) -> None:
        """Go to a trial that is called so."""
        self.title = title
        self.log: list[Choice] = []
        self.times: list[str] = []  # when each choice was made

    @abstractmethod
    def show(self, view: PlayerView, refused: str | None = None) -> None:
        """Show where the trial stands, or why the last word was refused."""

    @abstractmethod
    def read(self) -> str:
        """The next word; EOFError if there is none."""

    @abstractmethod
    def finish(self, view: PlayerView, note: str, more: bool) -> None:
        """Show how a trial ended, and whether another one follows."""

    def choose(self, view: PlayerView) -> Choice:
        """Ask until a choice can be made; LeftError if the person leaves."""
        refused: str | None = None
        while True:
            self.show(view, refused)
            word = self._word()
            choice = choice_of(view, word)
            if choice is not None and any(choice == priced.choice for priced in view.choices):
                self.log.append(choice)
                self.times.append(_now())
                return choice
            refused = refusal(word, choice)

    def _word(self) -> str:
        try:
            word = self.read()
        except EOFError:
            raise LeftError from None
        if word.strip().lower() in LEAVE:
            raise LeftError
        return word


def said(view: PlayerView) -> str:
    """What happened last, or what the task is."""
    return view.last.text if view.last else TASK


def refusal(word: str, choice: Choice | None) -> str:
    """Why a word makes no choice."""
    if choice is None:
        return f"{word.strip()!r} is not a choice." if word.strip() else ""
    return f"You cannot choose {choice} now."


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


# -- what is shown -------------------------------------------------------------------------------


def screen(view: PlayerView, title: str, note: str, width: int) -> RenderableType:
    """Everything on one screen: what must not be cut off comes first."""
    map, legend = view_texts(view)
    beside = (
        max(line.cell_len for line in map.split())
        + 3
        + max(line.cell_len for line in legend.split())
    )
    board: RenderableType = Group(map, "", legend)
    if beside <= width:
        board = Table.grid(padding=(0, 3, 0, 0))
        board.add_row(map, legend)
    return Group(
        Text(title, style="bold"), status(view), Text(note, style="italic"), offers(view), "", board
    )


def status(view: PlayerView) -> Text:
    """The points and what the main agent holds."""
    held = ", ".join(f"{colour} amulet" for colour in view.main.amulets) or "no amulet"
    return Text(f"{view.left} of {view.budget} points left · {held}")


def offers(view: PlayerView) -> Text:
    """The choices that are available, each with its key and its cost: acting, then watching."""
    acting, watching = list[Text](), list[Text]()
    for priced in view.choices:
        choice = priced.choice
        if isinstance(choice, Observe):
            key = observe_keys(view, choice.npc)[0].upper()
            watching.append(_offer(key, f"watch {choice.npc} ({priced.cost})"))
        else:
            key = f"{SIGNS[choice.action]} {LETTERS[choice.action].upper()}"
            what = "ask" if priced.kind == "interaction" else "go"
            acting.append(_offer(key, f"{what} ({priced.cost})"))
    if not view.finished:
        watching.append(_offer("Q", "leave"))
    return Text("\n").join(Text("   ").join(line) for line in (acting, watching))


def _offer(key: str, what: str) -> Text:
    return Text.assemble((key, "bold"), f" {what}")


def outcome(result: Score) -> str:
    """What a trial came to, in a line.

    >>> outcome(Score(True, True, 95, 74, 21, (3,), 22, 1))
    'Chest reached: 21 of 95 points left. 3 steps watched, 22 moves, 1 interaction.'
    """
    counts = ((sum(result.observed), "step"), (result.moves, "move"))
    watched, moves = (f"{n} {what}{'' if n == 1 else 's'}" for n, what in counts)
    asked = f"{result.interactions} interaction{'' if result.interactions == 1 else 's'}"
    how = "Chest reached" if result.arrived else "Not finished"
    left = f"{result.unspent} of {result.budget} points left"
    return f"{how}: {left}. {watched} watched, {moves}, {asked}."


# -- two ways of asking --------------------------------------------------------------------------


class KeyPlayer(TerminalPlayer):
    """A person who presses keys, on a separate screen that is gone afterwards."""

    def __init__(self, console: Console, read: Read, shown: ScreenContext) -> None:
        super().__init__()
        self._console, self._read, self._shown = console, read, shown

    @classmethod
    @contextmanager
    def at(cls, console: Console) -> Iterator[KeyPlayer]:
        """The player at a terminal, which is as it was when the block is left."""
        with keys() as read, console.screen(style="") as shown:
            yield cls(console, read, shown)

    def show(self, view: PlayerView, refused: str | None = None) -> None:
        """Draw the screen again."""
        self._shown.update(screen(view, self.title, refused or said(view), self._console.width))

    def read(self) -> str:
        """The next key."""
        return self._read()

    def finish(self, view: PlayerView, note: str, more: bool) -> None:
        """Show the end until Enter or the space bar is pressed: other keys may be left over."""
        words = f"{said(view)} {note}\nPress Enter{' for the next trial' if more else ''}."
        self._shown.update(screen(view, self.title, words, self._console.width))
        while self._word().strip():
            pass


class LinePlayer(TerminalPlayer):
    """A person, or a script, who writes a choice on each line.

    The map is shown at the start of a trial and for an empty line, else only what happened. A line
    that makes no choice is an error if it is `strict`, and asked for again if not.
    """

    def __init__(self, console: Console, lines: TextIO, *, strict: bool) -> None:
        super().__init__()
        self._console, self._lines, self._strict = console, lines, strict
        self._number = 0

    def show(self, view: PlayerView, refused: str | None = None) -> None:
        """Print what happened, or everything."""
        if refused and self._strict:
            offered = ", ".join(str(priced.choice) for priced in view.choices)
            raise LineError(f"line {self._number}: {refused} Expected one of: {offered}")
        if refused == "" or (view.last is None and refused is None):
            self._print(screen(view, self.title, said(view), self._console.width))
            self._print("")
            return
        x, y = view.main.at
        self._print(Text(refused or said(view)))
        self._print(Text(f"You are at ({x}, {y}), ").append_text(status(view)))
        self._print(offers(view))

    def read(self) -> str:
        """The next line."""
        self._number += 1
        if not self._strict:
            self._console.print("> ", end="")
        line = self._lines.readline()
        if not line:
            raise EOFError
        return line

    def finish(self, view: PlayerView, note: str, more: bool) -> None:
        """Print what happened last."""
        self._print(Text(said(view)))

    def _print(self, what: RenderableType) -> None:
        self._console.print(what, soft_wrap=True, highlight=False)
