"""Tables of the page, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wirelab.bench.truth.rows import Value

_DIGITS = 3


def table(headings: Sequence[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Its lines."""
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows)]


def number(value: Value) -> str:
    """Three significant digits, never in powers of ten; nothing of None."""
    if value is None or isinstance(value, str):
        return value or ""
    if abs(value) >= 10 ** (_DIGITS - 1):
        return f"{value:,.0f}"
    return f"{value:#.{_DIGITS}g}".rstrip(".")


def percent(value: Value, *, signed: bool = False) -> str:
    """A share in percent; nothing of None."""
    if value is None or isinstance(value, str):
        return value or ""
    return f"{100 * value:{'+' if signed else ''}.1f} %"


def yes_or_no(value: Value, why: str) -> str:
    """The word for something that holds or does not, or why that is not known."""
    return why or ("yes" if value else "no")
