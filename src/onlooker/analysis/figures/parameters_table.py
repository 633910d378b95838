"""The parameters of all observers as a table for a page."""

from __future__ import annotations

from dataclasses import dataclass, fields

from onlooker.inference.parameters import Parameters

COLUMNS = ["parameter", "symbol", "name", "value", "unit"]


@dataclass(frozen=True, slots=True)
class Words:
    """What a parameter is called in a table."""

    meaning: str
    symbol: str = ""
    unit: str = ""


WORDS: dict[str, Words] = {
    "move": Words("cost of a move", "c_move", "points"),
    "interact": Words("cost of asking a wizard", "c_int", "points"),
    "observe": Words("cost of watching one step", "c_obs", "points"),
    "beta": Words("how surely agents take the better action", "β", "per point"),
    "converge": Words("a holder is settled from this probability on"),
    "prune": Words("hypotheses below this probability are left out"),
    "epsilon": Words("Mentalizing Observer: least change of belief that counts", "ε"),
    "exploration": Words("what acting alone is assumed to cost"),
    "order": Words("in which order wizards are asked"),
    "meeting": Words("Naive Observer: which interactions it waits for"),
    "temperature": Words("soft rules: how sharply values decide", "τ", "points"),
    "lapse": Words("softmax: share of choices made at random", "λ"),
    "curiosity": Words("graded: what a look is worth in itself", "", "points"),
    "skip": Words("graded: chance of not watching in a trial"),
    "caution": Words("Graded Mentalizing: from expected (0) to worst case (1)", "ρ"),
    "kinds": Words("Untold Mentalizing: what an NPC may be"),
    "care": Words("teachers: own points for one of the learner's"),
}


def parameters_rows(parameters: Parameters | None = None) -> list[list[str]]:
    """The head of the table, then a row for each parameter.

    >>> head, first, *_ = parameters_rows()
    >>> dict(zip(head, first, strict=True))["value"]
    '3'
    """
    given = parameters or Parameters()
    rows = [COLUMNS]
    for field in fields(Parameters):
        words = WORDS[field.name]
        value = getattr(given, field.name)
        written = f"{value:g}" if isinstance(value, (int, float)) else str(value)
        rows.append([words.meaning, words.symbol, field.name, written, words.unit])
    return rows
