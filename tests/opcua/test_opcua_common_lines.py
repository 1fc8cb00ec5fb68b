"""The files of every client of the suite opcua that connect and help, by its manifests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tree import suites_of_the_tree
from wirelab.build.content import code_lines, common_lines
from wirelab.build.part import Part, contender_part

SUITE = suites_of_the_tree().suite("opcua")

CALLS = {
    "async-opcua": ("session.read(", "session.write(", "create_subscription("),
    "gopcua": ("connection.Read(", "connection.Write(", "connection.Subscribe("),
    "node-opcua": ("session.read(", "session.write(", "createSubscription2("),
}
"""Calls that a client is measured by, as its library spells them."""


def parts_of(name: str) -> list[Part]:
    """A client and the suite's libraries that it is built on."""
    part = contender_part(SUITE, SUITE.contenders[name])
    return [part, *part.all_needs()]


def test_every_client_is_counted() -> None:
    assert len(SUITE.contenders) > 9
    assert set(CALLS) < set(SUITE.contenders)


@pytest.mark.parametrize("name", sorted(SUITE.contenders))
def test_lines_for_connection_and_helpers_are_some_of_all(name: str) -> None:
    parts = parts_of(name)
    counted = sum(common_lines(part.source, part.common) for part in parts)
    assert parts[0].common, "its own connection is in no list"
    assert 100 < counted < sum(code_lines(part.source) for part in parts)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_calls_are_made_outside_of_them(name: str) -> None:
    part = parts_of(name)[0]
    common = {(part.source / named).resolve() for named in part.common}
    others = [file for file in sources(part) if file.resolve() not in common]
    assert [call for call in CALLS[name] if call not in text_of(common)] == list(CALLS[name])
    assert [call for call in CALLS[name] if call not in text_of(others)] == []


def sources(part: Part) -> list[Path]:
    found = [path for path in part.source.rglob("*") if path.suffix in (".go", ".js", ".rs")]
    return [path for path in found if not {"target", "node_modules"}.intersection(path.parts)]


def text_of(files: set[Path] | list[Path]) -> str:
    """Their code, without breaks and blanks between calls in a row."""
    whole = "".join(file.read_text("utf-8") for file in files)
    return "".join(whole.split())
