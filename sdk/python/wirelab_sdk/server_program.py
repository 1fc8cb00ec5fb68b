"""The role of a server that is another program, a broker or a database: started, filled, ended.

Most such programs have no port 0 that a restart could have again, so a socket that is bound but
does not listen reserves the port: the system gives it to nobody else, and a server that names it
can bind it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import time
from abc import ABC, abstractmethod
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wirelab_sdk.listening import bound_socket
from wirelab_sdk.worker import Worker

HOST = "127.0.0.1"
_GUARD = "setpriv"
_ATTEMPTS = 5
_PAUSE_S = 0.2
_POLL_S = 0.02
_ASKING_S = 2.0
_WATCH_S = 1.0
_PROMPTLY_NS = 50_000_000
"""The core grants a count twice as much."""
_SECOND = 1_000_000_000
# Debian keeps servers where only root looks.
_PLACES = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))

_log = logging.getLogger(__name__)


class ServerProgramError(RuntimeError):
    """A program did not start, was not filled, or has ended by itself."""


@dataclass(frozen=True)
class ProgramCommand:
    """A program that stays in the foreground.

    ``environment`` is added to this process's own; ``user``: whom root becomes to run it;
    ``leave``: the signal that asks it to end although clients are still there; ``inherits``: open
    files that it gets, such as that of a folder which ``user`` would not be let through to.
    """

    words: Sequence[str | Path]
    environment: Mapping[str, str] = field(default_factory=dict)
    user: str = ""
    leave: signal.Signals = signal.SIGTERM
    inherits: Sequence[int] = ()


class ServerProgram(ABC):
    """The part that is particular to one program."""

    name: str

    @abstractmethod
    async def commands(self, port: int, folder: Path) -> Sequence[ProgramCommand]:
        """Commands to start, with their data in ``folder``; what they need there is made first.

        The program itself comes last, after those that it needs beside it.
        """

    @abstractmethod
    async def version(self, port: int) -> str:
        """Its version, when it answers at ``port`` as it would answer a client.

        OSError while it does not yet; ServerProgramError when another server answers.
        """

    async def fill(self, port: int) -> Mapping[str, Any]:  # noqa: ARG002
        """Load what clients will ask for, and return the facts of ``ready``.

        ServerProgramError when it does not hold afterwards what it should.
        """
        return {}

    async def runtime(self, port: int) -> Mapping[str, Any]:  # noqa: ARG002
        """Fields of a ``runtime`` event, asked for once a second: what only the program knows.

        Its memory and CPU as the host sees them are the probe's.
        """
        return {}

    async def served(self, port: int) -> Mapping[str, int]:  # noqa: ARG002
        """The program's own counts of what it has served since it started; empty: it has none."""
        return {}

    @abstractmethod
    def endpoint(self, port: int) -> str:
        """Address that clients connect to."""


@dataclass(frozen=True)
class Running:
    """A program that has answered, and what it needs beside it, in the order of their start."""

    processes: Sequence[tuple[Process, signal.Signals]]
    port: int
    version: str

    @property
    def main(self) -> Process:
        """The program itself."""
        return self.processes[-1][0]

    async def end(self, within_s: float) -> None:
        """Ask it to leave, and kill it after ``within_s`` seconds; then what was beside it."""
        for process, leave in reversed(self.processes):
            if process.returncode is None:
                process.send_signal(leave)
                try:
                    async with asyncio.timeout(within_s):
                        await process.wait()
                except TimeoutError:
                    _log.warning("process %d did not end in time: killed", process.pid)
                    process.kill()
                    await process.wait()


def find_program(name: str, folder: str = _PLACES) -> str:
    """Path of a program; ServerProgramError when it is not there."""
    found = shutil.which(name, path=folder)
    if found is None:
        raise ServerProgramError(f"{name} is not in {folder}")
    return found


def as_user(user: str) -> list[str]:
    """The words before a command that root runs as ``user``; nobody else can change who they are.

    What is run is gone with this worker, even when that is killed.
    """
    words = [find_program(_GUARD), "--pdeathsig", "KILL"]
    if user and os.geteuid() == 0:
        words += ["--reuid", user, "--regid", user, "--clear-groups"]
    return words


