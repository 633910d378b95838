"""How many participants? Opens in VS Code, Spyder and, with Jupytext, in Jupyter."""

# %% [markdown]
# # How many participants tell the observers apart?
#
# Let simulated participants play a study and ask which observer explains them best. Since it is
# known whose noisy versions they are, it can be counted how often that is the answer: once for each
# number of participants. `python notebooks/how_many_participants.py` runs all cells and leaves the
# figures in the folder `figures`.
#
# The participants are noisy versions of an observer: at each step they lapse with some probability,
# and otherwise choose by softmax over what acting and watching are worth to it (as in `onlooker
# simulate`). This is done with little noise and with much. The values of two observers are points
# and those of the others are not, so each has a temperature of its own. Real people stray in ways
# that this does not know, so take the numbers as the least that is needed.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from onlooker import OBSERVERS, Parameters, find_observer, fit
from onlooker.analysis.data.words import observer_names
from onlooker.drawing import save_figure
from onlooker.experiments.simulation import simulate
from onlooker.experiments.stimuli import orderings, stimuli
from onlooker.experiments.variants import Variant
from onlooker.fitting import bms
from onlooker.observers import Batch

# %% tags=["parameters"]
EXPERIMENT = 2
SIZES = (2, 3, 4, 6, 8, 12, 16, 24, 36, 48)  # participants in a study
STUDIES = 300  # studies of each size
POOL = 48  # simulated participants of each observer, from whom the studies are drawn
NOISES = {"little noise": (1.0, 0.05), "much noise": (4.0, 0.3)}  # times TEMPERATURES; lapse
TEMPERATURES = {
    "rational_mentalizing": 1.0,  # points
    "mentalizing_observer": 0.05,  # distance of beliefs
    "rational_observer": 1.0,  # points
    "naive_observer": 0.25,  # +1 or −1
}
SEED = 1
ENOUGH = 0.95  # how often the right observer should come out on top
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
# ## What the observers predict
#
# A row is a trial and an NPC, a column an observer, a cell the steps watched.

# %%
trials = stimuli(EXPERIMENT)
names = list(OBSERVERS)
called = observer_names(map(Variant, names))
rows = [(trial.name, npc.id) for trial in trials for npc in trial.npcs]
outcomes = Batch(trials).run(observers=names)
predicted = np.concatenate(
    [outcomes.observed[index, :, : len(trial.npcs)].T for index, trial in enumerate(trials)]
).astype(float)  # (rows, observers)
print(f"Experiment {EXPERIMENT}: {len(trials)} trials, {len(rows)} counts of each observer")

# %% [markdown]
# ## Participants
#
# Each plays ten trials, one of the orderings of the experiment. A participant is a row of numbers:
# the steps watched, and NaN where the trial was not played.


# %%
def players(name: str, noise: tuple[float, float]) -> np.ndarray:
    """Simulated participants as (participants, rows) of steps watched."""
    times, lapse = noise
    how = Parameters(temperature=times * TEMPERATURES[name], lapse=lapse)
    observer = find_observer(name)
    records = simulate(EXPERIMENT, trials, orderings(EXPERIMENT), observer, POOL, how, seed=SEED)
    place = {row: index for index, row in enumerate(rows)}
    who = {row["participant"]: index for index, row in enumerate(records.participants)}
    watched = np.full((POOL, len(rows)), np.nan)
    for row in records.observations:
        watched[who[row["participant"]], place[row["level"], row["agent"]]] = row["observed"]
    return watched


pools = {(noise, name): players(name, how) for noise, how in NOISES.items() for name in names}
watched = pd.DataFrame(
    {
        called[name].title: {
            "the observer itself": predicted[:, index].mean(),
            **{noise: np.nanmean(pools[noise, name]) for noise in NOISES},
        }
        for index, name in enumerate(names)
    }
).T
print("Mean steps watched of an NPC:")
print(watched.round(1).to_string())

