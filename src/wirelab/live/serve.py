"""Serving live metrics at ``/metrics`` while a run lasts.

Whoever can reach the address may ask, but not under the name of another site (a page of which would
then read the figures through its visitor's browser), and not with connections without end.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import threading
import time
from collections.abc import Iterable
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import make_wsgi_app

from wirelab.live.exposition import Exposition

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MOST_CONNECTIONS = 8
"""At a time; what is beyond is closed at once."""

CONNECTION_S = 10.0
"""From its begin to its end, however slowly the other side speaks."""

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class CannotServeError(Exception):
    """The address asked for cannot be listened on; the message says why."""


class LiveServer:
    """The endpoint, from its making to ``close``."""

    def __init__(self, host: str, port: int, exposition: Exposition) -> None:
        shown = f"[{host}]" if ":" in host else host
        answer: WSGIApplication = make_wsgi_app(exposition.registry())

        def application(environ: WSGIEnvironment, respond: StartResponse) -> Iterable[bytes]:
            if is_of_here(environ.get("HTTP_HOST", ""), host):
                return answer(environ, respond)
            respond("403 Forbidden", [("Content-Type", "text/plain")])
            return [b"live metrics are not served under that name\n"]

        try:
            family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            kind = _ServerOfIPv6 if family == socket.AF_INET6 else _Server
            self._server = make_server(str(address[0]), port, application, kind, _Handler)
        except OSError as error:
            raise CannotServeError(
                f"--metrics: {shown}:{port} cannot be listened on: {error.strerror or error}"
            ) from None
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.url = f"http://{shown}:{self._server.server_port}/metrics"

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def is_of_here(asked: str, bound: str) -> bool:
    """Whether a ``Host`` names this machine: its loopback, the address that is listened on, or,
    where that is every address, any address and this machine's name."""
    name = asked.strip().lower()
    if name.startswith("["):
        name = name[1:].partition("]")[0]
    elif name.count(":") == 1:
        name = name.partition(":")[0]
    if name in _LOOPBACK or name == bound.lower():
        return True
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(bound).is_unspecified:
            return name == socket.gethostname().lower() or _is_address(name)
    return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class _Server(ThreadingMixIn, WSGIServer):
    """A thread for each connection, of which there are few and none for long."""

    daemon_threads = True

    def __init__(self, *arguments: Any) -> None:
        self._until: dict[socket.socket, float] = {}
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, where there is room for one more."""
        if len(self._until) >= MOST_CONNECTIONS:
            self.shutdown_request(request)
            return
        self._until[request] = time.monotonic() + CONNECTION_S
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, whatever becomes of it."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._until.pop(request, None)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a connection that breaks is no matter of the run."""

    def service_actions(self) -> None:
        """End connections that are over their time; called twice a second."""
        now = time.monotonic()
        for request, until in list(self._until.items()):
            if until < now:
                with contextlib.suppress(OSError):
                    request.shutdown(socket.SHUT_RDWR)


class _ServerOfIPv6(_Server):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    """Requests that nobody logs."""

    def log_message(self, *_: object) -> None:
        """Nothing."""
