"""The address a server was asked to listen on, as a bound socket."""

from __future__ import annotations

import socket

from wirelab_sdk.spec import SpecError


def bound_socket(listen: str) -> socket.socket:
    """A TCP socket bound to ``listen`` of the spec, such as ``127.0.0.1:0``; not listening yet.

    Bound before the server's library runs, so that the port is known and several processes can
    share it. A restarted server gets the port that it had even while connections of the killed
    one linger. SpecError when ``listen`` is no address, OSError when the port cannot be had.
    """
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal():
        raise SpecError(f"listen must be HOST:PORT, found {listen!r}")
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, int(port)))
    except BaseException:
        bound.close()
        raise
    return bound


def address_of(bound: socket.socket) -> str:
    """``HOST:PORT`` that the socket really has."""
    host, port = bound.getsockname()
    return f"{host}:{port}"
