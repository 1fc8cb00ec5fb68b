"""Cost of a language: the figures of the page are those of the tree, within a tenth."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "what-a-language-costs.md"
FOLDERS = {
    "C#": "csharp",
    "C, C++": "cpp",
    "Go": "go",
    "Java": "java",
    "Node.js": "node",
    "Python": "python",
    "Rust": "rust",
}
SUFFIXES = {".cs", ".c", ".h", ".cpp", ".hpp", ".go", ".java", ".js", ".mjs", ".py", ".rs"}
_TESTS = re.compile(r"/tests?/|_test\.|\.test\.|Test\.java$")


def lines_in(folder: Path) -> int:
    """Lines of its sources that are not blank, tests and generated files left out."""
    files = (
        file
        for file in sorted(folder.rglob("*"))
        if file.suffix in SUFFIXES
        and not _TESTS.search(file.relative_to(ROOT).as_posix())
        and not {"target", "node_modules"}.intersection(file.parts)
        and ".pb." not in file.name
    )
    return sum(bool(line.strip()) for file in files for line in file.read_text().splitlines())


def table(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, its two first lines left out."""
    text = PAGE.read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) > 2
    return [[cell.strip(" `") for cell in row.strip("|").split("|")] for row in rows[2:]]


def folder_of(what: str, language: str) -> Path:
    if what != "SDK":
        return ROOT / "suites" / what / "libraries" / FOLDERS[language]
    return ROOT / "sdk" / ("c" if language == "C, C++" else FOLDERS[language])


def near(said: str, found: int) -> bool:
    return abs(int(said) - found) <= max(20, found // 10)


SAID = [
    (what, language, said)
    for what, *figures in table("Lines of the SDK and of each suite's harness")
    for language, said in zip(FOLDERS, figures, strict=True)
]
CONTENDERS = table("Contenders in C#")


@pytest.mark.parametrize(("what", "language", "said"), SAID)
def test_the_lines_of_a_language(what: str, language: str, said: str) -> None:
    folder = folder_of(what, language)
    assert folder.is_dir() == (said != "–")
    found = lines_in(folder)
    assert said == "–" or near(said, found), f"{said} is {found}"


def test_every_harness_is_there() -> None:
    harnesses = {
        (folder.parents[1].name, folder.name)
        for folder in ROOT.glob("suites/*/libraries/*")
        if folder.name in FOLDERS.values()
    }
    assert len(harnesses) > 15
    told = {(what, FOLDERS[language]) for what, language, said in SAID if said != "–"}
    assert harnesses <= told


def test_every_contender_in_csharp_is_there_with_its_size() -> None:
    found = {
        f"{folder.parents[1].name}/{folder.name}": folder
        for folder in ROOT.glob("suites/*/contenders/*")
        if any(folder.glob("*.cs"))
    }
    assert len(found) > 10
    assert {name for name, *_ in CONTENDERS} == found.keys()
    for name, files, lines, why in CONTENDERS:
        own = [file for file in found[name].glob("*.cs") if ".pb." not in file.name]
        assert int(files) == len(own), name
        assert near(lines, lines_in(found[name])), f"{name}: {lines_in(found[name])}"
        assert why or (len(own) <= 3 and lines_in(found[name]) <= 100), name
