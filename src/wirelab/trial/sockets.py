"""Who owns a listening socket, and who is connected to whom.

A monitor that watches the wrong process measures nothing, and so does a client of the wrong server.
"""

from __future__ import annotations

import re
import socket
from typing import Any

import psutil

_ADDRESS = re.compile(r"(?P<host>[\d.]+|\[[\da-fA-F:]+\]):(?P<port>\d+)")


def address_of(endpoint: str) -> tuple[str, int] | None:
    """Host and port of an endpoint such as ``opc.tcp://127.0.0.1:4840/path``."""
    match = _ADDRESS.search(endpoint)
    return (match["host"].strip("[]"), int(match["port"])) if match else None


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
    """Whether ``root`` or a descendant of it is bound to ``port``; None when unreadable."""
    try:
        sockets = _sockets_of(root)
    except psutil.Error:
        return None
    return any(
        one.laddr
        and one.laddr.port == port
        and (one.type == socket.SOCK_DGRAM or one.status == psutil.CONN_LISTEN)
        for one in sockets
    )


def _resolved(address: str) -> set[tuple[str, int]]:
    host, _, port = address.rpartition(":")
    known = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    return {(str(info[4][0]), int(info[4][1])) for info in known}


def _place(end: Any) -> tuple[str, int] | None:
    return (end.ip.removeprefix("::ffff:"), end.port) if end else None


def _sockets_of(root: int) -> list[Any]:
    process = psutil.Process(root)
    tree = [process, *process.children(recursive=True)]
    return [one for member in tree for one in member.net_connections(kind="inet")]
