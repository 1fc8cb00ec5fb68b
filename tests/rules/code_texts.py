"""Texts of programs that are not written in Python, read from their code without running it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ENDINGS = frozenset({".rs", ".go", ".java", ".cs", ".js", ".c", ".h", ".hpp", ".cpp"})
PROSE = re.compile(
    r"[A-Za-z]{2,}[,:;]? (?:[a-z]{2,}|an?\b|\{)|[}0-9] [a-z]{2,} [a-z]|[a-z]{2,}: \{"
    r"|[}…] [a-z]+ed\b"
)
"""Texts with words in a row, or with a word and something that is filled in."""
_OF_PROGRAMS = re.compile(
    r"\.expect\(|\b(?:debug_)?assert\w*!?\s*\(|unreachable!|static_assert|\.context_of"
    r"|#\[[^\]]*$|@\w+\([^;{]*$|^\s*(?:#\s*include|import|use)\b"
)
"""Beginnings of statements about mistakes in the program itself, and of annotations."""
_TESTS = re.compile(r"#\[cfg\((?:all\()?test\b[^\n]*\n\s*(?:pub )?mod \w+ \{")
_CHARACTER = {
    ".rs": r"'(?:\\[^\n]*?|[^'\\\n])'",
    ".js": r"'(?P<single>(?:\\.|[^'\\\n])*)'",
}
_TOKEN = r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
    |\bb?r(?P<hashes>\#*)"(?P<rust>.*?)"(?P=hashes)
    |R"(?P<mark>\w*)\((?P<cpp>.*?)\)(?P=mark)"
    |\$*\"{3,}(?P<block>.*?)\"{3,}
    |@"(?P<verbatim>(?:[^"]|"")*)"
    |"(?P<plain>(?:\\.|[^"\\\n]|\\\n)*)"
    |%s
"""
_TICK = r"|`(?P<tick>(?:\\.|[^`\\])*)`"


class _Text(NamedTuple):
    start: int
    end: int
    text: str


def texts(file: Path) -> Iterator[str]:
    """Sentences and parts of sentences in a file, with ``{…}`` for what is filled in."""
    code = file.read_text("utf-8")
    if "generated" in code[:300].lower() or "DO NOT EDIT" in code[:300]:
        return
    if file.suffix == ".rs" and (tests := _TESTS.search(code)):
        code = code[: tests.start()]
    for one in _joined(code, file.suffix):
        if PROSE.search(one.text) and not _OF_PROGRAMS.search(_statement(code, one.start)):
            yield one.text.strip()


def _joined(code: str, ending: str) -> Iterator[_Text]:
    """Texts, each with what ``+`` or nothing joins to it."""
    one: _Text | None = None
    for found in _literals(code, ending):
        if one and (joint := _joint(code[one.end : found.start])) is not None:
            one = _Text(one.start, found.end, one.text + joint + found.text)
            continue
        if one:
            yield _filled_around(one, code)
        one = found
    if one:
        yield _filled_around(one, code)


def _joint(between: str) -> str | None:
    """The part that joins two texts into one, or None where nothing does."""
    inner = between.strip()
    if inner in ("", "+"):
        return ""
    if inner[0] == inner[-1] == "+" and not re.search(r"[;{}]", inner):
        return "{…}"
    return None


def _filled_around(one: _Text, code: str) -> _Text:
    first = "{…}" if code[: one.start].rstrip().endswith("+") else ""
    last = "{…}" if code[one.end :].lstrip().startswith("+") else ""
    return one._replace(text=first + one.text + last)


def _literals(code: str, ending: str) -> Iterator[_Text]:
    token = _TOKEN % _CHARACTER.get(ending, r"'(?:\\.|[^'\\\n])+'")
    if ending in {".js", ".go"}:
        token += _TICK
    for found in re.finditer(token, code, re.VERBOSE | re.DOTALL):
        named = found.groupdict()
        said = [named.get(name) for name in ("rust", "cpp", "block", "verbatim", "plain")]
        said += [named.get("tick"), named.get("single")]
        for text in said:
            if text is not None:
                yield _Text(found.start(), found.end(), _readable(text, ending))


def _readable(text: str, ending: str) -> str:
    text = re.sub(r"\\\n\s*", "", text)
    if ending == ".js":
        text = re.sub(r"\$\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}", r"{\1}", text)
    if ending in {".go", ".c", ".h", ".cpp", ".hpp"}:
        text = re.sub(r"%[-+#0 .*\d]*(?:ll?|z|h)?[a-zA-Z]", "{…}", text)
    return re.sub(r"\s+", " ", text.replace('\\"', '"').replace("\\n", " ").replace("\\r", ""))


def _statement(code: str, start: int) -> str:
    begin = max(code.rfind(mark, 0, start) for mark in (";", "}", "{\n"))
    return code[begin + 1 : start]
