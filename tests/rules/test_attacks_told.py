"""Every attack of ``docs/concepts/attacks.md`` is tried by a test that there is."""

from __future__ import annotations

import re

from cli.command_lines import ROOT

PAGE = ROOT / "docs" / "concepts" / "attacks.md"
LEAST = 70
"""Attacks that the page has at least: one that reads no row finds nothing wrong."""


def test_every_attack_names_a_test_that_there_is() -> None:
    rows = re.findall(r"^\| .+ \| `(tests/[\w/]+\.py)::(\w+)` \|$", PAGE.read_text(), re.MULTILINE)
    assert len(rows) >= LEAST
    missing = [
        f"{file}::{name}"
        for file, name in rows
        if not (ROOT / file).is_file() or f"def {name}(" not in (ROOT / file).read_text()
    ]
    assert missing == []


def test_every_row_names_one() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    heads = [line for line in rows if line.endswith("| test |")]
    assert len(rows) - len(heads) == len([line for line in rows if "::test_" in line]) >= LEAST
