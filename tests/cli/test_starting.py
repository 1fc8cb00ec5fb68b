"""A command says what is wrong with it before it loads what computes and draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.command_lines import piped

DRAWS_OR_COMPUTES = {"altair", "jinja2", "scipy.stats", "scipy.fft"}
"""Libraries that take longer to load than a mistake takes to be found."""


@pytest.mark.parametrize(
    "arguments",
    [("run", "opcua", "--profile", "none"), ("list", "nothing"), ("report", "nothing")],
)
def test_a_mistake_is_told_at_once(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = piped(*arguments, cwd=tmp_path, PYTHONPROFILEIMPORTTIME="1")
    assert ended.returncode == 2, ended.stderr
    loaded = {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}
    assert {"typer", "wirelab.cli.places"} <= loaded
    assert not loaded & DRAWS_OR_COMPUTES
