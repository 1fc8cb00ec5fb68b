"""The Java SDK by its own tests, run by Maven."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

SDK = Path(__file__).parents[2] / "sdk" / "java"
PATIENCE_S = 600
TESTS = {
    "BatchesTest": 4,
    "ContractTest": 11,
    "IntervalsTest": 3,
    "JsonTest": 42,
    "RecorderTest": 6,
    "RuntimeSpansTest": 3,
    "StatusTest": 2,
    "VectorsTest": 7,
}
COUNTS = re.compile(r"Tests run: (\d+), Failures: 0, Errors: 0, Skipped: 0,.* ([\w.]+)$", re.M)


@pytest.mark.needs("mvn")
@pytest.mark.left_to_all
@pytest.mark.long(1)
def test_its_own_tests_pass(tmp_path: Path) -> None:
    command = ["mvn", "--batch-mode", "--strict-checksums", f"-Dwirelab.output={tmp_path}", "test"]
    ended = subprocess.run(
        command, cwd=SDK, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    found = Counter({name.rpartition(".")[2]: int(n) for n, name in COUNTS.findall(ended.stdout)})
    assert found == TESTS
