"""Whole reports in Korean beside the same ones in English: other words, and nothing else.

The English ones are kept in ``golden/``. Here the same samples are composed in both languages:
the documents have the same parts and the same figures, every heading is Korean, and no words are
left in English but those of the run itself, such as a library's name or what a compiler said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import codec_sample
import messaging_sample
import pytest
import report_sample
import websocket_sample
from test_report_catalogue import CATALOGUES

from synthetic import Client, closed_run
from wirelab.cells.analysis import analyse
from wirelab.model.result import Result, Series
from wirelab.report import composed
from wirelab.report.document import Command, Document, Figure, Panel, Section, Span
from wirelab.words.translation import read_catalogue

LANGUAGES = ("en", "ko")
HANGUL = re.compile("[가-힣]")
ENGLISH = re.compile(r"\b[a-z]{2,} [a-z]{2,}\b")
"""Two words that begin small: names of libraries and metrics are written otherwise."""
WORD = re.compile(r"(?<![{\w])[A-Za-z]{3,}")
LITERAL = re.compile(r"^[^가-힣]*(?<![{\w])[a-z]{3,}[^가-힣]*$")
"""A translation without Korean letters, and with a word that is no placeholder."""


def opcua() -> tuple[Result, Series]:
    return report_sample.sample()


def codec() -> tuple[Result, Series]:
    return codec_sample.sample(), Series(cells={})


def messaging() -> tuple[Result, Series]:
    return messaging_sample.sample(), Series(cells={})


def websocket() -> tuple[Result, Series]:
    return websocket_sample.sample(), Series(cells={})


SUITES: dict[str, tuple[Callable[[], tuple[Result, Series]], Path]] = {
    "opcua": (opcua, report_sample.SUITE),
    "codec": (codec, codec_sample.SUITE),
    "messaging": (messaging, messaging_sample.SUITE),
    "websocket": (websocket, websocket_sample.SUITE),
}


@dataclass(frozen=True)
class Both:
    """A report in both languages, and the run it tells of."""

    english: Document
    korean: Document
    run: str
    """The content of the run, as text."""

    @property
    def names(self) -> set[str]:
        """Every word that is the run's own: what it holds, and what its operations are called."""
        return set(_strings(json.loads(self.run)))


