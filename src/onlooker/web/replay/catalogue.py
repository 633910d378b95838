"""The trials that can be replayed, and which of them belong to a live study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    """The gallery's trials, the bundled stimuli, the study's own and those of a folder."""

    def __init__(self, courses: Courses, trials: Iterable[Trial] = ()) -> None:
        self._bundled = {
            trial.label: (number, trial) for number in bundled() for trial in stimuli(number)
        }
        self.groups = [group for group in self._groups(courses, trials) if group[1]]
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
        name, ours = self._bundled.get(trial.label, (experiment, None))
        group = slug(name) if ours == trial else f"study-{slug(experiment)}"
        return f"{group}/{trial.label}"

    def _groups(self, courses: Courses, trials: Iterable[Trial]) -> Iterator[Group]:
        yield (
            "Gallery",
            [CatalogueEntry(f"gallery/{s.name}", s.title, story_trial(s.name)) for s in STORIES],
        )
        for number, course in courses.items():
            trials_of_study = [stage.trial for stage in course.stages.values()]
            ids = [(self.study_id(number, trial), trial) for trial in trials_of_study]
            yield (
                f"This study, Experiment {number}",
                [
                    CatalogueEntry(i, trial.label, trial)
                    for i, trial in ids
                    if i.startswith("study-")
                ],
            )
        yield (
            "Own folder",
            [CatalogueEntry(f"own/{trial.label}", trial.label, trial) for trial in trials],
        )
        for number in bundled():
            yield (
                f"Bundled, Experiment {number}",
                [CatalogueEntry(f"{slug(number)}/{t.label}", t.label, t) for t in stimuli(number)],
            )


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
