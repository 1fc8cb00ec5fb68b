"""Programs that run as they are, with sources of the suite that they share."""

from __future__ import annotations

import dataclasses
import os

from wirelab.build import Part, PartBuilds
from wirelab.catalog import LibraryEntry
from wirelab.model.builds import Build, RunCommand
from wirelab.model.contender import Library


def _program(sources) -> Part:
    shared = Library(library="shared", version="1", licence="MIT", build=Build(kind="none"))
    return dataclasses.replace(
        sources.part("python", "none", needs=["shared"]),
        run=RunCommand(command=["{python}", "{source}/worker.py"]),
        libraries={"shared": LibraryEntry(shared, sources.folder("greeting"))},
    )


def test_a_change_of_what_a_program_shares_is_noticed(sources):
    program = _program(sources)
    first = PartBuilds(sources.root).prepare(program)
    assert PartBuilds(sources.root).prepare(program).output == first.output
    (sources.folder("greeting") / "more.py").write_text("GREETING = 'good evening'\n")
    assert PartBuilds(sources.root).prepare(program).output != first.output


def test_a_program_in_python_finds_what_it_shares(sources, workshop):
    program = _program(sources)
    found = workshop.prepare(program).environment["PYTHONPATH"].split(os.pathsep)
    assert found == [str(sources.root / "sdk" / "python"), str(sources.folder("greeting"))]
