"""The role of a neutral broker: a program of this trial's own, started, asked, ended.

The brokers of this suite have no port 0 that a restart could have again, so a socket that is bound
but does not listen reserves the port: the system gives it to nobody else, and a server that names
it can bind it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from wirelab_sdk import Worker, bound_socket

HOST = "127.0.0.1"
_GUARD = "setpriv"
_ATTEMPTS = 5
_PAUSE_S = 0.2
_POLL_S = 0.02
_ASKING_S = 2.0
_SECOND = 1_000_000_000
# Debian keeps servers where only root looks.
_PLACES = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))

_log = logging.getLogger(__name__)


class BrokerError(RuntimeError):
    """A broker did not start, or has ended by itself."""


@dataclass(frozen=True)
class Command:
    """A program that stays in the foreground, and what is added to its environment."""

    words: Sequence[str | Path]
    variables: Mapping[str, str] = field(default_factory=dict)


class Broker(Protocol):
    """What is particular to one broker."""

    name: str

    async def commands(self, port: int, folder: Path) -> list[Command]:
        """What to start, the broker itself last, with its data in ``folder``."""
        ...

    async def version(self, port: int) -> str:
        """Its version, when it answers at ``port`` as it would answer a client.

        OSError while it does not yet; BrokerError when another broker answers.
        """
        ...

    def endpoint(self, port: int) -> str:
        """Where clients connect to."""
        ...


@dataclass(frozen=True)
class Running:
    """A broker that has answered, and what it needs beside it, in the order of their start."""

    processes: tuple[Process, ...]
    port: int
    version: str

    @property
    def main(self) -> Process:
        """The broker itself."""
        return self.processes[-1]

    async def end(self, within_s: float) -> None:
        """Ask it to leave, and kill it after ``within_s`` seconds; then what was beside it."""
        for process in reversed(self.processes):
            await _end(process, within_s)


def program(name: str, folder: str = _PLACES) -> str:
    """Path of a program; BrokerError when it is not there."""
    found = shutil.which(name, path=folder)
    if found is None:
        raise BrokerError(f"{name} is not in {folder}")
    return found


async def serve(worker: Worker, broker: Broker) -> None:
    """Keep a broker until told to stop; BrokerError when it ends by itself."""
    # Its memory and CPU are seen by the probe; this process has nothing to say of them.
    worker.report_runtime_of(dict)
    limits = worker.spec.limits
    answer_s = limits.ready_ns / _SECOND * 0.8
    running = await start(broker, worker.spec.listen, worker.spec.paths.scratch, answer_s)
    worker.ready(broker.name, running.version, endpoint=broker.endpoint(running.port))
    stopped = asyncio.create_task(worker.stopped())
    ended = asyncio.create_task(running.main.wait())
    await asyncio.wait({stopped, ended}, return_when=asyncio.FIRST_COMPLETED)
    # Less than the half of the limit that the contract leaves for work under way.
    await running.end(limits.stop_ns / _SECOND / 3)
    if not stopped.done():
        raise BrokerError(f"{broker.name} ended by itself with exit code {ended.result()}")


async def start(broker: Broker, listen: str, folder: Path, answer_s: float) -> Running:
    """Start ``broker``, and return when it answers.

    ``listen`` with port 0 gets a port from the system. BrokerError when it cannot be started, or
    has not answered after ``answer_s`` seconds.
    """
    reason = ""
    try:
        async with asyncio.timeout(answer_s):
            for attempt in range(_ATTEMPTS):
                try:
                    return await _start_once(broker, listen, folder)
                except (OSError, BrokerError) as error:
                    reason = str(error)
                    _log.warning("%s, attempt %d: %s", broker.name, attempt + 1, reason)
                await asyncio.sleep(_PAUSE_S)
    except TimeoutError:
        reason = f"no answer for {answer_s:.0f} s; {reason or 'it was being started'}"
    raise BrokerError(f"{broker.name} did not start at {listen}: {reason}")


async def _start_once(broker: Broker, listen: str, folder: Path) -> Running:
    processes: list[Process] = []
    with bound_socket(listen) as reservation:
        port = int(reservation.getsockname()[1])
        try:
            for command in await broker.commands(port, folder):
                processes.append(await _spawn(command, folder))
            version = await _answering(broker, processes[-1], port)
        except BaseException:
            for process in reversed(processes):
                await _end(process, 0)
            raise
    return Running(tuple(processes), port, version)


async def _spawn(command: Command, folder: Path) -> Process:
    return await asyncio.create_subprocess_exec(
        # Gone with this worker, even when that is killed.
        *(program(_GUARD), "--pdeathsig", "KILL"),
        *command.words,
        stdin=DEVNULL,
        cwd=folder,
        env={**os.environ, **command.variables},
    )


async def _answering(broker: Broker, process: Process, port: int) -> str:
    """The version of the broker as soon as it answers; BrokerError when it has ended."""
    while process.returncode is None:
        try:
            async with asyncio.timeout(_ASKING_S):
                return await broker.version(port)
        except OSError:  # TimeoutError among them: not listening or not answering yet
            await asyncio.sleep(_POLL_S)
    raise BrokerError(f"it ended with exit code {process.returncode}")


async def _end(process: Process, within_s: float) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(within_s):
            await process.wait()
    except TimeoutError:
        _log.warning("process %d did not leave within %.1f s: killed", process.pid, within_s)
        process.kill()
        await process.wait()
