"""What observers did and why, in words and numbers for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from onlooker.game import Expertise, Interaction, Move, Npc, Step, Trial
from onlooker.observers import (
    ACT,
    Decision,
    Engine,
    Expectation,
    Observer,
    Particle,
    Result,
    Rule,
    View,
)
from onlooker.observers.compositions import ComposedObserver
from onlooker.observers.lessons import LiteralLearner, teaches_in
from onlooker.support.rounding import counted, percent, points, rounded

MOST_PARTICLES = 8  # listed one by one; the rest is summed up


def candidates(result: Result) -> str:
    """The wizards an observer acted on, by colour."""
    return "; ".join(f"{c} {', '.join(ids)}" for c, ids in result.candidates.items()) or "–"


def belief(decision: Decision) -> str:
    """A belief in one line."""
    return "; ".join(
        f"{colour} " + ", ".join(f"{wizard} {percent(p)}" for wizard, p in ps.items())
        for colour, ps in (decision.belief or {}).items()
    )


def chances(decision: Decision) -> str:
    """How likely each choice is by a soft rule, in one line."""
    return ", ".join(f"{name} {percent(p)}" for name, p in (decision.probabilities or {}).items())


def kind_words(npc: Npc) -> list[str]:
    """What an NPC is, and what the player is told if that is something else."""
    return [npc.expertise, *([npc.told_words] if npc.told_words else [])]


# -- explanation -----------------------------------------------------------------------------------


def explanation(
    engine: Engine, result: Result, observer: Observer, expected: Expectation | None = None
) -> Iterator[Text]:
    """An observer's decisions from first to last, a paragraph each, and what is expected of it."""
    trial = engine.trial
    yield Text(f"{observer.title} on {trial.label}", style="bold")
    yield Text.assemble(_setting(trial), "\n")
    for who in trial.npcs:
        if teaches_in(engine, who):
            told = lesson(LiteralLearner(engine, who.id))
            words = f"{who.id} teaches. It expects a learner who takes it for an expert to {told}"
            yield Text.assemble(words, "\n")
    view, planned = engine.opening, plans(observer)
    for step, decision in enumerate(result.trace):
        lines = (
            _planned(engine, view, step, decision, result)
            if planned
            else _decision(engine, view, step, decision)
        )
        yield Text("\n").join(lines)
        if decision.choice != ACT:
            npc = trial.npc_index(decision.choice)
            taken = engine.paths[npc][view.histories[npc].steps]
            yield Text(f"  It sees {decision.choice} {_action(engine, taken)}.\n")
            view = engine.observe(view, npc)
    yield Text("\n" + _outcome(engine, result))
    if expected is not None:
        yield Text("\n" + _expected(expected))


def _setting(trial: Trial) -> str:
    goal = trial.main.goal
    if not trial.needed:
        return f"The main agent can walk to chest {goal}: it needs no amulet."
    text = f"The main agent wants chest {goal} and needs the {' and '.join(trial.needed)} amulet"
    text += "s." if len(trial.needed) > 1 else "."
    if not trial.open_colours:
        return text + " Who holds what is certain, so there is nothing to learn."
    wizards_of = trial.map.wizards_of
    count = [f"{len(wizards_of[colour])} {colour} wizards" for colour in trial.open_colours]
    return f"{text} The holder is one of {' and one of '.join(count)}."


def lesson(learner: LiteralLearner) -> str:
    """What a teacher expects of a learner, from "to watch" on."""
    goes = "; ".join(f"{c} {', '.join(ids)}" for c, ids in learner.candidates.items())
    return (
        f"watch {counted(learner.leaves, 'step')} and then go"
        f" {f'for {goes}' if goes else 'to its chest'}: {counted(learner.pays, 'point')} in all."
    )


