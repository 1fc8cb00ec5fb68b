"""The keeper of a role: the parent of its worker, and of every orphan that the worker leaves.

The kernel gives the orphans of a role to its keeper, which has asked for them. Whatever a process
of the role does (fork twice, begin a session, clear its environment), it stays below the keeper:
that is how the roles of a trial are told apart. When the core lets go of the keeper, or dies, the
keeper ends everything below it. It is a process of its own, in a session of its own, and asleep
while the role is at work.

In a sandbox the keeper is the first process of a PID namespace: the kernel gives it all orphans
there, and ends whatever is left there with it.

Started with the mark of the trial, the role, and the descriptors of the core's socket and of the
worker's standard input and output. It says ``here`` first; the core then sends a line of JSON
(``command``, ``folder``, ``environment``). The keeper answers with lines of JSON: ``started`` (the
worker's ``pid`` as it is seen from here, and ``started_ns``), which the core answers with an empty
line once it knows the worker, or ``refused``; ``ended`` (the worker's exit code), and last ``left``
(how many processes were alive when the core let go).
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from typing import Any

from wirelab.processes import leftovers

_DEAF_TO = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_ENDS_WITHIN_S = 1.0

_PR_SET_DUMPABLE = 4


def main() -> None:
    """Keep the worker that the core asks for, until the core lets go."""
    # Handled rather than ignored: what is ignored, the worker would inherit.
    for number in (*_DEAF_TO, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    leftovers.adopt_orphans()
    core_file, *streams = map(int, sys.argv[3:6])
    for standard, stream in enumerate(streams):
        os.dup2(stream, standard)
        os.close(stream)
    if os.getpid() == 1:
        _close_to_others()
    core = socket.socket(fileno=core_file)
    core.set_inheritable(False)
    with core, core.makefile("rb") as asked:
        _tell(core, {"here": True})
        if line := asked.readline():
            worker = _started(core, json.loads(line))
            asked.readline()  # the worker's id is its own until the core knows it
            _keep(core, worker, woken)
        _wait_for_the_last()
        _tell(core, {"left": len(leftovers.end_below(os.getpid()))})


def _close_to_others() -> None:
    """Let no process of the sandbox, which has the same user, read or change this one."""
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _wait_for_the_last() -> None:
    """Give what ends with its worker, a moment after it, the time to do so: it was not left."""
    deadline = time.monotonic() + _ENDS_WITHIN_S
    while leftovers.below(os.getpid()) and time.monotonic() < deadline:
        time.sleep(0.01)


def _started(core: socket.socket, asked: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Start the worker on this process's standard streams, and give these up.

    The worker must be kept: one that is dropped takes the exit code with it.
    """
    started_ns = time.monotonic_ns()
    try:
        worker = subprocess.Popen(
            asked["command"],
            cwd=asked["folder"],
            env=asked["environment"],
            start_new_session=True,
        )
    except OSError as error:
        _tell(core, {"refused": error.strerror})
        sys.exit(0)
    _tell(core, {"started": {"pid": worker.pid, "started_ns": started_ns}})
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    return worker


def _keep(core: socket.socket, worker: subprocess.Popen[bytes], woken: int) -> None:
    """Collect what ends, until the core lets go."""
    waiting = select.poll()
    for file in (core.fileno(), woken):
        waiting.register(file, select.POLLIN)
    while True:
        _collect(core, worker.pid)
        ready = dict(waiting.poll())
        if core.fileno() in ready:
            return
        with contextlib.suppress(BlockingIOError):
            os.read(woken, 4096)


def _collect(core: socket.socket, worker: int) -> None:
    """Take the exit codes of children that have ended; the worker's is for the core."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == worker:
                _tell(core, {"ended": os.waitstatus_to_exitcode(ended[1])})


def _tell(core: socket.socket, what: dict[str, Any]) -> None:
    with contextlib.suppress(OSError):  # the core may be gone
        core.sendall(json.dumps(what).encode() + b"\n")


if __name__ == "__main__":
    main()
