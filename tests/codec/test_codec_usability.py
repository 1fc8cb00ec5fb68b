"""Ease of use: every contender is in ``usability.toml``, and its lines are those of the files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

SUITE = Path(__file__).parents[2] / "suites" / "codec"
NEEDS: dict[str, dict[str, Any]] = tomllib.loads((SUITE / "usability.toml").read_text("utf-8"))
COMMENTS = ("//", "#", "*", "/*", '"""')


def block(place: list[str]) -> int:
    """Lines with a letter or a digit of the block to whose first one the texts of a place lead."""
    file, *texts = place
    lines = (SUITE / file).read_text("utf-8").splitlines()
    at = -1
    for text in texts:
        at = next(n for n, line in enumerate(lines) if n > at and text in line)
    first, after = lines[at].rstrip(), lines[at + 1].strip()
    if not first.endswith(("{", ":", "(", ",")) and after != "{":
        return 1
    count = 1
    for line in lines[at + 1 :]:
        text = line.strip()
        if not text and first.endswith(":"):
            break
        if not text or text == "{" or text.startswith(COMMENTS):
            continue
        if indentation(line) <= indentation(first):
            break
        count += any(map(str.isalnum, text))
    return count


def indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def test_every_contender_is_told_of_by_the_folder_of_its_sources() -> None:
    folders = [path.parent for path in SUITE.glob("contenders/*/contender.toml")]
    own = set()
    for folder in folders:
        manifest = tomllib.loads((folder / "contender.toml").read_text("utf-8"))
        if not manifest.get("reference") and manifest.get("source", ".") == ".":
            own.add(folder.name)
    assert len(own) > 40
    assert set(NEEDS) == own


@pytest.mark.parametrize("name", NEEDS)
def test_lines_are_those_of_the_files(name: str) -> None:
    need = NEEDS[name]
    assert need["lines"] == sum(map(block, need.get("t5", [])))
    described = need["described"]
    assert described in ("types", "calls", "nothing") or (SUITE / described).is_file()


def test_what_is_generated_needs_lines_of_its_own_and_what_is_not_may_need_none() -> None:
    generated = [need["lines"] for need in NEEDS.values() if "generator" in need]
    assert len(generated) > 5
    assert min(generated) > 0
    assert NEEDS["python-json"]["lines"] == 0
