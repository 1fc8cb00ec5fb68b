"""The form of a written page: a table, and the mark of a page that nobody edits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "reference"

WRITTEN = "<!-- Written by python -m wirelab.reference: changes belong into {source}. -->\n"


def rows(head: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """A table of Markdown; bars within cells are escaped, line breaks become ``<br>``."""
    lines = [head, ["---"] * len(head), *cells]
    return "".join(f"| {' | '.join(map(_plain, line))} |\n" for line in lines)


def in_one_line(text: str) -> str:
    """A text of several lines as one."""
    return " ".join(text.split())


def _plain(cell: str) -> str:
    return cell.strip().replace("|", "\\|").replace("\n", "<br>")
