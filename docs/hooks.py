"""What the site needs beyond its pages: formulas as MathML, and files that lie elsewhere.

Formulas are turned into MathML when the site is built, so that a reader's browser draws them by
itself and nothing is fetched.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

AT_THE_ROOT = {"architecture.md": "ARCHITECTURE.md"}  # on the site: in the repository

INTERFACE = "src/onlooker/analysis/interface"  # pictures that are part of the package

# What pymdownx.arithmatex makes of $…$ and $$…$$; it leaves code alone.
FORMULA = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\[(\[](?P<latex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL
)

# Code within a sentence, and blocks of commands; in both, what is an option and not part of a tag.
CODE = re.compile(
    r'<code>[^<]+</code>|<div class="language-(?:sh|console) highlight">.*?</div>', re.DOTALL
)
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*(?![^<>]*>)")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages at the root of the repository and the pictures of the interface."""
    root = Path(config.config_file_path).parent
    for picture in (root / INTERFACE).glob("*.png"):
        place = f"images/interface/{picture.name}"
        files.append(File.generated(config, place, abs_src_path=str(picture)))
    for page, name in AT_THE_ROOT.items():
        text = (root / name).read_text("utf-8").replace("](docs/", "](")
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Take the pictures of the interface from where `on_files` puts them."""
    return markdown.replace(f"](../{INTERFACE}/", "](images/interface/")


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn the formulas of a page into MathML, and let no line end within an option."""

    def mathml(found: re.Match[str]) -> str:
        latex = unescape(found["latex"]).strip()
        try:
            return formula(latex, display=found["tag"] == "div")
        except Exception as error:
            message = f"{page.file.src_uri}: {latex!r} cannot be read: {error!r}"
            raise PluginError(message) from error

    html = FORMULA.sub(mathml, html)
    return CODE.sub(lambda found: OPTION.sub(r'<span class="option">\g<0></span>', found[0]), html)


def formula(latex: str, *, display: bool) -> str:
    """A formula as MathML; one that is displayed stands on a line of its own."""
    drawn = convert(latex, display="block" if display else "inline")
    if "\\" in drawn or r"\operatorname*" in latex:  # it lets pass what it does not know
        raise ValueError("a command that latex2mathml does not know")
    return f'<div class="formula">{drawn}</div>' if display else drawn
