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
        ("pages", r"\]\((docs/[a-z0-9/-]+?)(?:\.ko)?\.md", 10),
    ],
)
def test_both_tell_of_the_same(what: str, pattern: str, at_least: int) -> None:
    english, korean = (set(re.findall(pattern, text, re.M)) for text in (ENGLISH, KOREAN))
    assert len(english) >= at_least, f"{what} are no longer found"
    assert english == korean


def test_every_page_is_named() -> None:
    folder = ROOT / "docs"
    parts = ("first-steps", "how-to", "concepts", "reference", "studies")
    kept = {f"{part}/{page.name}" for part in parts for page in (folder / part).glob("*.md")}
    index = (folder / "README.md").read_text("utf-8")
    named = set(re.findall(r"\]\(([a-z0-9/-]+(?:\.ko)?\.md)", index))
    assert len(kept) > 30
    assert kept == {name for name in named if not name.startswith(".")}
    assert [page.name for page in folder.glob("*.md")] == ["README.md"]


def test_first_steps_are_there_in_both_languages() -> None:
    pages = sorted((ROOT / "docs" / "first-steps").glob("*.md"))
    english = [page for page in pages if not page.name.endswith(".ko.md")]
    assert len(english) > 3
    assert len(pages) == 2 * len(english)
    for page in english:
        korean = page.with_suffix(".ko.md")
        steps, theirs = (
            re.findall(r"^    (?:WL|\./wl) (.*?)(?:\s{3,}.*)?$", each.read_text("utf-8"), re.M)
            for each in (page, korean)
        )
        assert steps == theirs
