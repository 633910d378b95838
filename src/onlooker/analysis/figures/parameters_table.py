"""The parameters of all observers as a table for a page."""

from __future__ import annotations

from onlooker.inference.parameters import Parameters

COLUMNS = ["parameter", "symbol", "name", "value", "unit"]


def parameters_rows(parameters: Parameters | None = None) -> list[list[str]]:
    """The head of the table, then a row for each parameter.

    >>> head, first, *_ = parameters_rows()
    >>> dict(zip(head, first, strict=True))["value"]
    '3'
    """
    given = parameters or Parameters()
    rows = [COLUMNS]
    for name, declared in given.declared().items():
        value = getattr(given, name)
        written = f"{value:g}" if isinstance(value, (int, float)) else str(value)
        rows.append([declared.meaning, declared.symbol, name, written, declared.unit])
    return rows
