"""The trials that can be replayed, and which of them belong to a live study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from onlooker.experiments.naming import slug
from onlooker.experiments.stimuli import bundled, stimuli
from onlooker.game import ExperimentName, Map, Trial
from onlooker.web.replay.gallery import STORIES, story_trial
from onlooker.web.settings import Settings
from onlooker.web.store import Store
from onlooker.web.store.models import SessionRow
from onlooker.web.study.course import Courses

MapKey = tuple[object, ...]  # equal for maps that look the same


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A trial in the catalogue."""

    id: str
    title: str
    trial: Trial


Group = tuple[str, Sequence[CatalogueEntry]]


class TrialCatalogue:
    """The gallery's trials, the bundled stimuli, the study's own, those of a folder and of data.

    `data` has the trials of each experiment that the people of a dataset played.
    """

    def __init__(
        self,
        courses: Courses,
        trials: Iterable[Trial] = (),
        data: Mapping[ExperimentName, Sequence[Trial]] | None = None,
    ) -> None:
        self._bundled = {
            trial.label: (number, trial) for number in bundled() for trial in stimuli(number)
        }
        groups = self._groups(courses, trials, data or {})
        self.groups = [group for group in groups if group[1]]
        self._entries = {entry.id: entry for _, group in self.groups for entry in group}
        stages = [s for c in courses.values() for s in (*c.stages.values(), *c.practice)]
        self._in_study = {map_key(stage.trial.map) for stage in stages}

    def find(self, entry_id: str) -> CatalogueEntry | None:
        """The trial of an id."""
        return self._entries.get(entry_id)

    def in_study(self, trial: Trial) -> bool:
        """Whether a trial could show a holder of the study's stimuli: its map is one of theirs."""
        return map_key(trial.map) in self._in_study

    def study_id(self, experiment: ExperimentName, trial: Trial) -> str:
        """What a trial of an experiment of the study is called here; a bundled one keeps its id."""
        return self._id("study", experiment, trial)

    def data_id(self, experiment: ExperimentName, trial: Trial) -> str:
        """What a trial of an experiment of a dataset is called here; a bundled one keeps its id."""
        return self._id("data", experiment, trial)

    def _id(self, whose: str, experiment: ExperimentName, trial: Trial) -> str:
        name, ours = self._bundled.get(trial.label, (experiment, None))
        group = slug(name) if ours == trial else f"{whose}-{slug(experiment)}"
        return f"{group}/{trial.label}"

    def _groups(
        self,
        courses: Courses,
        trials: Iterable[Trial],
        data: Mapping[ExperimentName, Sequence[Trial]],
    ) -> Iterator[Group]:
        yield (
            "Gallery",
            [CatalogueEntry(f"gallery/{s.name}", s.title, story_trial(s.name)) for s in STORIES],
        )
        for number, course in courses.items():
            mine = [stage.trial for stage in course.stages.values()]
            yield f"This study, Experiment {number}", self._not_ours("study", number, mine)
        for number, played in data.items():
            yield f"Data, Experiment {number}", self._not_ours("data", number, played)
        yield (
            "Own folder",
            [CatalogueEntry(f"own/{trial.label}", trial.label, trial) for trial in trials],
        )
        for number in bundled():
            yield (
                f"Bundled, Experiment {number}",
                [CatalogueEntry(f"{slug(number)}/{t.label}", t.label, t) for t in stimuli(number)],
            )

    def _not_ours(
        self, whose: str, experiment: ExperimentName, trials: Sequence[Trial]
    ) -> list[CatalogueEntry]:
        """The entries of trials that are not among the bundled ones."""
        ids = [(self._id(whose, experiment, trial), trial) for trial in trials]
        return [
            CatalogueEntry(i, trial.label, trial) for i, trial in ids if i.startswith(f"{whose}-")
        ]


def map_key(map: Map) -> MapKey:
    """What makes maps look different; ids and letters do not count."""
    return (
        map.width,
        map.height,
        frozenset(map.walls),
        frozenset((barrier.at, barrier.colour) for barrier in map.barriers),
        frozenset((wizard.at, wizard.colour) for wizard in map.wizards),
    )


def is_live(settings: Settings, store: Store) -> bool:
    """Whether people take part in the study or could.

    A study is not live if it allows test runs, has the example's completion codes and has had only
    test runs and bots so far.
    """
    invented = settings.completion.complete.startswith("EXAMPLE")
    if not (settings.study.allow_test_runs and invented):
        return True
    with store.read() as orm:
        return (
            orm.scalar(select(SessionRow.id).where(SessionRow.test.is_(False)).limit(1)) is not None
        )
