"""The sentences of a replay."""

from __future__ import annotations

from collections.abc import Iterator

from onlooker.game import Act, Choice, Interaction, Move, Observe, Stage, Turn, npc_name
from onlooker.game.player_view import SIDES
from onlooker.observers import ACT, Decision, Engine, Particle
from onlooker.support.rounding import percent, points

NOT_TOLD = (
    "The participant was not told what the NPCs are. The model’s advice, and what it thinks, are"
    " those of someone who was told."
)


def setting(engine: Engine) -> str:
    """What a trial is about.

    >>> from onlooker.game import load_trial
    >>> setting(Engine(load_trial("examples/two-experts.map")))
    'The main agent wants chest A and needs the blue amulet. One of 2 blue wizards holds it.'
    """
    trial = engine.trial
    if not trial.needed:
        return f"The main agent can walk to chest {trial.main.goal}: it needs no amulet."
    plural = "s" if len(trial.needed) > 1 else ""
    needs = " and ".join(trial.needed)
    text = f"The main agent wants chest {trial.main.goal} and needs the {needs} amulet{plural}."
    if not trial.open_colours:
        return f"{text} Who holds what is certain, so there is nothing to learn."
    counts = {colour: len(trial.map.wizards_of[colour]) for colour in trial.open_colours}
    if len(counts) == 1 and not plural:
        return f"{text} One of {counts[trial.needed[0]]} {needs} wizards holds it."
    listed = " and ".join(f"one of {count} {colour} wizards" for colour, count in counts.items())
    return f"{text} What is open: {listed}."


def happened(stage: Stage, turn: Turn) -> str:
    """What a turn showed, as a sentence."""
    outcome_shown = True
    if isinstance(turn.choice, Observe):
        index = stage.trial.npc_index(turn.choice.npc)
        who = npc_name(turn.choice.npc)
        action = stage.scripts[index][turn.situation.observed[index] - 1]
        outcome_shown = stage.trial.reveals_outcomes
    else:
        who, action = "The main agent", turn.choice.action
    event = turn.event
    if isinstance(event, Interaction):
        text = f"{who} asked the {event.colour} wizard {event.wizard} {SIDES[action]}"
        if not outcome_shown:
            return f"{text}; the answer is hidden."
        return f"{text}, which {'gave it the amulet' if event.gave else 'has no amulet'}."
    text = f"{who} moved {action}"
    if event.barrier:
        text += f", through the {event.barrier} barrier"
    if event.arrived:
        text += f", and reached its chest, {event.chest}"
    elif event.chest:
        text += f", past chest {event.chest}"
    return f"{text}."


def chosen(choice: Choice, event: Interaction | Move) -> str:
    """A choice as a phrase: "observes Agent 2", "goes up"."""
    if isinstance(choice, Observe):
        return f"observes {npc_name(choice.npc)}"
    assert isinstance(choice, Act)
    if isinstance(event, Interaction):
        return f"asks the {event.colour} wizard {event.wizard}"
    if event.arrived:
        return f"goes {choice.action} to chest {event.chest}"
    return f"goes {choice.action}"


def verdict(decision: Decision, order: tuple[str, ...], engine: Engine) -> str:
    """What Rational Mentalizing chooses from a comparison, and why."""
    q_obs = [q for q in decision.q_obs or () if q is not None]
    c_self = points(decision.c_self)
    if decision.choice != ACT:
        least, name = points(min(q_obs)), npc_name(decision.choice)
        return f"Observe {name}: watching and then acting should cost {least}, less than {c_self}."
    goal = f"chest {engine.trial.main.goal}"
    way = f"{', '.join(order)} and then {goal}" if order else goal
    expected = order and engine.parameters.exploration == "expected"
    costs = "should cost" if expected else "costs"
    if decision.c_self == float("inf"):
        return "Act: the tour leads to a wizard that cannot be reached, and watching does not help."
    reason = decision.reason.text if decision.reason else ""
    if not q_obs:
        return f"Act: {reason}. Going to {way} {costs} {c_self}."
    return (
        f"Act: going to {way} {costs} {c_self}, and watching first should cost no less"
        f" ({points(min(q_obs))}): {reason}."
    )


def imagined(particle: Particle, holders: dict[str, str], npc: str) -> str:
    """A particle as a sentence."""
    held = "".join(f", {wizard} holds the {colour} amulet" for colour, wizard in holders.items())
    steps = f"{particle.steps} step{'' if particle.steps == 1 else 's'}"
    return (
        f"{percent(particle.p)}: {npc_name(npc)} wants chest {particle.goal}{held};"
        f" watch {steps}, then act for {points(particle.residual)}"
    )


def reasons(engine: Engine, decision: Decision, observer: str) -> Iterator[str]:
    """The reasons of an observer other than Rational Mentalizing."""
    npcs = [npc_name(npc.id) for npc in engine.trial.npcs]
    if decision.distances is not None:
        epsilon = engine.parameters.epsilon
        for name, distance in zip(npcs, decision.distances, strict=True):
            if distance is not None:
                word = "more" if distance > epsilon else "not more"
                yield (
                    f"Watching {name} could move the belief by {distance:.2f},"
                    f" {word} than ε = {epsilon:g}."
                )
    elif decision.act is not None:
        yield f"Acting now should cost {points(decision.act)} on average."
        for name, cost in zip(npcs, decision.watch or (), strict=True):
            if cost is not None:
                yield f"Watching {name} first should cost {points(cost)} on average."
    elif decision.q_obs is not None and observer == "graded_mentalizing":
        yield f"By its own measure acting now costs {points(decision.c_self)}."
        for name, cost in zip(npcs, decision.q_obs, strict=True):
            if cost is not None:
                yield f"Watching {name} as long as it pays, and then acting, costs {points(cost)}."
    elif decision.q_obs is not None and observer == "rational_observer":
        yield f"Going to all wizards would cost {points(decision.c_self)}."
        for name, cost in zip(npcs, decision.q_obs, strict=True):
            if cost is None:
                yield f"{name} never asks a wizard, so it is not watched."
            else:
                yield (
                    f"Watching {name} to its first interaction and trusting it would cost"
                    f" {points(cost)}."
                )
    if decision.reason is not None:
        yield f"It acts: {decision.reason.text}."
