"""The README tells in both languages of the same commands, options, suites and pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGLISH, KOREAN = ((ROOT / name).read_text("utf-8") for name in ("README.md", "README.ko.md"))


@pytest.mark.parametrize(
    ("what", "pattern", "at_least"),
    [
        ("commands", r"^\| `(\./wl [a-z]+(?: --all)?)", 14),
        ("options", r"`(--[a-z][a-z-]+)", 20),
        ("suites", r"^\| \[`([a-z]+)`\]", 5),
        ("pages", r"\]\((docs/[a-z-]+\.md)", 15),
    ],
)
def test_both_tell_of_the_same(what: str, pattern: str, at_least: int) -> None:
    english, korean = (set(re.findall(pattern, text, re.M)) for text in (ENGLISH, KOREAN))
    assert len(english) >= at_least, f"{what} are no longer found"
    assert english == korean


def test_every_page_is_named() -> None:
    kept = {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
    named = set(re.findall(r"docs/[a-z-]+\.md", ENGLISH))
    assert len(kept) > 15
    assert kept <= named
