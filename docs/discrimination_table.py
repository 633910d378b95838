"""Put what designs gain into the page on stimuli: python docs/discrimination_table.py.

It takes some minutes. For each experiment it draws candidates and chooses 12 trials for telling
observers apart: by recovery, as `stimuli design --against` does, at random, and for two observers
by how much their expected counts differ.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from onlooker.experiments.design import POOL, draw_trials
from onlooker.experiments.inventory import PAPER_EXPERIMENTS
from onlooker.fitting.discrimination import SCORE_PEOPLE, Pool, RecoveryRate, choose_trials
from onlooker.fitting.models import model_of
from onlooker.inference import Parameters
from onlooker.observers import OBSERVERS, Batch

PAGE = Path(__file__).parent / "stimuli.md"
BEGIN, END = "<!-- discrimination:", "<!-- discrimination ends -->"
SEED, TRIALS = 7, 12
PAIR = ("rational_mentalizing", "graded_mentalizing")
MIDDLE = Parameters(temperature=2.0, lapse=0.05, curiosity=0.0, skip=0.2)  # medians of the priors


def rows() -> Iterator[str]:
    """The table, line by line, as they are ready."""
    yield "| experiment | observers | chosen | random | most different counts | least different |"
    yield "|---|---|---|---|---|---|"
    for number, experiment in PAPER_EXPERIMENTS.items():
        trials = draw_trials(experiment, SEED, POOL)
        for title, names in (("Rational and Graded", PAIR), ("the paper's four", (*OBSERVERS,))):
            models = {name: model_of(name) for name in names}
            design = choose_trials(models, trials, TRIALS, SEED)
            cells = [words(design.chosen), words(design.random)]
            cells += [words(each) for each in by_counts(Pool(models, trials), names)]
            yield f"| {number} | {title} | {' | '.join([*cells, '', ''][:4])} |"


def by_counts(pool: Pool, names: tuple[str, ...]) -> Iterator[RecoveryRate]:
    """The recovery of the trials in which the counts of two observers differ most, and least."""
    if len(names) != 2:
        return
    batch = Batch(pool.trials)
    one, other = (
        np.array(
            [each.observed for each in batch.expect(MIDDLE, name, rule=str(pool.models[name].rule))]
        )
        for name in names
    )
    difference = np.abs(one - other).sum(axis=1)
    for order in (np.argsort(-difference), np.argsort(difference)):
        rng = np.random.default_rng([SEED, 4])
        yield pool.recovery(pool.unlike(order.tolist(), TRIALS), SCORE_PEOPLE, rng)


def words(found: RecoveryRate) -> str:
    """A recovery with its standard error."""
    return f"{found.mean:.3f}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{found.error:.3f}"


def main() -> None:
    """Rewrite the part of the page between its marks."""
    lines = []
    for line in rows():
        print(line, file=sys.stderr, flush=True)
        lines.append(line)
    page = PAGE.read_text(encoding="utf-8")
    begin = page.index("\n", page.index(BEGIN)) + 1
    table = "\n".join(lines)
    PAGE.write_text(f"{page[:begin]}\n{table}\n\n{page[page.index(END) :]}", encoding="utf-8")


if __name__ == "__main__":
    main()
