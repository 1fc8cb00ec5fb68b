"""Reading a worker's answers and asking the suite's verifier about them."""

from __future__ import annotations

import importlib.util
import json
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from wirelab.trial.failure import TrialError

Verifier = Callable[[dict[str, Any], dict[str, Any], Iterable[dict[str, Any]]], list[str]]
"""``verify(spec, facts of the other role, answers)`` of a suite; returns what is wrong."""


def load_verifier(suite_folder: Path) -> Verifier | None:
    """``verify`` of the suite's ``verify.py``; None when the suite has none."""
    path = suite_folder / "verify.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(f"wirelab_suite_{suite_folder.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    verifier: Verifier = module.verify
    return verifier


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
