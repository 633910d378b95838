"""One settings file, checked as a whole; what is wrong is named with file, key and expectation."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from onlooker.experiments.orderings import dump_orderings
from onlooker.experiments.stimuli import stimuli, stimulus_text
from onlooker.game import TrialError
from onlooker.web.settings import (
    EXAMPLE,
    Researcher,
    SettingsError,
    default_settings,
    load_settings,
)
from onlooker.web.settings.passwords import hash_password, is_password_hash
from onlooker.web.study.course import load_course

GOOD = EXAMPLE.read_text(encoding="utf-8")


def write(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(folder: Path, text: str) -> str:
    path = write(folder, text)
    with pytest.raises(SettingsError) as caught:
        load_settings(path)
    assert all(line.startswith(f"{path}: ") for line in str(caught.value).splitlines())
    return "\n".join(caught.value.problems)


def test_the_example_is_valid(tmp_path: Path) -> None:
    settings = load_settings(EXAMPLE)
    assert settings.study.run == (1,)
    assert settings.payment.base == Decimal("4.00")
    assert settings.payment.bonus_max == 2
    assert not settings.study.allow_test_runs


def test_what_is_commented_out_in_the_example_is_the_default(tmp_path: Path) -> None:
    """Each line '# key = value' of a table that is not wholly commented out, put back in."""
    lines = []
    for line in GOOD.splitlines():
        key = line.removeprefix("# ").partition(" = ")[0]
        shown = (
            "check_attempts",
            "on_empty",
            "budget",
            "most_choices",
            "minimum_viewport",
            "allow_test_runs",
        )
        shown += ("currency", "bonus_rule", "bonus_max", "bonus_per_point")
        lines.append(line.removeprefix("# ") if key in shown else line)
    text = "\n".join(lines)
    assert text.count("\n# ") < GOOD.count("\n# ") - 8
    assert load_settings(write(tmp_path, text)) == load_settings(EXAMPLE)


def test_everything_can_be_set(tmp_path: Path) -> None:
    more = """
