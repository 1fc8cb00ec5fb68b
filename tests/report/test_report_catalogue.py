"""Every text has its Korean, with the same placeholders and the same markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_from_file

import wirelab
from wirelab.words.translation import LOCALE, UnknownLanguageError, read_catalogue, words

CORE = Path(wirelab.__file__).parent
SUITES = CORE.parents[1] / "suites"
KEYWORDS: dict[str, Any] = {"_": None, "gettext": None, "N_": None, "ngettext": (1, 2)}

Id = str | tuple[str, ...]


def core_messages() -> set[Id]:
    """Every text marked in the code of the core."""
    found = extract_from_dir(str(CORE), [("**.py", "python")], keywords=KEYWORDS)
    return {message for _file, _line, message, _comments, _context in found}


def suite_messages(suite: Path) -> set[Id]:
    """Texts that only the suite's report and its chapters use."""
    found: set[Id] = set()
    for file in (suite / "report.py", *sorted((suite / "chapters").glob("*.py"))):
        texts = extract_from_file("python", str(file), keywords=KEYWORDS)
        found |= {message for _line, message, _comments, _context in texts}
    return found - core_messages()


def catalogues() -> Iterator[tuple[str, Path, set[Id]]]:
    yield "core", LOCALE / "ko.po", core_messages()
    for report in sorted(SUITES.glob("*/report.py")):
        folder = report.parent
        yield folder.name, folder / "locale" / "ko.po", suite_messages(folder)


CATALOGUES = list(catalogues())
NAMES = [name for name, _path, _messages in CATALOGUES]


def test_texts_are_found() -> None:
    assert len(core_messages()) > 200
    assert NAMES == ["core", "codec", "kv", "messaging", "opcua", "websocket"]


@pytest.mark.parametrize(("name", "path", "messages"), CATALOGUES, ids=NAMES)
def test_every_text_is_translated(name: str, path: Path, messages: set[Id]) -> None:
    assert messages
    catalogue = read_catalogue(path)
    missing = [
        message
        for message in messages
        if (found := catalogue.get(message)) is None or not all(_forms(found.string)) or found.fuzzy
    ]
    assert not missing


@pytest.mark.parametrize(("name", "path", "messages"), CATALOGUES, ids=NAMES)
def test_no_translation_is_left_over(name: str, path: Path, messages: set[Id]) -> None:
    translated = {_key(message.id) for message in read_catalogue(path) if message.id}
    assert translated
    assert translated - messages == set()


@pytest.mark.parametrize(("name", "path", "messages"), CATALOGUES, ids=NAMES)
def test_placeholders_and_markup_agree(name: str, path: Path, messages: set[Id]) -> None:
    pairs = [
        (original, translated)
        for message in read_catalogue(path)
        if message.id
        for original in _forms(message.id)
        for translated in _forms(message.string)
    ]
    assert len(pairs) >= len(messages) > 0
    assert [pair for pair in pairs if _shape(pair[0]) != _shape(pair[1])] == []


def _shape(text: str) -> tuple[list[str], int, int]:
    return sorted(set(re.findall(r"\{(\w*)\}", text))), text.count("**"), text.count("`")


def _forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def _key(identifier: str | tuple[str, ...] | list[str]) -> Id:
    return identifier if isinstance(identifier, str) else tuple(identifier)


def test_korean_has_one_form_for_every_number() -> None:
    korean = words("ko")
    assert korean.ngettext("{n} trial a cell", "{n} trials a cell", 1) == "셀당 {n}회"
    assert korean.ngettext("{n} trial a cell", "{n} trials a cell", 3) == "셀당 {n}회"


def test_an_unfinished_translation_is_not_used(tmp_path: Path) -> None:
    catalogue = Catalog(locale="ko")
    catalogue.add("contender", "틀린 번역", flags=["fuzzy"])
    from wirelab.words.translation import Words

    assert Words("ko", [catalogue]).gettext("contender") == "contender"


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(UnknownLanguageError, match=r"'de'; languages: en, ko"):
        words("de")
