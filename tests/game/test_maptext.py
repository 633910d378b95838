from __future__ import annotations

import pytest
from hypothesis import given

from onlooker.game import (
    Action,
    Barrier,
    Chest,
    Expertise,
    Trial,
    TrialError,
    Wizard,
    dump_map_text,
    parse_trial,
    read_document,
    read_map_text,
    to_document,
)
from running import ROOT
from strategies import trials
from vectors import VECTORS, Vector

TEXT = """\
; a comment
name: three wizards
experiment: 4
outcomes: hidden

map:
#b..B
2.@.=
h..3A

legend:
@ = main agent, goal A
2 = expert agent2, goal B
3 = novice helper, goal A
b = blue wizard
h = blue wizard, holder
= = blue barrier
"""


def problems(text: str) -> list[str]:
    with pytest.raises(TrialError) as refused:
        read_map_text(text)
    return [str(problem) for problem in refused.value.problems]


def test_what_a_map_text_says() -> None:
    trial = read_map_text(TEXT)
    assert (trial.name, trial.experiment, trial.reveals_outcomes) == ("three wizards", 4, False)
    assert (trial.map.width, trial.map.height) == (5, 3)
    assert trial.map.walls == {(0, 0)}
    assert trial.map.barriers == (Barrier((4, 1), "blue"),)
    assert trial.map.wizards == (Wizard("w1", (1, 0), "blue"), Wizard("w2", (0, 2), "blue"))
    assert trial.map.chests == (Chest("A", (4, 2)), Chest("B", (4, 0)))
    assert trial.holders == {"blue": "w2"}
    assert [npc.id for npc in trial.npcs] == ["agent2", "helper"]
    assert trial.npcs[1].expertise is Expertise.NOVICE


def test_wizards_may_have_names_and_npcs_fixed_actions() -> None:
    text = TEXT.replace("h = blue wizard, holder", "h = blue wizard Gandalf, holder")
    trial = read_map_text(text + "\nactions:\nagent2: right right up\nhelper: none\n")
    assert trial.holders == {"blue": "Gandalf"}
    assert trial.npcs[0].actions == (Action.RIGHT, Action.RIGHT, Action.UP)
    assert trial.npcs[1].actions == ()
    assert read_map_text(dump_map_text(trial)) == trial


def test_wizards_are_written_with_names_only_if_these_are_not_the_usual_ones() -> None:
    assert "w1" not in dump_map_text(read_map_text(TEXT))
    named = TEXT.replace("h = blue wizard", "h = blue wizard Gandalf")
    named = named.replace("b = blue wizard", "b = blue wizard Saruman")
    written = dump_map_text(read_map_text(named))
    assert "Gandalf" in written
    assert read_map_text(written) == read_map_text(named)


def test_other_characters_may_stand_for_wall_and_floor() -> None:
    text = TEXT.replace("#b..B", "Wb_.B") + "W = wall\n_ = floor\n"
    assert read_map_text(text) == read_map_text(TEXT)


