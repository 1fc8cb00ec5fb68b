"""Every text has its Korean, with the same placeholders and the same markup."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from functools import cache
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


@cache
def core_messages() -> frozenset[Id]:
    """Every text marked in the code of the core; reading it takes seconds, so that it is done once,
    and by nobody who only collects tests."""
    found = extract_from_dir(str(CORE), [("**.py", "python")], keywords=KEYWORDS)
    return frozenset(message for _file, _line, message, _comments, _context in found)


def suite_messages(suite: Path) -> set[Id]:
    """Texts that only the suite's report and its chapters use, and parameters that it searches."""
    found: set[Id] = set()
    for file in (suite / "report.py", *sorted((suite / "chapters").glob("*.py"))):
        texts = extract_from_file("python", str(file), keywords=KEYWORDS)
        found |= {message for _line, message, _comments, _context in texts}
    scenarios = tomllib.loads((suite / "suite.toml").read_text("utf-8"))["scenarios"].values()
    found |= {one["capacity"]["parameter"] for one in scenarios if "capacity" in one}
    return found - core_messages()


@cache
def messages_of(name: str) -> frozenset[Id]:
    """The texts of the core, or those of a suite."""
    return core_messages() if name == CORE.name else frozenset(suite_messages(SUITES / name))


CATALOGUES = {CORE.name: LOCALE / "ko.po"} | {
    report.parent.name: report.parent / "locale" / "ko.po"
    for report in sorted(SUITES.glob("*/report.py"))
}


def test_texts_are_found() -> None:
    assert len(core_messages()) > 200
    assert list(CATALOGUES) == ["wirelab", "codec", "kv", "messaging", "opcua", "websocket"]


@pytest.mark.parametrize("name", CATALOGUES)
def test_every_text_is_translated(name: str) -> None:
    messages = messages_of(name)
    assert messages
    catalogue = read_catalogue(CATALOGUES[name])
    missing = [
        message
        for message in messages
        if (found := catalogue.get(message)) is None or not all(_forms(found.string)) or found.fuzzy
    ]
    assert not missing


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_text_stands_twice(name: str) -> None:
    """Its second Korean would never be shown: a word of two meanings needs two texts."""
    written = CATALOGUES[name].read_text("utf-8").split("\n\n")
    originals = Counter(
        entry[entry.index("msgid") : entry.index("msgstr")] for entry in written[1:]
    )
    assert len(originals) > 20
    assert [original for original, times in originals.items() if times > 1] == []


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_text_hides_in_a_formatted_string(name: str) -> None:
    """Texts are not looked for there, so that one without Korean would not be missed."""
    folder = CORE if name == CORE.name else SUITES / name
    files = folder.rglob("*.py") if name == CORE.name else folder.glob("chapters/*.py")
    parsed = [ast.parse(file.read_text("utf-8")) for file in files]
    marked = [
        call.args[0].value
        for tree in parsed
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "_"
        if call.args and isinstance(call.args[0], ast.Constant)
    ]
    assert len(parsed) > 3
    known = messages_of(name) | core_messages()
    assert [text for text in marked if text not in known] == []


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_translation_is_left_over(name: str) -> None:
    translated = {_key(message.id) for message in read_catalogue(CATALOGUES[name]) if message.id}
    assert translated
    assert translated - messages_of(name) == set()


@pytest.mark.parametrize("name", CATALOGUES)
def test_placeholders_and_markup_agree(name: str) -> None:
    pairs = [
        (original, translated)
        for message in read_catalogue(CATALOGUES[name])
        if message.id
        for original in _forms(message.id)
        for translated in _forms(message.string)
    ]
    assert len(pairs) >= len(messages_of(name)) > 0
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
