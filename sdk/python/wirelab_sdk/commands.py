"""Commands of the contract on standard input, read by the event loop."""

from __future__ import annotations

import asyncio
import json
import logging
import os

_log = logging.getLogger(__name__)


class Commands:
    """Listens on descriptor ``fd``; end of input means ``stop``."""

    def __init__(self, loop: asyncio.AbstractEventLoop, fd: int = 0) -> None:
        self._loop = loop
        self._fd = fd
        self._pending = b""
        self.start: asyncio.Future[int | None] = loop.create_future()
        self.stop = asyncio.Event()
        try:
            loop.add_reader(fd, self._readable)
        except PermissionError:
            # epoll takes neither files nor /dev/null; reading those never blocks.
            while not self.stop.is_set():
                self._readable()

    def _readable(self) -> None:
        data = os.read(self._fd, 65536)
        if not data:
            self._end_of_input()
            return
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            if line.strip():
                self._obey(line)

    def _end_of_input(self) -> None:
        self._loop.remove_reader(self._fd)
        self._stop()

    def _obey(self, line: bytes) -> None:
        try:
            command = json.loads(line)
            name = command["command"]
            if name == "start":
                self._start(int(command["monotonic_ns"]))
            elif name == "stop":
                self._stop()
            else:
                _log.warning("unknown command: %r", line)
        except (ValueError, KeyError, TypeError):
            _log.warning("not a command: %r", line)

    def _start(self, monotonic_ns: int) -> None:
        if not self.start.done():
            self.start.set_result(monotonic_ns)

    def _stop(self) -> None:
        self.stop.set()
        if not self.start.done():
            self.start.set_result(None)
