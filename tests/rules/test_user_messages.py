"""Every message that a user can meet is in a list of ``messages``, to be read when one changes.

``WIRELAB_UPDATE_GOLDEN=1 ./wl test tests/rules/test_user_messages.py`` writes the lists anew. A
message says what was wrong, where, and what to do. Sentences of reports are in the catalogues of
their translations instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from code_texts import ENDINGS, texts
from user_messages import messages, sentences

import wirelab

ROOT = Path(__file__).parents[2]
CORE = Path(wirelab.__file__).parent
KEPT = Path(__file__).parent / "messages"
AT_LEAST = {"core": 300, "sdk": 240, "suites": 600, "crates": 100, "bench": 50}
"""Least number of messages in each tree: a search that finds less has missed files."""
NOT_OURS = frozenset({"target", "node_modules", "test", "tests", "bin", "obj", "vectors", "shapes"})
"""Folders without a program of a trial: tests, makers of data, what is built or fetched."""
TOLD_IN_REPORTS = frozenset({"chapters", "report.py"})
OF_TESTS = re.compile(r"_tests?\.|^tests\.rs$|\.test\.")
FOR_MACHINES = re.compile(
    r"^(?:SELECT|INSERT|UPDATE|CREATE|DROP|COMMENT|ANALYZE|SHOW|GET|POST|HTTP/1|CONFIG|INFO|CONNECT"
    r"|daemon|default_user|listeners|server \{|user root|-\w+) |^Content-Type|\{\{"
)
"""Beginnings of texts that a program reads: statements, requests, settings."""


def of_core() -> Iterator[tuple[str, str]]:
    for file in sorted(CORE.rglob("*.py")):
        for text in messages(file):
            yield str(file.relative_to(CORE)), text


def of_programs(tree: str) -> Iterator[tuple[str, str]]:
    """All sentences in the programs below a folder, in whatever language each is written."""
    for file in sorted((ROOT / tree).rglob("*")):
        where = file.relative_to(ROOT / tree)
        parts = frozenset(where.parts)
        if (parts & NOT_OURS and "src/bin" not in str(where)) or OF_TESTS.search(file.name):
            continue
        if file.suffix == ".py" and not parts & TOLD_IN_REPORTS:
            said = sentences(file)
        elif file.suffix in ENDINGS:
            said = texts(file)
        else:
            continue
        for text in said:
            if not FOR_MACHINES.search(text.strip()):
                yield str(where), text


def found(tree: str) -> list[str]:
    pairs = of_core() if tree == "core" else of_programs(tree)
    return [f"{where}: {' '.join(text.split())}" for where, text in pairs]


@pytest.mark.parametrize("tree", AT_LEAST)
def test_every_message_is_listed(tree: str) -> None:
    listed = found(tree)
    kept = KEPT / f"{tree}.txt"
    if os.environ.get("WIRELAB_UPDATE_GOLDEN") == "1":
        kept.write_text("".join(f"{line}\n" for line in listed), "utf-8")
    assert len(listed) > AT_LEAST[tree]
    assert listed == kept.read_text("utf-8").splitlines()


@pytest.mark.parametrize("tree", AT_LEAST)
def test_messages_blame_nobody_and_are_sentences(tree: str) -> None:
    said = [line.partition(": ")[2] for line in (KEPT / f"{tree}.txt").read_text().splitlines()]
    assert len(said) > AT_LEAST[tree]
    shouted = re.compile(r"!|\b(?:oops|sorry|please|invalid input|bad input|illegal)\b", re.I)
    assert [text for text in said if shouted.search(text)] == []


RUST = """\
fn play() -> Result<(), String> {
    let placed = 'a'; // "a comment is not said"
    let thread = built.expect("a thread that runs");
    Err(format!("placement {placed}: expected fill \\
                 or spread"))
}
#[cfg(test)]
mod tests {
    const OTHER: &str = "what a test says is not said";
}
"""
JAVA = """\
@Setting("how many threads there are")
void ask(String name) {
    throw new IllegalStateException("there is no " + name + " among the roles" + known
            + ": name one");
}
"""
NODE = "throw new Error(`port ${spec.port} is taken`);\nconst one = 'is said, too';\n"
C = 'wl_fatal(w, "Spec", "spec: %s: expected "\n  "%d bytes", name, 7); x = "one";\n'
GO = 'return fmt.Errorf("cannot read %s: %w", name, err)\n'
PYTHON = '"""Not said."""\ndef verify():\n    yield f"tag {tag} is {x + 1}, not {right}"\n'


@pytest.mark.parametrize(
    ("name", "code", "said", "read"),
    [
        ("a.rs", RUST, ["placement {placed}: expected fill or spread"], texts),
        ("A.java", JAVA, ["there is no {…} among the roles{…}: name one"], texts),
        ("a.js", NODE, ["port {spec.port} is taken", "is said, too"], texts),
        ("a.c", C, ["spec: {…}: expected {…} bytes"], texts),
        ("a.go", GO, ["cannot read {…}: {…}"], texts),
        ("a.py", PYTHON, ["tag {tag} is {…}, not {right}"], sentences),
    ],
)
def test_messages_are_found_in_each_language(
    tmp_path: Path, name: str, code: str, said: list[str], read: Callable[[Path], Iterator[str]]
) -> None:
    file = tmp_path / name
    file.write_text(code)
    assert list(read(file)) == said
