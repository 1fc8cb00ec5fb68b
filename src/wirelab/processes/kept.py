"""A process with a keeper: started, waited for, and let go of together with all it has started."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

_KEEPER = "wirelab.processes.keeper"
_SOURCES = Path(__file__).parents[2]
_STARTS_WITHIN_S = 60.0
_LETS_GO_WITHIN_S = 15.0


def role_kept_by(pid: int, mark: str) -> str | None:
    """The role that a child of the core keeps for the trial ``mark``; None where it keeps none.

    Of children of the core alone, what they were started as can be believed: it is its own.
    """
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return None
    return words[6] if words[3:6] == ["-m", _KEEPER, mark] else None


class KeptProcess:
    """A worker below a keeper of its own; raises OSError where it cannot be started.

    ``introduce`` is given the keeper's id before the worker is there, so that whoever watches
    knows to whom the worker belongs.
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
    ) -> None:
        self._core, theirs = socket.socketpair()
        with theirs:
            self._keeper = subprocess.Popen(
                [sys.executable, "-S", "-P", "-m", _KEEPER, mark, role, str(theirs.fileno())],
                env={**os.environ, "PYTHONPATH": str(_SOURCES)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        # They are the worker's: the keeper gives them up.
        assert self._keeper.stdin is not None
        assert self._keeper.stdout is not None
        assert self._keeper.stderr is not None
        self.stdin, self.stdout = self._keeper.stdin, self._keeper.stdout
        self.stderr = self._keeper.stderr
        self.keeper_pid = self._keeper.pid
        self.returncode: int | None = None
        self._said: dict[str, Any] = {}
        self._news = threading.Condition()
        self._listener = threading.Thread(target=self._listen, name=f"{role}-keeper", daemon=True)
        self._listener.start()
        try:
            introduce(self.keeper_pid)
            self.pid, self.started_ns = self._started(command, environment, folder)
        except BaseException:
            self._abandon()
            raise

    def _started(
        self, command: Sequence[str], environment: Mapping[str, str], folder: Path
    ) -> tuple[int, int]:
        asked = {"command": list(command), "folder": str(folder), "environment": dict(environment)}
        self._core.sendall(json.dumps(asked).encode() + b"\n")
        said = self._awaited(("started", "refused"), _STARTS_WITHIN_S)
        if "refused" in said:
            raise OSError(None, said["refused"])
        if "started" not in said:
            raise OSError(None, "the process that was to start it has ended")
        return said["started"]["pid"], said["started"]["started_ns"]

    # ------------------------------------------------------------------ its end

    def poll(self) -> int | None:
        """The exit code of the worker; None while it runs."""
        return self.wait(0)

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for the worker's exit code, which is None where it still runs after ``timeout`` s.

        Several threads may wait: what the keeper said is looked at, and left for the others. A
        keeper that was killed counts as a worker that was.
        """
        if self.returncode is None:
            said = self._awaited(("ended",), timeout)
            if "ended" in said:
                self.returncode = said["ended"]
            elif "gone" in said:
                self.returncode = -signal.SIGKILL
        return self.returncode

    def let_go(self) -> int:
        """End everything that the worker has started; returns how many processes were alive."""
        with contextlib.suppress(OSError):  # the keeper is gone
            self._core.shutdown(socket.SHUT_WR)
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
        with self._core.makefile("rb") as lines:
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
