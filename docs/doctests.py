"""Show the examples of docstrings as code: a Griffe extension for the API reference."""

from __future__ import annotations

import re
from typing import Any

import griffe

# An example begins with >>> and ends with the paragraph; one that is in a block already stays.
EXAMPLE = re.compile(r"(?<!```pycon\n)^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class Doctests(griffe.Extension):
    """Puts the examples of every docstring into a fenced block."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite a docstring that has examples."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Rewrite that of the package itself, which is read after its members."""
        self.on_object(obj=pkg)


def fenced(text: str) -> str:
    """The text with its examples as blocks, those of one docstring after each other in one.

    >>> print(fenced("Adds.\\n\\n>>> 1 + 1\\n2"))
    Adds.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)
