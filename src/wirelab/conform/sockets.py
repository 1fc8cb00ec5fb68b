"""Addresses of endpoints, TCP or UDP to them, and who listens there."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterable
from pathlib import Path

from . import leftovers

CONNECT_S = 2.0

_ADDRESS = re.compile(r"(?://)?(\[[^\]]{1,255}\]|[^/:]{1,255}):(\d{1,5})(?!\d)", re.ASCII)
_ESTABLISHED, _LISTENING, _WITHOUT_PEER = "01", "0A", "07"
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


def sender(address: Address) -> socket.socket:
    """A socket of UDP towards an address, on which nothing takes longer than ``CONNECT_S``."""
    family, kind, _, _, there = socket.getaddrinfo(*address, type=socket.SOCK_DGRAM)[0]
    made = socket.socket(family, kind)
    made.settimeout(CONNECT_S)
    made.connect(there)
    return made


def takes_datagrams(address: Address) -> bool:
    """Whether a socket of UDP is bound to the port, and none of TCP listens on it.

    False as well where the kernel does not tell.
    """
    return _listening(address[1]) == set() and bool(_bound(address[1]))


def listens(root: int, trial: str, port: int) -> bool:
    """Whether ``root``, or another process of ``trial``, listens on ``port``.

    True as well where the kernel does not tell.
    """
    waiting = _listening(port) or _bound(port)
    return waiting is None or bool(waiting & _open(leftovers.members(root, trial)))


def waits(connection: socket.socket) -> bool:
    """Whether the server still has to accept a connection that its kernel has made for it, or to
    read a datagram that its kernel keeps for it.

    False as well where the kernel does not tell.
    """
    with contextlib.suppress(OSError):
        there = connection.getpeername()[1]
        if connection.type == socket.SOCK_DGRAM:
            return any(_unread(entry) for entry in _at(there, _WITHOUT_PEER, "udp") or [])
        return any(
            entry[9] == _NOBODY and _port(entry[2]) == connection.getsockname()[1]
            for entry in _at(there, _ESTABLISHED, "tcp") or []
        )
    return False


def _listening(port: int) -> set[str] | None:
    """The sockets that listen on ``port``, as links of ``/proc/PID/fd`` show them."""
    return _links(_at(port, _LISTENING, "tcp"))


def _bound(port: int) -> set[str] | None:
    """The sockets that get whatever is sent to ``port`` by UDP."""
    return _links(_at(port, _WITHOUT_PEER, "udp"))


def _links(entries: list[list[str]] | None) -> set[str] | None:
    return None if entries is None else {f"socket:[{entry[9]}]" for entry in entries}


def _at(port: int, state: str, protocol: str) -> list[list[str]] | None:
    """Entries of sockets with ``port`` at this end, in a state; None where there is no table."""
    table = _table(protocol)
    if table is None:
        return None
    return [entry for entry in table if entry[3] == state and _port(entry[1]) == port]


def _unread(entry: list[str]) -> bool:
    """Whether bytes wait to be read; they are counted behind those that wait to be sent."""
    return int(entry[4].rpartition(":")[2], 16) > 0


def _table(protocol: str) -> list[list[str]] | None:
    """The kernel's table of TCP or UDP: local and remote address, state, bytes that wait and
    socket are 1, 2, 3, 4 and 9.
    """
    lines, told = [], False
    for name in (protocol, f"{protocol}6"):
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
