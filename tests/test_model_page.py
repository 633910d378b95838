"""What the pages on the model and its readings say is what the engine gives."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from latex2mathml.converter import convert

from onlooker import Engine, Parameters, advise, find_observer, load_trial, run
from onlooker.experiments.archive import read_archive
from onlooker.experiments.predictions import Prediction, predict
from onlooker.experiments.stimuli import stimuli
from onlooker.game import State, Trial
from onlooker.inference.reference import Hypothesis, NpcModel, Tables
from onlooker.observers import OBSERVERS, Batch
from onlooker.observers.imagination import tour_path
from onlooker.planning.policies import expert_path

ROOT = Path(__file__).parents[1]
MODEL = (ROOT / "docs" / "model.md").read_text(encoding="utf-8")
READINGS = (ROOT / "docs" / "readings.md").read_text(encoding="utf-8")
OBSERVERS_PAGE = (ROOT / "docs" / "observers.md").read_text(encoding="utf-8")
CODE = (ROOT / "docs" / "code.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
TITLES = {observer.title: name for name, observer in OBSERVERS.items()}


def prose(page: str) -> str:
    """A page without its code, in which a $ may be a wizard."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", page, flags=re.M | re.S))


def formulas(page: str) -> list[str]:
    displayed = re.findall(r"\$\$(.*?)\$\$", prose(page), re.S)
    rest = re.sub(r"\$\$.*?\$\$", "", prose(page), flags=re.S)
    return [*displayed, *re.findall(r"\$([^$]+)\$", rest)]


def tables(page: str) -> list[list[list[str]]]:
    """The rows of each table of a page, the header first and without the rule below it."""
    blocks = re.findall(r"(?:^\|.*\|\n)+", page, re.M)
    return [
        [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in block.splitlines()
            if not re.fullmatch(r"[|\-]+", line)
        ]
        for block in blocks
    ]


def table(page: str, first: str) -> list[list[str]]:
    """The rows below the header of the table whose header begins so."""
    [found] = [rows for rows in tables(page) if " | ".join(rows[0]).startswith(first)]
    return found[1:]


def example(name: str) -> Trial:
    return load_trial(ROOT / "examples" / f"{name}.map")


