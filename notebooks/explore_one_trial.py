"""Explore one trial. Opens as a notebook in VS Code, Spyder and, with Jupytext, Jupyter."""

# %% [markdown]
# # Explore one trial
#
# One trial from all sides: the map, what watching each NPC tells, what the four observers do, and
# why Rational Mentalizing stops watching when it does. Every cell can be changed and run again;
# `python notebooks/explore_one_trial.py` runs them all and leaves the figures in the folder
# `figures`. Nothing in it is random.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

import onlooker
from onlooker import Engine, Parameters
from onlooker.drawing import explain_figure, map_figure, map_text, save_figure
from onlooker.drawing.style import agent_styles, amulet_styles
from onlooker.experiments.stimuli import stimuli

# %% tags=["parameters"]
TRIAL = "m413_1"  # one of the trials that come along: `onlooker stimuli list` names them
BETAS = (0.05, 0.2, 0.5, 2.0)
FIGURES = Path("figures")

plt.rcParams.update(
    {
        "axes.axisbelow": True,
        "axes.grid": True,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "grid.color": "#E2DFD6",
        "grid.linewidth": 0.6,
    }
)

# %% [markdown]
# ## The map
#
# A trial of your own goes here as well: `trial = onlooker.load_trial("my.map")`. The rest of the
# page asks what Rational Mentalizing makes of the trial that is chosen here. A trial at the end of
# a cell shows its map.

# %%
trial = next(each for each in stimuli() if each.name == TRIAL)
trial  # noqa: B018 - a notebook shows its map

# %%
engine = Engine(trial, Parameters())
paths = {npc.id: path for npc, path in zip(trial.npcs, engine.paths, strict=True)}
FIGURES.mkdir(exist_ok=True)

print(map_text(trial))
print()
print(f"The main agent wants chest {trial.main.goal} and needs {', '.join(trial.needed)}.")
for npc in trial.npcs:
    print(
        f"{npc.id} is the {npc.expertise} and wants chest {npc.goal}: {len(paths[npc.id])} steps."
    )

map_picture = map_figure(trial, holders=True, paths=paths)
save_figure(map_picture, FIGURES / "explore-map.png")
map_picture  # noqa: B018 - a notebook shows it

# %% [markdown]
# ## What watching one NPC tells
#
# The two tables that the paper stores: P(goal | actions) and, from P(holders | actions, goal), the
# probability of each holder. They are of each NPC by itself, watched from its start to its arrival.

# %%
tables = onlooker.posterior(trial)
goals = pd.DataFrame(tables.goals)
by_step = goals.pivot(index=["agent", "step", "action"], columns="goal", values="p")
print(by_step.round(3).to_string())

# %%
chances = {(row.agent, row.step, row.goal): row.p for row in tables.goals}
rows = []
for row in tables.holders:
    weight = chances[row.agent, row.step, row.goal]
    for colour in trial.open_colours:
        p = weight * row.p if weight > 0 else 0.0
        rows.append((row.agent, row.step, row.holders[colour], p))
alone = pd.DataFrame(rows, columns=["agent", "step", "wizard", "p"])
alone = alone.groupby(["agent", "step", "wizard"], as_index=False)["p"].sum()

wizards = sorted(alone["wizard"].unique())
hues = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
strokes = ("solid", "dashed", "dashdot", "dotted", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 3)))
holders_of_trial = set(trial.holders.values())

figure, axes = plt.subplots(
    1, len(trial.npcs), figsize=(4.4 * len(trial.npcs), 3.3), sharey=True, squeeze=False
)
for ax, npc in zip(axes[0], trial.npcs, strict=True):
    mine = alone[alone["agent"] == npc.id]
    for wizard, hue, stroke in zip(wizards, hues, strokes, strict=False):
        of_wizard = mine[mine["wizard"] == wizard]
        holds = " (holder)" if wizard in holders_of_trial else ""
        ax.plot(
            of_wizard["step"], of_wizard["p"], color=hue, linestyle=stroke, label=wizard + holds
        )
    ax.axhline(engine.parameters.converge, color="#6A6E76", linewidth=0.8)
    ax.set(title=f"{npc.id}, {npc.expertise}", xlabel="steps watched", ylim=(-0.02, 1.02))
    ax.locator_params(axis="x", integer=True)
axes[0][0].set_ylabel("P(this wizard is the holder)")
axes[0][0].text(0, engine.parameters.converge - 0.015, "settled from here", va="top", fontsize=8)
axes[0][-1].legend(loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False)
figure.suptitle("What each NPC tells by itself", x=0.01, ha="left", fontweight="bold")
figure.tight_layout()
save_figure(figure, FIGURES / "explore-posterior.png")

# %% [markdown]
# ## What the observers do

