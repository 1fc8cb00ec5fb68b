"""Addresses of endpoints, connections to them, and who listens there."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterable
from pathlib import Path

from . import leftovers

CONNECT_S = 2.0

_ADDRESS = re.compile(r"(?://)?(\[[^\]]+\]|[^/:]+):(\d+)")
_ESTABLISHED, _LISTENING = "01", "0A"
_NOBODY = "0"
"""The socket of a connection that no process has accepted."""

Address = tuple[str, int]


def address_of(endpoint: str) -> Address | None:
    """Host and port of ``opc.tcp://127.0.0.1:4840/path``; None without a port that can be had."""
    match = _ADDRESS.search(endpoint)
    if match is None or not 0 < int(match[2]) < 65536:
        return None
    return match[1].strip("[]"), int(match[2])


def connected(address: Address) -> socket.socket:
    """A connection, on which nothing takes longer than ``CONNECT_S``; OSError without one."""
    return socket.create_connection(address, timeout=CONNECT_S)


def listens(root: int, trial: str, port: int) -> bool:
    """Whether ``root``, or another process of ``trial``, listens on ``port``.

    True as well where the kernel does not tell.
    """
    waiting = _listening(port)
    return waiting is None or bool(waiting & _open(leftovers.members(root, trial)))


def waits(connection: socket.socket) -> bool:
    """Whether the server still has to accept a connection that its kernel has made for it.

    False as well where the kernel does not tell.
    """
    with contextlib.suppress(OSError):
        ends = connection.getpeername()[1], connection.getsockname()[1]
        return any(
            entry[3] == _ESTABLISHED and entry[9] == _NOBODY
            for entry in _table() or []
            if (_port(entry[1]), _port(entry[2])) == ends
        )
    return False


def _listening(port: int) -> set[str] | None:
    """The sockets that listen on ``port``, as links of ``/proc/PID/fd`` show them."""
    table = _table()
    if table is None:
        return None
    return {
        f"socket:[{entry[9]}]"
        for entry in table
        if entry[3] == _LISTENING and _port(entry[1]) == port
    }


def _table() -> list[list[str]] | None:
    """The kernel's table of TCP: local and remote address, state and socket are 1, 2, 3 and 9."""
    lines, told = [], False
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            lines += Path(f"/proc/net/{name}").read_text().splitlines()[1:]
            told = True
    return [line.split() for line in lines] if told else None


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)


def _open(pids: Iterable[int]) -> set[str]:
    found = set()
    for pid in pids:
        # A process may end meanwhile, or one of its files be closed.
        with contextlib.suppress(OSError):
            for link in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    found.add(str(link.readlink()))
    return found
