"""Reading a worker's answers and asking the suite about them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wirelab.suite_parts import load_part
from wirelab.trial import sizes
from wirelab.trial.failure import TrialError

Json = dict[str, Any]
Verifier = Callable[[Json, Json, Iterable[Json]], list[str]]
"""``verify(spec, facts of the other role, answers)`` of a suite; returns what is wrong."""

Judge = Callable[[Json, Json, Iterable[Json], Iterable[Json]], Mapping[str, Json]]
"""``judge(spec, facts of the worker, answers, batches)``; by step: wrong, figures, remarks."""


@dataclass(frozen=True)
class Rules:
    """What a suite knows of right and wrong: of calls at ticks, of batches, and of sizes."""

    verify: Verifier | None = None
    judge: Judge | None = None
    sizes: sizes.Rule | None = None


def load_rules(suite_folder: Path) -> Rules:
    """``verify``, ``judge`` and ``sizes`` of the suite's ``verify.py``, where it has them."""
    path = suite_folder / "verify.py"
    if not path.exists():
        return Rules()
    module = load_part(f"wirelab_suite_{suite_folder.name}", path)
    return Rules(*(getattr(module, name, None) for name in ("verify", "judge", "sizes")))


def read_answers(path: Path, role: str) -> list[dict[str, Any]]:
    """Every answer of the file; raises TrialError where a line is no JSON object."""
    if not path.exists():
        return []
    answers = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise TrialError(
                "broken-answers", f"{path.name}:{number} is no JSON object", role
            ) from None
        answers.append(answer)
    return answers


def check_integrity(path: Path, role: str, count: int, checksum: str) -> None:
    """Compare the file with what ``done`` said of it; raises TrialError when they differ."""
    content = path.read_bytes() if path.exists() else b""
    found = f"{zlib.crc32(content):08x}"
    lines = content.count(b"\n")
    if lines != count:
        raise TrialError(
            "answer-count", f"done reports {count} answers, {path.name} holds {lines}", role
        )
    if found != checksum.lower():
        raise TrialError(
            "answer-checksum",
            f"done reports checksum {checksum} of {path.name}, its content has {found}",
            role,
        )
