"""``wl test``: the project's own checks and tests."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Annotated

import typer

from wirelab.build.permission import allow
from wirelab.cli.places import ROOT

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}

BEGAN = "WIRELAB_TESTS_BEGAN"
"""Variable of the tests' environment: when all this began, s since the epoch."""

BEHIND = "WIRELAB_TESTS_BEHIND"
"""Variable of the tests' environment: the one of their processes that works behind the others."""

_CHECKS = (
    ("ruff", ["ruff", "check", "."]),
    ("ruff format", ["ruff", "format", "--check", "."]),
)

_MOST_PROCESSES = 6
"""Most test processes side by side: each may start a Java or two, which take their memory."""

_ONE_THREAD = "OPENBLAS_NUM_THREADS"
"""Variable of what multiplies matrices: two threads of each of several processes on two processors
wait for each other, which took a third of the time of the tests that analyse runs."""

_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
"""Variable of Python, which images of containers set: each program that a test starts would compile
its modules anew, which takes a seventh of the time of the tests of the command line."""

_SHOW_SLOW = ("--durations=20", "--durations-min=5")

_FAILURES = ("-o", "cache_dir=.wirelab/pytest")
"""Folder of pytest for the tests that failed: a developer's own runs of a part have another."""

_SECOND_ATTEMPT = ("--second-attempt", "--last-failed", "--last-failed-no-failures=none", "-vv")

_SOME_FAILED = 1
"""Exit code of pytest whose tests ran, and some of which failed."""

_LONGEST_S = 900
"""Longest second attempt, s: beyond it, what was not tried counts as failed."""


def run_tests(
    context: typer.Context,
    *,
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="Also what needs Java, Node.js, Go, Rust or .NET, installed if need be."
        ),
    ] = False,
    no_cache: Annotated[
        bool,
        typer.Option("--no-cache", help="Repeat what has passed with exactly this content."),
    ] = False,
) -> None:
    """Lint, type-check and test wirelab itself.

    Without --all: what needs no toolchain beyond Python and C. Other arguments are passed on to
    one pytest, which runs what they ask for in one process.

    Tests that fail beside others are tried once more, alone, and the output says so: on a machine
    that others use, a real server may be late through no fault of the code.
    """
    began = time.time()
    os.environ[BEGAN] = str(began)
    os.environ.setdefault(_ONE_THREAD, "1")
    os.environ.pop(_NO_BYTECODE, None)
    if everything:
        allow()  # a new machine has what every test needs by this alone
    repeating = ["--no-cache"] if no_cache else []
    for name, command in _CHECKS:
        typer.echo(f"== {name}")
        if code := _run(command):
            typer.echo(f"{name} found something to mend", err=True)
            raise typer.Exit(code)
    if context.args:
        typer.echo("== mypy, pytest")
        code = _tested([*repeating, *context.args])
    else:
        processes = _processes()
        typer.echo(f"== mypy, pytest: {processes} tests at a time, and one behind them")
        os.environ[BEHIND] = f"gw{processes}"
        beside = ["-n", str(processes + 1), "--dist", "loadscope", "--no-loadscope-reorder"]
        chosen = [] if everything else ["-m", "not left_to_all"]
        shown = ("-rsfE", *_SHOW_SLOW)
        code = _tested([*_FAILURES, "--cache-clear", *beside, *chosen, *repeating, *shown])
        if code == _SOME_FAILED:
            code = _tried_again([*chosen, *repeating])
    typer.echo(_cost(time.time() - began))
    raise typer.Exit(code)


def _tested(arguments: Sequence[str]) -> int:
    """Run pytest and check types beside it; the exit code of the tests. Exit where types are wrong.

    While tests are collected nothing depends on how soon it is done. Where types have something to
    mend, the tests are ended: their verdict would be of code that changes.
    """
    with _started(["pytest", *arguments]) as tests, _started(["mypy"], subprocess.PIPE) as types:
        found, _ = types.communicate()
        if types.returncode:
            tests.send_signal(signal.SIGINT)
    if types.returncode:
        typer.echo(found, nl=False)
        typer.echo("mypy found something to mend", err=True)
        raise typer.Exit(types.returncode)
    return tests.returncode


def _tried_again(arguments: Sequence[str]) -> int:
    """Run the tests that failed once more, one after another; the exit code of both attempts."""
    typer.echo("== pytest: second attempt of the tests that failed, alone")
    with _started(["pytest", *_FAILURES, *_SECOND_ATTEMPT, *arguments]) as tests:
        try:
            code = tests.wait(_LONGEST_S)
        except subprocess.TimeoutExpired:
            typer.echo(f"the second attempt is ended after {_LONGEST_S // 60} min", err=True)
            tests.send_signal(signal.SIGINT)
            tests.wait()
            code = _SOME_FAILED
    return code and _SOME_FAILED


def _cost(wall_s: float) -> str:
    """Wall and processor time of the tests; others on the machine show in the wall time alone."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = used.ru_utime + used.ru_stime
    return f"== {wall_s / 60:.1f} min, {cpu_s / 60:.1f} min of processor time"


def _processes() -> int:
    """Two for each processor: most tests wait for what they have started. With three, workers came
    too late for what the contract gives them; one more that takes what these leave delays nobody.
    """
    return min(2 * len(os.sched_getaffinity(0)), _MOST_PROCESSES)


def _run(module: Sequence[str]) -> int:
    """Run a module of this Python in the repository; its exit code."""
    with _started(module) as process:
        return process.wait()


def _started(module: Sequence[str], output: int | None = None) -> subprocess.Popen[str]:
    """A module of this Python, started in the repository; its output is ours where none is said."""
    sys.stdout.flush()
    return subprocess.Popen([sys.executable, "-m", *module], cwd=ROOT, stdout=output, text=True)
