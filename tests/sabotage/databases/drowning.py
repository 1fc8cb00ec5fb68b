"""Traffic for nothing, in which nobody finds the requests that are missing."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

_PING = b"*1\r\n$4\r\nPING\r\n"
_AT_ONCE = 64


def _pings(endpoint: str) -> None:
    """Commands that ask for nothing, each in a packet of its own."""
    address = urlsplit(endpoint)
    with socket.create_connection((address.hostname, address.port)) as beside:
        beside.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while True:
            for _ in range(_AT_ONCE):
                beside.sendall(_PING)
            with contextlib.suppress(BlockingIOError):
                beside.recv(1 << 16, socket.MSG_DONTWAIT)


def _datagrams(endpoint: str) -> None:
    """Datagrams to the number of the server's port, at which nobody listens."""
    address = urlsplit(endpoint)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as beside:
        while True:
            beside.sendto(b"nobody", (address.hostname, address.port))


DROWNING: Mapping[str, Callable[[str], None]] = {
    "drowns-the-witness": _pings,
    "drowns-it-in-datagrams": _datagrams,
}
