"""One English word for each idea, in pages, reports, manifests, messages and docstrings."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from english_words import SECOND_WORDS, second_words_in
from korean_words import without_code
from relative_clauses import docstrings
from test_korean_words import CATALOGUES, QUOTED, catalogue_texts

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "suites", "sdk", "bench", "observability")
PAGES = (
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")),
    *sorted(
        page
        for folder in FOLDERS
        for page in (ROOT / folder).rglob("*.md")
        if not page.name.endswith(".ko.md") and "node_modules" not in page.parts
    ),
)


def suite_of(path: Path) -> str:
    """The suite that a file belongs to; empty where it belongs to none."""
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "suites" else ""


def english_texts(node: Any, within: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Place and English of every text of a manifest, meanings of parameters included."""
    if isinstance(node, dict):
        for key in ("en", "meaning"):
            if isinstance(node.get(key), str):
                yield "/".join((*within, key)), node[key]
        for key, value in node.items():
            yield from english_texts(value, (*within, key))
    elif isinstance(node, list):
        for at, value in enumerate(node):
            yield from english_texts(value, (*within, str(at)))


def test_pages_have_one_word_for_each_idea() -> None:
    assert len(PAGES) > 60
    told = {page: without_code(page.read_text("utf-8")) for page in PAGES}
    wrong = {
        str(page.relative_to(ROOT)): said
        for page, words in told.items()
        if (said := second_words_in(words, suite_of(page)))
    }
    assert wrong == {}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: str(path.relative_to(ROOT)))
def test_catalogues_have_one_word_for_each_idea(path: Path) -> None:
    found = [english for english, _ in catalogue_texts(path)]
    assert len(found) > 40
    suite = suite_of(path)
    assert {text: said for text in found if (said := second_words_in(text, suite))} == {}


def test_manifests_have_one_word_for_each_idea() -> None:
    found = [
        (f"{path.relative_to(ROOT)}: {place}", text, suite_of(path))
        for path in sorted(ROOT.glob("suites/**/*.toml"))
        if path.name in ("suite.toml", "contender.toml", "library.toml", "published.toml")
        for place, text in english_texts(tomllib.loads(path.read_text("utf-8")))
        if path.name != "published.toml" or not QUOTED.match(place.rpartition("/")[0])
    ]
    assert len(found) > 1000
    wrong = {place: said for place, text, suite in found if (said := second_words_in(text, suite))}
    assert wrong == {}


@pytest.mark.parametrize(
    ("tree", "at_least"),
    [("core", 300), ("sdk", 240), ("suites", 600), ("crates", 100), ("bench", 50)],
)
def test_messages_have_one_word_for_each_idea(tree: str, at_least: int) -> None:
    told = (ROOT / f"tests/rules/messages/{tree}.txt").read_text("utf-8").splitlines()
    assert len(told) > at_least
    wrong = {}
    for line in told:
        where, _, text = line.partition(": ")
        suite = where.partition("/")[0] if tree == "suites" else ""
        if said := second_words_in(text, suite):
            wrong[text] = said
    assert wrong == {}


@pytest.mark.parametrize(("folder", "at_least"), [("src", 2000), ("sdk", 150), ("suites", 500)])
def test_docstrings_have_one_word_for_each_idea(folder: str, at_least: int) -> None:
    found = [
        (f"{path.relative_to(ROOT)}:{line}", text, suite_of(path))
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, text in docstrings(ast.parse(path.read_text("utf-8")))
    ]
    assert len(found) > at_least
    wrong = {place: said for place, text, suite in found if (said := second_words_in(text, suite))}
    assert wrong == {}


@pytest.mark.parametrize("second", SECOND_WORDS, ids=lambda second: second.words)
def test_the_word_to_use_is_in_the_glossary(second: Any) -> None:
    glossary = (ROOT / "docs/reference/glossary.md").read_text("utf-8")
    named = [word.strip(" ,") for word in second.use.replace(" or ", ",").split(",")]
    assert named
    assert [word for word in named if word not in glossary and word not in PLAIN] == []


PLAIN = {"what it is", "the name of the study", "nodes of a request"}
"""Words to use that are no terms."""


def test_a_second_word_is_found() -> None:
    assert second_words_in("two counted trials of a stage") == [
        "'counted trials': included",
        "'stage': setup, phase, span or state",
    ]
    assert second_words_in("loss is counted exactly, with stage OFF, in a CompletionStage") == []


def test_a_round_is_one_of_lanes_and_no_iteration() -> None:
    assert second_words_in("ns a round, after calibrating the rounds of a batch") == [
        "'ns a round': iteration",
        "'calibrating the rounds': iteration",
    ]
    assert second_words_in("new in every round", "codec") == ["'round': iteration"]
    assert second_words_in("ten calls at a time, in rounds of lanes", "kv") == []
    assert second_words_in("the time of a round trip", "codec") == []
