"""The command line of bubblewrap for a view (https://github.com/containers/bubblewrap)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from wirelab.sandbox.view import View

PROGRAM = "bwrap"

USER = "1000"
"""The id inside; outside it is that of whoever started wirelab."""

PRIVATE_BYTES = 256 << 20
"""Most bytes of ``/tmp`` and of the home folder, each."""

# No cgroup namespace: runtimes look for their limits by names that would lead out of it, and Java
# ends where it finds none. By the host name, a program that asks for the address of its own
# machine finds the loopback.
_NAMESPACES = (
    *("--unshare-user", "--uid", USER, "--gid", USER),
    # In a user namespace of its own a role would have every capability again, and with it the
    # control groups of the machine.
    "--disable-userns",
    "--unshare-pid",
    *("--unshare-uts", "--hostname", "localhost"),
    *("--cap-drop", "ALL"),
)

_FIRST = "--as-pid-1"
"""Otherwise bubblewrap is the first process, which collects what others leave."""

_WITHOUT_TERMINAL = "--new-session"
"""An option against typing into the caller's terminal from inside."""


def command(
    view: View, program: Sequence[str], *more: str, keeps_terminal: bool = False
) -> list[str]:
    """``program`` as the first process of a sandbox that shows ``view``; ``more`` are options.

    ``keeps_terminal``: the terminal is one of its own, on which Ctrl-C is to reach it.
    """
    session = [] if keeps_terminal else [_WITHOUT_TERMINAL]
    return [PROGRAM, *more, _FIRST, *_NAMESPACES, *session, *_mounts(view), "--", *program]


def command_of_a_build(view: View, program: Sequence[str], folder: Path) -> list[str]:
    """``program`` below bubblewrap in a sandbox that shows ``view``; it starts in ``folder``.

    It ends with whoever started it, and everything in the sandbox ends with it.
    """
    options = ("--die-with-parent", "--chdir", str(folder), *_NAMESPACES, _WITHOUT_TERMINAL)
    return [PROGRAM, *options, *_mounts(view), "--", *program]


def _mounts(view: View) -> Iterator[str]:
    """In the order in which they are made: what lies within another comes after it."""
    yield from ("--proc", "/proc", "--dev", "/dev", "--bind", "/dev/shm", "/dev/shm")
    yield from ("--remount-ro", "/dev")
    # Settings of the whole machine belong to root, who keeps them without any capability.
    yield from ("--ro-bind", "/proc/sys", "/proc/sys")
    if Path("/proc/sysrq-trigger").exists():
        yield from ("--ro-bind", "/dev/null", "/proc/sysrq-trigger")
    seen = {**dict.fromkeys(view.readable, _read_only), **dict.fromkeys(view.private, _private)}
    for path in sorted(seen, key=_depth):
        yield from seen[path](path)
    for path in view.covered:
        yield from _covered(path)
    own = {**dict.fromkeys(view.inputs, _read_only), **dict.fromkeys(view.writable, _writable)}
    for path in sorted(own, key=_depth):
        yield from own[path](path)
    for path in (*filter(Path.is_dir, view.covered), Path("/")):
        yield from ("--remount-ro", str(path))


def _depth(path: Path) -> int:
    return len(path.parts)


def _read_only(path: Path) -> tuple[str, ...]:
    if path.is_symlink():
        return ("--symlink", str(path.readlink()), str(path))
    return ("--ro-bind", str(path), str(path))


def _writable(path: Path) -> tuple[str, ...]:
    return ("--bind", str(path), str(path))


def _private(path: Path) -> tuple[str, ...]:
    return ("--perms", "1777", "--size", str(PRIVATE_BYTES), "--tmpfs", str(path))


def _covered(path: Path) -> tuple[str, ...]:
    if path.is_dir():
        return ("--tmpfs", str(path))
    return ("--ro-bind", "/dev/null", str(path))