[study.experiments]
aaa = 1
bbb = 2
[quota]
1 = 57
2 = 104
[timeouts]
active_minutes = 20
[[survey.questions]]
id = "why"
kind = "text"
text = "Why?"
"""
    text = GOOD.replace("experiment = 1 ", "#") + more
    settings = load_settings(write(tmp_path, text))
    assert settings.study.run == (1, 2)
    assert (settings.experiment_of("bbb"), settings.experiment_of("ccc")) == (2, None)
    assert settings.quota == {1: 57, 2: 104}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('title = "Treasure hunt"', "", "study.title: missing"),
        ("[study]", "[study]\ncolour = 3", "study.colour: unknown key; expected one of title"),
        ("[study]", "[study]\ndebug = true", "study.debug: unknown key; expected one of title"),
        ("[payment]", "[pay]\n[payment]", "pay: unknown key; expected one of study"),
        ("experiment = 1 ", "experiment = 0 ", "study.experiment: expected a whole number from 1 up or a name such as pilot, of letters and digits, not '0'"),
        ("experiment = 1 ", "#", "study: expected either experiment = … or a table"),
        ("[payment]", '[texts.client]\nstrat = "Go"\n[payment]', "settings: texts.client.strat: there is no such text"),
        ("[payment]", '[texts.client]\nstart = ["Go"]\n[payment]', "settings: texts.client.start: expected a text"),
        ("[payment]", '[texts.client]\nstart = "Go, {name}"\n[payment]', "settings: texts.client.start: nothing fills in {name}"),
        ("base = 4.00", 'base = "much"', "payment.base: should be a valid decimal, not 'much'"),
        ("base = 4.00", "base = 4\nbonus_max = -1", "payment.bonus_max: should be greater"),
        ("?cc={code}", "", "completion.url: "),
        ('complete = "C0MPLETE"', 'complete = "no good"', "completion.complete: "),
        ("experiment = 1 ", "experiment = 1\ncheck_attempts = 1 #", "study.check_attempts: should be greater than or equal to 2, not '1'"),
        ("experiment = 1 ", 'experiment = 1\non_empty = "stop" #', "study.on_empty: should be 'continue' or 'end', not 'stop'"),
        ('password_env = "ONLOOKER_PASSWORD"', 'password_hash = "secret"', "researcher.password_hash: expected a hash"),
        ("[payment]", "[quota]\n2 = 5\n[payment]", "quota: experiment 2 is not run by this study"),
        ("[payment]", "[stimuli.1]\nfolders = 'x'\n[payment]", "stimuli.1.folders: unknown key; expected one of folder, orderings"),
        ("[study]", "[study", "not valid TOML: "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in GOOD
    assert told in problems(tmp_path, GOOD.replace(old, new))


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("experiment = 1 ", "experiment = 0 ").replace("base = 4.00", "base = -1")
    assert len(problems(tmp_path, text).splitlines()) == 2


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        load_settings(tmp_path / "none.toml")
    (tmp_path / "study.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="not UTF-8"):
        load_settings(tmp_path / "study.toml")


def test_the_hash_follows_the_settings_but_not_the_password(tmp_path: Path) -> None:
    before = load_settings(EXAMPLE).config_hash
    same = GOOD.replace("ONLOOKER_PASSWORD", "OTHER")
    other = GOOD.replace('version = "2025-01"', 'version = "2025-02"')
    assert load_settings(write(tmp_path, same)).config_hash == before
    assert load_settings(write(tmp_path, other)).config_hash != before


def test_there_is_no_default_password(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = default_settings(1).researcher
    assert not nobody.configured
    assert not nobody.admits("")
    named = Researcher(password_env="ONLOOKER_TEST_SECRET")
    assert not named.configured
    assert not named.admits("")
    monkeypatch.setenv("ONLOOKER_TEST_SECRET", "open sesame")
    assert named.configured
    assert named.admits("open sesame")
    assert not named.admits("open")


def test_passwords_are_kept_as_hashes() -> None:
    hashed = hash_password("open sesame")
    assert is_password_hash(hashed)
    assert hash_password("open sesame") != hashed
    assert Researcher(password_hash=hashed).admits("open sesame")
    assert not Researcher(password_hash=hashed).admits("open sesam")
    assert not is_password_hash("scrypt$3$8$1$00$00")


def test_a_lab_can_bring_its_own_stimuli(tmp_path: Path) -> None:
    trials = stimuli(1)[:3]
    (tmp_path / "maps").mkdir()
    for trial in trials:
        (tmp_path / "maps" / f"{trial.name}.map").write_text(stimulus_text(trial))
    names = [trial.name for trial in trials]
    (tmp_path / "maps" / "orderings.json").write_text(dump_orderings([names, names[::-1]]))
    text = GOOD + '\n[stimuli.1]\nfolder = "maps"\n'
    course = load_course(load_settings(write(tmp_path, text)), 1)
    assert course.orderings == (tuple(names), tuple(names[::-1]))
    assert course.rounds == 3
    assert len(course.practice) == 2
    assert course.stimulus_hash != load_course(default_settings(1), 1).stimulus_hash


def test_missing_stimuli_are_refused(tmp_path: Path) -> None:
    text = GOOD + '\n[stimuli.1]\norderings = "none.json"\n'
    with pytest.raises(TrialError, match=r"none\.json"):
        load_course(load_settings(write(tmp_path, text)), 1)


def test_the_stimulus_hash_follows_what_a_replay_depends_on() -> None:
    settings = default_settings(1)
    plain = load_course(settings, 1).stimulus_hash
    for change in (
        {"on_empty": "end"},
        {"budget": "map"},
        {"check_attempts": 3},
        {"most_choices": 600},
    ):
        study = settings.study.model_copy(update=change)
        changed = settings.model_copy(update={"study": study})
        assert load_course(changed, 1).stimulus_hash != plain
    assert load_course(settings, 1).stimulus_hash == plain


def test_texts_say_what_happens_without_points() -> None:
    settings = default_settings(1)
    study = settings.study.model_copy(update={"on_empty": "end"})
    ends = load_course(settings.model_copy(update={"study": study}), 1)
    goes_on = load_course(settings, 1)

    def says(course, words):
        return any(words in paragraph for page in course.pages for paragraph in page.text)

    assert says(ends, "the round is over")
    assert not says(ends, "below zero")
    assert says(goes_on, "below zero")
