"""``./wl`` as a user has it: with its output in a pipe, or on a terminal of a given width."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from unittest import mock

from tree import suites_of_the_tree
from wirelab.catalog import Catalog, find_catalog, with_suites_elsewhere
from wirelab.cli import COMMANDS, loaded, main, suites

ROOT = Path(__file__).parents[2]
WL = [sys.executable, "-m", "wirelab"]

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def environment(root: Path = ROOT) -> dict[str, str]:
    """The environment of a user who has set nothing, of the repository at ``root``."""
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    return {**kept, "WIRELAB_ROOT": str(root), "TERM": "xterm-256color"}


def piped(
    *arguments: str, cwd: Path, root: Path = ROOT, wl: Sequence[str] = WL, **variables: str
) -> subprocess.CompletedProcess[str]:
    """``wl`` with its output in pipes and nobody to ask; ``variables`` are set beside."""
    return subprocess.run(
        [*wl, *arguments],
        cwd=cwd,
        env=environment(root) | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def read_once(root: Path, elsewhere: Iterable[Path] = (), names: Iterable[str] = ()) -> Catalog:
    """The catalog of a repository; a process reads the suites of this one once."""
    if root != ROOT:
        return find_catalog(root, elsewhere, names)
    return with_suites_elsewhere(suites_of_the_tree(), root, elsewhere)


@functools.cache
def modules_of_commands() -> list[ModuleType]:
    """Modules of the command line that know where the repository is."""
    for name in COMMANDS:
        loaded(name)
    return [
        one
        for name, one in sys.modules.items()
        if name.startswith("wirelab.cli.") and hasattr(one, "ROOT")
    ]


def said(
    *arguments: str, cwd: Path, root: Path = ROOT, **variables: str
) -> subprocess.CompletedProcess[str]:
    """``wl`` in this process, which is quicker: with its output in pipes and nobody to ask."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.ExitStack() as stack:
        for module in modules_of_commands():
            stack.enter_context(mock.patch.object(module, "ROOT", root))
        stack.enter_context(mock.patch.object(suites, "find_catalog", read_once))
        stack.enter_context(mock.patch.object(sys, "argv", ["wl", *arguments]))
        stack.enter_context(mock.patch.object(sys, "stdin", io.StringIO()))
        stack.enter_context(mock.patch.dict(os.environ, variables))
        stack.enter_context(contextlib.chdir(cwd))
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        try:
            main()
            code: object = 0
        except SystemExit as ended:
            code = ended.code
    assert code is None or isinstance(code, int)
    return subprocess.CompletedProcess(list(arguments), code or 0, out.getvalue(), err.getvalue())


def on_a_terminal(
    *arguments: str,
    cwd: Path,
    root: Path = ROOT,
    columns: int = 80,
    types: str = "",
    wl: Sequence[str] = WL,
    **variables: str,
) -> tuple[int, str]:
    """Exit code of ``wl`` on a terminal, and what it wrote there; ``types`` is typed at once."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    os.write(ours, types.encode())
    process = subprocess.Popen(
        [*wl, *arguments],
        cwd=cwd,
        env=environment(root) | variables,
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    written = b""
    try:
        while chunk := os.read(ours, 65536):
            written += chunk
    except OSError:
        pass  # the terminal is gone with its last process
    finally:
        os.close(ours)
    shown = _ESCAPES.sub("", written.decode()).replace("\r\n", "\n")
    return process.wait(timeout=60), shown
