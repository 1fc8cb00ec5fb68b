"""``--until`` and what it cannot mean: a sentence before anything is built or measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_lines import said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--until", "5"], "expected a percentage"),
        (["--until", "0%"], "expected a percentage"),
        (["--until", "-5%"], "expected a percentage"),
        (["--until", "500%"], "expected a percentage"),
        (["--until", "narrow"], "expected a percentage"),
        (["--until", "nan%"], "expected a percentage"),
        (["--until", "5%", "--at-most", "soon"], "expected a time such as 90s, 30m or 2h"),
        (["--until", "5%", "--at-most", "0s"], "expected a time such as 90s, 30m or 2h"),
        (["--until", "5%", "--trials", "3"], "--until or --trials"),
        (["--at-most", "30m"], "--at-most says how --until is meant"),
        (["--baseline", "asyncua"], "--baseline says how --until is meant"),
        (["--until", "5%", "--resume", "."], "keeps its own rule"),
        (["--until", "5%", "--contender", "asyncua"], "needs two contenders"),
        (["--until", "5%", "--baseline", "asynca"], "nearest: asyncua"),
    ],
)
def test_a_rule_that_no_run_can_keep_is_refused(
    tmp_path: Path, arguments: list[str], says: str
) -> None:
    ended = said("run", "opcua", *arguments, cwd=tmp_path)
    assert ended.returncode == 2, ended.stdout
    assert says in " ".join(ended.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_scenarios_that_have_no_ratio_are_named(tmp_path: Path) -> None:
    ended = said("run", "opcua", "--until", "5%", "--scenario", "faults", cwd=tmp_path)
    assert ended.returncode == 2, ended.stdout
    assert "none of faults" in ended.stderr
