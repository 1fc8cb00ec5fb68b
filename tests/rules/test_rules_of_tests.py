"""Rules of every test: it cannot pass unseen, and it stays outside."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest
from private_names import defined_in, reached_into
from sure_assertions import read_tests

ROOT = Path(__file__).parents[2]
OURS = [
    ROOT / "wl",
    *(f for r in ("src", "sdk", "suites", "bench") for f in (ROOT / r).rglob("*.py")),
]
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def test_no_folder_of_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    """pytest passes over some folders by their names, as if they had no tests."""
    patterns = pytestconfig.getini("norecursedirs")
    folders = {part for file in TESTS for part in file.relative_to(ROOT).parent.parts}
    assert {"tests", "build", "e2e"} < folders
    assert not [one for one in folders if any(fnmatch(one, pattern) for pattern in patterns)]


def test_every_test_proves_that_there_was_something_to_look_at() -> None:
    tests = [
        (file.relative_to(ROOT), test)
        for file in TESTS
        if file.name.startswith("test_")
        for test in read_tests(file.read_text("utf-8"))
    ]
    assert sum(test.asserts for _, test in tests) > 1000
    found = [f"{file}:{test.line}:{test.name}" for file, test in tests if test.may_look_at_nothing]
    assert not found, told(
        "These tests assert only in a loop over what may be empty, or below an `if`. Assert first"
        " that there is something to look at: best its exact number, or its names.",
        found,
    )


def test_no_test_reaches_into_private_names() -> None:
    ours = {name for file in OURS for name in defined_in(file.read_text("utf-8"))}
    assert len(ours) > 1000
    found = [
        f"{file.relative_to(ROOT)}:{line}:{name}"
        for file in TESTS
        for line, name in reached_into(file.read_text("utf-8"), ours)
    ]
    assert not found, told(
        "These lines use private names of the core, the SDK or a suite. Test what is public, or"
        " make a small public seam: a parameter with a default, or a constant.",
        found,
    )


def told(what_to_do: str, found: list[str]) -> str:
    return "\n".join([what_to_do, *found])
