"""Tests that failed beside others, tried once more with nothing beside them.

Real servers and real clients have limits of time, which a machine that others use makes them miss.
A defect fails alone, too. Nothing is tried a second time in silence, nor where much has failed.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

MOST_FILES = 12
"""Files with a failed test beyond which no busy machine is the reason, and nothing is repeated."""


def add_option(parser: pytest.Parser) -> None:
    """Have the option by which pytest is told that these tests have failed before."""
    text = "the tests have failed before: refuse where they are of many files, tell which passed"
    parser.addoption("--second-attempt", action="store_true", help=text)


def refuse_where_much_failed(config: pytest.Config) -> None:
    """Raise UsageError for a second attempt of tests of more than ``MOST_FILES`` files."""
    if not config.getoption("--second-attempt"):
        return
    assert config.cache is not None
    failed = config.cache.get("cache/lastfailed", {})
    files = {name.partition("::")[0] for name in failed}
    if len(files) > MOST_FILES:
        raise pytest.UsageError(
            f"{len(failed)} tests of {len(files)} files failed: more than {MOST_FILES} files are "
            "not tried again"
        )


def told(reporter: pytest.TerminalReporter) -> Iterator[str]:
    """Lines about the tests that passed in a second attempt."""
    passed = [one.nodeid for one in reporter.stats.get("passed", [])]
    if reporter.config.getoption("--second-attempt") and passed:
        yield f"{len(passed)} failed beside other tests and passed alone (see the failures above):"
        yield from (f"    {name}" for name in passed)
