"""Published figures of the key-value study beside those of a run."""

from __future__ import annotations

import pytest
from kv_sections import only_text, tables, told

NATIVE, ASYNC = "aerospike-py", "official-async"


def digits(entry: str) -> str:
    """A published figure without the marks of its defects."""
    return entry.split("<sup>", maxsplit=1)[0]


@pytest.mark.parametrize(
    ("step", "expected"), [("single", ("189", "324")), ("gather", ("234", "266"))]
)
def test_figures_without_spans_have_the_published_ones_beside_them(
    step: str, expected: tuple[str, ...]
) -> None:
    place = ("serving-untimed", step, "request.latency.p95")
    text = only_text(told("web", {place: {NATIVE: 10.0, ASYNC: 20.0}}))
    rows = [row for table in tables(text) for row in table if "published" in row[1]]
    told_of_p95 = [digits(row[5]) for row in rows if len(row) > 6]
    assert set(expected) <= set(told_of_p95)
