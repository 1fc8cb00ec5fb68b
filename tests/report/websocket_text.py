"""Reports of the suite ``websocket`` as text, and where to look in them."""

from __future__ import annotations

import re
from pathlib import Path

from told_once import report_of
from websocket_sample import SUITE

from wirelab.model.result import Result
from wirelab.report.published import Published, read_published


def report(folder: Path, found: Result, language: str = "en", form: str = "md") -> str:
    """The report of a result in a language and a form."""
    return report_of(SUITE, folder, found, language, form)


def published() -> Published:
    """Figures of the study."""
    found = read_published(SUITE / "published.toml")
    assert found is not None
    return found


def part(text: str, heading: str) -> str:
    """Text below a heading, up to the next of its level or above."""
    level = heading.split(" ", maxsplit=1)[0]
    after = text.split(f"\n{heading}", 1)[1]
    return re.split(rf"\n#{{1,{len(level)}}} ", after)[0]


def stand(text: str, statement: str) -> str:
    """Judgement of a statement: the second cell of its row."""
    row = next(line for line in text.splitlines() if line.startswith("| ") and statement in line)
    return row.split(" | ")[1].replace("*", "").strip("✔✘ ")


def grounds(text: str, statement: str) -> str:
    """The figures beside a statement: the third cell of its row."""
    row = next(line for line in text.splitlines() if line.startswith("| ") and statement in line)
    return row.split(" | ")[2]
