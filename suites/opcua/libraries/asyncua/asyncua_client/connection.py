"""asyncua sessions with the neutral server, opened as its documentation says."""

from __future__ import annotations

import asyncio
from pathlib import Path

from asyncua import Client, ua
from asyncua.crypto.security_policies import (
    SecurityPolicy,
    SecurityPolicyAes128Sha256RsaOaep,
    SecurityPolicyBasic256Sha256,
)
from asyncua.crypto.truststore import TrustStore
from asyncua.crypto.uacrypto import CertProperties
from asyncua.crypto.validator import CertificateValidator, CertificateValidatorOptions

from asyncua_client.dialect import Dialect, ServiceCalls
from wirelab_sdk import Outcome, Spec, SpecError, Turn

_APPLICATION_URI = "urn:wirelab:opcua:client"
_POLICIES: dict[str, type[SecurityPolicy]] = {
    "Basic256Sha256": SecurityPolicyBasic256Sha256,
    "Aes128_Sha256_RsaOaep": SecurityPolicyAes128Sha256RsaOaep,
}


class Security:
    """The policy and the mode of a spec, as a client is told of them before it connects."""

    def __init__(self, spec: Spec) -> None:
        self._policy = spec.parameter("security", "None")
        if self._policy != "None" and self._policy not in _POLICIES:
            raise SpecError(f"security must be None or of {[*_POLICIES]}, found {self._policy}")
        self._mode = spec.parameter("security_mode", "SignAndEncrypt")
        self._folder = Path(spec.facts.get("certificates", {}).get("client_folder", ""))

    async def apply(self, client: Client, server_certificate: bytes | None = None) -> None:
        """Give ``client`` its certificate and what it trusts.

        Without ``server_certificate`` the library asks the server for it, over a connection of
        its own; it is validated against the trust list either way.
        """
        client.application_uri = _APPLICATION_URI
        if self._policy == "None":
            return
        store = TrustStore([self._folder / "trusted"], [])
        await store.load()
        client.certificate_validator = CertificateValidator(
            CertificateValidatorOptions.TRUSTED_VALIDATION
            | CertificateValidatorOptions.PEER_SERVER,
            store,
        )
        await client.set_security(
            _POLICIES[self._policy],
            self._folder / "own.der",
            self._folder / "own.key.pem",
            server_certificate=server_certificate and CertProperties(server_certificate, "der"),
            mode=ua.MessageSecurityMode[self._mode],
        )


class Connection:
    """The library's client, which reconnects by itself once it has been connected, if it can."""

    def __init__(self, spec: Spec, dialect: Dialect) -> None:
        self._spec = spec
        self._dialect = dialect
        self._url = spec.endpoints["server"]
        self._request_timeout = spec.parameter("request_timeout_ns", 4_000_000_000) / 1e9
        self._security = Security(spec)
        self._session_timeout_ms = spec.parameter("session_timeout_ns", 0) / 1e6
        self.client: Client | None = None

    async def open(self) -> None:
        """Connect; raises what the library raises, and leaves nothing half open."""
        client = Client(self._url, timeout=self._request_timeout)
        if self._session_timeout_ms:
            client.session_timeout = self._session_timeout_ms
        await self._security.apply(client)
        await self._dialect.connect(client, self._spec)
        self.client = client

    @property
    def session(self) -> ServiceCalls:
        """The session; only once it is established."""
        assert self.client is not None
        return self._dialect.session(self.client)

    @property
    def established(self) -> bool:
        """Whether a connection has been made (it may be down and reconnecting)."""
        return self.client is not None

    async def close(self) -> None:
        """Leave the server; not longer than a second, whatever state it is in."""
        if self.client is None or not self._dialect.is_connected(self.client):
            return
        await asyncio.wait({asyncio.create_task(self.client.disconnect())}, timeout=1)


class Opening:
    """One more session at a time: made ready before its tick, opened at it, closed after it."""

    def __init__(self, spec: Spec, dialect: Dialect) -> None:
        self._dialect = dialect
        self._url = spec.endpoints["server"]
        self._request_timeout = spec.parameter("request_timeout_ns", 4_000_000_000) / 1e9
        self._security = Security(spec)
        self._server_certificate: bytes | None = None
        self._next: Client | None = None
        self._between: asyncio.Task[None] | None = None

    async def prepare(self, connected: Client) -> None:
        """Take over the server's certificate from a session that trusts it."""
        self._server_certificate = connected.security_policy.peer_certificate
        await self._make_next()

    async def __call__(self, _turn: Turn) -> Outcome:
        if self._between is not None:
            await self._between
        client, self._next = self._next, None
        assert client is not None
        try:
            await self._dialect.connect_once(client)
        finally:
            self._between = asyncio.create_task(self._close(client))
        return Outcome(lambda: {"opened": True})

    async def _close(self, client: Client) -> None:
        if self._dialect.is_connected(client):
            await client.disconnect()
        await self._make_next()

    async def _make_next(self) -> None:
        self._next = Client(self._url, timeout=self._request_timeout)
        await self._security.apply(self._next, self._server_certificate)

    async def finish(self) -> None:
        """Wait for the last session to be closed."""
        if self._between is not None:
            await asyncio.wait({self._between}, timeout=1)
