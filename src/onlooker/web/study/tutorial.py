"""The tutorial's pages. Every picture is a small map played by the real rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from onlooker.experiments.inventory import Experiment
from onlooker.game import Expertise, Trial, parse_trial, replay
from onlooker.game.play import OnEmpty
from onlooker.planning import stage
from onlooker.web.study.content import COSTS, PRICES, reminder
from onlooker.web.study.game_view import game_view
from onlooker.web.study.tutorial_maps import (
    ALONE,
    CHESTS,
    SAME_CHEST,
    TEACHING,
    TWO,
    WATCHED,
    WIZARDS,
)
from onlooker.web.study.view_types import ExampleView
from onlooker.web.texts import Texts


@dataclass(frozen=True)
class Page:
    """A page of the tutorial: text, with an example to watch or a practice trial to play."""

    title: str
    text: tuple[str, ...]
    example: ExampleView | None = None
    practice: int | None = None  # which practice trial is played on it


def tutorial(
    experiment: Experiment,
    practice: Sequence[Trial],
    rounds: int,
    texts: Texts,
    on_empty: OnEmpty = "continue",
    told: bool = True,
) -> tuple[Page, ...]:
    """The pages of an experiment's tutorial, the practice trials among them."""
    author = _Author(experiment, texts, told)
    pages = [*author.alone(), *author.others(), author.points(rounds, on_empty)]
    pages += [author.practice(index, len(practice)) for index in range(len(practice))]
    summary = (texts.line("tutorial.summary.first"), *reminder(experiment, texts, on_empty, told))
    after = (texts.line("tutorial.summary.last"),)
    return (*pages, Page(texts.line("tutorial.summary.title"), summary + after))


def example(
    trial: Trial, log: Sequence[str], caption: str, texts: Texts, told: bool = True
) -> ExampleView:
    """The frames of a played log, the opening first."""
    game = stage(trial)
    game = replace(
        game, told=told, budget=max(game.budget, 50)
    )  # a few maps are too small for theirs
    turns = replay(game, log)
    frames = [
        game_view(game, turns[:count], tutorial=True, texts=texts)
        for count in range(len(turns) + 1)
    ]
    for frame in frames:
        frame["choices"] = []  # to look at, not to play
    return {"caption": caption, "frames": frames, "actions": [*log]}


class _Author:
    """Writes the pages of one experiment in one language."""

    def __init__(self, experiment: Experiment, texts: Texts, told: bool) -> None:
        self.experiment, self.texts, self.told = experiment, texts, told

    def alone(self) -> list[Page]:
        """What is on a map and what the player's agent can do."""
        alone, wizards = parse_trial(ALONE), parse_trial(WIZARDS)
        ways = ["left", "right", "down", "down", "right", "right", "right", "right"]
        return [
            self._page("welcome", alone, []),
            self._page("moving", alone, ["left"] * 4, four=4 * COSTS.move),
            self._page("wizards", wizards, ways),
        ]

    def others(self) -> list[Page]:
        """The other agents and what the player sees of them."""
        pages, experiment = [self._observing()], self.experiment
        if experiment.chests > 1:
            pages.append(self._page("chests", self._map(CHESTS), ["observe agent2"] * 3))
        if len(experiment.npcs) > 1:
            log = ["observe agent2", "observe agent3", "observe agent2"]
            second = experiment.npcs[1]
            kind = Expertise.EXPERT if second is Expertise.TEACHER else second
            pages.append(self._page("two", self._map(TWO.format(expertise=kind)), log))
        if not self.told:
            return pages
        if Expertise.NOVICE in experiment.npcs:
            for name, expertise in (("experts", "expert"), ("novices", "novice")):
                trial = self._map(SAME_CHEST.format(expertise=expertise))
                pages.append(self._page(name, trial, _whole_way(trial)))
        if Expertise.TEACHER in experiment.npcs:
            trial = self._map(TEACHING)
            pages.append(self._page("teachers", trial, _whole_way(trial)))
        return pages

    def points(self, rounds: int, on_empty: OnEmpty) -> Page:
        """What things cost and what the bonus depends on."""
        empty = "below_zero" if on_empty == "continue" else "nothing_left"
        values = {"rounds": rounds, "empty": self.texts.line(f"tutorial.points.{empty}")}
        text = self.texts.lines("tutorial.points.text", **PRICES, **values)
        return Page(self.texts.line("tutorial.points.title"), tuple(text))

    def practice(self, index: int, count: int) -> Page:
        """A page with a practice trial."""
        title = self.texts.line("tutorial.practice.title", number=index + 1, count=count)
        return Page(title, tuple(self.texts.lines("tutorial.practice.text")), practice=index)

    def _page(self, name: str, trial: Trial, log: Sequence[str], **values: object) -> Page:
        """A page of text with an example."""
        key, values = f"tutorial.{name}", {**PRICES, **values}
        caption = self.texts.line(f"{key}.caption", **values)
        return Page(
            self.texts.line(f"{key}.title"),
            tuple(self.texts.lines(f"{key}.text", **values)),
            example(trial, log, caption, self.texts, self.told),
        )

    def _observing(self) -> Page:
        revealed = self.experiment.reveals_outcomes
        others = {Expertise.NOVICE, Expertise.TEACHER} & set(self.experiment.npcs)
        who = "untold" if not self.told else "some_experts" if others else "experts"

        def line(key: str, **values: object) -> str:
            return self.texts.line(f"tutorial.observing.{key}", **values)

        instead = line("instead", outcome=line("revealed" if revealed else "hidden"), **PRICES)
        caption = line("caption_revealed" if revealed else "caption", **PRICES)
        trial = self._map(WATCHED.format(expertise="expert"))
        return Page(
            line("title"),
            (line("alone") + line(who), instead, line("way")),
            example(trial, ["observe agent2"] * 3, caption, self.texts, self.told),
        )

    def _map(self, text: str) -> Trial:
        revealed = self.experiment.reveals_outcomes
        return replace(parse_trial(text), tutorial=True, reveals_outcomes=revealed)


def _whole_way(trial: Trial) -> list[str]:
    return ["observe agent2"] * len(stage(trial).scripts[0])