def find(name: str) -> object:
    """A module, or something in one, by its full name."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            thing: object = import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            thing = getattr(thing, part)
        return thing
    raise AssertionError(f"there is no {name}")


# -- names and formulas ----------------------------------------------------------------------------


def test_every_function_that_is_named_exists() -> None:
    names = set(re.findall(r"onlooker(?:\.[A-Za-z_]+)+", MODEL + READINGS + CODE + ARCHITECTURE))
    assert len(names) > 40
    for name in names:
        find(name)


def test_every_link_to_code_leads_to_its_source() -> None:
    links = re.findall(r"\[`([\w.]+)`\]\(docs/code.md#(onlooker[\w.]+)\)", ARCHITECTURE)
    assert len(links) > 40
    shown = set()
    for module, options in re.findall(r"^::: ([\w.]+)\n((?:    .*\n)+)", CODE, re.M):
        members = re.search(r"members: \[(.*?)\]", options, re.S)
        shown |= {f"{module}.{m}" for m in re.split(r",\s*", members[1])} if members else {module}
    for text, target in links:
        assert target == f"onlooker.{text}"
        assert target in shown, target


@pytest.mark.parametrize(
    "page", [MODEL, READINGS, OBSERVERS_PAGE], ids=["model", "readings", "observers"]
)
def test_every_formula_becomes_mathml(page: str) -> None:
    found = formulas(page)
    assert found
    for latex in found:
        assert "\\" not in convert(latex.strip()), latex


# -- the worked examples ---------------------------------------------------------------------------


def test_the_likelihood_at_the_fork() -> None:
    trial, parameters = example("early-turn"), Parameters()
    reference = Tables(trial.map, parameters.costs)
    model = NpcModel(reference, trial.npcs[0], parameters.beta)
    fork = expert_path(reference, State(trial.npcs[0].at), "A", trial.holders)[1].state
    assert fork.cell == (5, 0)
    given = {w: likelihood(model, Hypothesis("A", (w,)), fork) for w in ("w1", "w2")}
    best = math.log(max(p for p in given["w1"].values()))
    for action, q1, p1, q2, p2 in table(MODEL, "action | Q if w1 holds"):
        for q, p, w in ((q1, p1, "w1"), (q2, p2, "w2")):
            assert f"{given[w][action]:.3f}" == p
            # log P differs by −β times what Q differs by; the best Q is 47.
            assert 47 + (best - math.log(given[w][action])) / parameters.beta == pytest.approx(
                float(q)
            )
    least = reference.expert("A", trial.holders)[fork.cell, frozenset()]
    assert least == 47


def likelihood(model: NpcModel, hypothesis: Hypothesis, state: State) -> dict[str, float]:
    return {str(step.action): math.exp(log_p) for step, log_p in model.expected(hypothesis, state)}


def test_the_tour_of_the_first_example() -> None:
    engine = Engine(example("early-turn"))
    everyone = engine.all_wizards(["blue"])
    tour = tour_path(engine, engine.opening, everyone)
    *legs, total = table(MODEL, "leg | moves | interactions")
    assert [leg[0].removeprefix("to ") for leg in legs] == [*tour.stops, "chest A"]
    for leg in (*legs, total):
        moves, interactions, points = map(int, leg[1:])
        assert 3 * moves + 5 * interactions == points
    assert [sum(int(leg[k]) for leg in legs) for k in (1, 2, 3)] == [int(x) for x in total[1:]]
    assert len(tour.actions) == int(total[1]) + int(total[2])
    assert engine.c_self(engine.opening) == float(total[3]) == 103
    assert engine.c_self(engine.opening, {"blue": ("w1",)}) == 74
    expected = Engine(example("early-turn"), Parameters(exploration="expected"))
    assert expected.c_self(expected.opening) == 88.5


def test_the_tours_through_many_wizards() -> None:
    for setting, stops, cost in table(MODEL, "`examples/many-wizards.map`"):
        name, _, value = setting.strip("`").partition("=")
        engine = Engine(example("many-wizards"), Parameters(**({name: value} if value else {})))
        view = engine.opening
        tour = tour_path(engine, view, engine.candidates(engine.belief(view)))
        assert list(tour.stops) == stops.split(", ")
        assert engine.c_self(view) == pytest.approx(float(cost))


def test_the_particles_of_two_experts() -> None:
    trial = example("two-experts")
    first = run(trial).trace[0]
    rows = table(MODEL, "NPC | goal | holder")
    found = [
        (npc.id, particle.goal, particle.holders["blue"], particle)
        for npc, behind in zip(trial.npcs, first.particles, strict=True)
        for particle in behind
    ]
    assert [tuple(row[:3]) for row in rows] == [each[:3] for each in found]
    for row, (*_, particle) in zip(rows, found, strict=True):
        assert row[3] == f"{particle.p:.3f}"
        assert (int(row[4]), float(row[6])) == (particle.steps, particle.residual)
        assert float(row[7]) == particle.steps + particle.residual
        assert row[5] == ("settled" if particle.goal == "A" else "hopeless")
    assert [f"{q:.2f}" for q in first.q_obs] == re.findall(r"\{6\} = (\d+\.\d+)", MODEL)


def test_the_decisions_on_two_experts() -> None:
    rows = table(MODEL, "step | belief in w1")
    trace = run(example("two-experts")).trace
    assert len(rows) == len(trace)
    for step, (row, decision) in enumerate(zip(rows, trace, strict=True)):
        belief = [f"{p:.2f}" for p in decision.belief["blue"].values()]
        costs = [f"{decision.c_self:.0f}", *(f"{q:.2f}" for q in decision.q_obs)]
        assert row == [str(step), *belief, *costs, decision.choice]


def test_the_belief_where_outcomes_are_hidden() -> None:
    trial = example("expert-and-novice")
    beliefs = [advise(trial, ["observe agent3"] * count).belief["blue"]["w1"] for count in (1, 2)]
    assert [f"{p:.2f}" for p in beliefs] == ["0.50", "0.94"]
    assert "the belief in w1 stays 0.50" in MODEL
    assert "the belief is 0.94" in MODEL


def test_the_observers_on_the_example_maps() -> None:
    [(header, *rows)] = [found for found in tables(MODEL) if found[0][0] == "map"]
    names = [TITLES[title] for title in header[1:]]
    for name, *cells in rows:
        for observer, cell in zip(names, cells, strict=True):
            assert cell == ", ".join(map(str, run(example(name), observer).observed))


def test_the_parameters_are_the_defaults() -> None:
    rows = table(OBSERVERS_PAGE, "name | symbol | default")
    shown = {row[0].strip("`"): row[2] for row in rows}
    assert shown == {name: str(getattr(Parameters(), name)) for name in Parameters.__slots__}


# -- the readings ----------------------------------------------------------------------------------


@cache
def counts(parameters: Parameters) -> dict[str, list[int]]:
    """The counts of each observer on our trials."""
    trials = stimuli()
    outcomes = Batch(trials).run(parameters)
    return {
        name: [
            int(outcomes.observed[row, column, npc])
            for row, trial in enumerate(trials)
            for npc in range(len(trial.npcs))
        ]
        for column, name in enumerate(outcomes.observers)
    }


def differ(parameters: Parameters) -> dict[str, int]:
    """How many counts of each observer differ from those at the defaults."""
    usual = counts(Parameters())
    return {
        name: sum(a != b for a, b in zip(mine, usual[name], strict=True))
        for name, mine in counts(parameters).items()
    }


@pytest.mark.filterwarnings("ignore:prune=")
def test_the_counts_that_options_change() -> None:
    told: dict[str, dict[str, int]] = {}
    for setting, observer, ours, *_ in table(READINGS, "setting | observer"):
        told.setdefault(setting.strip("`"), {})[TITLES[observer]] = int(ours)
    assert len(told) > 12
    for setting, of_observers in told.items():
        name, _, value = setting.partition("=")
        found = differ(Parameters.parse({name: value}))
        changed = {key: n for key, n in found.items() if n}
        assert changed == {key: n for key, n in of_observers.items() if n}, setting


def test_more_than_the_threshold_changes_nothing() -> None:
    assert set(differ(replace(Parameters(), converge=0.950000001)).values()) == {0}
    assert "`converge=0.950000001`" in READINGS


def test_the_numbers_in_the_text_of_the_readings() -> None:
    assert len(counts(Parameters())["naive_observer"]) == 228
    for change, observer, words in (
        ({"beta": 2.0}, "rational_mentalizing", "it would be `beta=2`: {} of our counts"),
        ({"interact": 8}, "rational_mentalizing", "{} of our counts of Rational Mentalizing"),
        ({"order": "fixed"}, "rational_mentalizing", "`order=fixed` is that: {} of our counts"),
        ({"exploration": "expected"}, "rational_observer", "is\nmoved more: {} and 65"),
        ({"meeting": "any"}, "naive_observer", "{} of our counts and 92 of the authors'"),
    ):
        assert words.format(differ(Parameters(**change))[observer]) in READINGS
    usual, average = (
        sum(counts(Parameters(exploration=how))["rational_mentalizing"]) / 228
        for how in ("worst", "expected")
    )
    assert f"falls from {usual:.2f} to\n{average:.2f}" in READINGS
    several = [t.needed for t in stimuli(1)]
    assert f"In {sum(len(colours) > 1 for colours in several)} of our 20" in READINGS
    for threshold, odds in ((0.491, 19), (0.366, 9)):
        assert f"{math.log(odds) / 6:.3f}" == str(threshold)
        assert rf"\ln({odds}) / 6 = {threshold}" in READINGS


ARCHIVE = ROOT.parent / "shared" / "paper-data"
Means = dict[tuple[int, str, str], float]


@pytest.mark.skipif(not ARCHIVE.exists(), reason="the authors' data is not here")
def test_how_well_graded_mentalizing_does() -> None:
    rows, means = graded_and_people(ARCHIVE)
    for experiment, count, *cells in table(READINGS, "experiment | counts"):
        asked = (1, 2) if experiment == "both" else (int(experiment),)
        counts, (r, ccc, rmse) = described("rational_mentalizing", asked, rows, means)
        assert int(count) == counts
        _, (soft_r, soft_ccc, soft_rmse) = described("graded_mentalizing", asked, rows, means)
        shown = [f"{value:.2f}".removeprefix("0") for value in (r, soft_r, ccc, soft_ccc)]
        assert cells == [*shown, f"{rmse:.2f}", f"{soft_rmse:.2f}"]


def test_graded_mentalizing_describes_people_who_choose_so(own_archive: Path) -> None:
    rows, means = graded_and_people(own_archive)
    for asked, n in (((1,), 20), ((2,), 48), ((1, 2), 68)):
        counts, (r, ccc, rmse) = described("rational_mentalizing", asked, rows, means)
        _, (soft_r, soft_ccc, soft_rmse) = described("graded_mentalizing", asked, rows, means)
        assert counts == n
        assert soft_r > r
        assert soft_ccc > ccc
        assert soft_rmse < rmse / 2


def graded_and_people(archive: Path) -> tuple[list[Prediction], Means]:
    """What the full and the graded model do in Experiments 1 and 2, and people's means."""
    with (archive / "human_means.csv").open() as file:
        means = {
            (int(row["experiment"]), row["level"], row["agent"]): float(row["human_mean_observed"])
            for row in csv.DictReader(file)
        }
    observers = [find_observer(name) for name in ("rational_mentalizing", "graded_mentalizing")]
    return predict(read_archive(archive, [1, 2]).trials, observers), means


