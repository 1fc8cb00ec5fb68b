"""The exception that ended a worker, found in what it wrote to standard error.

Runtimes say it at different places: Python after the trace, Java and Node.js before it, and Node.js
ends with its own version. Where none is found, the last line stands for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_LENGTH = 300

FIRST_LINES, LAST_LINES = 500, 2500
LONGEST_LINE = 600
"""Longest line of a log that is looked at: a worker may have written anything, and expressions take
quadratic time.
"""

_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_UNPRINTABLE = re.compile(
    r"[^\t\n\x20-\x7e\u00a0-\uffff]"
    # What turns text around or breaks a line, and what is no character.
    r"|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)

_IN_TRACE = re.compile(r"\s+at \S|\s*\.\.\. \d+ (more|common frames)")
_CAUSE = re.compile(r"(?:Caused by: |\s+\[cause\]: )(\S.*)")
_THROWN = re.compile(
    r"""(?:Exception\ in\ thread\ ".*?"\ |Uncaught\ )?
        (?P<what>(?:[\w$]+\.)*[\w$]*(?:Error|Exception|Throwable|Rejection)[\w$]*
        (?:\ \[\w+\])?(?::.*)?)$""",
    re.VERBOSE,
)
_JVM_REFUSED = re.compile(r"Error: (Could not find or load main class|A JNI error) ?.*")
_NODE_ENDED = re.compile(r"Node\.js v\d")
_NODE_POINTS_AT = re.compile(r"\s*\^+\s*$")
_PYTHON_TRACE = re.compile(r"(?:[ |+-]*Exception Group )?Traceback \(most recent call last\):")
_OF_A_GROUP = re.compile(r"  [|+] ?")
_GO = re.compile(r"\s*(?:panic|fatal error): .*")
_RUST = re.compile(r"thread '.*' (?:\(\d+\) )?(panicked at .*)")
_RUST_SAYS_MORE_BEFORE = "Any { .. }"
_CPP = re.compile(r"terminate called (?:after throwing an instance of '(.*)'|.*)")
_CPP_SAYS = re.compile(r"\s+what\(\):\s*(.*)")
_WHOLE_LINES = re.compile(
    r"""(?:=+\d+=+)?\s*(?:ERROR|WARNING):\ \w+Sanitizer:\ .*      # the sanitizers of C and C++
        |\S+:\d+(?::\d+)?:\ runtime\ error:\ .*
        |.*:\ Assertion\ .*\ failed\.
        |FATAL\ ERROR:\ .*                                        # Node.js without memory
        |Fatal\ Python\ error:\ .*""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class _Found:
    """An exception: its first line, the line after its trace, and its words."""

    begin: int
    end: int
    words: str


def last_words(written: str) -> str:
    """The exception in a sentence; the last line where there is none; empty where nothing is."""
    lines = _looked_at(written.replace("\r\n", "\n").rstrip().split("\n"))
    found = [one for find in _FINDERS for one in find(lines)]
    if not found:
        return f"standard error ends: {_short(lines[-1])}" if lines[-1].strip() else ""
    last = max(found, key=lambda one: (one.end, -one.begin))
    # What was caught and told long before need not be why it ended.
    after = [line for line in lines[last.end :] if line.strip()]
    return _short(last.words) + (f"; standard error ends: {_short(after[-1])}" if after else "")


def shown(text: str) -> str:
    """``text`` as it may be shown: nothing in it steers a terminal or turns what follows around."""
    return _UNPRINTABLE.sub("?", text)


def _looked_at(lines: Sequence[str]) -> list[str]:
    """The first lines and the last ones, each as far as it may go, as they may be shown."""
    if len(lines) > FIRST_LINES + LAST_LINES:
        lines = [*lines[:FIRST_LINES], *lines[-LAST_LINES:]]
    return [shown(_COLOURS.sub("", line[:LONGEST_LINE])) for line in lines]


