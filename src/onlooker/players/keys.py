"""Single keys from a terminal, as soon as they are pressed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ARROWS = {b"A": "up", b"B": "down", b"C": "right", b"D": "left"}  # ends of escape sequences
PATIENCE = 0.05  # seconds until an escape is known to be the key and no sequence

Read = Callable[[], str]


@contextmanager
def keys() -> Iterator[Read]:
    """Within this block, read one key after the other; afterwards the terminal is as it was.

    An arrow is "up", "down", "left" or "right", another key its character, in lower case. EOFError
    if nobody can press a key any more.
    """
    if sys.platform == "win32":
        yield _windows_key
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield lambda: _key(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _key(terminal: int) -> str:
    byte = os.read(terminal, 1)
    if byte in (b"", b"\x04"):  # Ctrl-D
        raise EOFError
    if byte == b"\x1b":
        return _sequence(terminal)
    return byte.decode("ascii", "replace").lower()


def _sequence(terminal: int) -> str:
    """The key behind an escape sequence, such as ESC [ A; "escape" if it is none that we know."""
    from select import select

    sequence = b""
    while select([terminal], [], [], PATIENCE)[0]:
        sequence += os.read(terminal, 1)
        if sequence[-1:].isalpha() and sequence != b"O":
            break
        if sequence[-1:] == b"~":
            break
    plain = len(sequence) == 2 and sequence[:1] in (b"[", b"O")
    return ARROWS.get(sequence[1:], "escape") if plain else "escape"


if sys.platform == "win32":
    import msvcrt

    def _windows_key() -> str:
        first = msvcrt.getwch()
        if first == "\x03":  # Ctrl-C is a key like any other there
            raise KeyboardInterrupt
        if first == "\x04":
            raise EOFError
        if first in ("\x00", "\xe0"):
            arrows = {"H": "up", "P": "down", "K": "left", "M": "right"}
            return arrows.get(msvcrt.getwch(), "escape")
        return first.lower()
