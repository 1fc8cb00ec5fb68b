"""Who owns a listening socket, and who is connected to whom.

A probe that watches the wrong process measures nothing, and so does a client of the wrong server.
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


def connected_to(root: int, address: str) -> bool | None:
    """Whether ``root`` or a descendant of it has a connection to ``address``, HOST:PORT.

    None when that cannot be read.
    """
    host, _, port = address.rpartition(":")
    try:
        known = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
        open_now = _sockets_of(root)
    except (OSError, psutil.Error):
        return None
    theirs = {(str(info[4][0]), int(info[4][1])) for info in known}
    return any(
        one.status == psutil.CONN_ESTABLISHED
        and one.raddr
        and (one.raddr.ip.removeprefix("::ffff:"), one.raddr.port) in theirs
        for one in open_now
    )


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


def _sockets_of(root: int) -> list[Any]:
    process = psutil.Process(root)
    tree = [process, *process.children(recursive=True)]
    return [one for member in tree for one in member.net_connections(kind="inet")]
