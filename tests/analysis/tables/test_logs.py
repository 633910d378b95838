"""What only logs show, of people who are made up so that it is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from onlooker.analysis.data.scopes import POOLED
from onlooker.analysis.data.words import Source
from onlooker.analysis.figures.logs import PANELS, logs_plates
from onlooker.analysis.tables.logs import Logs, read_logs
from onlooker.experiments.recordings import Recording
from onlooker.experiments.regret import regrets
from onlooker.game import Stage, Trial, load_trial
from onlooker.inference import Parameters
from onlooker.observers import Engine, RationalMentalizing
from onlooker.planning import stage
from onlooker.web.replay.timelines import log_of
from running import ROOT

EXAMPLES = ("two-experts", "early-turn", "near-wizards", "expert-and-novice")
TRIALS = [
    replace(load_trial(ROOT / "examples" / f"{name}.map"), experiment=1 + number % 2, name=name)
    for number, name in enumerate(EXAMPLES)
]


def model_log(trial: Trial) -> list[str]:
    """What Rational Mentalizing does in a trial."""
    return [str(choice) for choice in log_of(RationalMentalizing().run(Engine(trial)))]


def back_again(game: Stage, log: list[str]) -> list[str]:
    """The same with a look after the first move."""
    first = next(place for place, word in enumerate(log) if not word.startswith("observe"))
    npc = game.trial.npcs[-1].id
    return [*log[: first + 1], f"observe {npc}", *log[first + 1 :]]


def made(people: int, late: bool = False, slower: bool = False) -> Logs:
    """People who do as the model does; every second one goes back to watching, if `late`."""
    found = []
    for number in range(people):
        for position, trial in enumerate(TRIALS, start=1):
            game = stage(trial)
            log = model_log(trial)
            if late and number % 2:
                log = back_again(game, log)
            waits = [1.0 + 0.01 * (place % 3) for place in range(len(log))]
            if slower:  # where acting and watching are close
                waits = [None, *waits[1:]]
            found.append(Recording(f"p{number}", position, game, tuple(log), tuple(waits)))
    costs = regrets(TRIALS, ["rational_mentalizing"])
    return read_logs(found, {f"p{number}" for number in range(people)}, costs, Parameters())


def whole(frame):
    return frame[frame["experiment"] == POOLED].iloc[0]


def test_who_does_as_the_model_agrees_in_everything() -> None:
    logs = made(12)
    assert logs.choices["agrees"].all()
    row = whole(logs.learning)
    assert (row["agreement"], row["slope"]) == (1.0, pytest.approx(0))
    assert whole(logs.returns)["returned"] == 0
    course = logs.course[logs.course["experiment"] == POOLED]
    people, model = (course[course["who"] == who] for who in ("people", "rational_mentalizing"))
    assert people["watching"].to_numpy() == pytest.approx(model["watching"].to_numpy())
    row = whole(logs.beyond)
    assert (row["beyond"], row["difference"]) == (pytest.approx(row["model"]), 0)


def test_late_looks_are_counted_and_what_they_cost() -> None:
    logs = made(12, late=True)
    row = whole(logs.returns)
    assert (row["trials"], row["returned"], row["people_returned"]) == (48, 24, 6)
    assert (row["looks"], row["late_cost"]) == (1.0, 0.5)
    assert logs.choices["agrees"].all()  # only choices up to the first action count
    assert whole(logs.beyond)["difference"] == pytest.approx(0.5)
    assert np.isnan(row["extra_cost"])  # nobody has trials of both kinds


def test_few_people_have_no_interval_and_no_times_no_correlation() -> None:
    logs = made(3)
    assert np.isnan(whole(logs.learning)["slope_low"])
    recordings = made(3, slower=True)
    assert recordings.choices["seconds"].isna().any()
    alone = Logs(logs.choices.assign(seconds=np.nan), logs.trials)
    assert alone.deciding.empty
    assert alone.hesitation.empty


def test_closer_choices_that_take_longer_are_found() -> None:
    logs = made(12)
    choices = logs.choices.assign(seconds=10 / (1 + logs.choices["gap"]))
    row = whole(Logs(choices, logs.trials).deciding)
    assert row["r"] < -0.9
    assert row["r_high"] < 0


def test_only_those_who_are_kept_and_only_who_reached_the_chest() -> None:
    trial = TRIALS[0]
    gave_up = Recording("out", 1, stage(trial), ("observe agent2",), (1.0,))
    gone = Recording("gone", 1, stage(trial), tuple(model_log(trial)), (1.0,) * 99)
    costs = regrets([trial], ["rational_mentalizing"])
    logs = read_logs([gave_up, gone], {"out"}, costs, Parameters())
    assert set(logs.trials["participant"]) == {"out"}
    assert logs.beyond.empty
    assert logs.returns["trials"].tolist() == [1]


def test_each_panel_is_drawn_once_and_again_by_experiment() -> None:
    plates = list(logs_plates(made(12), Source.SIMULATED))
    assert [plate.name for plate in plates] == ["logs", *(f"logs-{name}" for name in PANELS)]
    assert all(plate.caption.startswith("Simulated participants, not people.") for plate in plates)
    logs = made(12)
    without = Logs(logs.choices.assign(seconds=np.nan), logs.trials)
    names = [plate.name for plate in logs_plates(without, Source.HUMAN)]
    assert "logs-deciding" not in names
