"""Owners of listening sockets, and both ends of connections.

A monitor that watches the wrong process measures nothing, and so does a client of the wrong server.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
from pathlib import Path
from typing import Any

import psutil

from wirelab.processes import leftovers

_INIT = 1
_LISTENING, _UNCONNECTED = "0A", "07"
_TABLES = {"tcp": _LISTENING, "tcp6": _LISTENING, "udp": _UNCONNECTED, "udp6": _UNCONNECTED}
"""Tables of sockets, and the state in which one of theirs waits for what comes."""

_ADDRESS = re.compile(
    r"(?P<host>[\d.]{7,15}|\[[\da-fA-F:]{2,39}\]):(?P<port>\d{1,5})(?!\d)", re.ASCII
)
"""Each part is bounded: a worker may say any digits."""

_PORTS = 1 << 16


def address_of(endpoint: str) -> tuple[str, int] | None:
    """Host and port of an endpoint such as ``opc.tcp://127.0.0.1:4840/path``; None without a port
    that there can be.
    """
    match = _ADDRESS.search(endpoint)
    if match is None or int(match["port"]) >= _PORTS:
        return None
    return match["host"].strip("[]"), int(match["port"])


def connected_to(root: int, address: str) -> bool:
    """Whether ``root`` or a descendant of it is seen connected to ``address``, HOST:PORT."""
    try:
        theirs, open_now = _resolved(address), _sockets_of(root)
    except (OSError, psutil.Error):
        return False
    return any(
        one.status == psutil.CONN_ESTABLISHED and _place(one.raddr) in theirs for one in open_now
    )


def closed_lately(address: str) -> set[tuple[Any, Any]]:
    """Both ends of each connection to ``address``, HOST:PORT, that the kernel still remembers.

    It does so for a minute, but not whose they were. Empty when that cannot be read.
    """
    try:
        theirs, known = _resolved(address), psutil.net_connections(kind="tcp")
    except (OSError, psutil.Error):
        return set()
    return {
        (one.laddr, one.raddr)
        for one in known
        if one.status == psutil.CONN_TIME_WAIT
        and not theirs.isdisjoint((_place(one.laddr), _place(one.raddr)))
    }


def owns_port(root: int, port: int) -> bool | None:
    """Whether ``root`` or a descendant of it is bound to ``port``; None when unreadable.

    Looks a second time before it says no: the kernel hands out its tables piece by piece, and a
    row may slip from one piece to the next while others open and close sockets.
    """
    try:
        return any(_is_bound(root, port) for _look in range(2))
    except (OSError, psutil.Error):
        return None


def waiting_at(address: str) -> set[int]:
    """Processes that wait for connections at ``address``, HOST:PORT, where that is on this machine.

    Those of other users, which only root may look into, are missing; so is the first process of
    all, which holds sockets for services that it starts.
    """
    port = int(address.rpartition(":")[2])
    try:
        if not any(map(_is_of_this_machine, _resolved(address))):
            return set()
        sockets = _bound(os.getpid(), port)
    except OSError:
        return set()
    found = set()
    for pid in leftovers.processes():
        with contextlib.suppress(OSError):
            if pid != _INIT and _opened_by(pid) & sockets:
                found.add(pid)
    return found


def _is_of_this_machine(place: tuple[str, int]) -> bool:
    """Whether a socket can be bound to an address, which it can to one's own alone."""
    family = socket.AF_INET6 if ":" in place[0] else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((place[0], 0))
        except OSError:
            return False
    return True


def _resolved(address: str) -> set[tuple[str, int]]:
    host, _, port = address.rpartition(":")
    known = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    return {(str(info[4][0]), int(info[4][1])) for info in known}


def _place(end: Any) -> tuple[str, int] | None:
    return (end.ip.removeprefix("::ffff:"), end.port) if end else None


def _tree(root: int) -> list[psutil.Process]:
    process = psutil.Process(root)
    return [process, *process.children(recursive=True)]


def _sockets_of(root: int) -> list[Any]:
    return [one for member in _tree(root) for one in member.net_connections(kind="inet")]


def _is_bound(root: int, port: int) -> bool:
    """Whether one of the tree is bound to ``port`` of its own network, which may be its trial's."""
    root_process, *descendants = _tree(root)
    if _opened_by(root_process.pid) & _bound(root_process.pid, port):
        return True
    for process in descendants:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            if _opened_by(process.pid) & _bound(process.pid, port):
                return True
    return False


def _bound(pid: int, port: int) -> set[str]:
    """Sockets that wait at ``port`` in the network of a process."""
    found = set()
    for kind, waiting in _TABLES.items():
        with contextlib.suppress(FileNotFoundError):  # no such protocol in this kernel
            for line in Path(f"/proc/{pid}/net/{kind}").read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == waiting and int(fields[1].rpartition(":")[2], 16) == port:
                    found.add(f"socket:[{fields[9]}]")
    return found


def _opened_by(pid: int) -> set[str]:
    found = set()
    for name in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208
        with contextlib.suppress(FileNotFoundError):
            found.add(os.readlink(f"/proc/{pid}/fd/{name}"))  # noqa: PTH115
    return found
