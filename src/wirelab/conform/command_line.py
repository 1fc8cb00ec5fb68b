"""The command line of the checker."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .checks import check
from .contract import SECOND
from .described import read, workers
from .worker import CannotCheckError, CheckedWorker

CONFORMS, BREACHES, CANNOT_CHECK = 0, 1, 2
"""Exit codes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Check what the arguments (of the process when not given) ask for; the exit code."""
    words, command = list(sys.argv[1:] if arguments is None else arguments), list[str]()
    if "--" in words:
        command = words[words.index("--") + 1 :]
        words = words[: words.index("--")]
    asked = _parser().parse_args(words)
    try:
        found = workers(read(asked.document))
        chosen = [worker for worker in found if asked.role in ("", worker.role)]
        if not chosen:
            roles = ", ".join(dict.fromkeys(worker.role for worker in found))
            raise CannotCheckError(
                f"the document has no role {asked.role}; those to check are: {roles}"
            )
    except CannotCheckError as error:
        print(f"conform: {error}", file=sys.stderr)
        return CANNOT_CHECK
    own = command or shlex.split(asked.command)
    return report([replace(one, command=own) if own else one for one in chosen])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="conform", description="Check a worker against the worker contract."
    )
    parser.add_argument("document", type=Path, help="made by ./wl conform CONTENDER --write FILE")
    parser.add_argument("--command", default="", help="another command (or after --)")
    parser.add_argument("--role", default="", help="only this role")
    return parser


def report(found: Sequence[CheckedWorker]) -> int:
    """Check each worker and print each check; the exit code."""
    breached = False
    for worker in found:
        try:
            breached = _breaches(worker) or breached
        except CannotCheckError as error:
            print(f"conform: {error}", file=sys.stderr)
            return BREACHES if breached else CANNOT_CHECK
    return BREACHES if breached else CONFORMS


def _breaches(worker: CheckedWorker) -> bool:
    where = f"scenario {worker.suite}/{worker.scenario}"
    where += f", variant {worker.variant}" if worker.variant else ""
    print(f"{worker.contender}, role {worker.role}, {where}", flush=True)
    limits = {"ready": worker.ready_ns, "a call": worker.operation_ns, "an end": worker.stop_ns}
    waits = ", ".join(f"{ns / SECOND:g} s for {what}" for what, ns in limits.items())
    print(f"  waits at most {waits}", flush=True)
    results = check(worker)
    for result in results:
        print(f"  {result}", flush=True)
    return any(result.outcome == "fail" for result in results)
