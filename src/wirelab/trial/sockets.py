"""Who owns a listening socket: a probe that watches the wrong process measures nothing."""

from __future__ import annotations

import re
from socket import SOCK_DGRAM

import psutil

_ADDRESS = re.compile(r"(?P<host>[\d.]+|\[[\da-fA-F:]+\]):(?P<port>\d+)")


def address_of(endpoint: str) -> tuple[str, int] | None:
    """Host and port of an endpoint such as ``opc.tcp://127.0.0.1:4840/path``."""
    match = _ADDRESS.search(endpoint)
    return (match["host"].strip("[]"), int(match["port"])) if match else None


def owns_port(root: int, port: int) -> bool | None:
    """Whether ``root`` or a descendant of it is bound to ``port``; None when unreadable."""
    try:
        process = psutil.Process(root)
        tree = [process, *process.children(recursive=True)]
        sockets = [s for member in tree for s in member.net_connections(kind="inet")]
    except psutil.Error:
        return None
    return any(
        socket.laddr
        and socket.laddr.port == port
        and (socket.type == SOCK_DGRAM or socket.status == psutil.CONN_LISTEN)
        for socket in sockets
    )
