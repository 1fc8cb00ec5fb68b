"""Sizes of contenders: writes the tables of `docs/reference/what-a-contender-takes.md`.

By hand, after a contender has come or changed: `.wirelab/venv/bin/python tests/contender_sizes.py`.
What contenders took before is in `tests/contenders_before.csv` and stays as it is.
"""

from __future__ import annotations

import csv
import re
import statistics
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "what-a-contender-takes.md"
BEFORE = Path(__file__).with_name("contenders_before.csv")
MOST_FILES = 4
MOST_LINES = {
    **dict.fromkeys(("Go", "Node.js", "Python"), 80),
    **dict.fromkeys(("C#", "C, C++", "Java", "Rust"), 120),
}
OUTLIER = 3
"""A contender of more than so many times the lines of its language says in its manifest why."""

_LANGUAGES = {"JavaScript": "Node.js", "TypeScript": "Node.js", "C": "C, C++", "C++": "C, C++"}
_SOURCES = {*(".py", ".js", ".ts", ".go", ".java", ".rs", ".c", ".h", ".cpp", ".hpp", ".cs")}
_NO_PART = re.compile(
    r"/(tests?|target|node_modules|__pycache__|bin|obj|\.\w+_cache)/|_test\.go$|README\.md$"
)
_GENERATED = re.compile(r"do not (edit|modify)|(auto|automatically )-?generated", re.IGNORECASE)
_GENERATED_NAMES = re.compile(r"_pb2\.pyi?$|\.pb\.|_pb\.js$")
_HEAD = 400
_COMMENTS = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)
_PYTHON_COMMENTS = re.compile(r'^\s*""".*?"""|^\s*#.*?$', re.DOTALL | re.MULTILINE)
_IMPORTS = re.compile(
    r"^(import|from)\b[^(){}\n]*$"
    r"|^(import|from)\b[^(){}\n]*[({][^)}]*[)}].*?$"
    r"|^(package|using|use|#include|#pragma)\b.*?$",
    re.MULTILINE,
)
_WHY = re.compile(r"^# So long for (.*?)\n(?!#)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Size:
    """One contender: its files, and its lines that are neither blank nor comment nor import."""

    name: str
    language: str
    files: int
    lines: int
    why: str

    @property
    def outlying(self) -> bool:
        """Whether it is long enough to have to say why."""
        return self.lines > OUTLIER * MOST_LINES.get(self.language, sys.maxsize)


def sizes() -> list[Size]:
    """Every contender of the tree."""
    return [_size(file) for file in sorted(ROOT.glob("suites/*/contenders/*/contender.toml"))]


def sizes_before() -> list[Size]:
    """Every contender of 23 November 2026, counted in the same way."""
    with BEFORE.open(encoding="utf-8", newline="") as lines:
        return [
            Size(row["contender"], row["language"], int(row["files"]), int(row["lines"]), "")
            for row in csv.DictReader(lines)
        ]


def _size(manifest: Path) -> Size:
    text = manifest.read_text("utf-8")
    language = tomllib.loads(text)["language"]
    folder = manifest.parent
    own = [file for file in sorted(folder.rglob("*")) if file.is_file() and _is_own(file)]
    why = _WHY.search(text)
    return Size(
        name=f"{folder.parents[1].name}/{folder.name}",
        language=_LANGUAGES.get(language, language),
        files=len(own),
        lines=sum(lines_of(file) for file in own if file.suffix in _SOURCES),
        why=" ".join(why[1].replace("\n#", " ").split()).rstrip(".") if why else "",
    )


def _is_own(file: Path) -> bool:
    if _NO_PART.search(file.relative_to(ROOT).as_posix()) or _GENERATED_NAMES.search(file.name):
        return False
    return file.suffix not in _SOURCES or not _GENERATED.search(file.read_text("utf-8")[:_HEAD])


def lines_of(file: Path) -> int:
    """Lines of a source that are neither blank nor comment nor import."""
    text = file.read_text("utf-8")
    text = (_PYTHON_COMMENTS if file.suffix == ".py" else _COMMENTS).sub("", text)
    return sum(bool(line.strip()) for line in _IMPORTS.sub("", text).splitlines())


@dataclass(frozen=True)
class Summary:
    """The contenders of one language: all, and those with sources of their own."""

    language: str
    all: list[Size]

    @property
    def written(self) -> list[Size]:
        """The sizes of contenders that are more than a manifest."""
        return [size for size in self.all if size.lines]

    def files(self, of: list[Size]) -> float:
        """The median of their files."""
        return statistics.median(size.files for size in of)

    def lines(self, of: list[Size]) -> float:
        """The median of their lines."""
        return statistics.median(size.lines for size in of)


def summaries(counted: Iterable[Size]) -> list[Summary]:
    """By language, those left out that have no contender with sources."""
    by_language: dict[str, list[Size]] = {}
    for size in counted:
        by_language.setdefault(size.language, []).append(size)
    found = [Summary(language, by_language[language]) for language in sorted(by_language)]
    return [summary for summary in found if summary.written]


def tables() -> dict[str, list[str]]:
    """The rows of the tables of the page, by heading."""
    counted = sizes()
    before = sizes_before()
    earlier = {size.name: size for size in before}
    return {
        "By language": [_row(summary) for summary in summaries(counted)],
        "Before the SDKs drove": [_row(summary) for summary in summaries(before)],
        "More than three times as long": [
            f"| `{size.name}` | {size.lines} | {size.why} |"
            for size in sorted(counted, key=lambda one: (one.language, -one.lines))
            if size.outlying
        ],
        "Every contender with sources of its own": [
            f"| `{size.name}` | {size.language} | {size.files} | {size.lines}"
            f" | {_earlier(earlier.get(size.name))} |"
            for size in sorted(counted, key=lambda one: (one.language, one.lines, one.name))
            if size.lines
        ],
    }


def _earlier(size: Size | None) -> str:
    return f"{size.files} | {size.lines}" if size else "– | –"


def _row(summary: Summary) -> str:
    longest = max(summary.all, key=lambda size: size.lines)
    cells = [
        summary.language,
        f"{len(summary.all)}",
        f"{summary.files(summary.all):g}",
        f"{summary.lines(summary.all):g}",
        f"{MOST_LINES.get(summary.language, '–')}",
        f"{len(summary.written)}",
        f"{summary.files(summary.written):g}",
        f"{summary.lines(summary.written):g}",
        f"`{longest.name}` {longest.lines}",
    ]
    return f"| {' | '.join(cells)} |"


def rows_of(page: str, heading: str) -> tuple[int, int, list[str]]:
    """Begin, end and text of the rows of the table below a heading."""
    lines = page.splitlines()
    at = lines.index(f"## {heading}")
    first = next(i for i in range(at, len(lines)) if lines[i].startswith("|--")) + 1
    last = next((i for i in range(first, len(lines)) if not lines[i].startswith("|")), len(lines))
    return first, last, lines[first:last]


def _write() -> None:
    page = PAGE.read_text("utf-8")
    for heading, rows in tables().items():
        lines = page.splitlines()
        first, last, _ = rows_of(page, heading)
        page = "\n".join([*lines[:first], *rows, *lines[last:]]) + "\n"
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    _write()
