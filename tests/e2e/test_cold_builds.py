"""A contender of every language, built from nothing: what the store keeps is what would be built.

Which of them it is changes with every commit.
"""

from __future__ import annotations

import datetime
import os
from pathlib import Path

import pytest

from e2e.drawn import commit, is_built_anywhere
from tree import suites_of_the_tree
from wirelab.build import Built, Part, PartBuilds, contender_part
from wirelab.build.built import BuildRecord
from wirelab.build.store import Store

pytestmark = [pytest.mark.e2e, pytest.mark.long(2), pytest.mark.left_to_all]

ROOT = Path(__file__).parents[2]
KINDS = (
    *("cargo", "cmake", "go", "maven", "npm", "python"),
    pytest.param("dotnet", marks=pytest.mark.needs("dotnet")),
)
"""A kind of build is a language, C and C++ are one."""


def contenders(kind: str) -> list[Part]:
    """The contenders of a kind of build that any machine can build."""
    return [
        contender_part(suite, entry)
        for suite in suites_of_the_tree().suites.values()
        for entry in suite.contenders.values()
        if entry.manifest.build.kind == kind and is_built_anywhere(entry)
    ]


def is_new(built: Built) -> bool:
    """Whether it was built since these tests began, and so from nothing."""
    record = BuildRecord.model_validate_json((built.output / "build.json").read_bytes())
    began = float(os.environ.get("WIRELAB_TESTS_BEGAN") or "inf")
    return datetime.datetime.fromisoformat(record.built_at).timestamp() > began


@pytest.mark.parametrize("kind", KINDS)
def test_a_build_from_nothing_is_the_one_that_is_kept(kind: str, tmp_path: Path) -> None:
    known = contenders(kind)
    assert len(known) > 5
    part = known[commit() % len(known)]
    kept = PartBuilds(ROOT).prepare(part)
    if is_new(kept):
        return
    fresh = PartBuilds(ROOT, store=Store(tmp_path)).prepare(part)
    assert fresh.output.is_relative_to(tmp_path)
    assert fresh.ownership.dependencies == kept.ownership.dependencies
    assert files(fresh) == files(kept)


def files(built: Built) -> set[str]:
    """Files made, by name; compiled Python comes with use."""
    return {
        str(file.relative_to(built.output))
        for file in built.output.rglob("*")
        if "__pycache__" not in file.parts
    }
