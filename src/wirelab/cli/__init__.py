"""The command line: ``wl``."""

from __future__ import annotations

import errno
import functools
import importlib
import io
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import typer
from rich.console import Console
from typer.core import TyperGroup

from wirelab.cli.exit_codes import MISTAKE
from wirelab.garbage import all_loaded
from wirelab.model.mistake import MistakeError
from wirelab.processes.interrupts import number_of, terminated_as_interrupted
from wirelab.words.printable import printable

NOBODY_READS = 141
"""As a shell says it of a program that SIGPIPE has ended."""

_ENDED_BY_SIGNAL = 128
"""As shells say it, with the number of the signal added."""

_OF_THE_USER = frozenset(
    {
        errno.EACCES,
        errno.EPERM,
        errno.EROFS,
        errno.EISDIR,
        errno.ENOTDIR,
        errno.ENOSPC,
        errno.EDQUOT,
    }
)
"""Errors that a place which the user has named gives."""

CALLED = "./wl"
"""The command as users call it, for usages."""

COMMANDS = {
    "run": "run:run",
    "list": "listing:list_contenders",
    "show": "show:show",
    "doctor": "doctor:doctor",
    "build": "build:build",
    "clean": "clean:clean",
    "conform": "conform:conform",
    "shell": "shell:shell",
    "analyse": "analyse:analyse",
    "report": "report:report",
    "compare": "compare:compare",
    "bench": "bench:bench",
    "bench truth": "truth:truth",
    "neighbour": "neighbour:neighbour",
    "test": "test:run_tests",
}
"""Every command, of one word or two: the module here that it is in, and its function there."""


_PLAIN: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_enable": False,
    # Boxes of a fixed width would break the paths and names in what they say.
    "rich_markup_mode": None,
}


class _Commands(TyperGroup):
    """The commands, each loaded when it is asked for: what analyses takes seconds to load."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """In the order of the help."""
        return list(COMMANDS)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command of the first two words, or of the first."""
        if (words := " ".join(args[:2])) in COMMANDS and len(args) > 1:
            return words, self.get_command(ctx, words), args[2:]
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, or None."""
        if cmd_name in COMMANDS:
            return loaded(cmd_name)
        # Names like this one are looked for among those that are there.
        self.commands = {name: loaded(name) for name in COMMANDS}
        return super().get_command(ctx, cmd_name)


def loaded(name: str) -> Any:
    place, _, function = COMMANDS[name].partition(":")
    module = importlib.import_module(f"{__name__}.{place}")
    alone = typer.Typer(**_PLAIN)
    settings = getattr(module, "PASSED_ON", None)
    command = _interruptible(name, getattr(module, function))
    alone.command(name, context_settings=settings)(command)
    return typer.main.get_command(alone)


def _interruptible(name: str, command: Callable[..., Any]) -> Callable[..., Any]:
    """``command``, which says that it was interrupted where it does not say so itself."""

    @functools.wraps(command)
    def carried_out(*arguments: Any, **options: Any) -> Any:
        all_loaded()
        try:
            return command(*arguments, **options)
        except KeyboardInterrupt as interrupt:
            number = number_of(interrupt)
            typer.echo(f"wl {name}: interrupted by {number.name}", err=True)
            raise typer.Exit(_ENDED_BY_SIGNAL + number) from None

    return carried_out


app = typer.Typer(
    name="wl",
    cls=_Commands,
    no_args_is_help=True,
    **_PLAIN,
)


@app.callback()
def wl() -> None:
    """Measures what goes over the wire: real libraries, one ruler."""


def main() -> None:
    """Run the command line; a user's mistake is a sentence and exit code 2, no traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # What a terminal of another encoding cannot show is spelt out.
            stream.reconfigure(errors="backslashreplace")
    try:
        with terminated_as_interrupted():
            app(prog_name=CALLED)
    except MistakeError as error:
        _end_with(str(error))
    except BrokenPipeError:
        # Whoever read has enough. Python would flush what is left when it ends, and fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(NOBODY_READS)
    except OSError as error:
        if error.errno not in _OF_THE_USER or not error.filename:
            raise
        _end_with(f"{error.filename}: {error.strerror}")


def _end_with(sentence: str) -> NoReturn:
    Console(stderr=True).print(
        f"wl: {printable(sentence)}", style="red", markup=False, highlight=False, soft_wrap=True
    )
    sys.exit(MISTAKE)
