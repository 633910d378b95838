"""What language models read: the rules in the tutorial's words, and maps in three variants."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from onlooker.experiments.stimuli import stimuli
from onlooker.game import Trial, load_trial, parse_trial, player_view, replay, under
from onlooker.planning import stage
from onlooker.players.chat.conversation import preview, read_answer
from onlooker.players.chat.variants import writer_of
from onlooker.players.chat.words import VARIANTS, TextVariant, first_text, next_text, rules_text
from onlooker.web.texts import load_texts
from running import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.map"))
INSTRUCTIONS = ROOT / "src" / "onlooker" / "players" / "chat" / "instructions.toml"

# Sentences that the tutorial does not have, since there people see a picture and press buttons.
OWN_WORDS = {
    "Your agent is M.",
    "Nobody can walk through walls.",
    "You move M one cell up, down, left or right.",
    "What belongs together has the same colour.",
    "There are several other agents.",
    "You choose whom to watch, and for how long.",
    "Try to have as many points left as you can.",
    "In each turn you are told what happened, where everybody is, how many points you have left and what you can choose.",
}


def sentences(texts: Any) -> set[str]:
    """Every sentence of some texts, without what is filled in around it."""
    if not isinstance(texts, str):
        values = texts.values() if isinstance(texts, dict) else texts
        return set().union(*map(sentences, values))
    plain = re.sub(r"\{(\w+)\} points?", r"{\1}", re.sub(r"\{(outcome|empty)\}", "", texts))
    return {part for part in re.split(r"(?<=[.!?])\s+", plain.strip()) if part}


def test_the_rules_are_in_the_words_of_the_tutorial() -> None:
    rules = tomllib.loads(INSTRUCTIONS.read_text())["rules"]
    del rules["answer"]  # people press buttons
    assert sentences(rules) - sentences(load_texts("en").tables["tutorial"]) == OWN_WORDS


def without_secrets(trial: Trial) -> list[Trial]:
    """The same trial with other holders, and with other goals of the NPCs."""
    map = trial.map
    holders = {colour: wizards[-1].id for colour, wizards in map.wizards_of.items()}
    others = {colour: wizards[0].id for colour, wizards in map.wizards_of.items()}
    return [
        replace(trial, holders=holders),
        replace(trial, holders=others),
        replace(trial, npcs=tuple(replace(npc, goal=map.letters[0]) for npc in trial.npcs)),
    ]


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_that_is_hidden_is_said(variant: TextVariant) -> None:
    for trial in (*map(load_trial, EXAMPLES), *stimuli(1)[:3], *stimuli(4)[:3]):
        said = set()
        for other in without_secrets(trial):
            view = player_view(stage(other, budget="map"), [])
            said.add(rules_text(view) + first_text(view, writer_of(variant)))
        assert len(said) == 1


@pytest.mark.parametrize(
    "trial", [*map(load_trial, EXAMPLES), *stimuli(3)[:5]], ids=lambda t: t.label
)
def test_a_grid_can_be_read_back(trial: Trial) -> None:
    view = player_view(stage(trial, budget="map"), [])
    size, rows, legend = writer_of("grid").whole(view).split("\n\n")
    names = dict(line.split(" ", 1) for line in legend.splitlines())
    shown = {
        (x, y): names[sign] for y, row in enumerate(rows.splitlines()) for x, sign in enumerate(row)
    }
    assert len(names) == len(legend.splitlines())
    assert size == f"The map, {trial.map.width} columns and {trial.map.height} rows:"
    for cell in trial.map.cells():
        thing = trial.map.thing(cell)
        agents = {npc.at: f"Agent {npc.id[-1]}" for npc in trial.npcs} | {
            trial.main.at: "your agent M"
        }
        goal = ", your goal" if cell == trial.map.chest(trial.main.goal).at else ""
        kind = type(thing).__name__.lower()
        name = getattr(thing, "letter", None) or getattr(thing, "colour", None)
        expected = "wall" if cell in trial.map.walls else "floor"
        if thing is not None:
            expected = f"chest {name}{goal}" if kind == "chest" else f"{name} {kind}"
        assert shown[cell] == agents.get(cell, expected)


ODD = """\
map:
o.@2.B
.a=..A

legend:
@ = main agent, goal A
2 = expert owl, goal A
o = orange wizard, holder
a = amber wizard, holder
= = orange barrier

