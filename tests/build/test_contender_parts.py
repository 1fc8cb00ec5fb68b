"""Folders of a contender's sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wirelab.build import contender_part
from wirelab.catalog import ContenderEntry, SuiteEntry
from wirelab.model.contender import Contender
from wirelab.model.suite import Suite

SUITE = {
    "suite": "demo",
    "title": {"en": "Demo"},
    "summary": {"en": "Demo", "ko": "Demo"},
    "scenarios": {},
}


def contender(suite: Path, kind: str, **fields: Any) -> tuple[SuiteEntry, ContenderEntry]:
    manifest = Contender.model_validate(
        {
            "contender": "one",
            "title": "One",
            "language": "C",
            "library": {"name": "one", "version": "1", "licence": "MIT"},
            "notes": {"en": "one", "ko": "one"},
            "build": {"kind": kind},
            "run": {"command": ["{build}/bin/one"]},
            **fields,
        }
    )
    entry = ContenderEntry(manifest, suite / "contenders" / "one")
    return SuiteEntry(Suite.model_validate(SUITE), suite, {"one": entry}), entry


def test_sources_are_beside_the_manifest(tmp_path: Path):
    part = contender_part(*contender(tmp_path, "cmake"))
    assert part.source == tmp_path / "contenders" / "one"


def test_sources_may_be_elsewhere(tmp_path: Path):
    there = tmp_path / "generators" / "one"
    there.mkdir(parents=True)
    (tmp_path / "contenders" / "one").mkdir(parents=True)
    part = contender_part(*contender(tmp_path, "cmake", source="../../generators/one"))
    assert part.source.samefile(there)


@pytest.mark.parametrize("suite", ["bench", "suites/demo"])
def test_the_engine_is_found_from_any_suite(tmp_path: Path, suite: str):
    engine = tmp_path / "crates" / "engine"
    engine.mkdir(parents=True)
    part = contender_part(*contender(tmp_path / suite, "engine"))
    assert part.source == engine
    assert part.run is not None
    assert part.run.command == ["{build}/bin/one"]
