"""``wl test``: its parts, their order, and its failures."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Sequence

import pytest
from typer.testing import CliRunner

from wirelab.build.permission import ALLOWED, allowed
from wirelab.cli import app, test

CHECKS = ["ruff check", "ruff format"]


class Program:
    """Stands for a program that ends with a code, or when it is ended."""

    def __init__(self, code: int, said: str) -> None:
        self.returncode = code
        self.signals: list[int] = []
        self._said = said

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None: ...

    def wait(self, longest_s: float | None = None) -> int:
        return self.returncode

    def communicate(self) -> tuple[str, None]:
        return self._said, None

    def send_signal(self, number: int) -> None:
        self.signals.append(number)
        self.returncode = 2


class Commands:
    """Stands for the programs; ``codes`` has the exit codes of those that fail, by number."""

    def __init__(self) -> None:
        self.run: list[list[str]] = []
        self.started: list[Program] = []
        self.codes: dict[int, int] = {}

    def __call__(self, command: Sequence[str], **options: object) -> Program:
        # What comes before the module is Python itself.
        self.run.append(list(command[2:]))
        code = self.codes.get(len(self.started), 0)
        self.started.append(Program(code, f"{command[2]} says {code}\n"))
        return self.started[-1]


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> Commands:
    replaced = Commands()
    monkeypatch.setattr(test.subprocess, "Popen", replaced)
    monkeypatch.setenv(test.BEGAN, "")
    monkeypatch.setenv(test.BEHIND, "")
    monkeypatch.setenv(ALLOWED, "")
    return replaced


def wl_test(*arguments: str) -> int:
    return CliRunner().invoke(app, ["test", *arguments]).exit_code


def pytest_of(commands: Commands) -> list[str]:
    """The arguments of the one pytest."""
    *checks, tests, types = commands.run
    assert [" ".join(check[:2]) for check in checks] == CHECKS
    assert types == ["mypy"]
    assert tests[0] == "pytest"
    return tests[1:]


def test_a_newcomer_tests_what_needs_no_more_than_python_and_c(commands: Commands) -> None:
    assert wl_test() == 0
    arguments = pytest_of(commands)
    assert int(arguments[arguments.index("-n") + 1]) >= 2
    assert arguments[arguments.index("-m") + 1] == "not left_to_all"


@pytest.mark.parametrize(("processors", "processes"), [(1, 2), (2, 4), (16, 6)])
def test_as_many_tests_go_side_by_side_as_the_processors_and_the_memory_bear(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, processors: int, processes: int
) -> None:
    monkeypatch.setattr(test.os, "sched_getaffinity", lambda _process: set(range(processors)))
    assert wl_test() == 0
    arguments = pytest_of(commands)
    # One more works behind these: xdist counts from gw0.
    assert arguments[arguments.index("-n") + 1] == str(processes + 1)
    assert os.environ[test.BEHIND] == f"gw{processes}"


def test_all_is_tested_side_by_side_and_skips_are_told(commands: Commands) -> None:
    assert wl_test("--all") == 0
    arguments = pytest_of(commands)
    assert int(arguments[arguments.index("-n") + 1]) >= 2
    assert "-m" not in arguments
    assert "-rsfE" in arguments


@pytest.mark.parametrize(("arguments", "may"), [([], False), (["--all"], True)])
def test_all_has_what_it_needs_installed(
    commands: Commands, arguments: list[str], may: bool
) -> None:
    assert wl_test(*arguments) == 0
    assert allowed() is may


@pytest.mark.parametrize("others", [[], ["--all"], ["tests/conform"]])
def test_what_has_passed_is_repeated_on_demand(commands: Commands, others: list[str]) -> None:
    assert wl_test("--no-cache", *others) == 0
    assert "--no-cache" in pytest_of(commands)


def test_arguments_are_for_one_pytest(commands: Commands) -> None:
    assert wl_test("tests/gates", "-k", "late") == 0
    assert pytest_of(commands) == ["tests/gates", "-k", "late"]


@pytest.mark.parametrize("number", range(2))
def test_nothing_is_tested_while_a_check_finds_something(commands: Commands, number: int) -> None:
    commands.codes = {number: 1}
    assert wl_test() == 1
    assert len(commands.run) == number + 1


@pytest.mark.parametrize("code", [2, -9])
def test_tests_that_were_ended_are_a_failure_of_the_whole(commands: Commands, code: int) -> None:
    commands.codes = {2: code}
    assert wl_test() == code
    assert len(commands.run) == 4


@pytest.mark.parametrize(("second", "code"), [(1, 1), (-9, 1), (0, 0)])
def test_a_test_that_fails_twice_is_a_failure_of_the_whole(
    commands: Commands, second: int, code: int
) -> None:
    commands.codes = {2: 1, 4: second}
    assert wl_test() == code
    assert len(commands.run) == 5
    assert "--second-attempt" in commands.run[-1]


def test_a_second_attempt_that_does_not_end_is_ended(
    commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def waited(program: Program, longest_s: float | None = None) -> int:
        if longest_s and not program.signals:
            raise subprocess.TimeoutExpired("pytest", longest_s)
        return program.returncode

    monkeypatch.setattr(Program, "wait", waited)
    commands.codes = {2: 1}
    said = CliRunner().invoke(app, ["test"])
    assert said.exit_code == 1
    assert "the second attempt is ended after 15 min" in said.output
    assert commands.started[-1].signals == [signal.SIGINT]


def test_wrong_types_are_told_and_end_the_tests(commands: Commands) -> None:
    commands.codes = {3: 1}
    said = CliRunner().invoke(app, ["test"])
    assert said.exit_code == 1
    assert "mypy says 1\n" in said.output
    assert "mypy found something to mend" in said.output
    _, _, tests, _ = commands.started
    assert tests.signals == [signal.SIGINT]


def test_right_types_end_nothing_and_are_silent(commands: Commands) -> None:
    said = CliRunner().invoke(app, ["test"])
    assert said.exit_code == 0
    assert "mypy says" not in said.output
    assert [program.signals for program in commands.started] == [[]] * 4


def test_it_is_told_what_it_took(commands: Commands) -> None:
    said = CliRunner().invoke(app, ["test"]).output.splitlines()
    assert re.fullmatch(r"== \d+\.\d min, \d+\.\d min of processor time", said[-1])