# %%
results = {name: onlooker.run(trial, name) for name in onlooker.OBSERVERS}
done = pd.DataFrame(
    {
        onlooker.OBSERVERS[name].title: {
            **dict(zip((npc.id for npc in trial.npcs), result.observed, strict=True)),
            "goes to": " ".join(w for ids in result.candidates.values() for w in ids),
            "moves": result.moves,
            "interactions": result.interactions,
            "points": result.cost,
        }
        for name, result in results.items()
    }
).T
print(done.to_string())

# %% [markdown]
# ## Why
#
# The trace of Rational Mentalizing has everything that it compared. C_self is what acting now would
# cost, Q_obs what watching an NPC and acting then would cost, in points. It watches while the
# smallest Q_obs is below C_self. A result at the end of a cell shows this timeline; as a data frame
# it is made below.

# %%
result = results["rational_mentalizing"]
result  # noqa: B018 - a notebook shows its timeline

# %%
trace = pd.DataFrame(
    [
        {
            "C_self": decision.c_self,
            **{
                f"Q_obs {npc.id}": q
                for npc, q in zip(trial.npcs, decision.q_obs or (), strict=False)
            },
            **{
                wizard: p
                for colour in trial.open_colours
                for wizard, p in (decision.belief or {}).get(colour, {}).items()
            },
            "choice": decision.choice,
        }
        for decision in result.trace
    ]
)
trace.index.name = "step"
print(trace.round(2).to_string())

# %%
why = explain_figure(engine, result)
save_figure(why, FIGURES / "explore-why.png")
why  # noqa: B018

# %% [markdown]
# The particles of the first step: the hypotheses that it imagines, how likely each is, for how many
# steps it would have to watch (T) and what acting would then cost.

# %%
first = result.trace[0]
particles = pd.DataFrame(
    [
        {"NPC": npc.id, "goal": particle.goal}
        | {colour: particle.holders[colour] for colour in trial.open_colours}
        | {"p": particle.p, "T": particle.steps, "acting then": particle.residual}
        for npc, behind in zip(trial.npcs, first.particles or (), strict=False)
        for particle in behind
    ]
)
shown = particles.round(3).sort_values(["NPC", "goal"], kind="stable")
print(shown.to_string(index=False))

# %% [markdown]
# ## Another β
#
# β says how surely NPCs are thought to take the better action. With a smaller β an action says less
# and the belief moves more slowly; with a very small one, watching may not pay at all.

# %%
NPC_LINES = {npc.id: agent_styles(trial)[npc.id] for npc in trial.npcs}
colour = trial.open_colours[0]
ink = amulet_styles([colour])[colour].line
figure, axes = plt.subplots(
    2, len(BETAS), figsize=(2.7 * len(BETAS), 5.2), sharex=True, sharey="row", squeeze=False
)
for column, beta in enumerate(BETAS):
    again = onlooker.run(trial, "rational_mentalizing", Parameters(beta=beta))
    steps = range(len(again.trace))
    top, bottom = axes[0][column], axes[1][column]
    beliefs = [(decision.belief or {})[colour][trial.holders[colour]] for decision in again.trace]
    top.plot(steps, beliefs, color=ink, marker="o", markersize=4)
    top.axhline(engine.parameters.converge, color="#6A6E76", linewidth=0.8)
    watched = ", ".join(f"{npc.id} {n}" for npc, n in zip(trial.npcs, again.observed, strict=True))
    top.set_title(f"β = {beta:g}\n{watched}", fontsize=9)
    bottom.plot(
        steps,
        [decision.c_self for decision in again.trace],
        color="#C2183C",
        linestyle="dashdot",
        marker="D",
        markersize=4,
        label="act now, C_self",
    )
    for index, (npc_id, style) in enumerate(NPC_LINES.items()):
        bottom.plot(
            steps,
            [(decision.q_obs or ())[index] for decision in again.trace],
            color=style.fill,
            linestyle=(0, style.dashes) if style.dashes else "solid",
            marker="o" if style.shape == "disc" else "s",
            markersize=4,
            label=f"watch {npc_id}, Q_obs",
        )
    bottom.set_xlabel("steps watched")
    bottom.locator_params(axis="x", integer=True)
axes[0][0].set_ylabel("belief in the holder")
axes[0][0].set_ylim(-0.02, 1.02)
axes[1][0].set_ylabel("points")
handles, labels = axes[1][0].get_legend_handles_labels()
figure.legend(handles, labels, loc="lower center", ncols=len(labels), frameon=False)
figure.suptitle("Rational Mentalizing under other β", x=0.01, ha="left", fontweight="bold")
figure.tight_layout(rect=(0, 0.06, 1, 1))
save_figure(figure, FIGURES / "explore-beta.png")
