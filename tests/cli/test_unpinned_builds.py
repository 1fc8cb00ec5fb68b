"""Packages that are not pinned or not to be had are told with what mends it; compilers speak."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli.command_lines import piped

FIXTURES = Path(__file__).parents[1] / "build" / "fixtures"
CONTENDER = """\
contender = "mine"
suite = "codec"
title = "Mine"
language = "Any"
roles = ["codec"]

[library]
name = "mine"
version = "1"
licence = "MIT"

[build]
kind = "{kind}"

[run]
command = ["true"]
"""
# sha256 of nothing: no such package is installed, as there is none.
NO_WHEEL = f"wirelab-nowhere==1 --hash=sha256:{'e3b0c44298fc1c14' * 4}\n"


@pytest.mark.parametrize(
    ("kind", "file", "text", "remedy"),
    [
        pytest.param(
            *("go", "go.mod", "module wirelab.example/demo\n\ngo 1.19\n", "&& go mod tidy"),
            marks=pytest.mark.needs("go"),
        ),
        pytest.param("go", "go.sum", "", "&& go mod tidy", marks=pytest.mark.needs("go")),
        pytest.param(
            *("npm", "package-lock.json", "{}", "&& npm install --package-lock-only"),
            marks=pytest.mark.needs("npm"),
        ),
        pytest.param(
            *("go", "main.go", "package main\n\nfunc main() { x }\n", "to mend it: cat"),
            marks=pytest.mark.needs("go"),
        ),
        ("python", "requirements.txt", "", "Pinned packages"),
        ("python", "requirements.txt", NO_WHEEL, "only wheels are installed"),
    ],
)
def test_what_is_not_pinned_is_told_with_a_remedy(
    tmp_path: Path, kind: str, file: str, text: str, remedy: str
) -> None:
    mine = tmp_path / "mine"
    shutil.copytree(FIXTURES / kind, mine)
    (mine / "contender.toml").write_text(CONTENDER.format(kind=kind))
    (mine / file).write_text(text)
    variables = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PIP_NO_INDEX": "1"}
    ended = piped("build", "codec", "--contender", "./mine", cwd=tmp_path, **variables)
    assert ended.returncode != 0
    assert remedy in " ".join((ended.stdout + ended.stderr).split())
