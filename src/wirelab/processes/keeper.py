"""The keeper of a role: the parent of its worker, and of every orphan that the worker leaves.

The kernel gives the orphans of a role to its keeper, which has asked for them. Whatever a process
of the role does (fork twice, begin a session, clear its environment), it stays below the keeper:
that is how the roles of a trial are told apart. When the core lets go of the keeper, or dies, the
keeper ends everything below it. It is a process of its own, in a session of its own, and asleep
while the role is at work.

In a sandbox the keeper is the first process of a PID namespace: the kernel gives it all orphans
there, and ends whatever is left there with it.

It is imported while a trial starts, so it takes nothing that takes long to import: neither
``subprocess`` nor ``json`` nor ``socket``.

Started with the mark of the trial, the role, and the descriptors of the core's socket and of the
worker's standard input and output. It says ``here`` first; the core then sends what is to be
started (by ``marshal``: both ends are the same Python). The
keeper answers with lines of JSON: ``started`` (the worker's ``pid`` as it is seen from here, and
``started_ns``), which the core answers with an empty line once it knows the worker, or ``refused``;
``ended`` (the worker's exit code), and last ``left`` (how many processes were alive when the core
let go).
"""

from __future__ import annotations

import ctypes
import errno
import io
import itertools
import marshal
import os
import resource
import select
import signal
import sys
import time

from wirelab.processes import leftovers

Wanted = tuple[list[str], str, dict[str, str], bytes]
"""The command of a worker, the folder that it starts in, its environment, and the secret that it
is given; empty: none."""

SECRET = "WIRELAB_SECRET"
"""In the environment of a worker: the number of the descriptor that it reads its secret from."""

_NO_CORE = 1
"""Byte of a core dump: too few for a file, and to the kernel the sign that no crash handler is to
be started (``core_pattern``), which a limit of 0 is not."""

_DEAF_TO = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)

_ENDS_WITHIN_S = 1.0

_PR_SET_DUMPABLE = 4

_KEYCTL = {"x86_64": 250, "aarch64": 219}
"""The system call ``keyctl``, which the C library does not have, by machine."""

_JOIN_SESSION_KEYRING = 1
_WITHOUT_KEYS = (errno.ENOSYS, errno.EPERM)
"""Errors of a kernel that keeps no keys, and of a filter, behind which the worker is as well."""


def main() -> None:
    """Keep the worker that the core asks for, until the core lets go."""
    # Handled rather than ignored: what is ignored, the worker would inherit.
    for number in (*_DEAF_TO, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    leftovers.adopt_orphans()
    core, *streams = map(int, sys.argv[3:6])
    _close_all_but({2, woken, wake, core, *streams})
    for standard, stream in enumerate(streams):
        os.dup2(stream, standard)
        os.close(stream)
    if os.getpid() == 1:
        _close_to_others()
    os.set_inheritable(core, False)
    with os.fdopen(core, "rb", closefd=False) as asked:
        _tell(core, '{"here": true}')
        if (wanted := _wanted(asked)) is not None:
            worker = _started(core, wanted)
            asked.readline()  # the worker's id is its own until the core knows it
            _keep(core, worker, woken)
        _wait_for_the_last()
        _tell(core, f'{{"left": {len(leftovers.end_below(os.getpid()))}}}')


def _close_all_but(kept: set[int]) -> None:
    """Close what a launcher may have left open, or the worker would have it."""
    for low, high in itertools.pairwise([*sorted(kept), 1 << 20]):
        if low + 1 < high:
            os.closerange(low + 1, high)


def _close_to_others() -> None:
    """Let no process of the sandbox, which has the same user, read or change this one."""
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _leave_no_core() -> None:
    """Let no crash of the worker start a program of the machine, or fill the disk."""
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    most = min(hard, _NO_CORE) if hard != resource.RLIM_INFINITY else _NO_CORE
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))


def _begin_without_keys() -> None:
    """Begin a session with an empty keyring: that of the user may hold keys of anything."""
    libc = ctypes.CDLL(None, use_errno=True)
    call, join = (ctypes.c_long(n) for n in (_KEYCTL[os.uname().machine], _JOIN_SESSION_KEYRING))
    if libc.syscall(call, join, None) < 0 and ctypes.get_errno() not in _WITHOUT_KEYS:
        raise OSError(ctypes.get_errno(), f"session keyring: {os.strerror(ctypes.get_errno())}")


def _wait_for_the_last() -> None:
    """Give what ends with its worker, a moment after it, the time to do so: it was not left."""
    deadline = time.monotonic() + _ENDS_WITHIN_S
    while leftovers.below(os.getpid()) and time.monotonic() < deadline:
        time.sleep(0.01)


def _wanted(asked: io.BufferedReader) -> Wanted | None:
    """Read what the core asks for; None where it has let go before."""
    try:
        wanted: Wanted = marshal.load(asked)
    except EOFError:
        return None
    return wanted


def _started(core: int, wanted: Wanted) -> int:
    """Start the worker on this process's standard streams, and give these up."""
    command, folder, environment, secret = wanted
    started_ns = time.monotonic_ns()
    try:
        _leave_no_core()
        _begin_without_keys()
        os.chdir(folder)
        given = _readable(secret)
        if given is not None:
            environment = {**environment, SECRET: str(given)}
        worker = _spawned(command, environment)
        if given is not None:
            os.close(given)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        _tell(core, f'{{"refused": "{said}"}}')
        sys.exit(0)
    _tell(core, f'{{"started": {{"pid": {worker}, "started_ns": {started_ns}}}}}')
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.chdir("/")
    return worker


def _readable(secret: bytes) -> int | None:
    """A descriptor for the worker to read a secret from; None where there is none."""
    if not secret:
        return None
    given, ours = os.pipe()
    os.write(ours, secret)  # a pipe has room for it
    os.close(ours)
    os.set_inheritable(given, True)
    return given


def _spawned(command: list[str], environment: dict[str, str]) -> int:
    """Start ``command`` in a session of its own, found on the path of its own environment."""
    program = command[0]
    places = [""] if "/" in program else os.get_exec_path(environment)
    refused: OSError = FileNotFoundError(2, os.strerror(2))
    for place in places:
        try:
            return os.posix_spawn(
                f"{place}/{program}" if place else program,
                command,
                environment,
                setsid=True,
                setsigdef=_IGNORED_BY_PYTHON,
            )
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            refused = error
    raise refused


def _keep(core: int, worker: int, woken: int) -> None:
    """Collect what ends, until the core lets go."""
    waiting = select.poll()
    for file in (core, woken):
        waiting.register(file, select.POLLIN)
    while True:
        _collect(core, worker)
        ready = dict(waiting.poll())
        if core in ready:
            return
        try:
            os.read(woken, 4096)
        except BlockingIOError:
            continue


def _collect(core: int, worker: int) -> None:
    """Take the exit codes of children that have ended; the worker's is for the core."""
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == worker:
                _tell(core, f'{{"ended": {os.waitstatus_to_exitcode(ended[1])}}}')
    except ChildProcessError:
        return


def _tell(core: int, what: str) -> None:
    try:
        os.write(core, what.encode() + b"\n")
    except OSError:
        return  # the core is gone
