"""Lines of plain text: aligned columns and paragraphs in which no name and no path is broken."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence

_WIDEST_PARAGRAPH = 100


def columns(rows: Sequence[Sequence[str]], indent: str = "  ") -> list[str]:
    """``rows`` with their cells aligned; lines are as long as their cells make them."""
    if not rows:
        return []
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        indent + "  ".join(f"{cell:{n}}" for cell, n in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def paragraph(text: str, indent: str = "  ") -> list[str]:
    """``text`` in lines that fit the terminal; a word that is too long has a line of its own."""
    return textwrap.wrap(
        " ".join(text.split()),
        width=min(_WIDEST_PARAGRAPH, shutil.get_terminal_size().columns),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