actions:
owl: right down right
"""


def test_agents_on_the_same_cell_are_all_named() -> None:
    game = stage(parse_trial(ODD), budget="map")
    view = player_view(game, replay(game, ["right"]))
    assert writer_of("grid").now(view) == "o..@.B\n.a=..A\nOn the cell of @: 1."
    view = player_view(game, replay(game, ["right", "right", "right"]))
    assert "On the cell of @: chest B." in writer_of("grid").now(view)
    assert view.last is not None
    assert next_text(view, writer_of("grid")).startswith("You moved right, past chest B.\n\n")


def test_odd_maps_in_words() -> None:
    view = player_view(stage(parse_trial(ODD), budget="map"), [])
    assert writer_of("coordinates").whole(view).splitlines()[1:] == [
        "There are no walls.",
        "Amber wizards: (1, 1).",
        "Orange wizards: (0, 0).",
        "Orange barriers: (2, 1).",
        "Chests: A at (5, 1), your goal; B at (5, 0).",
        "Your agent M is at (2, 0).",
        "Owl is at (3, 0).",
    ]
    prose = writer_of("prose").whole(view)
    assert "Row 1: an orange wizard, 4 floor cells, chest B.\n" in prose
    assert (
        "Row 2: a floor cell, an amber wizard, an orange barrier, 2 floor cells, chest A, which is your goal."
        in prose
    )
    assert (
        "Above it is the edge of the map, below it an orange barrier, on its left a floor cell"
        in prose
    )


def test_the_rules_are_those_of_the_trial() -> None:
    def rules(name: str) -> str:
        trial = load_trial(ROOT / "examples" / f"{name}.map")
        return rules_text(player_view(stage(trial, budget="map"), []))

    assert "A novice knows as little as you do." in rules("expert-and-novice")
    assert "novice" not in rules("two-experts")
    assert "There are several other agents." in rules("two-experts")
    assert "There are several chests." not in rules("early-turn")
    hidden = replace(
        load_trial(ROOT / "examples" / "early-turn.map"), reveals_outcomes=False, npcs=()
    )
    assert "observe another agent" not in rules_text(player_view(stage(hidden, budget="map"), []))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("CHOICE: right", "right"),
        ("I watch.\nCHOICE: up\n\n  CHOICE:observe agent2 \n\n", "observe agent2"),
        ("", "it is empty"),
        (" \n\n", "it is empty"),
        ("right", 'its last line does not begin with "CHOICE:"'),
        ("CHOICE: right\nI hope this helps!", 'its last line does not begin with "CHOICE:"'),
        ("**CHOICE: right**", 'its last line does not begin with "CHOICE:"'),
        ("choice: right", 'its last line does not begin with "CHOICE:"'),
        ("CHOICE: up", '"up" is none of the choices now'),
        ("CHOICE: right.", '"right." is none of the choices now'),
        ("CHOICE: Right", '"Right" is none of the choices now'),
        ("CHOICE: observe agent9", '"observe agent9" is none of the choices now'),
        ("CHOICE:", '"" is none of the choices now'),
        ("CHOICE: " + "x" * 500, f'"{"x" * 60}" is none of the choices now'),
    ],
)  # fmt: skip
def test_answers_are_read_strictly(answer: str, expected: str) -> None:
    trial = load_trial(ROOT / "examples" / "early-turn.map")
    choice, problem = read_answer(answer, player_view(stage(trial, budget="map"), []))
    assert (str(choice) if problem is None else problem) == expected
    assert (choice is None) == (problem is not None)


def test_the_preview_has_a_prompt_of_each_kind() -> None:
    game = stage(load_trial(ROOT / "examples" / "early-turn.map"), budget="map")
    titles = [title for title, _ in preview(game, "grid")]
    assert titles == [
        "system message",
        "first choice",
        "next choice, after observe agent2",
        "after an answer without a choice",
    ]


def test_the_page_shows_every_variant() -> None:
    page = Path(ROOT / "docs" / "players.md").read_text("utf-8")
    for variant in VARIANTS:
        assert f"--text {variant} --dry-run" in page


def test_teachers_are_called_what_players_are_told() -> None:
    trial = load_trial(ROOT / "examples" / "teachers" / "feint.map")
    for label, rule, said in (
        ("teacher", "A teacher knows", "is a teacher."),
        ("expert", "The other agents are experts.", "is an expert."),
    ):
        view = player_view(stage(under(trial, label)), [])
        assert rule in rules_text(view)
        assert said in first_text(view, writer_of("grid"))
    assert "expert" not in rules_text(player_view(replace(stage(trial), told=False), []))
