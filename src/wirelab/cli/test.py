"""``wl test``: the project's own checks and tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import typer

from wirelab.cli.places import ROOT

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}

_CHECKS = (
    ("ruff", ["ruff", "check", "."]),
    ("ruff format", ["ruff", "format", "--check", "."]),
    ("mypy", ["mypy"]),
)

_MOST_PROCESSES = 6
"""Of tests side by side: each may start a Java or two, which take their memory."""

_SHOW_SLOW = ("--durations=20", "--durations-min=5")


def test(context: typer.Context) -> None:
    """Lint, type-check and test wirelab itself.

    Without arguments everything is tested: several tests side by side, then one after the other
    those that need the machine for themselves. Arguments are passed on to one pytest, which runs
    what they ask for in one process.
    """
    for name, command in _CHECKS:
        typer.echo(f"== {name}")
        if code := _run(command):
            typer.echo(f"{name} found something to mend", err=True)
            raise typer.Exit(code)
    if context.args:
        typer.echo("== pytest")
        raise typer.Exit(_pytest(context.args))
    processes = _processes()
    typer.echo(f"== pytest, {processes} tests at a time")
    beside = ["-n", str(processes), "--dist", "loadscope", "--no-loadscope-reorder"]
    codes = [_pytest(["-m", "not alone", *beside, *_SHOW_SLOW])]
    typer.echo("== pytest, tests that need the machine for themselves")
    codes.append(_pytest(["-m", "alone", *_SHOW_SLOW]))
    raise typer.Exit(next(filter(None, codes), 0))


def _processes() -> int:
    """One more than there are processors: most tests wait for what they have started."""
    return min(len(os.sched_getaffinity(0)) + 1, _MOST_PROCESSES)


def _pytest(arguments: Sequence[str]) -> int:
    return _run(["pytest", *arguments])


def _run(module: Sequence[str]) -> int:
    """Run a module of this Python in the repository; its exit code."""
    sys.stdout.flush()
    return subprocess.run([sys.executable, "-m", *module], cwd=ROOT, check=False).returncode
