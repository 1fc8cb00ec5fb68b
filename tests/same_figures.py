"""Compare the figures of stored runs before and after a change that moves code and nothing else.

    .wirelab/venv/bin/python tests/same_figures.py COMMIT [RUN ...] [--except PATTERN ...]

COMMIT, in a checkout of its own, makes three small runs unless RUNs are named: a paced load, a
closed loop and a microbenchmark. Copies of each run are then analysed by COMMIT and by this tree.
Each value of ``result.json`` and ``series.json`` that differs is named with its key; PATTERN is a
regular expression of keys that a change renames on purpose. Exit 1: something differs.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

TREE = Path(__file__).parents[1]
RUNS = (
    ("opcua", "--profile", "check", "--contender", "asyncua"),
    ("messaging", "--profile", "check", "--scenario", "echo-size", "--contender", "socket"),
    ("codec", "--profile", "smoke", "--contender", "python-json"),
)
ANALYSED = ("result.json", "series.json")
SHOWN = 20


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every single value of a JSON document with the path to it."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from leaves(inner, f"{key}.{name}" if key else name)
    elif isinstance(value, list) and value:
        for at, inner in enumerate(value):
            yield from leaves(inner, f"{key}[{at}]")
    else:
        yield key, value


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """A line for each key that has another value, is gone or is new."""
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key, "(no such key)"), after.get(key, "(no such key)")
        if was != now:
            yield f"{key}: {was} -> {now}"


def analysed(tree: Path, run: Path, work: Path) -> dict[str, Any]:
    """The values of a copy of ``run`` that the code of ``tree`` analysed."""
    copy = work / f"{tree.name}-{run.name}"
    shutil.copytree(run, copy, ignore=shutil.ignore_patterns(*ANALYSED))
    subprocess.run([tree / "wl", "analyse", copy], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    values: dict[str, Any] = {}
    for name in ANALYSED:
        values |= dict(leaves(json.loads((copy / name).read_text("utf-8")), name))
    shutil.rmtree(copy)
    return values


def made(tree: Path, work: Path) -> list[Path]:
    """Three small runs, made by the code of ``tree``."""
    for arguments in RUNS:
        subprocess.run(
            [tree / "wl", "run", *arguments, "--out", work / "made"], cwd=tree, check=False
        )
    runs = sorted(path.parent for path in (work / "made").rglob("run.json"))
    if len(runs) != len(RUNS):
        raise SystemExit(f"{len(runs)} of {len(RUNS)} runs were made")
    return runs


def compared(commit: str, named: list[Path], exceptions: list[str], work: Path) -> int:
    """Number of values that differ; each is printed, up to a limit a run."""
    before = work / "before"
    subprocess.run(["git", "worktree", "add", "--detach", before, commit], cwd=TREE, check=True)
    passed_over = re.compile("|".join(exceptions) or "(?!)")
    total = 0
    try:
        for run in named or made(before, work):
            was, now = analysed(before, run, work), analysed(TREE, run, work)
            found = [
                d for d in differences(was, now) if not passed_over.search(d.partition(":")[0])
            ]
            print(f"{run.name}: {len(was)} values, {len(found)} differ")
            for line in found[:SHOWN]:
                print(f"  {line}")
            total += len(found)
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", before], cwd=TREE, check=True)
    return total


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commit", help="the commit before the change")
    parser.add_argument("runs", nargs="*", type=Path, help="folders of stored runs")
    parser.add_argument(
        "--except", dest="exceptions", action="append", default=[], metavar="PATTERN"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        runs = [run.resolve() for run in asked.runs]
        sys.exit(bool(compared(asked.commit, runs, asked.exceptions, Path(work))))


if __name__ == "__main__":
    main()
