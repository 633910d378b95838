"""Which figure of the paper each of ours corresponds to."""

from __future__ import annotations

PAPER = {  # by how our figure's name begins; the first that fits counts
    "game": "Fig. 1",
    "model": "Fig. 2",
    "pooled-observed": "Fig. 3",
    "examples-": "Fig. 4",
    "tradeoff-by-experiment": "Fig. A15",
    "tradeoff": "Fig. 5",
    "interface-instructions": "Fig. A1",
    "interface-trial": "Fig. A2",
    "interface-": "Fig. A3",
    "stimuli-exp1": "Fig. A4",
    "stimuli-exp2": "Figs. A5–A7",
    "stimuli-exp3": "Figs. A8, A9",
    "stimuli-exp4": "Figs. A10, A11",
    "cost-observation": "Figs. A12, A13",
    "cost-total": "Fig. A14",
}


def paper_figure(name: str) -> str:
    """The number of the paper's figure, or nothing where the paper has no such figure.

    >>> paper_figure("examples-exp2"), paper_figure("regret")
    ('Fig. 4', '')
    """
    return next((number for begin, number in PAPER.items() if name.startswith(begin)), "")
