"""``wl test``: the project's own checks and tests."""

from __future__ import annotations

import subprocess
import sys

import typer

from wirelab.cli.places import ROOT

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}

_CHECKS = (
    ("ruff", ["ruff", "check", "."]),
    ("ruff format", ["ruff", "format", "--check", "."]),
    ("mypy", ["mypy"]),
)


def test(context: typer.Context) -> None:
    """Lint, type-check and test wirelab itself; arguments are passed on to pytest."""
    for name, command in _CHECKS:
        typer.echo(f"== {name}")
        code = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode
        if code:
            typer.echo(f"{name} found something to mend", err=True)
            raise typer.Exit(code)
    typer.echo("== pytest")
    sys.stdout.flush()
    command = [sys.executable, "-m", "pytest", *context.args]
    raise typer.Exit(subprocess.run(command, cwd=ROOT, check=False).returncode)