async def serve(worker: Worker, program: ServerProgram) -> None:
    """Keep a program until told to stop; ServerProgramError when it ends by itself."""
    runtime: dict[str, Any] = {}
    worker.report_runtime_of(lambda: runtime)
    limits = worker.spec.limits
    answer_s = limits.ready_ns / _SECOND * 0.8
    stop_s = limits.stop_ns / _SECOND / 3  # below the half that the contract leaves for work
    running = await start(program, worker.spec.listen, worker.spec.paths.scratch, answer_s)
    try:
        facts = await program.fill(running.port)
    except BaseException:
        await running.end(stop_s)
        raise
    endpoint = program.endpoint(running.port)
    worker.ready(program.name, running.version, endpoint=endpoint, facts=facts)
    watching = asyncio.create_task(_watch(worker, program, running.port, runtime))
    stopped = asyncio.create_task(worker.stopped())
    ended = asyncio.create_task(running.main.wait())
    await asyncio.wait({stopped, ended}, return_when=asyncio.FIRST_COMPLETED)
    watching.cancel()
    if stopped.done():
        await _tell_served(worker, program, running.port, is_last=True)
    await running.end(stop_s)
    if not stopped.done():
        raise ServerProgramError(f"{program.name} ended by itself with exit code {ended.result()}")


async def _tell_served(
    worker: Worker, program: ServerProgram, port: int, *, is_last: bool = False
) -> None:
    """Say what the program has served, at the latest by the time before it was asked.

    What an answer that came late counts may have been served since. It is let go, but for the last
    one, after which nothing is served.
    """
    begin_ns = time.monotonic_ns()
    try:
        async with asyncio.timeout(_WATCH_S):
            items = await program.served(port)
    except (OSError, KeyError, ValueError) as error:  # TimeoutError among them
        _log.warning("no statistics from %s of what it has served: %r", program.name, error)
        return
    if items and (is_last or time.monotonic_ns() - begin_ns < _PROMPTLY_NS):
        worker.served(items, begin_ns)


async def _watch(
    worker: Worker, program: ServerProgram, port: int, runtime: dict[str, Any]
) -> None:
    """Keep in ``runtime`` what the program says of itself, and say what it has served, until
    cancelled.
    """
    while True:
        await _tell_served(worker, program, port)
        try:
            async with asyncio.timeout(_WATCH_S):
                runtime.update(await program.runtime(port))
        except (OSError, KeyError, ValueError) as error:  # TimeoutError among them
            _log.warning("no statistics from %s of its memory: %r", program.name, error)
        await asyncio.sleep(_WATCH_S)


async def start(program: ServerProgram, listen: str, folder: Path, answer_s: float) -> Running:
    """Start ``program``, and return when it answers.

    ``listen`` with port 0 gets a port from the system. ServerProgramError when it cannot be
    started, or has not answered after ``answer_s`` seconds.
    """
    reason = ""
    try:
        async with asyncio.timeout(answer_s):
            for attempt in range(_ATTEMPTS):
                try:
                    # One that hangs is given up in time for another start.
                    async with asyncio.timeout(answer_s / 2):
                        return await _start_once(program, listen, folder)
                except (OSError, ServerProgramError) as error:  # TimeoutError among them
                    reason = str(error) or f"no answer for {answer_s / 2:.0f} s"
                    _log.warning("%s, attempt %d: %s", program.name, attempt + 1, reason)
                await asyncio.sleep(_PAUSE_S)
    except TimeoutError:
        reason = f"no answer for {answer_s:.0f} s; {reason or 'it was being started'}"
    raise ServerProgramError(f"{program.name} did not start at {listen}: {reason}")


async def _start_once(program: ServerProgram, listen: str, folder: Path) -> Running:
    processes: list[tuple[Process, signal.Signals]] = []
    with bound_socket(listen) as reservation:
        port = int(reservation.getsockname()[1])
        try:
            for command in await program.commands(port, folder):
                processes.append((await _spawn(command, folder), command.leave))
            version = await _answering(program, processes[-1][0], port)
        except BaseException:
            await Running(processes, port, "").end(0)
            raise
    return Running(processes, port, version)


async def _spawn(command: ProgramCommand, folder: Path) -> Process:
    return await asyncio.create_subprocess_exec(
        *as_user(command.user),
        *command.words,
        stdin=DEVNULL,
        cwd="/" if command.user else folder,
        pass_fds=command.inherits,
        env={**os.environ, **command.environment},
    )


async def _answering(program: ServerProgram, process: Process, port: int) -> str:
    """The version as soon as the program answers; ServerProgramError when it has ended."""
    while process.returncode is None:
        try:
            async with asyncio.timeout(_ASKING_S):
                return await program.version(port)
        except OSError:  # TimeoutError among them: not listening or not answering yet
            await asyncio.sleep(_POLL_S)
    raise ServerProgramError(f"it ended with exit code {process.returncode}")