@pytest.fixture(scope="module", params=[*SUITES, "closed"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Both:
    folder = tmp_path_factory.mktemp(request.param)
    suite = None
    if request.param == "closed":
        clients = {"swift": Client(), "slow": Client(median_ms=6.0)}
        analyse(closed_run(clients, trials=3, ticks=100).write(folder))
    else:
        sample, suite = SUITES[request.param]
        result, series = sample()
        (folder / "result.json").write_text(result.model_dump_json(), "utf-8")
        (folder / "series.json").write_text(series.model_dump_json(), "utf-8")
    english, korean = (composed(folder, language, suite) for language in LANGUAGES)
    return Both(english, korean, (folder / "result.json").read_text("utf-8"))


def parts(node: object) -> Iterator[str]:
    """The kinds of all parts in their order; a sentence is one, whatever is strong in it."""
    if isinstance(node, tuple):
        if not all(isinstance(part, Span) for part in node):
            for part in node:
                yield from parts(part)
    elif is_dataclass(node):
        yield type(node).__name__
        for field in fields(node):
            yield from parts(getattr(node, field.name))


def figures(node: object) -> Iterator[tuple[str, ...]]:
    """Every figure of a table: its number, its interval, its rank."""
    if isinstance(node, Figure):
        yield node.number, node.interval, node.rank, str(node.star), str(node.tentative)
    elif isinstance(node, tuple):
        for part in node:
            yield from figures(part)
    elif is_dataclass(node):
        for field in fields(node):
            yield from figures(getattr(node, field.name))


def texts(node: object) -> Iterator[str]:
    """Everything that is written in words: sentences without their code, titles, heads."""
    if isinstance(node, Command):
        return  # as it is typed, in every language
    if isinstance(node, str):
        yield node
    elif isinstance(node, tuple) and node and all(isinstance(part, Span) for part in node):
        yield "".join(part.text if part.kind != "code" else "·" for part in node)
    elif isinstance(node, tuple):
        for part in node:
            yield from texts(part)
    elif is_dataclass(node):
        for field in fields(node):
            drawn = isinstance(node, Panel) and field.name == "spec"
            if not drawn and field.name not in ("anchor", "kind", "tone", "shape", "align"):
                yield from texts(getattr(node, field.name))


def titles(sections: tuple[object, ...]) -> Iterator[str]:
    """Titles of sections and of what is in them."""
    for section in sections:
        if isinstance(section, Section):
            yield section.title
            yield from titles(section.blocks)


def test_both_have_the_same_parts_in_the_same_order(both: Both) -> None:
    english = list(parts(both.english))
    assert len(english) > 200
    assert english == list(parts(both.korean))


def test_both_have_the_same_figures(both: Both) -> None:
    english = list(figures(both.english))
    assert len(english) > 50
    assert english == list(figures(both.korean))


def test_every_heading_is_korean(both: Both) -> None:
    found = list(titles(both.korean.sections))
    assert len(found) > 10
    # A contender's own section is headed by its name and its language.
    english = {title.partition(" (")[0] for title in found if not HANGUL.search(title)}
    assert english <= both.names


@pytest.fixture(scope="module")
def translations() -> dict[str, str]:
    """Texts of the catalogues, English to Korean."""
    return {
        original: translation
        for path in CATALOGUES.values()
        for message in read_catalogue(path)
        if message.id
        for original, translation in zip(_forms(message.id), _forms(message.string), strict=False)
    }


def test_no_text_of_the_catalogues_is_left_in_english(
    both: Both, translations: dict[str, str]
) -> None:
    other = [english for english, korean in translations.items() if english != korean]
    assert len(other) > 500
    sentences = _one_of(english for english in other if len(WORD.findall(english)) > 1)
    words = _one_of(english for english in other if LITERAL.search(english))
    names = both.names
    left = [
        text
        for text in set(texts(both.korean))
        if sentences.fullmatch(text)
        # The run's own words are as they are, such as the names of operations.
        or (words.fullmatch(text) and not HANGUL.search(text) and text not in names)
    ]
    assert left == [], left


def test_no_other_words_are_left_in_english(both: Both, translations: dict[str, str]) -> None:
    written = list(texts(both.korean))
    assert len(written) > 500
    # Words that engineers use in Korean, too, such as those for the drift of a tick.
    kept = _one_of(ko for ko in translations.values() if LITERAL.search(ko))
    left = [
        text
        for text in written
        if ENGLISH.search(text) and not HANGUL.search(text)
        if not kept.fullmatch(text) and not _of_the_run(text, both.run)
    ]
    assert left == [], left


def _strings(held: Any, within: str = "") -> Iterator[str]:
    """Values that are words, and the keys of ``operations``."""
    if isinstance(held, str):
        yield held
    elif isinstance(held, dict):
        yield from (key for key in held if within == "operations")
        for key, value in held.items():
            yield from _strings(value, key)
    elif isinstance(held, list):
        for value in held:
            yield from _strings(value)


def _forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def _one_of(originals: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{_shape(text)})" for text in originals))


def _shape(text: str) -> str:
    """A pattern of what a text becomes when its placeholders are filled and its marks are read."""
    words = re.sub(r"\*\*|`[^`]*`", lambda mark: "·" if mark.group() != "**" else "", text)
    pieces = re.split(r"\{\w*(?:[:!][^}]*)?\}", words)
    return ".*".join(re.escape(piece) for piece in pieces)


def _of_the_run(text: str, run: str) -> bool:
    """Whether the run itself holds the English words, as a title or a message."""
    return all(match.group() in run for match in ENGLISH.finditer(text))
