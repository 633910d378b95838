"""Choice rules and Graded Mentalizing on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from maps import ENDLESS, STUCK_BUT_MOVING
from onlooker.game import dump_document, parse_trial
from running import ROOT, onlooker
from vectors import BEYOND

EXAMPLE = ROOT / "examples" / "two-experts.map"
CROWDED = f"""
map:
A=@2{"." * 11}
##{"." * 13}
##{"b" * 12}h

legend:
@ = main agent, goal A
2 = expert agent2, goal A
b = blue wizard
h = blue wizard, holder
= = blue barrier
"""
GLANCE = """
from onlooker.observers import ACT, Decision, Observer
class Glance(Observer):
    name, title = "glance", "One glance"
    def decide(self, engine, view, choices):
        return Decision(ACT if choices else engine.trial.npcs[0].id)
"""


@pytest.mark.parametrize("name", ["exp3_4", "wide_2", "nothing_open"])
def test_run_gives_the_vectors(tmp_path: Path, name: str) -> None:
    vector = json.loads((BEYOND / f"{name}.json").read_text("utf-8"))
    trial = tmp_path / "trial.json"
    trial.write_text(dump_document(parse_trial(json.dumps(vector["trial"]))))
    settings = [
        word
        for setting, value in (vector["params"] | vector["graded"]).items()
        for word in ("--set", f"{setting}={value}")
    ]
    words = ("run", trial, "--observer", "graded_mentalizing", "--json", *settings)
    [short] = json.loads(onlooker(*words)[0])
    assert list(short["observers"]) == ["graded_mentalizing"]
    assert not {"lattice", "stop", "trace"} & set(short["observers"]["graded_mentalizing"])
    [whole] = json.loads(onlooker(*words, "--lattice")[0])
    found, expected = whole["observers"]["graded_mentalizing"], vector["expect"]["graded"]
    assert found["expected"] == pytest.approx(expected["expected"], abs=1e-9)
    assert [row[0] for row in found["lattice"]] == [row[0] for row in expected["lattice"]]
    assert [row[1] for row in found["lattice"]] == pytest.approx(
        [row[1] for row in expected["lattice"]], abs=1e-9
    )
    assert [p for _, p in found["stop"]] == pytest.approx(
        [p for _, p in expected["stop"]], abs=1e-9
    )


def test_any_observer_runs_by_any_rule() -> None:
    words = ("run", EXAMPLE, "--json", "--rule", "softmax", "--trace")
    [found] = json.loads(onlooker(*words, "--set", "temperature=2")[0])
    for plain in found["observers"].values():
        assert plain["rule"] == "softmax"
        assert len(plain["expected"]) == len(plain["expected_sd"]) == 2
        for chances, mean in zip(plain["distribution"], plain["expected"], strict=True):
            assert sum(chances) == pytest.approx(1)
            assert sum(n * p for n, p in enumerate(chances)) == pytest.approx(mean)
        for decision in plain["trace"]:
            assert sum(decision["probabilities"].values()) == pytest.approx(1)
    [hard] = json.loads(onlooker("run", EXAMPLE, "--json", "--rule", "hard", "--lattice")[0])
    for plain in hard["observers"].values():
        [(where, p)] = [row for row in plain["stop"] if row[1] > 0]
        assert (where, p) == (plain["observed"], 1)


def test_tables_and_words_show_means_and_chances() -> None:
    printed, _ = onlooker("run", EXAMPLE, "--observer", "graded_mentalizing", "--trace")
    assert "Graded Mentalizing" in printed
    assert "±" in printed
    assert "chances" in printed
    told, _ = onlooker("explain", EXAMPLE, "--observer", "graded_mentalizing")
    assert "By its rule the choice is left to chance: act " in told
    assert "By the graded rule chance decides. On average it watches" in told
    assert "skips watching with 30 %" in told
    soft, _ = onlooker("explain", EXAMPLE, "--rule", "softmax")
    assert "By the softmax rule chance decides" in soft
    assert "chance" not in onlooker("explain", EXAMPLE)[0]


def test_predictions_by_a_soft_rule_are_expectations(tmp_path: Path) -> None:
    out = tmp_path / "predictions.csv"
    words = ("predict", EXAMPLE, "-o", out)
    onlooker(*words, "--observer", "graded_mentalizing", "--observer", "naive_observer")
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [row["observer"] for row in rows] == ["graded_mentalizing"] * 2 + ["naive_observer"] * 2
    assert float(rows[0]["observed"]) % 1
    assert float(rows[0]["observed_sd"]) > 0
    assert (rows[2]["observed"], rows[2]["observed_sd"]) == ("16", "")
    watching = sum(float(row["cost_observation"]) for row in rows[:2])
    assert float(rows[0]["cost_total"]) == pytest.approx(
        watching + float(rows[0]["cost_execution"])
    )
    about = json.loads(Path(f"{out}.provenance.json").read_text())["config"]
    assert about["rules"] == {"graded_mentalizing": "graded", "naive_observer": "hard"}
    assert about["parameters"]["skip"] == 0.3
    onlooker(*words)
    assert "observed_sd" not in out.read_text()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", EXAMPLE, "--rule", "soft"], "'soft' is not one of 'hard', 'softmax', 'graded'"),
        (["run", EXAMPLE, "--lattice"], "--lattice requires --json"),
        (["run", EXAMPLE, "--set", "skip=1.1"], "--set: skip must be from 0 to 1, not 1.1"),
        (["run", EXAMPLE, "--set", "caution=-1"], "--set: caution must be from 0 to 1, not -1.0"),
        (["run", EXAMPLE, "--set", "temperature=0"], "--set: temperature must be above 0, not 0.0"),
        (["run", EXAMPLE, "--set", "curiosity=inf"], "--set: curiosity must be a number, not inf"),
        (
            ["run", EXAMPLE, "--rule", "graded", "--observer", "glance:Glance"],
            "--rule graded: observer 'glance' has no method values(engine, view, choices)",
        ),
        (
            ["simulate", EXAMPLE, "-o", "study", "--observer", "glance:Glance"],
            "which the softmax rule needs: expected one that returns Values(act, watch);"
            " --rule hard needs none",
        ),
        (
            ["simulate", EXAMPLE, "-o", "study", "--lapse", "0.1", "--set", "lapse=0.2"],
            "--lapse: lapse is set twice; expected it once",
        ),
    ],
)
def test_what_is_wrong_is_named(
    words: list[str | Path], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "glance.py").write_text(GLANCE)
    _, complaints = onlooker(*words, status=2)
    assert expected in " ".join(complaints.replace("│", " ").split())


@pytest.mark.parametrize("command", ["run", "predict"])
def test_too_many_wizards_are_refused_with_their_number(tmp_path: Path, command: str) -> None:
    trial = tmp_path / "crowded.map"
    trial.write_text(CROWDED)
    words = [command, trial, "--observer", "graded_mentalizing", "--set", "prune=0.05"]
    words += ["-o", tmp_path / "out.csv"] if command == "predict" else ["--json"]
    told = "".join(onlooker(*words, status=3))
    assert str(trial) in told
    assert "13 wizards of the needed colours are more than 12" in told
    assert not (tmp_path / "out.csv").exists()


def test_npcs_that_nobody_could_be_are_named(tmp_path: Path) -> None:
    trial = tmp_path / "stuck.map"
    trial.write_text(STUCK_BUT_MOVING)
    assert str(trial) in onlooker("run", trial, "--observer", "graded_mentalizing", status=2)[1]


@pytest.mark.filterwarnings("error")
def test_costs_that_have_no_end_are_null(tmp_path: Path) -> None:
    trial = tmp_path / "endless.map"
    trial.write_text(ENDLESS)
    words = ("run", trial, "--observer", "graded_mentalizing", "--json", "--lattice", "--trace")
    printed, _ = onlooker(*words)
    assert "Infinity" not in printed
    assert "NaN" not in printed
    [found] = json.loads(printed)
    plain = found["observers"]["graded_mentalizing"]
    assert plain["lattice"][0][1] is None
    assert sum(p for _, p in plain["stop"]) == pytest.approx(1)


def test_an_observer_written_in_python_runs_by_its_own_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "glance.py").write_text(GLANCE)
    [found] = json.loads(
        onlooker("run", EXAMPLE, "--observer", "glance:Glance", "--json", "--lattice")[0]
    )
    assert found["observers"]["glance"]["observed"] == [1, 0]
    assert [row for row in found["observers"]["glance"]["stop"] if row[1]] == [[[1, 0], 1.0]]
    assert found["observers"]["glance"]["lattice"][0][1:] == [None, [None, None]]
