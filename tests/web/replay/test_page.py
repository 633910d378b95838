"""The replay as a page of its own: what is bundled into it, and that nothing can break out."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from onlooker.observers import NaiveObserver, find_observer
from onlooker.web.replay.bundle import BundleError, bundle
from onlooker.web.replay.gallery import story_trial
from onlooker.web.replay.page import replay_page


class Glance(NaiveObserver):
    """One of a user's own."""

    name, title = "glance", "One glance"


def page(name: str | None = None) -> str:
    trial = story_trial("two-experts")
    trial = replace(trial, name=name) if name else trial
    return replay_page(trial, find_observer("naive_observer"))


def test_all_observers_are_in_it() -> None:
    found = re.search(r'id="data">(.*?)</script>', page(), re.DOTALL)
    assert found
    data = json.loads(found.group(1))
    assert data["first"] == "naive_observer"
    assert set(data["documents"]) == {
        "rational_mentalizing",
        "mentalizing_observer",
        "rational_observer",
        "naive_observer",
        "graded_mentalizing",
        "ideal_observer",
        "untold_mentalizing",
    }


def test_an_observer_of_ones_own_has_its_line_in_all_of_them() -> None:
    text = replay_page(story_trial("two-experts"), Glance())
    found = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    documents = json.loads(found.group(1))["documents"]
    assert len(documents) == 8
    for name, made in documents.items():
        assert [line["title"] for line in made["lines"]][-1] == "One glance"
        assert [line["id"] for line in made["lines"] if line["current"]] == [name]


def test_it_is_the_same_every_time_and_asks_for_nothing() -> None:
    text = page()
    assert text == page()
    assert "default-src 'none'" in text
    assert set(re.findall(r"https?://[^\s\"']+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|import)\(", text)
    assert re.findall(r'(?:src|href)="([^"]*)"', text) == ["data:,"]


def test_nothing_in_the_data_ends_its_element() -> None:
    text = page("</script><script>alert(1)</script><!--")
    assert "<script>alert" not in text
    assert text.count("</script>") == 2
    assert "&lt;/script&gt;" in text  # the title


def test_modules_come_after_what_they_import(tmp_path: Path) -> None:
    tmp_path.joinpath("a.js").write_text(
        'import { one as first, two } from "./b.js";\nimport * as c from "./c.js";\n'
        "export const sum = first + two() + c.three;\n"
    )
    tmp_path.joinpath("b.js").write_text(
        'import { three } from "./c.js";\nexport const one = three - 2;\n'
        "export function two() {\n  return 2;\n}\n"
    )
    tmp_path.joinpath("c.js").write_text("/** export is a word here */\nexport const three = 3;\n")
    text = bundle("a.js", tmp_path)
    assert [text.index(f"const ${name} =") for name in "cba"] == sorted(
        text.index(f"const ${name} =") for name in "cba"
    )
    assert "const { one: first, two } = $b;" in text
    assert "const c = $c;" in text
    assert "return { one, two };" in text


@pytest.mark.parametrize(
    "text",
    [
        'import x from "./b.js";',
        'export { x } from "./b.js";',
        "export default 1;",
        'const x = await import("./b.js");',
        'import "./b.js";',
    ],
)
def test_what_the_bundler_does_not_know_is_refused(tmp_path: Path, text: str) -> None:
    tmp_path.joinpath("a.js").write_text(text + "\n")
    tmp_path.joinpath("b.js").write_text("export const x = 1;\n")
    with pytest.raises(BundleError, match=r"a\.js: not known"):
        bundle("a.js", tmp_path)


def test_a_circle_is_refused(tmp_path: Path) -> None:
    tmp_path.joinpath("a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n')
    tmp_path.joinpath("b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(BundleError, match="imports itself"):
        bundle("a.js", tmp_path)


def test_the_bundler_resolves_folders_and_stays_inside(tmp_path: Path) -> None:
    folder = tmp_path / "static"
    for name, text in (
        ("pages/a.js", 'import { b } from "../shared/b.js";\nexport const a = b;\n'),
        ("shared/b.js", 'import { c } from "./c.js";\nexport const b = c;\n'),
        ("shared/c.js", "export const c = 1;\n"),
        ("pages/out.js", 'import { x } from "../../x.js";\nexport const y = x;\n'),
    ):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    script = bundle("pages/a.js", folder)
    assert "const { b } = $shared_b;" in script
    assert script.index("$shared_c =") < script.index("$shared_b =") < script.index("$pages_a =")
    (tmp_path / "x.js").write_text("export const x = 1;\n")
    with pytest.raises(BundleError, match="outside the folder"):
        bundle("pages/out.js", folder)
