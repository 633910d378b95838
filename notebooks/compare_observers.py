"""Compare observers on a set of trials. Opens in VS Code, Spyder and, with Jupytext, Jupyter."""

# %% [markdown]
# # Compare observers on a set
#
# What the four observers predict for a set of trials, how alike their predictions are, where they
# part, how they are fitted to single people, and which trials tell them apart best. `python
# notebooks/compare_observers.py` runs all cells and leaves the figures in the folder `figures`.

# %%
from itertools import combinations
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from onlooker import OBSERVERS, Parameters, find_observer, fit, predict
from onlooker.analysis.data.words import observer_names
from onlooker.analysis.figures.maps import draw_small_map
from onlooker.analysis.figures.style import experiment_style, number
from onlooker.drawing import save_figure
from onlooker.experiments.stimuli import stimuli
from onlooker.experiments.studies import simulate_study
from onlooker.experiments.variants import Variant
from onlooker.fitting import compare_people

# %% tags=["parameters"]
TRIALS = stimuli()  # or `load_trials(["my-maps"])` of onlooker.experiments.trialset
NAMES = list(OBSERVERS)  # observers of your own too, as "package.module:Class"
PARAMETERS = Parameters()
SEED = 1  # for the jitter of the scatter plots, and for people who are made up
PEOPLE = 6  # who are fitted
SHOWN = 4  # maps to draw
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
FIGURES.mkdir(exist_ok=True)

# %% [markdown]
# ## Predict
#
# A row of the table is a trial and an NPC, a column an observer, a cell the steps watched.

# %%
predictions = predict(TRIALS, NAMES, PARAMETERS)
observers = [find_observer(name).name for name in NAMES]
names = observer_names(map(Variant, observers))
short = [names[observer].short for observer in observers]
counts = (
    predictions.pivot(index=["experiment", "level", "agent"], columns="observer", values="observed")
    .rename_axis(columns=None)[observers]
    .set_axis(short, axis="columns")
)
print("; ".join(f"{name.short}: {name.title}" for name in names.values()))
print(f"\nMean steps watched of an NPC, {len(TRIALS)} trials:")
print(counts.groupby("experiment").mean().round(1).to_string())
print("\nShare of trials in which nobody is watched:")
none = counts.groupby(["experiment", "level"]).sum() == 0
print(none.groupby("experiment").mean().round(2).to_string())

# %% [markdown]
# ## How alike they are
#
# Pearson's r between the counts of two observers, for each experiment. Where r is high, people's
# counts cannot tell the two apart, however many people take part. The trials that come along were
# chosen so that Rational Mentalizing has little in common with the others (`onlooker stimuli
# report`).

# %%
experiments = sorted(set(counts.index.get_level_values("experiment")))
figure, axes = plt.subplots(
    1, len(experiments), figsize=(2.7 * len(experiments), 3.0), squeeze=False
)
for ax, experiment in zip(axes[0], experiments, strict=True):
    r = counts.loc[experiment].corr()
    ax.imshow(r, vmin=-1, vmax=1, cmap="PuOr")
    ax.grid(visible=False)
    ax.set_xticks(range(len(short)), short)
    ax.set_yticks(range(len(short)), short)
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    for (row, column), value in np.ndenumerate(r.to_numpy()):
        ink = "white" if abs(value) > 0.6 else "#1B1D21"
        ax.text(column, row, number(value), ha="center", va="center", color=ink, fontsize=8)
    ax.set_title(f"Experiment {experiment} ({len(counts.loc[experiment])} counts)", fontsize=9)
figure.suptitle("Correlation of steps watched; purple: alike", x=0.01, ha="left", fontweight="bold")
figure.tight_layout()
save_figure(figure, FIGURES / "compare-correlation.png")

# %% [markdown]
# ## Where they part
#
# Rational Mentalizing against each of the others: a mark is an NPC of a trial. On the diagonal both
# watch it equally long. Marks are shifted a little so that none hides another.

# %%
rng = np.random.default_rng(SEED)
full, *others = short
most = counts.to_numpy().max()
figure, axes = plt.subplots(
    1, len(others), figsize=(3.3 * len(others), 3.6), sharex=True, sharey=True, squeeze=False
)
for ax, other in zip(axes[0], others, strict=True):
    ax.plot([0, most], [0, most], color="#6A6E76", linewidth=0.8)
    for experiment in experiments:
        style = experiment_style(experiment)
        mine = counts.loc[experiment]
        x, y = (mine[column] + rng.uniform(-0.25, 0.25, len(mine)) for column in (full, other))
        ax.plot(
            x,
            y,
            style.marker,
            color=style.colour,
            alpha=0.55,
            markersize=4.5,
            markeredgewidth=0,
            label=style.title,
        )
    same = (counts[full] == counts[other]).mean()
    ax.set_title(f"{other}: the same count in {same:.0%}", fontsize=9)
    ax.set_xlabel(f"steps watched by {full}")
