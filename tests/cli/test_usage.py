"""Usages say ``./wl``; no path and no name is broken, whatever reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_lines import on_a_terminal, piped, said
from wirelab.cli import COMMANDS

DEEP = "a-folder-whose-name-is-long/" * 5


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_a_usage_says_how_it_is_called(tmp_path: Path, command: str) -> None:
    ended = said(*command.split(), "--help", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith(f"Usage: ./wl {command}".rstrip())
    assert "python -m" not in ended.stdout


def test_a_wrong_usage_says_how_it_is_called(tmp_path: Path) -> None:
    ended = said("run", "--sed", "1", cwd=tmp_path)
    assert ended.returncode == 2
    assert "Usage: ./wl run" in ended.stderr
    assert "--seed" in ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "opcua", "--contender", DEEP],
        ["run", "opcua", "--target", DEEP],
        ["compare", DEEP, "."],
    ],
)
def test_a_path_in_a_mistake_stays_whole(tmp_path: Path, arguments: list[str]) -> None:
    ended = said(*arguments, cwd=tmp_path)
    assert ended.returncode == 2
    assert DEEP.rstrip("/") in ended.stderr


def test_a_contender_without_a_trial_is_refused_with_where_it_has_some(tmp_path: Path) -> None:
    asked = ("messaging", "--scenario", "transfer-steady", "--contender", "socket-naive")
    ended = said("run", *asked, "--profile", "check", "--out", str(tmp_path / "runs"), cwd=tmp_path)
    assert ended.returncode == 2
    assert "socket-naive: no part in transfer-steady; ./wl show socket-naive" in ended.stderr
    assert not (tmp_path / "runs").exists()


def test_a_path_in_a_mistake_stays_whole_in_a_pipe_and_on_a_terminal(tmp_path: Path) -> None:
    ended = piped("report", DEEP, cwd=tmp_path)
    assert ended.returncode == 2
    assert DEEP.rstrip("/") in ended.stderr
    code, shown = on_a_terminal("report", DEEP, cwd=tmp_path, columns=80)
    assert code == 2
    assert DEEP.rstrip("/") in shown