def described(
    observer: str, asked: tuple[int, ...], rows: list[Prediction], means: Means
) -> tuple[int, tuple[float, float, float]]:
    """How many counts there are, and r, CCC and RMSE of an observer with people's means."""
    pairs = np.array(
        [
            (row.observed, means[row.experiment or 0, row.level, row.agent])
            for row in rows
            if row.observer == observer and row.experiment in asked
        ]
    )
    (x, y), (vx, cov), (_, vy) = pairs.mean(axis=0), *np.cov(pairs.T, bias=True)
    rmse = np.sqrt(((pairs[:, 0] - pairs[:, 1]) ** 2).mean())
    return len(pairs), (cov / np.sqrt(vx * vy), 2 * cov / (vx + vy + (x - y) ** 2), rmse)


def test_the_readings_are_all_there() -> None:
    assert re.findall(r"^\*\*(\d+)\. ", READINGS, re.M) == [str(n) for n in range(1, 13)]


def test_the_tables_of_other_readings_agree_with_the_text() -> None:
    rows = table(READINGS, "reading | ours: Exp. 1")
    for reading, *cells in rows:
        *each, every = map(int, cells[:5])
        assert sum(each) == every, reading
        authors = cells[5]
        assert re.search(rf"\b{every}\s+of\s+our\s+counts\b", READINGS), reading
        assert re.search(rf"\b{authors}\s+of\s+the\s+authors'", READINGS) or authors == "0"
    first = [int(row[1]) for row in rows]
    printed = re.findall(r"# \[([\d, ]+)\]", READINGS)
    assert first == [int(n) for part in printed for n in part.split(", ")]
