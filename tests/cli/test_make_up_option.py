"""``--make-up`` and what it cannot mean: a sentence before anything is built or measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_lines import said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--make-up", "soon"], "--make-up soon: expected a time such as 90s, 30m or 2h"),
        (["--make-up", "-5m"], "expected a time such as 90s, 30m or 2h"),
    ],
)
def test_a_time_that_is_none_is_refused(tmp_path: Path, arguments: list[str], says: str) -> None:
    ended = said("run", "opcua", *arguments, cwd=tmp_path)
    assert ended.returncode == 2, ended.stdout
    assert says in " ".join(ended.stderr.split())
    assert list(tmp_path.iterdir()) == []