def _decision(engine: Engine, view: View, step: int, decision: Decision) -> Iterator[Text]:
    yield Text(f"Step {step}", style="bold")
    if decision.belief is not None:
        yield Text(f"  It believes: {belief(decision) or 'nothing is left to find out'}.")
    for npc, goals in zip(engine.trial.npcs, decision.goals or (), strict=False):
        wants = ", ".join(f"{goal} {percent(p)}" for goal, p in goals.items())
        who = npc.id if decision.kinds else f"{npc.id} ({', '.join(kind_words(npc))})"
        yield Text(f"  {who} wants: {wants}.")
    for name, kinds in (decision.kinds or {}).items():
        for kind, p in kinds.items():
            if kind is not Expertise.EXPERT:  # an NPC that is none of the others
                yield Text(f"  {name} is a {kind}: {percent(p)}.")
    if decision.c_self is not None:
        yield Text(
            f"  Acting now would cost {points(decision.c_self)}{_tour(engine, view, decision)}."
        )
    if decision.act is not None:
        yield Text(f"  Acting now would cost {points(decision.act)} on average.")
    for index, npc in enumerate(engine.trial.npcs):
        yield from _watching(engine, decision, index, npc.id)
    yield Text.assemble("  → ", (_choice(engine, decision), "bold"))
    if decision.reason is not None:
        yield Text(f"  The reason: {decision.reason.text}.")
    if decision.probabilities is not None:
        yield Text(f"  By its rule the choice is left to chance: {chances(decision)}.")


def plans(observer: Observer) -> bool:
    """Whether an observer decides before the first step whom to watch how long."""
    return isinstance(observer, ComposedObserver) and observer.parts.rule == Rule.AS_PLANNED


def _planned(
    engine: Engine, view: View, step: int, decision: Decision, result: Result
) -> Iterator[Text]:
    """A decision of an observer that plans before the first step whom to watch how long."""
    yield Text(f"Step {step}", style="bold")
    if step == 0:
        yield from _plan(engine, decision, result)
    if decision.choice == ACT:
        words = "It acts."
    else:
        npc = engine.trial.npc_index(decision.choice)
        done, until = view.histories[npc].steps, result.observed[npc]
        words = f"It observes {decision.choice}: by its plan, step {done + 1} of {until}."
    yield Text.assemble("  → ", (words, "bold"))
    if decision.reason is not None:
        yield Text(f"  The reason: {decision.reason.text}.")
    if decision.probabilities is not None:
        yield Text(f"  By its rule the choice is left to chance: {chances(decision)}.")


def _plan(engine: Engine, decision: Decision, result: Result) -> Iterator[Text]:
    """What an observer weighed before the first step, and whom it will watch until when."""
    if decision.c_self is not None:
        alone = points(decision.c_self)
        yield Text(
            f"  Acting without watching anybody, by asking every wizard, would cost {alone}."
        )
    npcs = engine.trial.npcs
    waits = []
    for npc, steps, path, cost in zip(
        npcs, result.observed, engine.paths, decision.q_obs or [None] * len(npcs), strict=True
    ):
        who = f"{npc.id} ({', '.join(kind_words(npc))})"
        if cost is not None:
            text = f"  Watching {who} until it first asks a wizard, and then knowing the holders,"
            text += f" would cost {points(cost)}"
            if not steps and decision.c_self is not None and cost < decision.c_self:
                text += "; it watches a novice only where no expert is worth watching"
            yield Text(f"{text}.")
        elif decision.q_obs is not None:
            yield Text(f"  {who} asks no wizard.")
        if steps:
            event = path[steps - 1].event
            end = f"asks {event.wizard}" if isinstance(event, Interaction) else "has arrived"
            waits.append(f"{npc.id} until it {end} ({counted(steps, 'step')})")
    if waits:
        turns = ", a step of each in turn" if len(waits) > 1 else ""
        yield Text(f"  Its plan: watch {' and '.join(waits)}{turns}.")


def _tour(engine: Engine, view: View, decision: Decision) -> str:
    """The tour behind C_self, where the decision says what it believed."""
    if decision.belief is None or decision.particles is None:  # its cost is not that of a tour
        return ""
    wizards = engine.wizards(engine.candidates(decision.belief))
    order = [wizard.id for wizard in engine.tour(view.main, wizards)]
    return f": to {', '.join([*order, 'chest ' + engine.trial.main.goal])}"


