"""The HTML file: self-contained, well-formed, accessible, safe."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from report_build import cell, context, metric
from report_sample import SUITE, sample

from wirelab.report import generic, write
from wirelab.report.charts import theme
from wirelab.report.forms.html import render_html

VOID = {"meta", "br", "hr", "img", "input", "link", "path", "circle", "line", "rect", "use"}


class Page(HTMLParser):
    """Tags, identifiers, links and words of a page; unbalanced tags are kept as errors."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.errors: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.errors.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module", params=["en", "ko"])
def html(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("run")
    result, series = sample()
    (folder / "result.json").write_text(result.model_dump_json())
    (folder / "series.json").write_text(series.model_dump_json())
    (path,) = write(folder, request.param, ["html"], SUITE)
    return path.read_text("utf-8")


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def test_tags_are_balanced(page: Page) -> None:
    assert len(page.tags) > 1000
    assert page.errors == []
    assert page.open == []


def test_nothing_is_fetched(page: Page, html: str) -> None:
    assert page.all("svg")
    assert not page.all("script")
    assert not page.all("link")
    assert not page.all("img")
    assert not re.search(r"@import|@font-face|url\((?!#)", html)
    addresses = {a for a in re.findall(r"https?://[^\"'<> )]+", html) if "www.w3.org" not in a}
    assert not addresses


def test_identifiers_are_unique_and_links_lead_somewhere(page: Page) -> None:
    identifiers = [a["id"] for _tag, a in page.tags if a.get("id")]
    assert len(identifiers) == len(set(identifiers)) > 20
    assert page.all("a")
    for link in page.all("a"):
        target = link["href"] or ""
        assert target.startswith("#")
        assert target[1:] in identifiers, target


def test_references_inside_drawings_lead_somewhere(page: Page, html: str) -> None:
    identifiers = {a["id"] for _tag, a in page.tags if a.get("id")}
    references = set(re.findall(r"url\(#([^)]+)\)", html))
    assert references
    assert references <= identifiers


def test_the_same_run_gives_the_same_page(tmp_path: Path) -> None:
    result, series = sample()
    (tmp_path / "result.json").write_text(result.model_dump_json())
    (tmp_path / "series.json").write_text(series.model_dump_json())
    pages = [write(tmp_path, "en", ["html"], SUITE)[0].read_bytes() for _ in range(2)]
    assert pages[0] == pages[1]


def test_tables_are_tables(page: Page) -> None:
    assert len(page.all("table")) == len(page.all("caption")) > 15
    assert {a.get("scope") for a in page.all("th")} == {"col", "row", "rowgroup"}


def test_drawings_are_described(page: Page) -> None:
    drawings = [a for a in page.all("svg") if a.get("role") == "img"]
    assert len(drawings) == len(page.all("desc")) == 9
    titles = {a.get("id") for a in page.all("title")}
    assert all((a["aria-labelledby"] or "").split()[0] in titles for a in drawings)
    assert all(a.get("viewbox") and "width" not in a for a in drawings)


def test_the_language_is_said(page: Page) -> None:
    (root,) = page.all("html")
    korean = re.search("[가-힣]", " ".join(page.words)) is not None
    assert root["lang"] == ("ko" if korean else "en")


def test_a_contender_has_one_colour_everywhere(html: str) -> None:
    # In this order of contenders asyncua is the first, gopcua the second, milo the third.
    assert "asyncua (Python)" in html
    drawings = "".join(re.findall(r"<svg xmlns.*?</svg>", html, flags=re.S))
    assert theme.PALETTE[0] in drawings
    assert theme.PALETTE[2] in drawings
    assert theme.PALETTE[1] not in drawings
    heads = re.findall(r'class="(?:stub|\w+) (c\d)"[^>]*><i class="swatch"></i>(.*?)</', html)
    colours: dict[str, set[str]] = {}
    for colour, label in heads:
        name = re.sub(r"<.*?>", "", label).split(",")[0].strip()
        colours.setdefault(name, set()).add(colour)
    assert colours["asyncua (Python)"] == {"c0"}
    assert all(len(found) == 1 for found in colours.values())


def test_what_a_library_says_stays_words(html: str) -> None:
    assert "&lt;b&gt;loudly&lt;/b&gt;" in html
    assert "<b>loudly</b>" not in html


def test_names_cannot_become_markup() -> None:
    found = context([cell("a", {"read.latency.p50": metric(1.0)})])
    hostile = found.result.model_copy(
        update={
            "suite_title": found.result.suite_title.model_copy(
                update={"en": "<script>1</script>{braces} **stars**"}
            )
        }
    )
    page = Page(render_html(generic.compose(type(found)(hostile, found.series, found.words))))
    assert "<script>1</script>{braces} **stars**" in "".join(page.words)
    assert not page.all("script")
    assert page.errors == []


def test_every_colour_has_another_one_on_a_dark_ground(html: str) -> None:
    light, dark = re.findall(r":root\{((?:--c\d+:#[0-9A-Fa-f]{6};)+)\}", html)
    colours = [dict(re.findall(r"(--c\d+):(#\w+);", rule)) for rule in (light, dark)]
    assert list(colours[0].values()) == list(theme.PALETTE)
    assert colours[1].keys() == colours[0].keys()
    assert len(set(colours[1].values()) - set(theme.PALETTE)) == len(theme.PALETTE)
    replaced = re.findall(r'svg \[fill="(#\w+)" i\]', html)
    assert set(theme.PALETTE) <= set(replaced)
