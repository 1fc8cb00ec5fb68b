"""One asyncua session with the neutral server, opened as its documentation says."""

from __future__ import annotations

import asyncio
import socket

from asyncua import Client
from asyncua.client.ua_client import UaClientState
from asyncua.crypto.cert_gen import setup_self_signed_certificate
from cryptography.x509.oid import ExtendedKeyUsageOID

from wirelab_sdk import Spec, SpecError

_APPLICATION_URI = "urn:wirelab:opcua:asyncua"


class Connection:
    """The library's client, which reconnects by itself once it has been connected."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._request_timeout = spec.parameter("request_timeout_ns", 4_000_000_000) / 1e9
        self._security = spec.parameter("security", "None")
        if self._security not in ("None", "Basic256Sha256"):
            raise SpecError(f"security must be None or Basic256Sha256, found {self._security}")
        self._reconnect_max_delay = spec.parameter("reconnect_max_delay_s", 1.0)
        self.client: Client | None = None

    async def open(self) -> None:
        """Connect; raises what the library raises, and leaves nothing half open."""
        client = Client(self._spec.endpoints["server"], timeout=self._request_timeout)
        client.application_uri = _APPLICATION_URI
        if self._security != "None":
            await self._secure(client)
        await client.connect(
            auto_reconnect=True,
            reconnect_max_delay=self._reconnect_max_delay,
            # While it reconnects, the library holds calls back for a minute by default; this
            # caller wants to hear of a lost server within its request timeout.
            reconnect_request_timeout=self._request_timeout,
        )
        self.client = client

    @property
    def established(self) -> bool:
        """Whether a connection has been made (it may be down and reconnecting)."""
        return self.client is not None

    async def close(self) -> None:
        """Leave the server; not longer than a second, whatever state it is in."""
        if self.client is None or self.client.state is not UaClientState.CONNECTED:
            return
        await asyncio.wait({asyncio.create_task(self.client.disconnect())}, timeout=1)

    async def _secure(self, client: Client) -> None:
        key = self._spec.paths.scratch / "asyncua-key.pem"
        certificate = self._spec.paths.scratch / "asyncua-certificate.der"
        await setup_self_signed_certificate(
            key,
            certificate,
            _APPLICATION_URI,
            socket.gethostname(),
            [ExtendedKeyUsageOID.CLIENT_AUTH],
            {"commonName": "wirelab asyncua", "organizationName": "wirelab"},
        )
        await client.set_security_string(f"{self._security},SignAndEncrypt,{certificate},{key}")