def _short(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= _LENGTH else f"{plain[: _LENGTH - 3]}..."


def _python(lines: Sequence[str]) -> list[_Found]:
    bare = [_OF_A_GROUP.sub("", line, count=1) for line in lines]
    following = [len(lines)] * (len(lines) + 1)  # of each line: the next that is not of a trace
    for at in reversed(range(len(lines))):
        ends = bare[at].strip() and not bare[at].startswith(" ")
        following[at] = at if ends else following[at + 1]
    found = []
    for begin, line in enumerate(lines):
        if not _PYTHON_TRACE.match(line):
            continue
        if begin and lines[begin - 1].startswith("Exception ignored "):
            continue  # a finalizer's, after which the process lives on
        after = following[begin + 1]
        if after < len(lines):
            end = after + 1
            if line.lstrip().startswith("+"):
                end = _end_of_group(lines, end)
            found.append(_Found(begin, end, bare[after]))
    return found


def _end_of_group(lines: Sequence[str], begin: int) -> int:
    for at in range(begin, len(lines)):
        if not lines[at].startswith("  "):
            return at
    return len(lines)


def _thrown(lines: Sequence[str]) -> list[_Found]:
    """Java and Node.js: words over one line or more, then ``at`` where it was."""
    found = []
    for begin, line in enumerate(lines):
        if not ((match := _THROWN.match(line)) or _JVM_REFUSED.match(line)):
            continue
        trace = begin + 1
        while trace < len(lines) and not _begins_another(lines[trace]):
            trace += 1
        if trace == len(lines) or _THROWN.match(lines[trace]):
            continue  # words of a log that happen to look like it
        what = " ".join([match["what"] if match else line, *lines[begin + 1 : trace]])
        end = trace
        causes = []
        while end < len(lines) and (_IN_TRACE.match(lines[end]) or _CAUSE.match(lines[end])):
            if cause := _CAUSE.match(lines[end]):
                causes.append(cause[1])
            end += 1
            while end < len(lines) and lines[end][:2] == "  " and not _CAUSE.match(lines[end]):
                end += 1
        if end < len(lines) and lines[end] == "}":
            end += 1
        found.append(_Found(begin, end, what + (f", caused by {causes[-1]}" if causes else "")))
    return found


def _begins_another(line: str) -> bool:
    return any(of.match(line) for of in (_IN_TRACE, _CAUSE, _THROWN))


def _node(lines: Sequence[str]) -> list[_Found]:
    """Find the message that Node.js prints below the line it points at; it need not be an error."""
    if not _NODE_ENDED.match(lines[-1]):
        return []
    pointers = [at for at, line in enumerate(lines) if _NODE_POINTS_AT.match(line)]
    if not pointers:
        thrown = _thrown(lines)
        return [_Found(thrown[-1].begin, len(lines), thrown[-1].words)] if thrown else []
    said = next(at for at in range(pointers[-1] + 1, len(lines)) if lines[at].strip())
    errors = [one for one in _thrown(lines) if one.begin == said]
    return [_Found(pointers[-1], len(lines), errors[0].words if errors else lines[said])]


def _go(lines: Sequence[str]) -> list[_Found]:
    traces = [at for at, line in enumerate(lines) if line.startswith("goroutine ")]
    before = lines[: traces[-1]] if traces else []
    return [_Found(at, len(lines), one) for at, one in enumerate(before) if _GO.match(one)][-1:]


def _rust(lines: Sequence[str]) -> list[_Found]:
    """The last panic that says something: who waits for a thread only passes its panic on."""
    panics = []
    for at, line in enumerate(lines):
        if match := _RUST.match(line):
            after = lines[at + 1] if at + 1 < len(lines) else ""
            words = f"{match[1]} {after}" if line.endswith(":") else match[1]
            panics.append(_Found(at, len(lines), words))
    return [p for p in panics if not p.words.endswith(_RUST_SAYS_MORE_BEFORE)][-1:] or panics[-1:]


def _cpp(lines: Sequence[str]) -> list[_Found]:
    found = []
    for at, line in enumerate(lines):
        if match := _CPP.match(line):
            said = _CPP_SAYS.match(lines[at + 1]) if at + 1 < len(lines) else None
            kind = match[1] or line
            words = f"{kind}: {said[1]}" if said else kind
            found.append(_Found(at, at + (2 if said else 1), words))
    return found


def _whole_lines(lines: Sequence[str]) -> list[_Found]:
    """Lines that say it all, whatever trace follows; the first of them is why."""
    found = [
        _Found(at, len(lines), line) for at, line in enumerate(lines) if _WHOLE_LINES.match(line)
    ]
    return found[:1]


_FINDERS: tuple[Callable[[Sequence[str]], list[_Found]], ...] = (
    _node,
    _python,
    _thrown,
    _go,
    _rust,
    _cpp,
    _whole_lines,
)
