"""The bench server's program, built once and last, as builds are."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.building import build_program_behind_others
from tree import suites_of_the_tree
from wirelab.build import PartBuilds, service_part

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session", name="program")
def _program() -> Path:
    build_program_behind_others("kv", "bench")
    built = PartBuilds(ROOT).prepare(service_part(suites_of_the_tree().suite("kv"), "bench"))
    return Path(built.command("server")[0])
