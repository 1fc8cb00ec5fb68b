"""A process with a keeper: started, waited for, and let go of together with all it has started."""

from __future__ import annotations

import contextlib
import json
import marshal
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from wirelab.processes import keeper, leftovers

_KEEPER = f"from {keeper.__name__} import main; main()"
"""Not ``-m``, which takes longer to start; it is imported here so that it is compiled."""

_COMMAND = (sys.executable, "-S", "-P", "-c", _KEEPER)
"""Starts a keeper; a launcher puts other words before these."""

_SOURCES = Path(__file__).parents[2]
_STARTS_WITHIN_S = 60.0
_LETS_GO_WITHIN_S = 15.0
_WAKES_EVERY_S = 1.0


Wrap = Callable[[list[str]], list[str]]
"""Makes of the keeper's command the one that starts it elsewhere, such as in a sandbox."""


def kept_by(pid: int, mark: str) -> tuple[str, int] | None:
    """The role that a child of the core keeps for the trial ``mark``, and the keeper's id.

    Of children of the core alone, what they were started as can be believed: it is its own. None
    where it keeps no role, or has not started its keeper yet.
    """
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return None
    at = words.index(_KEEPER) if _KEEPER in words else -1
    if words[at - 1 : at + 2] != ["-c", _KEEPER, mark]:
        return None
    found = pid if words[: len(_COMMAND)] == [*_COMMAND] else _only_child(pid)
    return None if found is None else (words[at + 2], found)


def _only_child(pid: int) -> int | None:
    """The process that a launcher has started; None where there is none, or not yet."""
    found = [one for one in leftovers.below(pid) if _parent_of(one) == pid]
    return found[0] if len(found) == 1 else None


def _parent_of(pid: int) -> int | None:
    stat = leftovers.stat_of(pid)
    return stat[1] if stat is not None else None


def _id_here(keeper: int, inner: int) -> int:
    """The id of a keeper's child, of which the keeper knows the one of its own PID namespace.

    Raises OSError where there is none.
    """
    for pid in leftovers.processes():
        if _parent_of(pid) == keeper and _innermost_id(pid) == inner:
            return pid
    raise ProcessLookupError(None, "the process that it started cannot be found")


def _innermost_id(pid: int) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines():
            if line.startswith("NSpid:"):
                return int(line.split()[-1])
    return None


