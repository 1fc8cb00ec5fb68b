"""The report of each suite's sample, composed once for all tests and processes that read it."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
from suite_sample import sample_of, write_run
from typer.testing import CliRunner

from wirelab import report
from wirelab.cli import app
from wirelab.report.advice import Choice
from wirelab.report.document import Block, Document, Paragraph, Section, Table

_Kind = TypeVar("_Kind")


@dataclass(frozen=True)
class OwnReport:
    """The English Markdown, and what was made on the way to it."""

    text: str
    sections: int
    """Number of instances made."""
    not_shown: list[str]
    """Titles of those that are in no part of the document."""
    choices: list[bool]
    """Decided or not, for each choice."""


def own_report_of(suite: str, folder: Path) -> OwnReport:
    """The report of the suite, from ``folder`` where another process has written it there."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        told = folder / "told.json"
        if not told.is_file():
            told.write_text(json.dumps(asdict(_written(suite, folder / "run"))), "utf-8")
        return OwnReport(**json.loads(told.read_text("utf-8")))


def _written(suite: str, folder: Path) -> OwnReport:
    compose, lost = report.composed, list[str]()

    def composed(*arguments: Any) -> Document:
        with instances_of(Section) as sections:
            document = compose(*arguments)
        lost.extend(not_shown(sections, document.sections))
        return document

    run = write_run(folder, sample_of(suite))
    with (
        pytest.MonkeyPatch.context() as changed,
        instances_of(Choice) as choices,
        instances_of(Section) as made,
    ):
        changed.setattr(report, "composed", composed)
        done = CliRunner().invoke(app, ["report", str(run), "--lang", "en", "--form", "md"])
    assert done.exit_code == 0, done.output
    text = (run / "report-en.md").read_text("utf-8")
    return OwnReport(text, len(made), lost, [choice.decided for choice in choices])


@contextmanager
def instances_of(kind: type[_Kind]) -> Iterator[list[_Kind]]:
    """Every object of a class that is made meanwhile, in the order they are made."""
    found: list[_Kind] = []
    begin = kind.__init__

    def noted(self: _Kind, *arguments: Any, **named: Any) -> None:
        begin(self, *arguments, **named)
        found.append(self)

    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(kind, "__init__", noted)
        yield found


def not_shown(made: list[Section], shown: tuple[Section, ...]) -> list[str]:
    """Sections of which no block of their own is in the document, however they were renamed.

    A table without a figure is there as a sentence that begins with its caption, and one whose
    marks are explained there has notes that it was not made with.
    """
    blocks = [block for section in shown for block in _blocks_in(section)]
    there = {id(block) for block in blocks}
    rows = {id(block.groups) for block in blocks if isinstance(block, Table)}
    sentences = ["".join(s.text for s in one.text) for one in blocks if isinstance(one, Paragraph)]

    def is_there(block: Block) -> bool:
        if isinstance(block, Table) and id(block.groups) in rows:
            return True
        told = isinstance(block, Table) and any(s.startswith(block.caption) for s in sentences)
        return told or id(block) in there

    own = {
        section.title: [block for block in section.blocks if not isinstance(block, Section)]
        for section in made
    }
    return [title for title, blocks in own.items() if blocks and not any(map(is_there, blocks))]


def _blocks_in(section: Section) -> Iterator[Block]:
    for block in section.blocks:
        if isinstance(block, Section):
            yield from _blocks_in(block)
        else:
            yield block
