"""Further processes of an application that share its socket, as uvicorn's workers do."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

_SOCKET = "WIRELAB_SERVING_SOCKET"
_READY = b"ready\n"
_ENDING_S = 1.0


def inherited() -> socket.socket | None:
    """The socket of the process that started this one; None in the first process."""
    number = os.environ.get(_SOCKET)
    return socket.socket(fileno=int(number)) if number else None


def tell_ready() -> None:
    """Tell the first process that this one serves."""
    sys.stdout.buffer.write(_READY)
    sys.stdout.buffer.flush()


async def first_is_gone() -> None:
    """Wait until the first process closes the pipe, which it does even when it is killed."""
    await asyncio.to_thread(sys.stdin.buffer.read)


async def started(listener: socket.socket, number: int) -> Sequence[Process]:
    """``number`` more processes that accept what comes to ``listener``, all of them ready.

    RuntimeError when one of them ends before it is.
    """
    listener.set_inheritable(True)
    made: list[Process] = []
    for _each in range(number):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, *sys.argv),
            stdin=PIPE,
            stdout=PIPE,
            pass_fds=[listener.fileno()],
            env={**os.environ, _SOCKET: str(listener.fileno())},
        )
        made.append(process)
    for process in made:
        assert process.stdout is not None
        if await process.stdout.readline() != _READY:
            await end(made)
            raise RuntimeError("a further process of the application ended before it served")
    return made


async def end(processes: Sequence[Process]) -> None:
    """All of them: asked by the end of their input, killed where that takes too long."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
    for process in processes:
        try:
            async with asyncio.timeout(_ENDING_S):
                await process.wait()
        except TimeoutError:
            process.send_signal(signal.SIGKILL)
            await process.wait()
