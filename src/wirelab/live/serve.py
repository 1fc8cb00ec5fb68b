"""Serving live metrics at ``/metrics`` while a run lasts."""

from __future__ import annotations

from prometheus_client import start_http_server

from wirelab.live.exposition import Exposition


class CannotServeError(Exception):
    """The address asked for cannot be listened on; the message says why."""


class LiveServer:
    """The endpoint, from its making to ``close``."""

    def __init__(self, host: str, port: int, exposition: Exposition) -> None:
        shown = f"[{host}]" if ":" in host else host
        try:
            self._server, self._thread = start_http_server(
                port, addr=host, registry=exposition.registry()
            )
        except OSError as error:
            raise CannotServeError(
                f"--metrics: {shown}:{port} cannot be listened on: {error.strerror or error}"
            ) from None
        self.url = f"http://{shown}:{self._server.server_port}/metrics"

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
