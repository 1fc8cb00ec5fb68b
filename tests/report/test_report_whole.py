"""Reports lose nothing on their way: every section that a suite composes is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from suite_sample import sample_of, suites, write_run

from wirelab.report import composed
from wirelab.report.document import Block, Section


def blocks_in(section: Section) -> Iterator[Block]:
    for block in section.blocks:
        if isinstance(block, Section):
            yield from blocks_in(block)
        else:
            yield block


def not_shown(made: list[Section], shown: tuple[Section, ...]) -> list[str]:
    """Sections of which no block of their own is in the document, however they were renamed."""
    there = {id(block) for section in shown for block in blocks_in(section)}
    own = {
        section.title: [block for block in section.blocks if not isinstance(block, Section)]
        for section in made
    }
    return [t for t, blocks in own.items() if blocks and not any(id(b) in there for b in blocks)]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Section]:
    """Every section, in the order they are made."""
    found: list[Section] = []
    begin = Section.__init__

    def noted(self: Section, *arguments: Any, **named: Any) -> None:
        begin(self, *arguments, **named)
        found.append(self)

    monkeypatch.setattr(Section, "__init__", noted)
    return found


@pytest.mark.parametrize("suite", suites())
def test_every_section_that_is_composed_is_shown(
    suite: str, tmp_path: Path, made: list[Section]
) -> None:
    document = composed(write_run(tmp_path / "run", sample_of(suite)), "en")
    assert len(made) > 10
    assert not_shown(list(made), document.sections) == []


def test_a_section_that_is_dropped_is_found(tmp_path: Path, made: list[Section]) -> None:
    document = composed(write_run(tmp_path / "run", sample_of("websocket")), "en")
    last = document.sections[-1]
    kept = document.sections[:-1]
    assert last.title.partition(": ")[2] in not_shown(list(made), kept)


def test_how_security_is_switched_is_told_of_servers_of_websockets(
    own_report: Callable[[str], str],
) -> None:
    text = own_report("websocket")
    assert "Switching the security policy" in text
    assert "**Security policy**" in text
