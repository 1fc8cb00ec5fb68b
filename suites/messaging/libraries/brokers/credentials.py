"""User and password of a trial's broker, and what its clients are told of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from wirelab_sdk import Spec
from wirelab_sdk.server_program import ServerProgramError

_USER = "wirelab"


@dataclass(frozen=True)
class Credentials:
    """``told`` is the password in the address that clients get: in one fault it is not the right
    one."""

    user: str
    password: str
    told: str

    @property
    def in_address(self) -> str:
        """As they stand before the host of a URL."""
        return f"{self.user}:{self.told}@"

    @staticmethod
    def of(spec: Spec) -> Credentials:
        """The same after a restart, so that clients which have them can come back.

        ServerProgramError for a parameter ``credentials`` other than ``right`` (which it is when
        absent) and ``wrong``.
        """
        password = hashlib.sha256(f"{spec.trial} {spec.seed}".encode()).hexdigest()[:32]
        match spec.parameters.get("credentials", "right"):
            case "right":
                return Credentials(_USER, password, password)
            case "wrong":
                return Credentials(_USER, password, password[::-1])
            case other:
                raise ServerProgramError(f'credentials: expected right or wrong, found "{other}"')


def asked_for(spec: Spec) -> Credentials | None:
    """Login that a broker asks for which can do without; None where the trial does not say so."""
    return Credentials.of(spec) if "credentials" in spec.parameters else None
