"""The exception in what a worker wrote, as real runtimes write it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from wirelab.conform.last_words import last_words

KEPT = Path(__file__).parent / "standard_errors"

SAID = {
    "c-assertion": "cc: c.c:3: main: Assertion `n==7' failed.",
    "c-free": "standard error ends: free(): double free detected in tcache 2",
    "cpp-exception": "std::runtime_error: boom",
    "go-index": "panic: runtime error: index out of range [5] with length 0",
    "go-own": "panic: wrapped: own error",
    "java-caused": "java.lang.IllegalStateException: cannot start, "
    "caused by java.net.ConnectException: Connection refused",
    "java-no-class": "Error: Could not find or load main class Nix, "
    "caused by java.lang.ClassNotFoundException: Nix",
    "java-no-jar": "standard error ends: Error: Unable to access jarfile nix.jar",
    "node-cause": "Error: bad thing second line, caused by TypeError: inner",
    "node-no-module": "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/app/nix.js' "
    "imported from /app/d.mjs",
    "node-rejection": "RangeError: far",
    "node-rejection-of-text": "UnhandledPromiseRejection: This error originated either by "
    "throwing inside of an async function without a catch block, or by rejecting a promise which "
    'was not handled with .catch(). The promise rejected with the reason "boom".',
    "node-syntax": "SyntaxError: Unexpected token ';'",
    "node-text": "boom",
    "rust-thread": "panicked at r.rs:1:115: in thread",
    "rust-unwrap": 'panicked at r.rs:1:157: called `Result::unwrap()` on an `Err` value: "nope"',
}
"""By file: its last words."""

TRACE = 'Traceback (most recent call last):\n  File "worker.py", line 1, in <module>\n'

WRITTEN = {
    "nothing": ("", ""),
    "blank": ("\n\n", ""),
    "a log alone": ("hello\nworld\n", "standard error ends: world"),
    "colours": ("\x1b[31mworld\x1b[0m\n", "standard error ends: world"),
    "caught before": (
        f"{TRACE}KeyError: 1\nWARNING: tried again\nno data left\n",
        "KeyError: 1; standard error ends: no data left",
    ),
    "a finalizer's": (
        f"Exception ignored in: <function C.__del__>\n{TRACE}OSError: gone\nno data left\n",
        "standard error ends: no data left",
    ),
    "a long message": (f"{TRACE}ValueError: {'x' * 400}\n", f"ValueError: {'x' * 285}..."),
    "a logger's trace": (
        "10:00 WARN x - lost\njava.io.IOException: gone\n\tat a.B.c(B.java:1)\n"
        "\tat a.B.d(B.java:2)\n",
        "java.io.IOException: gone",
    ),
    "a log about errors": ("Error: one\nfine\n", "standard error ends: fine"),
    "an assertion of Node.js": (
        "a.js:1\n^\n\nAssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n"
        "1 !== 2\n\n    at f (a.js:1:1) {\n  generated: true\n}\n\nNode.js v20.1.1\n",
        "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 1 !== 2",
    ),
    "a sanitizer": (
        "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x6\n    #0 0x1 in main\n"
        "SUMMARY: AddressSanitizer: heap-use-after-free\n==12==ABORTING\n",
        "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x6",
    ),
}
"""By case: what was written, and its last words."""


def test_every_kept_log_is_looked_at() -> None:
    assert {path.stem for path in KEPT.glob("*.txt")} == SAID.keys()


@pytest.mark.parametrize("name", SAID)
def test_the_exception_of_a_runtime_is_found(name: str) -> None:
    assert last_words((KEPT / f"{name}.txt").read_text()) == SAID[name]


@pytest.mark.parametrize("case", WRITTEN)
def test_what_surrounds_it_does_not_mislead(case: str) -> None:
    written, said = WRITTEN[case]
    assert last_words(written) == said


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise ValueError('bad')", "ValueError: bad"),
        (
            "try:\n  {}[1]\nexcept KeyError as error:\n  raise RuntimeError('no') from error",
            "RuntimeError: no",
        ),
        ("raise ExceptionGroup('two', [ValueError('a')])", "ExceptionGroup: two (1 sub-exception)"),
        ("import sys; sys.exit('no beans')", "standard error ends: no beans"),
        ("let x", "SyntaxError: invalid syntax"),
    ],
)
def test_the_exception_of_this_python_is_found(program: str, said: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert last_words(ended.stderr).removeprefix("standard error ends: ") == said.removeprefix(
        "standard error ends: "
    )


def test_the_trace_may_be_longer_than_what_a_record_keeps() -> None:
    deep = "".join(f"\tat a.B.m{n}(B.java:{n})\n" for n in range(1000))
    assert len(deep) > 4000
    written = f'Exception in thread "main" java.lang.StackOverflowError\n{deep}'
    assert last_words(written) == "java.lang.StackOverflowError"


@pytest.mark.parametrize(
    "line",
    [
        "  Exception Group Traceback (most recent call last):\n",
        "panic: x\n",
        "Error",
        ": Assertion ",
        "XError: a\n\tb\n",
        "thread '' ",
    ],
)
def test_a_log_made_to_keep_its_reader_busy_is_read_in_part(line: str) -> None:
    written = "ValueError: at the begin\n" + line * (8_000_000 // len(line)) + "\nthe end\n"
    assert last_words(written).endswith("the end")
