"""The command line of the checker."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .checks import check
from .contract import SECOND
from .manifests import Wanted, workers
from .placeholders import FOLDERS, PLACES
from .worker import CannotCheckError, CheckedWorker

CONFORMS, BREACHES, CANNOT_CHECK = 0, 1, 2
"""Exit codes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Check what the arguments (of the process when not given) ask for; the exit code."""
    return report(*parse(sys.argv[1:] if arguments is None else arguments))


def parse(arguments: Sequence[str]) -> tuple[Path, Wanted]:
    """The folder of the contender and what is asked for; exits with 2 on a wrong option."""
    words, command = list(arguments), list[str]()
    if "--" in words:
        command = words[words.index("--") + 1 :]
        words = words[: words.index("--")]
    asked = _parser().parse_args(words)
    places = {place: getattr(asked, place) for place in PLACES}
    return asked.path, Wanted(
        command=command or shlex.split(asked.command),
        suite=asked.suite,
        scenario=asked.scenario,
        variant=asked.variant,
        role=asked.role,
        server=shlex.split(asked.server),
        places={name: _place(name, value) for name, value in places.items() if value},
        parameters=dict(_setting(text) for text in asked.values),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="conform", description="Check a worker against the worker contract, version 1."
    )
    parser.add_argument("path", type=Path, help="folder with contender.toml")
    parser.add_argument("--command", default="", help="the worker's command (or after --)")
    parser.add_argument("--suite", type=Path, help="folder with suite.toml")
    parser.add_argument("--scenario", default="", help="the first one under load when not given")
    parser.add_argument(
        "--variant", default="", help="the first one that breaks nothing when not given"
    )
    parser.add_argument("--role", default="", help="only this role")
    parser.add_argument("--server", default="", help="command of the role that must run first")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="values")
    for place in PLACES:
        parser.add_argument(f"--{place}", help=f"what {{{place}}} in commands stands for")
    return parser


def _place(name: str, value: str) -> str:
    """Folders from where the user stands: a worker is started elsewhere."""
    return str(Path(value).resolve()) if name in FOLDERS else value


def _setting(text: str) -> tuple[str, Any]:
    key, _, value = text.partition("=")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def report(contender: Path, wanted: Wanted) -> int:
    """Check the contender in every role asked for and print each check; the exit code."""
    try:
        found = workers(contender, wanted)
    except KeyError as error:
        print(f"conform: a manifest has no key {error}", file=sys.stderr)
        return CANNOT_CHECK
    except CannotCheckError as error:
        print(f"conform: {error}", file=sys.stderr)
        return CANNOT_CHECK
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
