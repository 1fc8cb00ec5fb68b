"""A redis-server of this trial's own: started, asked, ended."""

from __future__ import annotations

import asyncio
import logging
import shutil
from asyncio.subprocess import DEVNULL, Process
from pathlib import Path
from typing import NamedTuple

from wirelab_sdk import bound_socket

HOST = "127.0.0.1"
_PROGRAM = "redis-server"
_GUARD = "setpriv"
_ATTEMPTS = 10
_PAUSE_S = 0.2
_ANSWER_S = 5.0
_SETTINGS = (
    *("--bind", HOST, "--protected-mode", "yes", "--daemonize", "no"),
    # Nothing is kept: neither snapshots nor a log of commands.
    *("--save", "", "--appendonly", "no"),
)

_log = logging.getLogger(__name__)


class BrokerError(RuntimeError):
    """redis-server did not start, or has ended by itself."""


class Broker(NamedTuple):
    """A redis-server that has answered PING."""

    process: Process
    port: int
    version: str

    async def used_memory(self) -> int:
        """Bytes that Redis says it has allocated."""
        return int((await _info(self.port, "memory"))["used_memory"])

    async def end(self, within_s: float) -> None:
        """Ask it to leave, and kill it after ``within_s`` seconds."""
        if self.process.returncode is None:
            self.process.terminate()
            try:
                await asyncio.wait_for(self.process.wait(), within_s)
            except TimeoutError:
                _log.warning("redis-server did not leave within %.1f s: killed", within_s)
                self.process.kill()


async def start(listen: str, folder: Path) -> Broker:
    """Start redis-server with its data in ``folder``, and return when it answers.

    ``listen`` with port 0 gets a port from the system. BrokerError when it cannot be started.
    """
    for program in (_PROGRAM, _GUARD):
        if shutil.which(program) is None:
            raise BrokerError(f"{program} is not on PATH")
    reason = ""
    for attempt in range(_ATTEMPTS):
        if attempt:
            await asyncio.sleep(_PAUSE_S)
        try:
            return await _start_once(listen, folder)
        except (OSError, BrokerError) as error:
            reason = str(error)
            _log.warning("attempt %d: %s", attempt + 1, reason)
    raise BrokerError(f"redis-server did not start at {listen}: {reason}")


async def _start_once(listen: str, folder: Path) -> Broker:
    # Redis has no port 0. A socket that is bound but does not listen keeps the port from
    # everyone whom the system gives one, and lets a server bind it that names it.
    with bound_socket(listen) as reservation:
        port = int(reservation.getsockname()[1])
        process = await asyncio.create_subprocess_exec(
            # Gone with this worker, even when that is killed.
            *(_GUARD, "--pdeathsig", "KILL"),
            *(_PROGRAM, "--port", str(port), "--dir", str(folder), *_SETTINGS),
            stdin=DEVNULL,
        )
        try:
            server = await asyncio.wait_for(_answering(process, port), _ANSWER_S)
        except BaseException as error:
            if process.returncode is None:
                process.kill()
                await process.wait()
            if isinstance(error, TimeoutError):
                raise BrokerError(f"no answer on port {port} for {_ANSWER_S:.0f} s") from None
            raise
    return Broker(process, port, server["redis_version"])


async def _answering(process: Process, port: int) -> dict[str, str]:
    """What the server says of itself, as soon as it answers; BrokerError when it has ended."""
    while process.returncode is None:
        try:
            if await _ask(port, "PING") == "+PONG":
                server = await _info(port, "server")
                if server["process_id"] == str(process.pid):
                    return server
                raise BrokerError(f"port {port} belongs to another Redis")
        except OSError:
            pass  # not listening yet
        await asyncio.sleep(0.02)
    raise BrokerError(f"redis-server ended with exit code {process.returncode}")


async def _info(port: int, section: str) -> dict[str, str]:
    lines = (await _ask(port, f"INFO {section}")).splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


async def _ask(port: int, command: str) -> str:
    """The answer to ``command``: a status line, or the text of a bulk string."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        writer.write(f"{command}\r\n".encode())
        head = (await reader.readline()).decode().rstrip()
        if not head:
            raise ConnectionResetError(f"no answer to {command}")
        if not head.startswith("$"):
            return head
        return (await reader.readexactly(int(head[1:]))).decode()
    except asyncio.IncompleteReadError as error:
        raise ConnectionResetError(f"half an answer to {command}") from error
    finally:
        writer.close()
