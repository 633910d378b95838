"""A person at the terminal."""

from __future__ import annotations

import io
import os
import re
import select
import subprocess
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from onlooker.game import (
    Act,
    Action,
    Choice,
    Observe,
    PlayerView,
    load_trial,
    play_trial,
    player_view,
    replay,
)
from onlooker.planning import stage
from onlooker.players.terminal import (
    LeftError,
    LineError,
    LinePlayer,
    choice_of,
    offers,
    screen,
)
from running import ROOT
from waiting import HANG

EARLY = stage(load_trial(ROOT / "examples" / "early-turn.map"))
TWO = stage(load_trial(ROOT / "examples" / "two-experts.map"))


def view(game: object = EARLY, *log: str) -> PlayerView:
    assert game in (EARLY, TWO)
    return player_view(game, replay(game, log))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "choice"),
    [
        ("w", Act(Action.UP)),
        ("A", Act(Action.LEFT)),
        ("down", Act(Action.DOWN)),
        ("D\n", Act(Action.RIGHT)),
        ("2", Observe("agent2")),
        ("observe agent2", Observe("agent2")),
        ("observe agent9", Observe("agent9")),
        ("x", None),
        ("", None),
    ],
)
def test_keys_are_those_of_the_browser(word: str, choice: Choice | None) -> None:
    assert choice_of(view(), word) == choice


def test_the_only_npc_is_watched_with_o_too() -> None:
    assert choice_of(view(), "o") == Observe("agent2")
    assert choice_of(view(TWO), "o") is None
    assert choice_of(view(TWO), "3") == Observe("agent3")


def test_the_browser_has_the_same_letters() -> None:
    keys = (ROOT / "src/onlooker/web/static/shared/keys.js").read_text("utf-8")
    letters = dict(re.findall(r'direction: "(\w+)".*letter: "(\w)"', keys))
    assert {d: choice_of(view(), letter) for d, letter in letters.items()} == {
        str(action): Act(action) for action in Action
    }


def printed(width: int, game: object = EARLY) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(screen(view(game, "observe agent2"), "a title", "a note", width))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_legend_is_beside_the_map_where_there_is_room() -> None:
    assert re.search(r"9 0 +E2 expert agent2 at \(5, 1\)", printed(100))
    narrow = printed(40).splitlines()
    assert any(line.startswith("E2 expert agent2 at (5, 1)") for line in narrow)
    assert [line.rstrip() for line in narrow[:3]] == [
        "a title",
        "94 of 95 points left · no amulet",
        "a note",
    ]


def test_what_can_be_chosen_has_its_key_and_its_cost() -> None:
    assert offers(view()).plain.split("\n") == [
        "→ D go (3)",
        "O watch agent2 (1)   Q leave",
    ]
    way = ["right"] * 5 + ["up"] * 4 + ["left"] * 4
    assert "← A ask (5)" in offers(view(EARLY, *way)).plain


def lines(text: str, *, strict: bool = True) -> tuple[LinePlayer, io.StringIO]:
    out = io.StringIO()
    return LinePlayer(Console(file=out, width=100), io.StringIO(text), strict=strict), out


def test_lines_are_choices() -> None:
    player, out = lines("observe agent2\n2\nO\n\nd\nright\n")
    with pytest.raises(LeftError):  # nothing more to read
        play_trial(EARLY, player)
    assert [str(choice) for choice in player.log] == ["observe agent2"] * 3 + ["right"] * 2
    assert len(player.times) == 5
    assert out.getvalue().count("┌─") == 2  # at the start, and for the empty line
    assert "Agent 2 moved left.\nYou are at (0, 4), 92 of 95 points left" in out.getvalue()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2\nup\n", r"line 2: You cannot choose up now. Expected one of: right, observe agent2"),
        ("2\n2\nhm\n", r"line 3: 'hm' is not a choice. Expected one of: right"),
        ("observe agent7\n", r"line 1: You cannot choose observe agent7 now."),
    ],
)
def test_a_script_with_a_mistake_is_refused(text: str, words: str) -> None:
    player, _ = lines(text)
    with pytest.raises(LineError, match=words):
        play_trial(EARLY, player)