class KeptProcess:
    """A worker below a keeper of its own; raises OSError where it cannot be started.

    ``introduce`` is given the keeper's id before the worker is there, so that whoever watches
    knows to whom the worker belongs. ``secret`` it reads from a descriptor of its own.
    """

    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        *,
        mark: str,
        role: str,
        introduce: Callable[[int], None],
        wrap: Wrap | None = None,
        secret: bytes = b"",
    ) -> None:
        self._core, theirs = socket.socketpair()
        # The worker's end of them is in no launcher's hands, which would keep them open.
        their_input, our_input = os.pipe()
        our_output, their_output = os.pipe()
        self.stdin, self.stdout = os.fdopen(our_input, "wb"), os.fdopen(our_output, "rb")
        passed = [theirs.fileno(), their_input, their_output]
        command_line = [*_COMMAND, mark, role, *map(str, passed)]
        try:
            self._keeper = subprocess.Popen(
                wrap(command_line) if wrap else command_line,
                env={**os.environ, "PYTHONPATH": str(_SOURCES)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=passed,
                start_new_session=True,
            )
        except BaseException:
            for stream in (self.stdin, self.stdout, self._core):
                stream.close()
            raise
        finally:
            theirs.close()
            os.close(their_input)
            os.close(their_output)
        assert self._keeper.stderr is not None
        self.stderr = self._keeper.stderr
        self._is_elsewhere = wrap is not None
        self.returncode: int | None = None
        self._said: dict[str, Any] = {}
        self._news = threading.Condition()
        self._listener = threading.Thread(target=self._listen, name=f"{role}-keeper", daemon=True)
        self._listener.start()
        try:
            self.keeper_pid = self._here()
            introduce(self.keeper_pid)
            self.pid, self.started_ns = self._started(command, environment, folder, secret)
        except BaseException:
            self._abandon()
            raise

    def _here(self) -> int:
        """The keeper's id, once it is there; its launcher says on standard error why it is not."""
        if "here" not in self._awaited(("here",), _STARTS_WITHIN_S):
            self._core.shutdown(socket.SHUT_WR)
            self._keeper.kill()
            said = self.stderr.read().decode(errors="replace").strip()
            raise OSError(None, said or "the process that was to start it has ended")
        found = _only_child(self._keeper.pid) if self._is_elsewhere else self._keeper.pid
        if found is None:
            raise OSError(None, "the process that was to start it has ended")
        return found

    def _started(
        self, command: Sequence[str], environment: Mapping[str, str], folder: Path, secret: bytes
    ) -> tuple[int, int]:
        asked: keeper.Wanted = (list(command), str(folder), dict(environment), secret)
        self._core.sendall(marshal.dumps(asked))
        said = self._awaited(("started", "refused"), _STARTS_WITHIN_S)
        if "refused" in said:
            raise OSError(None, said["refused"])
        if "started" not in said:
            raise OSError(None, "the process that was to start it has ended")
        pid: int = said["started"]["pid"]
        if self._is_elsewhere:
            pid = _id_here(self.keeper_pid, pid)
        with contextlib.suppress(OSError):  # the keeper was killed; its end is heard
            self._core.sendall(b"\n")
        return pid, said["started"]["started_ns"]

    # ------------------------------------------------------------------ its end

    def poll(self) -> int | None:
        """The exit code of the worker; None while it runs."""
        return self.wait(0)

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for the worker's exit code, which is None where it still runs after ``timeout`` s.

        Several threads may wait: what the keeper said is looked at, and left for the others. A
        keeper that was killed counts as a worker that was; one that was stopped goes on.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while self.returncode is None:
            self._wake()
            left = _WAKES_EVERY_S if deadline is None else max(0.0, deadline - time.monotonic())
            said = self._awaited(("ended",), min(left, _WAKES_EVERY_S))
            if "ended" in said:
                self.returncode = said["ended"]
            elif "gone" in said:
                self.returncode = -signal.SIGKILL
            elif deadline is not None and time.monotonic() >= deadline:
                break
        return self.returncode

    def _wake(self) -> None:
        """Let the keeper go on: a worker outside of a sandbox may have stopped it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            self._keeper.send_signal(signal.SIGCONT)

    def let_go(self) -> int:
        """End everything that the worker has started; returns how many processes were alive."""
        with contextlib.suppress(OSError):  # the keeper is gone
            self._core.shutdown(socket.SHUT_WR)
        self._wake()
        said = self._awaited(("left",), _LETS_GO_WITHIN_S)
        try:
            self._keeper.wait(_LETS_GO_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()
        return int(said.get("left", 0))

    def close(self) -> None:
        """End what is still there, and release the keeper; pipes are their reader's to close."""
        self.let_go()
        self.poll()
        self._listener.join()
        self._core.close()

    def _abandon(self) -> None:
        self.close()
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()

    # ------------------------------------------------------------------ what the keeper says

    def _listen(self) -> None:
        # A keeper that was killed leaves what it has not read: its end is a reset then.
        with contextlib.suppress(ConnectionResetError), self._core.makefile("rb") as lines:
            for line in lines:
                with self._news:
                    self._said |= json.loads(line)
                    self._news.notify_all()
        with self._news:
            self._said |= {"gone": True}
            self._news.notify_all()

    def _awaited(self, wanted: tuple[str, ...], timeout: float | None) -> dict[str, Any]:
        """All the keeper has said once one of ``wanted`` is in it, it is gone, or time is up."""
        with self._news:
            self._news.wait_for(
                lambda: "gone" in self._said or any(key in self._said for key in wanted), timeout
            )
            return dict(self._said)
