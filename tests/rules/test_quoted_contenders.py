"""The page on contenders quotes lines that stand there, in their order, and names all files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "contenders-line-by-line.md"
LANGUAGES = {"Python", "Node.js", "Go", "Rust", "C++", "Java", "C#"}
_MADE = {"__pycache__", "bin", "node_modules", "obj", "target"}
_CHAPTER = re.compile(
    r"^## (?:[^\n]* in )?(\S+): `(suites/\S+)`\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL
)
_TABLE = re.compile(r"^\| `([^`]+)` \| \|\n\|---\|---\|\n((?:^\|.*\n)+)", re.MULTILINE)
_ROW = re.compile(r"^\| (?:`` (.+) ``|`(.+?)`) \| \S.* \|$")


HOW_TO = ROOT / "docs" / "how-to" / "add-a-contender.md"
_INTERFACES = re.compile(r"^\| suite (\| .*\|)\n\|---.*\n((?:^\| `.*\n)+)", re.MULTILINE)
_FOLDERS = {"C#": "csharp", "C++": "cpp", "Node.js": "node"}


def interfaces(text: str) -> Iterator[tuple[Path, str]]:
    """Harness and file, for each file that the page names as its interface."""
    ((heading, rows),) = _INTERFACES.findall(text)
    languages = [cell.strip() for cell in heading.strip("|").split("|")]
    for row in rows.splitlines():
        suite, *cells = (cell.strip() for cell in row.strip("|").split("|"))
        for language, cell in zip(languages, cells, strict=True):
            folder = _FOLDERS.get(language, language.lower())
            for name in re.findall(r"`([^`]+)`", cell):
                yield ROOT / "suites" / suite.strip("`") / "libraries" / folder, name


def quotes(text: str) -> Iterator[tuple[str, Path, list[str]]]:
    """Language, file and the lines that are quoted from it."""
    for language, folder, chapter in _CHAPTER.findall(text):
        for name, rows in _TABLE.findall(chapter):
            found = [_ROW.match(row) for row in rows.splitlines()]
            lines = [(row[1] or row[2]).replace(r"\|", "|") for row in found if row]
            assert len(lines) == len(found), f"{name} of {language}: a row that quotes no line"
            yield language, ROOT / folder / name, lines


def untold(text: str) -> list[str]:
    """Files of the quoted contenders that their chapters do not name; a manifest is every one's."""
    gone = []
    for _, folder, chapter in _CHAPTER.findall(text):
        named = {"contender.toml", *re.findall(r"`([^`]+)`", chapter)}
        found = (file for file in (ROOT / folder).rglob("[!.]*") if file.is_file())
        files = [file.relative_to(ROOT / folder) for file in found]
        own = {file.as_posix() for file in files if not _MADE.intersection(file.parts)}
        gone += [f"{folder}/{name}" for name in sorted(own - named)]
    return gone


def lost(text: str) -> list[str]:
    """Quoted lines that do not stand in their file after the ones quoted before them."""
    gone = []
    for _, file, lines in quotes(text):
        left = iter(file.read_text("utf-8").splitlines())
        for quoted in lines:
            if not any(line.strip() == quoted for line in left):
                gone.append(f"{file.relative_to(ROOT)}: {quoted}")
                left = iter(file.read_text("utf-8").splitlines())
    return gone


def test_quoted_lines_are_those_of_the_tree() -> None:
    text = PAGE.read_text("utf-8")
    assert {language for language, _, _ in quotes(text)} == LANGUAGES
    assert lost(text) == []


def test_a_line_that_is_not_in_the_tree_is_caught() -> None:
    text = PAGE.read_text("utf-8")
    assert lost(text.replace("`import orjson`", "`import ujson`")) == [
        "suites/codec/contenders/python-orjson/worker.py: import ujson"
    ]


def test_every_file_of_a_quoted_contender_is_told_of() -> None:
    text = PAGE.read_text("utf-8")
    assert untold(text) == []
    assert untold(text.replace("Also `go.sum`.", "")) == ["suites/codec/contenders/go-cbor/go.sum"]


def test_interfaces_of_harnesses_are_where_the_page_says() -> None:
    named = list(interfaces(HOW_TO.read_text("utf-8")))
    assert len({harness for harness, _ in named}) == 27
    found = {(harness, name): len(list(harness.rglob(name))) for harness, name in named}
    assert [one for one, times in found.items() if times != 1] == []
