"""One worker process: started, listened to, told, and ended."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO

from wirelab.cgroups.group import Group
from wirelab.cgroups.trial_groups import TrialGroups
from wirelab.conform.environment import inherited
from wirelab.conform.last_words import last_words
from wirelab.model.events import MAX_LINE, MAX_STDERR, Event
from wirelab.processes.kept import KeptProcess
from wirelab.processes.pinning import pinned
from wirelab.processes.readiness import is_writable
from wirelab.samples import regular_file
from wirelab.samples.regular_file import UnsafeFileError
from wirelab.trial.event_line import event_in
from wirelab.trial.failure import TrialError
from wirelab.trial.launch import Launch
from wirelab.trial.sandboxes import Sandboxes
from wirelab.words.printable import printable

_ENDS_WITHIN_S = 10.0


@dataclass(frozen=True)
class WorkerMessage:
    """Something a worker said, or that happened to it, or to the trial (``worker`` is None).

    ``event`` is None when the process has ended; ``failure`` is set when it broke the contract.
    """

    worker: Worker | None
    received_ns: int
    event: Event | None = None
    failure: TrialError | None = None


class Worker:
    """A running worker. Everything it says arrives in ``inbox``, in order, then its end.

    ``introduce`` is told the process below which it and all it starts are, before it is there, and
    the file that has their processor time. ``logins`` are the services whose users and passwords
    it is given, where the user's own servers stand for them.
    """

    def __init__(
        self,
        launch: Launch,
        spec: dict[str, Any],
        folder: Path,
        inbox: queue.Queue[WorkerMessage],
        *,
        tag: str,
        introduce: Callable[[int, Path | None], None],
        sandboxes: Sandboxes | None = None,
        groups: TrialGroups | None = None,
        logins: Collection[str] = (),
        secret: bytes = b"",
    ) -> None:
        self._secret = secret if launch.keyed else b""
        self._sandboxes = sandboxes
        self._logins = logins
        self._groups = groups
        self._group: Group | None = None
        self._introduce = introduce
        self.launch = launch
        self.role = launch.name
        self.tag = tag
        self.spec = spec
        self.folder = folder
        self._inbox = inbox
        spec_path = folder / f"{tag}.spec.json"
        with regular_file.created(spec_path) as file:
            file.write(json.dumps(spec, indent=1).encode())
        scratch = Path(spec["paths"]["scratch"])
        scratch.mkdir(parents=True, exist_ok=True)
        # A role that is there already may have put anything in their place.
        events = regular_file.created(folder / f"{tag}.events.jsonl")
        log = regular_file.created(self.log, buffering=0)
        self.process = self._spawn(spec_path, scratch, spec["trial"])
        self._separate_keeper()
        self._readers = [
            threading.Thread(
                target=self._read_events, args=(events,), name=f"{tag}-events", daemon=True
            ),
            threading.Thread(
                target=self._keep_stderr, args=(log,), name=f"{tag}-stderr", daemon=True
            ),
        ]
        for reader in self._readers:
            reader.start()

    def _spawn(self, spec_path: Path, scratch: Path, trial: str) -> KeptProcess:
        environment = {
            **inherited(os.environ, self._logins),
            **self.launch.environment,
            "WIRELAB_SPEC": str(spec_path),
            "WIRELAB_TRIAL": trial,
            "WIRELAB_ROLE": self.launch.role,
        }
        if self._sandboxes is not None:
            environment.pop("TMPDIR", None)  # its own is /tmp
        # A child inherits the affinity of the thread that starts it, from its first instruction.
        with pinned(self.launch.cpus) as self.pin_refused:
            try:
                around = (
                    self._sandboxes.around(self.spec, spec_path, apart=self._is_apart)
                    if self._sandboxes
                    else None
                )
                return KeptProcess(
                    self.launch.command,
                    environment,
                    scratch,
                    mark=trial,
                    role=self.launch.role,
                    introduce=self._enter,
                    wrap=around,
                    secret=self._secret,
                )
            except (OSError, ValueError) as error:
                said = error.strerror if isinstance(error, OSError) else error
                raise TrialError(
                    "not-started", f"{self.launch.command[0]}: {said}", self.role
                ) from None

    @property
    def _is_apart(self) -> bool:
        """Whether nobody is to read what it leaves: it knows the secret, or works beside others of
        its role.
        """
        return self.launch.keyed or self.launch.process > 0

    def _enter(self, keeper: int) -> None:
        """Have everything that the keeper starts counted as the role's."""
        if self._groups is not None:
            self._group = self._groups.enter(self.launch.role, keeper)
        self._introduce(keeper, self._group.account if self._group is not None else None)

    def _separate_keeper(self) -> None:
        """Have nothing counted as the role's that its keeper does from now on."""
        try:
            if self._groups is not None:
                self._groups.leave(self.process.keeper_pid)
        except OSError as error:
            self.process.close()
            raise TrialError("host", f"control group: {error.strerror}", self.role) from None

    # ------------------------------------------------------------------ what it says

    def _read_events(self, file: BinaryIO) -> None:
        total = 0
        try:
            with file as kept:
                while line := self.process.stdout.readline(MAX_LINE + 1):
                    received = time.monotonic_ns()
                    total += len(line)
                    self._hear(line, total, received, kept)
        except TrialError as failure:
            self._tell(WorkerMessage(self, time.monotonic_ns(), failure=failure))
            self._drain(self.process.stdout)
        except OSError as error:
            full = TrialError("disk", f"cannot keep events: {error.strerror}", self.role)
            self._tell(WorkerMessage(self, time.monotonic_ns(), failure=full))
            self._drain(self.process.stdout)
        self.process.wait()
        self._tell(WorkerMessage(self, time.monotonic_ns()))

    def _hear(self, line: bytes, total: int, received: int, kept: BinaryIO) -> None:
        decoded, event = event_in(line, total, self.role)
        kept.write(json.dumps({"received_ns": received, "event": decoded}).encode() + b"\n")
        kept.flush()
        self._tell(WorkerMessage(self, received, event=event))

    def _keep_stderr(self, file: BinaryIO) -> None:
        room = MAX_STDERR
        # A full disk must not block the worker: what cannot be kept is read all the same.
        with file as kept:
            while chunk := os.read(self.process.stderr.fileno(), 65536):
                with contextlib.suppress(OSError):
                    kept.write(chunk[:room])
                room = max(0, room - len(chunk))

    def _drain(self, stream: IO[bytes]) -> None:
        while os.read(stream.fileno(), 1 << 16):
            pass

    def _tell(self, heard: WorkerMessage) -> None:
        self._inbox.put(heard)

    # ------------------------------------------------------------------ what it is told

    def start(self, tick0_ns: int) -> None:
        """Send the time of tick 0."""
        self._send({"command": "start", "monotonic_ns": tick0_ns})

    def ask(self, number: int, operation: str, lane: int) -> bool:
        """Ask for an answer; False where it reads no commands, and nobody waits until it does."""
        try:
            listens = is_writable(self.process.stdin)
        except ValueError:  # the pipe is closed
            return False
        if listens:
            self._send({"command": "answer", "asked": number, "operation": operation, "lane": lane})
        return listens

    def stop(self) -> None:
        """Ask it to finish; a stopped process is continued first, or it could not hear."""
        self.go_on()
        self._send({"command": "stop"})

    def _send(self, command: dict[str, Any]) -> None:
        with contextlib.suppress(BrokenPipeError, ValueError):
            self.process.stdin.write(json.dumps(command).encode() + b"\n")
            self.process.stdin.flush()

    def pause(self) -> None:
        """Stop everything of its control group, or else its process group."""
        if self._group is None or not self._group.freeze():
            self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let what was stopped go on."""
        if self._group is not None:
            self._group.thaw()
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        """Send a signal to its whole process group; to none once it has ended.

        Its id may be somebody else's then, and what it has left its keeper ends.
        """
        if self.running:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)

    # ------------------------------------------------------------------ its end

    @property
    def started_ns(self) -> int:
        """The time at which the process was started, on CLOCK_MONOTONIC."""
        return self.process.started_ns

    @property
    def running(self) -> bool:
        """Whether the process has not ended yet."""
        return self.process.poll() is None

    def kill(self) -> None:
        """End its process group now, and everything of its control group."""
        self._signal(signal.SIGKILL)
        if self._group is not None:
            self._group.end()

    def wait_for_end(self) -> bool:
        """Wait for a process that has been killed; False for one that stays all the same."""
        return self.process.wait(timeout=_ENDS_WITHIN_S) is not None

    def end_rest(self) -> int:
        """End what a process that has ended has started; returns how many were alive."""
        return self.process.let_go()

    def close(self) -> None:
        """Release pipes and threads of a process that has ended."""
        self.wait_for_end()
        self.process.close()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        for reader in self._readers:
            # A grandchild that inherited the pipe may hold it open; it is ended as a leftover.
            reader.join(timeout=1)
        for stream in (self.process.stdout, self.process.stderr):
            if not any(reader.is_alive() for reader in self._readers):
                stream.close()

    @property
    def log(self) -> Path:
        """The file that keeps its standard error."""
        return self.folder / f"{self.tag}.stderr"

    def last_words(self) -> str:
        """The exception that ended it, or the last line of its log; complete once it is closed."""
        try:
            written = regular_file.content(self.log, MAX_STDERR)
        except (OSError, UnsafeFileError):
            return ""
        return printable(last_words(written.decode(errors="replace")))

    def stderr_tail(self, size: int = 4000) -> str:
        """The last ``size`` bytes of what it wrote to standard error."""
        try:
            written = regular_file.content(self.log, MAX_STDERR)
        except (OSError, UnsafeFileError):
            return ""
        return written[-size:].decode(errors="replace")