def test_a_person_is_asked_again() -> None:
    player, out = lines("up\nhm\n2\nq\n2\n", strict=False)
    with pytest.raises(LeftError):
        play_trial(EARLY, player)
    assert player.log == [Observe("agent2")]
    assert "You cannot choose up now." in out.getvalue()
    assert "'hm' is not a choice." in out.getvalue()


# -- a real terminal -----------------------------------------------------------------------------


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")


class Terminal:
    """The command in a pseudo-terminal of its own."""

    def __init__(self, *words: str, **environment: str) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.near, self.far = pty.openpty()
        fcntl.ioctl(self.far, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self.before = termios.tcgetattr(self.far)
        self.text, self.decoder = "", getincrementaldecoder("utf-8")()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "onlooker", "play", *words],
            stdin=self.far,
            stdout=self.far,
            stderr=self.far,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, "TERM": "xterm-256color", **environment},
        )

    def press(self, key: str, until: str) -> None:
        """Press a key and wait until a text is on the screen; what was there before is forgotten."""
        self.text = ""
        os.write(self.near, key.encode())
        self.wait(until)

    def wait(self, until: str) -> None:
        while until not in re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", self.text):
            assert select.select([self.near], [], [], HANG)[0], self.text
            self.text += self.decoder.decode(os.read(self.near, 65536))

    def status(self) -> int:
        return self.process.wait(HANG)

    @property
    def as_before(self) -> bool:
        import termios

        return termios.tcgetattr(self.far) == self.before

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.near)
        os.close(self.far)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    found: list[Terminal] = []
    yield found
    for each in found:
        each.close()


@POSIX
@pytest.mark.server
def test_keys_are_pressed_in_a_terminal_and_ctrl_c_leaves_it_as_it_was(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    terminal = Terminal("examples/early-turn.map", "-o", str(data))
    terminals.append(terminal)
    terminal.wait("wall")
    assert "\x1b[?1049h" in terminal.text  # a screen of its own
    terminal.press("o", "Agent 2 moved up.")
    assert not terminal.as_before
    terminal.press("\x1b[C", "You moved right.")
    terminal.press("w", "You cannot choose up now.")
    terminal.press("\x1bOD", "You moved left.")
    terminal.press("\x03", "1 trial, 3 actions")
    assert terminal.status() == 130
    assert terminal.as_before
    [actions] = data.rglob("*actions*")
    chosen = [line.split(",")[4] for line in actions.read_text().splitlines()[1:]]
    assert chosen == ["observe agent2", "right", "left"]


@POSIX
@pytest.mark.server
def test_a_terminal_that_can_do_nothing_takes_lines(terminals: list[Terminal]) -> None:
    terminal = Terminal("examples/early-turn.map", TERM="dumb")
    terminals.append(terminal)
    terminal.wait("> ")
    assert "\x1b" not in terminal.text
    terminal.press("w\n", "You cannot choose up now.")
    terminal.press("o\n", "Agent 2 moved up.")
    terminal.press("\x03", "Not finished: 94 of 95 points left")
    assert terminal.status() == 130


@POSIX
@pytest.mark.server
def test_a_trial_is_played_to_its_end_without_colours(terminals: list[Terminal]) -> None:
    terminal = Terminal("examples/early-turn.map", "examples/near-wizards.map", NO_COLOR="1")
    terminals.append(terminal)
    terminal.wait("wall")
    assert "38;" not in terminal.text
    way = "ooo" + "d" * 5 + "w" * 4 + "a" * 5 + "d" * 4 + "s" * 4 + "s"
    for key in way:
        terminal.press(key, "points left")
    terminal.press("s", "and reached your chest, A. Chest reached: 18 of 95 points left.")
    terminal.press("s", "")  # a key that was held too long does not skip the end
    terminal.press("\r", "near wizards, 2 of 2")
    terminal.press("q", "early turn: Chest reached: 18 of 95 points left. 3 steps watched")
    assert terminal.status() == 0
    assert "near wizards:" not in terminal.text
    assert terminal.as_before
