"""Every contender can be built, or says why not; beside other tests, for those that run alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from e2e.building import WITHIN_S

pytestmark = [pytest.mark.e2e, pytest.mark.long, pytest.mark.left_to_all]

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize("suite", ["kv", "messaging"])
def test_all_contenders_of_a_suite_are_built(suite: str) -> None:
    """Suites whose runs have the machine for themselves: they find here what they start."""
    ended = subprocess.run(
        ["nice", "-n", "5", sys.executable, "-m", "wirelab", "build", suite],
        cwd=REPOSITORY,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    lacking = {line.split()[1] for line in ended.stdout.splitlines() if ": unavailable: " in line}
    manifests = (REPOSITORY / "suites" / suite / "contenders").glob("*/contender.toml")
    nowhere = {m.parent.name for m in manifests if "unavailable" in tomllib.loads(m.read_text())}
    assert lacking == nowhere, ended.stdout + ended.stderr
