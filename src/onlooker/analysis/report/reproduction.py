"""Everything in one go: predictions, comparison, figures, tables and the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from onlooker.analysis.claims import verdicts
from onlooker.analysis.data.human import HumanBehaviour, read_people, summarize
from onlooker.analysis.data.words import Source
from onlooker.analysis.figures.everything import draw_plates
from onlooker.analysis.figures.plate import Plate, save_plate
from onlooker.analysis.report.findings import Reproduction
from onlooker.analysis.report.page import SUPPLEMENT, report, supplement
from onlooker.analysis.report.pictures import interface, sheets
from onlooker.analysis.tables.comparison import compare, predictions_frame
from onlooker.analysis.tables.counting import counting
from onlooker.analysis.tables.logs import Logs, read_logs
from onlooker.analysis.tables.readings import predict_both_readings, readings_table
from onlooker.analysis.tables.results import Results
from onlooker.analysis.tables.teachers import Teaching, teaching
from onlooker.experiments.exclusion import exclude
from onlooker.experiments.inventory.table import COLUMNS, inventory_rows
from onlooker.experiments.predictions import dump_predictions
from onlooker.experiments.provenance import provenance
from onlooker.experiments.psych_ds import Dataset, Description, dataset_of, read_dataset
from onlooker.experiments.recordings import Recordings
from onlooker.experiments.records import Records
from onlooker.experiments.regret import Regret, dump_regrets, regrets
from onlooker.experiments.tables import write_frame
from onlooker.game import Trial
from onlooker.inference import Parameters
from onlooker.observers import OBSERVERS
from onlooker.support.files import json_text, write_file
from onlooker.support.folders import filling

if TYPE_CHECKING:
    from onlooker.analysis.report.individual import Individual
    from onlooker.analysis.tables.sensitivity import Run, Sensitivity

Say = Callable[[str], None]
Runner = Callable[..., Callable[[], Any]]  # given work and its arguments: what gives its result


def run_lazily(work: Callable[..., Any], *given: Any) -> Callable[[], Any]:
    """Do some work in this process, when its result is asked for."""
    return lambda: work(*given)


ANSWERS = "*_desc-answers_data.csv"  # to the questions of a study, which other commands do not read


def simulated(records: Records, parameters: Parameters) -> Dataset:
    """The data of simulated participants, who play at the costs of some parameters."""
    about = "Simulated: noisy versions of Rational Mentalizing."
    costs = {"costs": asdict(parameters.costs)}
    description = Description("Simulated participants", about, simulated=True, more=costs)
    return dataset_of(records.tables(), description)


@dataclass(frozen=True)
class Plan:
    """What to reproduce, and from what."""

    trials: Sequence[Trial]
    source: str  # whose stimuli, in words
    parameters: Parameters
    human: Sequence[Path] = ()  # what people did; without it, participants are simulated
    simulated: Dataset | None = None
    inputs: Sequence[Path] = ()  # for the provenance
    seed: int = 1
    resamples: int = 10_000
    splits: int = 1000
    run: Run | None = None  # the observers under other settings; without it, no sensitivity
    without_run: str = ""  # why there is none
    samples: int = 0  # for the indices of sensitivity
    full: bool = False  # fit everybody on a fine grid
    without_fits: str = ""  # why people are not fitted one by one
    late: bool = False  # their choices after the first action count, too
    runner: Runner = run_lazily  # of work that nothing else waits for
    taught: Sequence[Trial] = ()  # trials with teachers, which are looked at apart
    told: Dataset | None = None  # participants in these, if there are no people
    told_people: Sequence[Path] = ()  # people's data of these


def reproduce(plan: Plan, say: Say = lambda text: None) -> Reproduction:
    """Run everything; nothing is written."""
    drawn_sheets = plan.runner(sheets, list(plan.trials))
    say("running the observers")
    rows = predict_both_readings(plan.trials, plan.parameters)
    predictions = predictions_frame(rows)
    if plan.human:
        human = read_people(plan.human, predictions, plan.trials)
    else:
        assert plan.simulated is not None
        human = summarize(plan.simulated, predictions)
    say("comparing with participants")
    comparison = compare(
        predictions, human, seed=plan.seed, resamples=plan.resamples, splits=plan.splits
    )
    results = Results(predictions, human, comparison, plan.parameters)
    say("checking the paper's claims")
    judged = verdicts(results)
    say("trying the other readings")
    readings = readings_table(plan.trials, rows, human, plan.parameters)
    sensitivity = _sensitivity(plan, human, say)
    dataset, without_logs = _single_people(plan, human)
    individual, without = _individual(plan, dataset, without_logs, say)
    say("weighing what the ideal observer would do")
    observers = [observer() for observer in OBSERVERS.values()]
    lost = regrets(plan.trials, observers, plan.parameters)
    taught = _teaching(plan, say)
    logs = _logs(plan, dataset, lost) if dataset is not None else None
    say("drawing the figures")
    drawn = list(draw_plates(results, plan.trials, teaching=taught, regrets=lost, logs=logs))
    drawn += _more_plates(sensitivity, individual)
    count = f"{len(plan.trials)} trials"
    return Reproduction(
        title="Whether to watch, and whom",
        lead=f"Observers on {count} ({plan.source}), compared with {human.source.people}.",
        predictions=rows,
        results=results,
        verdicts=judged,
        plates=[plate for plate in drawn if isinstance(plate, Plate)],
        left_out=[str(plate) for plate in drawn if not isinstance(plate, Plate)],
        readings=readings,
        inventory=[list(COLUMNS), *(row.values for row in inventory_rows(plan.trials))],
        provenance=provenance(
            [*plan.inputs, *plan.human],
            {"stimuli": plan.source, "parameters": asdict(plan.parameters)},
            plan.seed,
        ),
        simulated=plan.simulated,
        regrets=lost,
        sensitivity=sensitivity,
        without_sensitivity=plan.without_run,
        individual=individual,
        without_individual=without,
        counting=pd.DataFrame() if dataset is None else counting(dataset.tables, predictions),
        logs=logs,
        without_logs=without_logs,
        sheets=drawn_sheets(),
        teaching=taught,
        told=plan.told,
    )


def _teaching(plan: Plan, say: Say) -> Teaching | None:
    """What is known about the trials with teachers, if there are any."""
    if not plan.taught:
        return None
    say("watching teachers")
    if not plan.told_people:
        tables = plan.told.tables if plan.told else {}
        return teaching(plan.taught, tables, Source.SIMULATED, plan.parameters)
    several = [read_dataset(path, plan.taught, complete=False) for path in plan.told_people]
    names = {name for each in several for name in each.tables}
    tables = {
        name: pd.concat([each.tables[name] for each in several if name in each.tables])
        for name in names
    }
    answers = [file for path in plan.told_people for file in path.glob(f"data/{ANSWERS}")]
    if answers:
        tables["answers"] = pd.concat([pd.read_csv(file, dtype=str) for file in answers])
    made_up = any(each.description.simulated for each in several)
    source = Source.SIMULATED if made_up else Source.HUMAN
    return teaching(plan.taught, tables, source, plan.parameters)


def has_labels(path: Path) -> bool:
    """Whether a file is a dataset of people who were told one thing or another about teachers."""
    if not path.is_dir():
        return False
    people = read_dataset(path, complete=False).tables.get("participants")
    return people is not None and "label" in people and bool(people["label"].notna().all())


def _sensitivity(plan: Plan, human: HumanBehaviour, say: Say) -> Sensitivity | None:
    """What the parameters change, if it can be tried."""
    if plan.run is None:
        return None
    from onlooker.analysis.tables.sensitivity import sensitivity

    say("trying other parameters")
    return sensitivity(plan.run, plan.parameters, human, plan.samples, plan.seed)


def _single_people(plan: Plan, human: HumanBehaviour) -> tuple[Dataset | None, str]:
    """The choices of single people, or why there are none."""
    if human.dataset is None:
        return None, "there is no data of single people (one Psych-DS folder with actions)"
    if "actions" not in human.dataset.tables:
        folder = next(path for path in plan.human if path.is_dir())
        return None, f"{folder.name} has no table actions"
    return human.dataset, ""


def _logs(plan: Plan, dataset: Dataset, lost: Sequence[Regret]) -> Logs:
    """What the choices of those who are kept show."""
    kept = exclude(dataset.tables["participants"], dataset.tables["trials"]).kept
    recordings = Recordings(dataset, plan.trials)
    return read_logs(recordings, set(kept["participant"]), lost, plan.parameters, plan.seed)


def _individual(
    plan: Plan, dataset: Dataset | None, without: str, say: Say
) -> tuple[Individual | None, str]:
    """Fits of single people, or why there are none."""
    if plan.without_fits:
        return None, plan.without_fits
    from onlooker.analysis.report.individual import fit_dataset, fit_mixture

    say("fitting people one by one")
    if dataset is None:
        return None, without
    if plan.human or plan.full:
        about = plan.parameters, plan.seed, plan.full, plan.late
        return fit_dataset(dataset, plan.trials, *about), ""
    return fit_mixture(plan.trials, plan.parameters, plan.seed), ""


def _more_plates(sensitivity: Sensitivity | None, individual: Individual | None) -> Iterator[Plate]:
    """The figures of what needs more libraries, those of single people in a folder of their own."""
    if sensitivity is not None:
        from onlooker.analysis.figures.sensitivity import sensitivity_plates

        yield from sensitivity_plates(sensitivity)
    for plate in individual.plates if individual else ():
        yield replace(plate, name=f"individual/{plate.name}")


def write_reproduction(done: Reproduction, output: Path) -> Path:
    """Write the report and everything behind it into a folder, whole; where the report is."""
    with filling(output, "report.html") as work:
        _fill(done, work)
    return output / "report.html"


def _fill(done: Reproduction, folder: Path) -> None:
    write_file(folder / "predictions.csv", dump_predictions(done.predictions))
    write_file(folder / "provenance.json", json_text(done.provenance))
    tables, figures = folder / "tables", folder / "figures"
    for name, frame in done.results.tables().items():
        write_frame(tables / f"{name}.csv", frame)
    write_frame(tables / "verdicts.csv", done.verdicts)
    write_frame(tables / "readings.csv", done.readings)
    if len(done.counting):
        write_frame(tables / "counting.csv", done.counting)
    write_file(tables / "regret.csv", dump_regrets(done.regrets))
    for name, frame in (done.teaching.tables() if done.teaching else {}).items():
        write_frame(tables / f"{name}.csv", frame)
    for plate in done.plates:
        save_plate(plate, figures)
    for picture in (*done.sheets, *interface()):
        write_file(figures / f"{picture.name}.png", picture.png)
    if done.sensitivity is not None:
        from onlooker.analysis.tables.sensitivity import write_sensitivity

        write_sensitivity(done.sensitivity, tables)
    if done.individual is not None:
        for name, frame in done.individual.tables.items():
            write_frame(tables / "individual" / f"{name}.csv", frame)
    if done.logs is not None:
        for name, frame in done.logs.tables().items():
            write_frame(tables / "logs" / f"{name}.csv", frame)
    for name, people in (("", done.simulated), ("-teachers", done.told)):
        if people is not None:
            people.write(folder / f"simulated-participants{name}")
    write_file(folder / SUPPLEMENT, supplement(done, figures))
    write_file(folder / "report.html", report(done, figures))
