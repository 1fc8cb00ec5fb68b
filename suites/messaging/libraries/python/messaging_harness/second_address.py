"""A second address of a server, beside the one that its spec has."""

from __future__ import annotations

from wirelab_sdk import Spec


class SecondAddress:
    """An address that a restarted server takes again, for its clients look for it there.

    ``wanted`` is HOST:PORT to bind; port 0 lets the system choose.
    """

    def __init__(self, spec: Spec, name: str) -> None:
        self._remembered = spec.paths.scratch / name
        host, _, port = spec.listen.rpartition(":")
        again = port != "0" and self._remembered.exists()
        self.wanted = self._remembered.read_text("utf-8") if again else f"{host}:0"

    def taken(self, address: str) -> None:
        """Keep the address at which the server listens now."""
        self._remembered.write_text(address, encoding="utf-8")