def test_indented_and_windows_lines_read_the_same() -> None:
    assert parse_trial("\ufeff" + TEXT.replace("\n", "  \r\n  ")) == read_map_text(TEXT)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("2.@.=", "2.@.", "line 8: ragged rows: this one has 4 cells, the first row (line 7) has 5"),
        ("2.@.=", "2.@.?", "line 8, column 5: unknown character '?'; add it to the legend"),
        ("#b..B", "#b.@B", "line 12: the main agent ('@') stands 2 times on the map; expected it once"),
        ("#b..B", "#h..B", "line 9, column 1: two holders of the blue amulet: w1, w2"),
        (", holder", "", "holders: no holder of the blue amulet; one of w1, w2 must be"),
        ("goal A\n2", "goal C\n2", "line 12: there is no chest C; the chests are A, B"),
        ("#b..B", "#b.AB", "line 9, column 5: a second chest A"),
        ("3 = novice helper", "3 = novice agent2", "line 9, column 4: the id 'agent2' is used twice"),
        ("b = blue wizard\n", "b = a blue thing\n", "line 15: expected 'main agent, goal A', 'expert"),
        ("b = blue wizard\n", "= = blue wizard\n", "line 17: '=' has a meaning already, in line 15"),
        ("b = blue wizard\n", "# = wall\n", "line 15: '#' always means wall"),
        ("b = blue wizard\n", "what\n", "line 15: expected 'CHARACTER = MEANING', not 'what'"),
        ("outcomes: hidden", "outcomes: no", "line 4: outcomes: expected 'revealed' or 'hidden', not 'no'"),
        ("experiment: 4", "name: again", "line 3: a second 'name:'; a file has one"),
        ("experiment: 4", "colour: 4", "line 3: expected one of 'name:', 'experiment:'"),
        ("name: three", 'name: "three', "line 2: the quoted text does not end properly"),
        ("map:", "plan:", "line 6: expected one of 'name:'"),
        ("@ = main agent, goal A\n", "@ = floor\n", "legend: there is no main agent"),
        ("2.@.=\n", "\n2.@.=\n", "line 9: expected one of 'name:', 'experiment:', 'scenario:',"),
        ("h..3A", "h.##A", "line 14: helper ('3') stands 0 times on the map"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(old: str, new: str, expected: str) -> None:
    assert old in TEXT
    assert any(expected in problem for problem in problems(TEXT.replace(old, new)))


def test_a_name_may_be_a_number() -> None:
    text = (ROOT / "examples" / "early-turn.map").read_text()
    assert read_map_text(text.replace("name: early turn", "name: 12")).name == "12"


def test_a_chest_out_of_reach_is_named_with_its_line_and_the_unlucky_holder() -> None:
    text = TEXT.replace("#b..B", "#b#=B").replace("2.@.=", "2#@.=").replace("h..3A", "h##3A")
    assert problems(text)[:1] == [
        "line 7, column 5: the main agent cannot reach chest B at (4, 0) if w1 holds the blue amulet",
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("agent9: up", "line 20: expected 'ID: up down …' for an NPC of the legend (agent2, helper)"),
        ("agent2: jump", "line 20: expected up, down, left or right, not \"jump\""),
        ("agent2: left", "line 20: agent2 cannot take action 1 (left): left leads off the grid"),
    ],
)  # fmt: skip
def test_fixed_actions_that_cannot_be(line: str, expected: str) -> None:
    assert any(expected in problem for problem in problems(f"{TEXT}\nactions:\n{line}\n"))


def test_no_map_at_all() -> None:
    assert "there is no map: expected 'map:' and rows below it" in problems("name: empty\n")


def test_a_map_that_is_too_large() -> None:
    rows = "\n".join(["." * 101] * 3)
    assert problems(f"map:\n{rows}\n") == [
        "line 2: 101 columns and 3 rows; a side has at most 100 cells"
    ]


@given(trials())
def test_round_trip_of_random_trials(trial: Trial) -> None:
    assert read_map_text(dump_map_text(trial)) == trial


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_round_trip_of_the_vectors(vector: Vector) -> None:
    document = to_document(vector.trial)
    through_text = read_map_text(dump_map_text(read_document(document)))
    assert to_document(through_text) == document


def test_a_label_of_digits_stays_text() -> None:
    trial = read_map_text(TEXT.replace("experiment: 4", 'experiment: "4"'))
    assert trial.experiment == "4"
    assert read_map_text(dump_map_text(trial)).experiment == "4"


def test_what_is_no_map_text_at_all_is_told_once() -> None:
    with pytest.raises(TrialError) as caught:
        read_map_text("# A title\n\nSome words.\nAnd more.\n" * 20)
    assert len(caught.value.problems) == 1


def test_a_mistyped_block_is_told_once() -> None:
    with pytest.raises(TrialError) as caught:
        read_map_text("mpa:\n@.A\n...\n...\n\nlegend:\n@ = main agent, goal A\n")
    assert [str(problem).partition(":")[0] for problem in caught.value.problems] == ["line 1"]


def test_a_mistyped_colour_of_a_barrier_is_hinted_at() -> None:
    text = (
        "map:\n@b.=A\n\nlegend:\n@ = main agent, goal A\nb = blue wizard, holder\n= = blu barrier\n"
    )
    with pytest.raises(TrialError, match="no wizard is blu, so nothing opens such a barrier"):
        read_map_text(text)


def test_an_agent_behind_a_barrier_is_checked_for_itself() -> None:
    legend = "@ = main agent, goal A\n2 = expert agent2, goal A\nb = blue wizard, holder\n= = blue barrier"
    with pytest.raises(TrialError) as refused:
        read_map_text(f"map:\nA@b=2\n\nlegend:\n{legend}\n")
    assert [problem.reason for problem in refused.value.problems] == [
        "agent2 cannot reach chest A at (0, 0) if w1 holds the blue amulet"
    ]