# %% [markdown]
# ## Studies
#
# A study of n participants is n draws from the pool, with replacement. Its data are the means of
# the rows that somebody saw. Two scores say how well an observer explains them:
#
# - **r**, Pearson's correlation of means and predictions, as the paper reports it. It asks for the
#   pattern only.
# - **BIC** of means that scatter normally around the predictions: rows · ln(mean squared error),
#   plus a term that is the same for all, as no observer has a parameter that was fitted. It asks
#   for the level too.


# %%
def study_means(pool: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Means of each row in STUDIES studies; NaN where nobody saw it."""
    drawn = rng.integers(len(pool), size=(STUDIES, size))
    seen = ~np.isnan(pool)
    filled = np.where(seen, pool, 0.0)
    counted = seen[drawn].sum(axis=1)
    total = filled[drawn].sum(axis=1)
    return np.divide(total, counted, out=np.full(total.shape, np.nan), where=counted > 0)


def scores(means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """r and −BIC of each observer in each study, as (studies, observers): more is better."""
    known = ~np.isnan(means)
    weight = known / known.sum(axis=1, keepdims=True)
    y = np.where(known, means, 0.0)
    y = y - (weight * y).sum(axis=1, keepdims=True)
    r, fit = [], []
    for x in predicted.T:
        centred = x - (weight * x).sum(axis=1, keepdims=True)
        scale = np.sqrt((weight * centred**2).sum(axis=1) * (weight * y**2).sum(axis=1))
        shared = (weight * centred * y).sum(axis=1)
        r.append(np.divide(shared, scale, out=np.zeros(len(scale)), where=scale > 0))
        error = (weight * (np.where(known, means, 0.0) - x) ** 2).sum(axis=1)
        fit.append(-known.sum(axis=1) * np.log(np.maximum(error, 1e-6)))  # some fit exactly
    return np.stack(r, axis=1), np.stack(fit, axis=1)


rng = np.random.default_rng(SEED)
found = []
for (noise, name), pool in pools.items():
    truth = names.index(name)
    for size in SIZES:
        by_r, by_bic = scores(study_means(pool, size, rng))
        gap = by_r[:, truth] - np.delete(by_r, truth, axis=1).max(axis=1)
        found.append(
            {
                "noise": noise,
                "truth": name,
                "participants": size,
                "by r": (by_r.argmax(axis=1) == truth).mean(),
                "by BIC": (by_bic.argmax(axis=1) == truth).mean(),
                "gap": gap.mean(),
                "gap 5 %": np.quantile(gap, 0.05),
                "gap 95 %": np.quantile(gap, 0.95),
            }
        )
power = pd.DataFrame(found)

# %% [markdown]
# ## How often the right observer wins

# %%
for noise in NOISES:
    for score in ("by r", "by BIC"):
        mine = power[power["noise"] == noise]
        table = mine.pivot(index="truth", columns="participants", values=score).loc[names]
        print(f"\nShare of studies in which the true observer is the best {score}, {noise}:")
        print(table.rename(lambda name: called[name].title).round(2).to_string())

needed: dict[str, dict[str, str]] = {}
for (noise, name), mine in power.groupby(["noise", "truth"], sort=False):
    for score in ("by r", "by BIC"):
        good = mine[score].to_numpy() >= ENOUGH
        # From this size on, the share stays high.
        start = next((k for k in range(len(good)) if good[k:].all()), None)
        least = f"over {SIZES[-1]}" if start is None else str(SIZES[start])
        needed.setdefault(called[name].title, {})[f"{score}, {noise}"] = least
print(f"\nParticipants from which on it is right in {ENOUGH:.0%} of the studies:")
print(pd.DataFrame(needed).T.to_string())

# %% [markdown]
# Two things to see. The patterns of these trials lie so far apart that r needs few people. The BIC
# also asks for the level, and noise changes that: somebody who watches for long has many chances to
# lapse into acting, so that noisy versions of an observer that watches for long look, by their
# level, like one that watches less. With much noise, more participants do not help against this; a
# model of the noise would.

# %%
LOOKS = (
    {"color": "#0072B2", "marker": "o", "linestyle": "solid"},
    {"color": "#009E73", "marker": "s", "linestyle": (0, (5, 1.6))},
    {"color": "#D55E00", "marker": "^", "linestyle": (0, (5, 1.4, 1, 1.4))},
    {"color": "#CC79A7", "marker": "D", "linestyle": (0, (1.2, 1.2))},
)
figure, axes = plt.subplots(
    len(NOISES), 3, figsize=(11.5, 3.1 * len(NOISES) + 0.9), sharex=True, squeeze=False
)
for line, noise in zip(axes, NOISES, strict=True):
    for name, look in zip(names, LOOKS, strict=True):
        mine = power[(power["noise"] == noise) & (power["truth"] == name)]
        sizes = mine["participants"]
        look = {**look, "markersize": 5, "label": called[name].title}
        line[0].plot(sizes, mine["by r"], **look)
        line[1].plot(sizes, mine["by BIC"], **look)
        line[2].plot(sizes, mine["gap"], **look)
        band = mine["gap 5 %"], mine["gap 95 %"]
        line[2].fill_between(sizes, *band, color=look["color"], alpha=0.12, linewidth=0)
    for ax in line[:2]:
        ax.axhline(ENOUGH, color="#6A6E76", linewidth=0.8)
        ax.axhline(1 / len(names), color="#6A6E76", linewidth=0.8, linestyle="dotted")
        ax.text(SIZES[-1], 1 / len(names) - 0.02, "chance", ha="right", va="top", fontsize=8)
        ax.set_ylim(0, 1.04)
    line[0].set_ylabel(f"{noise}\nshare of studies")
    line[1].set_ylabel("share of studies")
    line[2].set_ylabel("difference of r")
    line[2].axhline(0, color="#6A6E76", linewidth=0.8)
titles = ("The true observer has the highest r", "… the best BIC", "… r above the next by")
for ax, title in zip(axes[0], titles, strict=True):
    ax.set_title(title, fontsize=10, loc="left")
for ax in axes[-1]:
    ax.set_xscale("log")
    ax.set_xticks(SIZES, [str(size) for size in SIZES], fontsize=8)
    ax.minorticks_off()
    ax.set_xlabel("participants")
handles, labels = axes[0][0].get_legend_handles_labels()
figure.legend(handles, labels, loc="lower center", ncols=4, frameon=False)
figure.suptitle(
    f"Simulated studies, Experiment {EXPERIMENT}: lines, the true observer;"
    f" bands, 90 % of {STUDIES} studies",
    x=0.01,
    ha="left",
    fontweight="bold",
)
figure.tight_layout(rect=(0, 0.05, 1, 1))
save_figure(figure, FIGURES / "participants-power.png")

# %% [markdown]
# ## Single choices
#
# Means leave out which choices belong to whom. `fit` takes single choices as a data frame and gives
# the evidence of each observer for each person; random-effects selection then says how likely the
# true observer is the most frequent (PXP). Far fewer participants are enough.

# %%
FEW = (2, 4, 8)
how = Parameters(temperature=TEMPERATURES[names[0]], lapse=0.05)
made = simulate(
    EXPERIMENT, trials, orderings(EXPERIMENT), find_observer(names[0]), FEW[-1], how, seed=SEED
)
choices = pd.DataFrame(made.actions)[["participant", "level", "choice"]]
fits = fit(choices, trials, names, nodes=15, everyone=True, simulated=True)
evidence = fits.tables["fits"].pivot(index="participant", columns="observer", values="log_evidence")
for size in FEW:
    pxp = bms(evidence[names].to_numpy()[:size]).pxp[0]
    print(f"{size} participants made by {called[names[0]].title}: PXP {pxp:.2f}")
