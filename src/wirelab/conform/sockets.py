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
_LISTENING = "0A"

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


def _listening(port: int) -> set[str] | None:
    """The sockets that listen on ``port``, as links of ``/proc/PID/fd`` show them."""
    tables = []
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            tables.append(Path(f"/proc/net/{name}").read_text().splitlines()[1:])
    if not tables:
        return None
    entries = (line.split() for table in tables for line in table)
    return {
        f"socket:[{entry[9]}]"
        for entry in entries
        if entry[3] == _LISTENING and int(entry[1].rpartition(":")[2], 16) == port
    }


def _open(pids: Iterable[int]) -> set[str]:
    found = set()
    for pid in pids:
        # A process may end meanwhile, or one of its files be closed.
        with contextlib.suppress(OSError):
            for link in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    found.add(str(link.readlink()))
    return found
