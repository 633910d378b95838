"""Everything in one go: predictions, comparison, figures, tables and the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from onlooker.analysis import DataError
from onlooker.analysis.claims import verdicts
from onlooker.analysis.data.human import HumanMeans, absent, read_human, summarize
from onlooker.analysis.data.words import Source
from onlooker.analysis.figures import (
    Plate,
    draw_plates,
    parameters_rows,
    regret_plate,
    save_plate,
)
from onlooker.analysis.figures.teachers import teacher_plates
from onlooker.analysis.report.page import SUPPLEMENT, report, supplement
from onlooker.analysis.report.pictures import Picture, interface, sheets
from onlooker.analysis.tables.comparison import Comparison, compare, predictions_frame
from onlooker.analysis.tables.readings import predict_both_readings, readings_table
from onlooker.analysis.tables.results import Results
from onlooker.analysis.tables.teachers import Teaching, teaching
from onlooker.experiments.dataset import write_dataset
from onlooker.experiments.inventory.table import COLUMNS, inventory_rows
from onlooker.experiments.naming import in_order
from onlooker.experiments.predictions import Prediction, dump_predictions
from onlooker.experiments.provenance import provenance
from onlooker.experiments.psych_ds import Description, dataset_of, read_dataset
from onlooker.experiments.records import Records
from onlooker.experiments.regret import Regret, dump_regrets, regrets
from onlooker.experiments.tables import write_frame
from onlooker.game import Trial
from onlooker.inference import Parameters
from onlooker.observers import OBSERVERS
from onlooker.support.files import json_text, write_file
from onlooker.support.folders import filling
from onlooker.support.problems import Problem

if TYPE_CHECKING:
    from onlooker.analysis.report.individual import Individual
    from onlooker.analysis.tables.sensitivity import Run, Sensitivity

Say = Callable[[str], None]
Aside = Callable[..., Callable[[], Any]]  # given work and its arguments: what gives its result


def later(work: Callable[..., Any], *given: Any) -> Callable[[], Any]:
    """Do some work in this process, when its result is asked for."""
    return lambda: work(*given)


ANSWERS = "*_desc-answers_data.csv"  # to the questions of a study, which other commands do not read
SIMULATED = Description(
    "Simulated participants", "Simulated: noisy versions of Rational Mentalizing.", simulated=True
)


@dataclass(frozen=True)
class Reproduction:
    """What a reproduction found."""

    title: str
    lead: str
    predictions: list[Prediction]
    results: Results
    verdicts: pd.DataFrame  # a claim of the paper
    plates: list[Plate]
    left_out: list[str]  # figures that the data does not allow, in words
    readings: pd.DataFrame
    inventory: list[list[str]]
    parameters: list[list[str]]
    provenance: dict[str, Any]
    simulated: Records | None  # the participants that were made up
    regrets: Sequence[Regret] = ()
    sensitivity: Sensitivity | None = None
    sensitivity_plates: Sequence[Plate] = ()
    without_sensitivity: str = ""  # why there is none
    individual: Individual | None = None
    without_individual: str = ""  # why there is none
    sheets: Sequence[Picture] = ()  # every trial
    teaching: Teaching | None = None  # trials with teachers
    told: Records | None = None  # participants in these that were made up

    @property
    def comparison(self) -> Comparison:
        """The statistics of people against observers."""
        return self.results.comparison


@dataclass(frozen=True)
class Plan:
    """What to reproduce, and from what."""

    trials: Sequence[Trial]
    source: str  # whose stimuli, in words
    parameters: Parameters
    human: Sequence[Path] = ()  # what people did; without it, participants are simulated
    simulated: Records | None = None
    inputs: Sequence[Path] = ()  # for the provenance
    seed: int = 1
    resamples: int = 10_000
    splits: int = 1000
    run: Run | None = None  # the observers under other settings; without it, no sensitivity
    without_run: str = ""  # why there is none
    samples: int = 0  # for the indices of sensitivity
    full: bool = False  # fit everybody on a fine grid
    without_fits: str = ""  # why people are not fitted one by one
    aside: Aside = later  # how what nothing else waits for is done
    taught: Sequence[Trial] = ()  # trials with teachers, which are looked at apart
    told: Records | None = None  # participants in these, if there are no people
    told_people: Sequence[Path] = ()  # people's data of these


def reproduce(plan: Plan, say: Say = lambda text: None) -> Reproduction:
    """Run everything; nothing is written."""
    drawn_sheets = plan.aside(sheets, list(plan.trials))
    say("running the observers")
    rows = predict_both_readings(plan.trials, plan.parameters)
    predictions = predictions_frame(rows)
    human = _people(plan, predictions)
    say("comparing with participants")
    comparison = compare(
        predictions, human, seed=plan.seed, resamples=plan.resamples, splits=plan.splits
    )
    results = Results(predictions, human, comparison, plan.parameters)
    say("checking the paper's claims")
    judged = verdicts(results)
    say("trying the other readings")
    readings = readings_table(plan.trials, rows, human, plan.parameters)
    sensitivity, sensitivity_plates = _sensitivity(plan, human, say)
    individual, without = _individual(plan, say)
    say("weighing what the ideal observer would do")
    observers = [observer() for observer in OBSERVERS.values()]
    lost = regrets(plan.trials, observers, plan.parameters)
    taught = _teaching(plan, say)
    say("drawing the figures")
    drawn = list(draw_plates(results, plan.trials))
    drawn += teacher_plates(taught) if taught else ()
    if any(row.regret is not None for row in lost):
        drawn.append(regret_plate(lost))
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
        parameters=parameters_rows(plan.parameters),
        provenance=provenance(
            [*plan.inputs, *plan.human],
            {"stimuli": plan.source, "parameters": asdict(plan.parameters)},
            plan.seed,
        ),
        simulated=plan.simulated,
        regrets=lost,
        sensitivity=sensitivity,
        sensitivity_plates=sensitivity_plates,
        without_sensitivity=plan.without_run,
        individual=individual,
        without_individual=without,
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
        tables = dataset_of(plan.told.tables(), SIMULATED).tables if plan.told else {}
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
    simulated = any(each.description.simulated for each in several)
    source = Source.SIMULATED if simulated else Source.HUMAN
    return teaching(plan.taught, tables, source, plan.parameters)


def has_labels(path: Path) -> bool:
    """Whether a file is a dataset of people who were told one thing or another about teachers."""
    if not path.is_dir():
        return False
    people = read_dataset(path, complete=False).tables.get("participants")
    return people is not None and "label" in people and bool(people["label"].notna().all())


def _sensitivity(
    plan: Plan, human: HumanMeans, say: Say
) -> tuple[Sensitivity | None, Sequence[Plate]]:
    """What the parameters change, with its figures, if it can be tried."""
    if plan.run is None:
        return None, ()
    from onlooker.analysis.figures.sensitivity import sensitivity_plates
    from onlooker.analysis.tables.sensitivity import sensitivity

    say("trying other parameters")
    found = sensitivity(plan.run, plan.parameters, human, plan.samples, plan.seed)
    return found, sensitivity_plates(found)


def _individual(plan: Plan, say: Say) -> tuple[Individual | None, str]:
    """Fits of single people, or why there are none."""
    if plan.without_fits:
        return None, plan.without_fits
    from onlooker.analysis.report.individual import fit_dataset, fit_mixture

    say("fitting people one by one")
    if plan.human:
        folders = [path for path in plan.human if path.is_dir()]
        if len(folders) != 1:
            return None, "there is no data of single people (one Psych-DS folder with actions)"
        dataset = read_dataset(folders[0], plan.trials, complete=False)
        if "actions" not in dataset.tables:
            return None, f"{folders[0].name} has no table actions"
        return fit_dataset(dataset, plan.trials, plan.parameters, plan.seed, plan.full), ""
    if plan.full and plan.simulated is not None:
        dataset = dataset_of(plan.simulated.tables(), SIMULATED)
        return fit_dataset(dataset, plan.trials, plan.parameters, plan.seed, True), ""
    return fit_mixture(plan.trials, plan.parameters, plan.seed), ""


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
    write_file(tables / "regret.csv", dump_regrets(done.regrets))
    for name, frame in (done.teaching.tables() if done.teaching else {}).items():
        write_frame(tables / f"{name}.csv", frame)
    for plate in (*done.plates, *done.sensitivity_plates):
        save_plate(plate, figures)
    for picture in (*done.sheets, *interface()):
        write_file(figures / f"{picture.name}.png", picture.png)
    if done.sensitivity is not None:
        from onlooker.analysis.tables.sensitivity import write_sensitivity

        write_sensitivity(done.sensitivity, tables)
    if done.individual is not None:
        for name, frame in done.individual.tables.items():
            write_frame(tables / "individual" / f"{name}.csv", frame)
        for plate in done.individual.plates:
            save_plate(plate, figures / "individual")
    for name, records in (("", done.simulated), ("-teachers", done.told)):
        if records is not None:
            write_dataset(
                folder / f"simulated-participants{name}",
                records.tables(),
                SIMULATED.name,
                SIMULATED.description,
                simulated=True,
            )
    write_file(folder / SUPPLEMENT, supplement(done, figures))
    write_file(folder / "report.html", report(done, figures))


def _people(plan: Plan, predictions: pd.DataFrame) -> HumanMeans:
    if plan.human:
        return read_people(plan.human, predictions, plan.trials)
    assert plan.simulated is not None
    return summarize(dataset_of(plan.simulated.tables(), SIMULATED), predictions)


def read_people(
    paths: Sequence[Path], predictions: pd.DataFrame, trials: Sequence[Trial] | None = None
) -> HumanMeans:
    """The data of several files as one; what only some of them have is left out.

    An experiment may be in one of them only, as exclusions are made within each file.
    """
    several = [read_human(path, predictions, trials) for path in paths]
    if len(several) == 1:
        return several[0]
    if problems := list(_twice(paths, several)):
        raise DataError(problems)
    means = pd.concat([each.means for each in several], ignore_index=True)
    of_one = {note for each in several for note in absent(each.means, predictions)}
    notes = [note for each in several for note in each.notes if note not in of_one]

    def joined(name: str) -> pd.DataFrame | None:
        frames = [getattr(each, name) for each in several]
        return None if any(f is None for f in frames) else pd.concat(frames, ignore_index=True)

    published = [each.published for each in several if each.published is not None]

    return HumanMeans(
        means,
        max((each.source for each in several), key=list(Source).index),
        (*absent(means, predictions), *notes),
        joined("played"),
        joined("participants"),
        joined("exclusions"),
        published=pd.concat(published, ignore_index=True) if published else None,
    )


def _twice(paths: Sequence[Path], several: Sequence[HumanMeans]) -> Iterator[Problem]:
    """Experiments that are in more than one file."""
    first: dict[int, Path] = {}
    for path, each in zip(paths, several, strict=True):
        for number in in_order(each.means["experiment"]):
            if number in first:
                reason = f"Experiment {number} is in {first[number]} too; expected it in one"
                yield Problem(str(path), reason)
            else:
                first[number] = path
