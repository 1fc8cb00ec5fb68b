"""A suite's knowledge of right and wrong, asked in a process of its own (``rules_main``).

A suite's verifier reads what a contender wrote. Whatever that does to it, the core goes on: the
process has bounds of memory and of processor time, is waited for so long and no longer, and answers
with plain data.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wirelab.build.content import file_hash
from wirelab.model.mistake import MistakeError
from wirelab.processes.readiness import is_readable
from wirelab.samples import foreign_json
from wirelab.trial.failure import TrialError
from wirelab.words.printable import all_printable

LIMIT_S = 120.0
"""For one answer: forty times what the slowest suite here takes."""

_HASH_DIGITS = 16
_MOST_BYTES = 64 << 20
_SOURCES = Path(__file__).parents[2]

Json = dict[str, Any]


class RulesError(MistakeError):
    """A ``verify.py`` that cannot be loaded."""


@dataclass(frozen=True)
class Rules:
    """A suite's ``verify.py``, those of ``rules_main.NAMES`` that it has, and its code's hash."""

    path: Path | None = None
    names: frozenset[str] = frozenset()
    code: str = ""


def rules_of(suite_folder: Path) -> Rules:
    """The rules of a suite; raises RulesError where they cannot be loaded."""
    path = suite_folder / "verify.py"
    if not path.exists():
        return Rules()
    with asking(Rules(path)) as rules:
        try:
            reply = rules.ask("names")
        except TrialError as error:
            raise RulesError(f"{path}: {error.detail}") from None
    code = [file_hash(suite_folder / name) for name in sorted(reply["files"])]
    digest = hashlib.sha256(" ".join(code).encode()).hexdigest()
    return Rules(path, frozenset(reply["result"]), digest[:_HASH_DIGITS])


class RulesProcess:
    """The process that answers for one trial; ``stop`` ends it."""

    def __init__(self, rules: Rules) -> None:
        self._names = rules.names
        self._process: subprocess.Popen[bytes] | None = None
        if rules.path is not None:
            command = [sys.executable, "-P", "-m", "wirelab.trial.rules_main", str(rules.path)]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={"PYTHONPATH": str(_SOURCES), "PATH": os.environ.get("PATH", "")},
                start_new_session=True,  # Ctrl-C is the core's to hear
            )

    def has(self, name: str) -> bool:
        """Whether the suite has such a rule."""
        return name in self._names

    def ask(self, call: str, **request: Any) -> Json:
        """The reply to a request; TrialError where there is none, with the reason."""
        process = self._process
        if process is None:
            raise _failed("it has ended already")
        try:
            text = json.dumps({"call": call, **request}).encode() + b"\n"
        except (ValueError, RecursionError) as error:
            said = f"what the workers said cannot be passed on: {error}"
            raise TrialError("garbage-output", said) from None
        writer = threading.Thread(target=_write, args=(process, text), daemon=True)
        writer.start()
        try:
            reply = _read(_reply(process))
        except TrialError:
            self.stop()
            raise
        finally:
            writer.join(1)
        if "reason" in reply:
            raise TrialError(reply["reason"], reply["detail"], request.get("role", ""))
        return reply

    def stop(self) -> None:
        """End the process, whatever it is at."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    stream.close()  # type: ignore[union-attr]


@contextmanager
def asking(rules: Rules) -> Iterator[RulesProcess]:
    """The process of ``rules``, ended afterwards."""
    process = RulesProcess(rules)
    try:
        yield process
    finally:
        process.stop()


def _write(process: subprocess.Popen[bytes], text: bytes) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError):  # it has ended: the reply says so
        process.stdin.write(text)
        process.stdin.flush()


def _read(text: bytearray) -> Json:
    """A reply, as it may be kept; TrialError where it has what cannot be."""
    try:
        reply: Json = all_printable(foreign_json.parsed(bytes(text)))
    except ValueError as error:
        raise _failed(f"its reply cannot be read: {error}") from None
    return reply


def _reply(process: subprocess.Popen[bytes]) -> bytearray:
    """One line; TrialError where none comes."""
    assert process.stdout is not None
    stream, read = process.stdout.fileno(), bytearray()
    deadline = time.monotonic() + LIMIT_S
    while not read.endswith(b"\n"):
        left = deadline - time.monotonic()
        if left <= 0 or not is_readable(stream, left):
            raise _failed(f"no answer for {LIMIT_S:g} s")
        piece = os.read(stream, 1 << 16)
        if not piece:
            raise _failed(_end_of(process))
        read += piece
        if len(read) > _MOST_BYTES:
            raise _failed(f"more than {_MOST_BYTES >> 20} MB for an answer")
    return read


def _end_of(process: subprocess.Popen[bytes]) -> str:
    try:
        code = process.wait(5)
    except subprocess.TimeoutExpired:
        return "it closed its output"
    return f"it was ended by signal {-code}" if code < 0 else f"it ended with exit code {code}"


def _failed(detail: str) -> TrialError:
    return TrialError("rules-failed", f"the suite's verifier gave no verdict: {detail}")