axes[0][0].set_ylabel("steps watched by the other")
handles, labels = axes[0][0].get_legend_handles_labels()
figure.legend(handles, labels, loc="lower center", ncols=len(labels), frameon=False)
figure.suptitle("Where the observers part", x=0.01, ha="left", fontweight="bold")
figure.tight_layout(rect=(0, 0.07, 1, 1))
save_figure(figure, FIGURES / "compare-scatter.png")

differences = pd.DataFrame.from_dict(
    {
        other: {
            "watches longer than " + full: int((counts[other] > counts[full]).sum()),
            "as long": int((counts[other] == counts[full]).sum()),
            "shorter": int((counts[other] < counts[full]).sum()),
            "mean difference": round(float((counts[other] - counts[full]).mean()), 2),
        }
        for other in others
    },
    orient="index",
)
print(differences.to_string())

# %% [markdown]
# ## Fit them to single people
#
# Here the people are made by Rational Mentalizing; yours come as a data frame with a row for each
# choice: participant, level, choice. `fit` gives data frames, `compare_people` selects.

# %%
made = simulate_study(stimuli(1), find_observer("rational_mentalizing"), PEOPLE, seed=SEED)
choices = pd.DataFrame(made.actions)[["participant", "level", "choice"]]
print(choices.head(3).to_string(index=False))
fits = fit(choices, stimuli(1), NAMES, nodes=15, simulated=True)
columns = ["participant", "observer", "temperature", "lapse", "log_evidence"]
print(fits.tables["fits"][columns].head(4).round(2).to_string(index=False))
chosen = compare_people(fits)
print(chosen.answers[1])
print(chosen.tables["selection"][["observer", "best_of", "r", "pxp"]].round(3).to_string())

# %% [markdown]
# ## The most diagnostic trials
#
# A trial tells all observers apart if even the two that are nearest to each other watch for clearly
# different times. The distance of two observers in a trial is the sum over its NPCs of how far
# their counts lie apart, and a trial is as diagnostic as its smallest distance; the mean of all
# distances breaks ties.

# %%
steps = counts.to_numpy()
pairs = list(combinations(range(len(short)), 2))
apart = pd.DataFrame(
    {f"{short[a]}–{short[b]}": np.abs(steps[:, a] - steps[:, b]) for a, b in pairs},
    index=counts.index,
)
by_trial = apart.groupby(["experiment", "level"]).sum()
diagnostic = by_trial.assign(smallest=by_trial.min(axis=1), mean=by_trial.mean(axis=1))
diagnostic = diagnostic.sort_values(["smallest", "mean"], ascending=False, kind="stable")
print(diagnostic.head(10).round(1).to_string())
print(f"\nTrials that tell all observers apart: {(diagnostic['smallest'] > 0).sum()}")

# %%
trials = {(trial.experiment, trial.label): trial for trial in TRIALS}
best = list(diagnostic.index[:SHOWN])
figure, axes = plt.subplots(
    2,
    len(best),
    figsize=(2.7 * len(best), 5.4),
    height_ratios=(2.1, 1),
    sharey="row",
    squeeze=False,
)
hatches = ("", "////")
for column, key in enumerate(best):
    top, bottom = axes[:, column]
    draw_small_map(top, trials[key])
    top.set_title(f"Experiment {key[0]}, {key[1]}", fontsize=9)
    of_trial = counts.loc[key]
    base = np.zeros(len(short))
    for (agent, watched), hatch in zip(of_trial.iterrows(), hatches, strict=False):
        expertise = trials[key].npc(agent).expertise
        bottom.bar(
            short,
            watched,
            bottom=base,
            color="#0072B2" if expertise == "expert" else "#E69F00",
            edgecolor="white",
            hatch=hatch,
            label=f"{agent}, {expertise}",
        )
        base += watched.to_numpy()
    bottom.grid(visible=False, axis="x")
    bottom.legend(fontsize=7, frameon=False, loc="upper left")
    bottom.set_ylim(top=1.35 * counts.groupby(["experiment", "level"]).sum().loc[best].max().max())
axes[1][0].set_ylabel("steps watched")
figure.suptitle("The most diagnostic trials", x=0.01, ha="left", fontweight="bold")
figure.tight_layout()
save_figure(figure, FIGURES / "compare-diagnostic.png")
