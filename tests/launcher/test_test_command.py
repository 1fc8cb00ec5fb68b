"""``wl test``: what it runs, in which order, and when it fails."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

import pytest
from typer.testing import CliRunner

from wirelab.cli import app, test

CHECKS = ["ruff", "ruff", "mypy"]


class Commands:
    """Stands for the programs; ``codes`` has the exit codes of those that fail, by number."""

    def __init__(self) -> None:
        self.run: list[list[str]] = []
        self.codes: dict[int, int] = {}

    def __call__(
        self, command: Sequence[str], **options: object
    ) -> subprocess.CompletedProcess[str]:
        # What comes before the module is Python itself.
        self.run.append(list(command[2:]))
        code = self.codes.get(len(self.run) - 1, 0)
        return subprocess.CompletedProcess(list(command), code, "", "")


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> Commands:
    replaced = Commands()
    monkeypatch.setattr(test.subprocess, "run", replaced)
    return replaced


def wl_test(*arguments: str) -> int:
    return CliRunner().invoke(app, ["test", *arguments]).exit_code


def test_everything_is_tested_once_side_by_side_or_alone(commands: Commands) -> None:
    assert wl_test() == 0
    *checks, beside, alone = commands.run
    assert [check[0] for check in checks] == CHECKS
    assert beside[:3] == ["pytest", "-m", "not alone"]
    assert int(beside[beside.index("-n") + 1]) >= 2
    assert alone[:3] == ["pytest", "-m", "alone"]
    assert "-n" not in alone


def test_arguments_are_for_one_pytest(commands: Commands) -> None:
    assert wl_test("tests/gates", "-k", "late") == 0
    assert commands.run[len(CHECKS) :] == [["pytest", "tests/gates", "-k", "late"]]


@pytest.mark.parametrize("number", range(3))
def test_nothing_is_tested_while_a_check_finds_something(commands: Commands, number: int) -> None:
    commands.codes = {number: 1}
    assert wl_test() == 1
    assert len(commands.run) == number + 1


@pytest.mark.parametrize("number", [3, 4])
@pytest.mark.parametrize("code", [1, 2, -9])
def test_a_failure_of_either_half_is_one_of_the_whole(
    commands: Commands, number: int, code: int
) -> None:
    commands.codes = {number: code}
    assert wl_test() == code
    assert len(commands.run) == 5
