"""What observers did, as tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from onlooker.drawing.words import belief, candidates, chances, kind_words
from onlooker.game import Npc
from onlooker.observers import Engine, Expectation, Result
from onlooker.support.rounding import points, rounded


def results_table(
    title: str,
    npcs: Sequence[Npc],
    results: Mapping[str, Result | Expectation | str | None],
    titles: Mapping[str, str],
) -> Table:
    """What each observer did or is expected to do, a row each; or, in words, why it did nothing."""
    refusals = [
        f"{titles.get(name, name)} refused: {why}"
        for name, why in results.items()
        if isinstance(why, str)
    ]
    reasons = [
        f"{titles.get(name, name)} {'stops' if result.choices else 'never begins'}:"
        f" {result.reason.text}"
        for name, result in results.items()
        if isinstance(result, Result) and result.reason is not None
    ]
    soft = any(isinstance(result, Expectation) for result in results.values())
    table = Table(
        title=title,
        title_justify="left",
        caption="under an NPC: the steps watched of it"
        + (", mean ± standard deviation where chance decides" if soft else "")
        + "".join(f"\n{line}" for line in [*reasons, *refusals]),
        caption_justify="left",
    )
    table.add_column("observer", no_wrap=True)
    for npc in npcs:
        table.add_column("\n".join([npc.id, *kind_words(npc)]), justify="right")
    table.add_column("acts on")
    for heading in ("moves", "inter-\nactions", "cost"):
        table.add_column(heading, justify="right")
    for name, result in results.items():
        if isinstance(result, Expectation):
            counts = zip(result.observed, result.observed_sd, strict=True)
            table.add_row(
                titles.get(name, name),
                *(f"{rounded(mean, 2)}\n± {rounded(sd, 2)}" for mean, sd in counts),
                "–",
                *(rounded(mean, 2) for mean in (result.moves, result.interactions, result.cost)),
            )
        elif isinstance(result, str):
            table.add_row(titles.get(name, name), *("–" for _ in npcs), "refused", "–", "–", "–")
        elif result is not None:
            table.add_row(
                titles.get(name, name),
                *(str(count) for count in result.observed),
                candidates(result),
                str(result.moves),
                str(result.interactions),
                str(result.cost),
            )
    return table


def trace_table(title: str, engine: Engine, result: Result) -> Table:
    """The decisions of one observer, a row each."""
    table = Table(title=title, title_justify="left")
    on_average = any(decision.act is not None for decision in result.trace)
    act, watch = ("act", "watch") if on_average else ("C_self", "Q_obs")
    for heading in ("step", "belief", act):
        table.add_column(heading, justify="left" if heading == "belief" else "right")
    for npc in engine.trial.npcs:
        table.add_column(f"{watch} {npc.id}", justify="right")
    table.add_column("choice")
    soft = any(decision.probabilities is not None for decision in result.trace)
    if soft:
        table.add_column("chances")
    for step, decision in enumerate(result.trace):
        acting = decision.act if on_average else decision.c_self
        watching = decision.watch if on_average else decision.q_obs
        table.add_row(
            str(step),
            belief(decision) or "–",
            points(acting),
            *(points(cost) for cost in watching or (None,) * len(engine.trial.npcs)),
            decision.choice,
            *([chances(decision)] if soft else []),
        )
    return table