def _watching(engine: Engine, decision: Decision, npc: int, name: str) -> Iterator[Text]:
    """What watching one NPC was expected to cost or to teach."""
    if decision.q_obs is not None and decision.q_obs[npc] is not None:
        yield Text(f"  Watching {name} and then acting would cost {points(decision.q_obs[npc])}.")
        if decision.particles is not None:
            yield from _particles(engine, decision.particles[npc])
    if decision.watch is not None and decision.watch[npc] is not None:
        cost = points(decision.watch[npc])
        yield Text(f"  Watching {name} and going on from there would cost {cost} on average.")
    if decision.distances is not None and (distance := decision.distances[npc]) is not None:
        epsilon = engine.parameters.epsilon
        word = "more" if distance > epsilon else "not more"
        moved = rounded(distance, 2)
        yield Text(f"  Watching {name} could move its belief by {moved}, {word} than {epsilon:g}.")


def _particles(engine: Engine, particles: Sequence[Particle]) -> Iterator[Text]:
    open_colours = [c for c in engine.trial.map.colours if len(engine.trial.map.wizards_of[c]) > 1]
    likely = sorted(particles, key=lambda particle: -particle.p)
    for particle in likely[:MOST_PARTICLES]:
        holders = ", ".join(f"{particle.holders[c]} holds {c}" for c in open_colours)
        held = f" and {holders}" if holders else ""
        yield Text(
            f"    {percent(particle.p):>6}  {_as(particle)}it wants {particle.goal}{held}:"
            f" watch {counted(particle.steps, 'step')}, then act for {points(particle.residual)}",
            style="dim",
        )
    if rest := likely[MOST_PARTICLES:]:
        share = percent(sum(particle.p for particle in rest))
        words = "other hypothesis" if len(rest) == 1 else "other hypotheses"
        yield Text(f"    {share:>6}  {len(rest)} {words}", style="dim")


def _as(particle: Particle) -> str:
    """What a particle says of the NPC's expertise, where that is not told."""
    return (
        f"{'an' if particle.expertise is Expertise.EXPERT else 'a'} {particle.expertise}, "
        if particle.expertise
        else ""
    )


def _choice(engine: Engine, decision: Decision) -> str:
    watches = decision.choice != ACT
    words = f"It observes {decision.choice}" if watches else "It acts"
    acting = decision.c_self if decision.act is None else decision.act
    watching = decision.q_obs if decision.watch is None else decision.watch
    if watching is not None and acting is not None:
        known = [cost for cost in watching if cost is not None]
        if known and watches:
            cost = watching[engine.trial.npc_index(decision.choice)]
            return f"{words}: {points(cost)} is less than {points(acting)}."
        if known:
            return f"{words}: {points(min(known))} is not less than {points(acting)}."
    return f"{words}."


def _action(engine: Engine, taken: Step) -> str:
    event = taken.event
    if isinstance(event, Interaction):
        answer = ""
        if engine.trial.reveals_outcomes:
            answer = ", which gives the amulet" if event.gave else ", which has no amulet"
        return f"ask {event.colour} wizard {event.wizard}{answer}"
    assert isinstance(event, Move)
    if event.arrived:
        return f"go {taken.action} to its chest, {event.chest}"
    passed = f" through a {event.barrier} barrier" if event.barrier else ""
    return f"go {taken.action}{passed}"


def _outcome(engine: Engine, result: Result) -> str:
    watched = [
        counted(count, "step") + f" of {npc.id}"
        for npc, count in zip(engine.trial.npcs, result.observed, strict=True)
        if count
    ]
    acted = f"goes for {candidates(result)}" if result.candidates else "walks to its chest"
    return (
        f"After watching {' and '.join(watched) or 'nobody'} it {acted}: "
        f"{counted(result.moves, 'move')}, {counted(result.interactions, 'interaction')}, "
        f"{counted(result.cost, 'point')} in all, of a budget of {engine.budget}."
    )


def _expected(expected: Expectation) -> str:
    """What an observer does on average by a soft rule."""
    npcs = zip(expected.lattice.trial.npcs, expected.observed, expected.observed_sd, strict=True)
    watched = [
        f"{rounded(mean, 2)} steps of {npc.id} (standard deviation {rounded(sd, 2)})"
        for npc, mean, sd in npcs
    ]
    skips = f", skips watching with {percent(expected.skip)}" if expected.skip else ""
    return (
        f"By the {expected.rule} rule chance decides. On average it watches"
        f" {' and '.join(watched) or 'nobody'}{skips}, and spends {rounded(expected.cost, 2)}"
        " points in all. The steps above are what it would do if the best choice always won."
    )
