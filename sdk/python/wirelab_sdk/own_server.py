"""The role of a server of the user's own, which takes the place of a neutral program.

Nothing is started: clients are sent to a server that is there. What lies on it is looked at before
anything is measured, written where the user has said so, and removed afterwards; what its own
counters say of a trial is told to the core, which holds it against what was measured.
"""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wirelab_sdk.process import main
from wirelab_sdk.spec import OwnTarget, Spec, SpecError
from wirelab_sdk.worker import Worker

_ANSWER_S = 10.0


class OwnServerError(RuntimeError):
    """A server cannot be measured against: the message says why, and what to do."""


@dataclass(frozen=True)
class Login:
    """User and password for a server, from the environment; both may be empty."""

    user: str
    password: str
    placeholder: str
    """Their names in the environment as a part of an endpoint: what is recorded of them."""

    @classmethod
    def of(cls, program: str) -> Login:
        """From WIRELAB_<PROGRAM>_USER and WIRELAB_<PROGRAM>_PASSWORD."""
        head = f"WIRELAB_{program.upper().replace('-', '_')}"
        user, password = (os.environ.get(f"{head}_{part}", "") for part in ("USER", "PASSWORD"))
        said = f"${{{head}_USER}}" if user else ""
        said += f":${{{head}_PASSWORD}}" if password else ""
        return cls(user, password, f"{said}@" if said else "")


class OwnServer(ABC):
    """The part that is particular to one kind of server."""

    name: str
    counts: str = ""
    """The counter that rises with every request, by its own name; empty: a client can read none."""
    lies: str = ""
    """Place of our data on it, in words; empty: clients ask for none."""

    def __init__(self, target: OwnTarget) -> None:
        self.address = target.address
        host, _, port = target.address.rpartition(":")
        self.host, self.port = host.strip("[]"), int(port)
        self.login = Login.of(target.program)

    @abstractmethod
    async def version(self) -> str:
        """Its version; OSError or OwnServerError when it does not answer, or is another kind."""

    @property
    @abstractmethod
    def endpoint(self) -> str:
        """Address that clients connect to, with the login's placeholder."""

    async def missing(self) -> int:
        """Count our data that are not there; OwnServerError where others lie in their place."""
        return 0

    async def fill(self) -> int:
        """Write what is missing over nothing that is there; how many were written."""
        return 0

    async def remove(self) -> int:
        """Remove what is ours under our own name, and nothing else; how many that were."""
        return 0

    async def requests(self) -> int:
        """The counter ``counts``."""
        return 0

    async def told(self) -> dict[str, Any]:
        """Facts that clients need in a trial; nothing, where the endpoint says it all."""
        return {}

    async def close(self) -> None:
        """Let go of what was kept open; it may be nothing."""
        return


def play(make: Callable[[Spec, OwnTarget], OwnServer]) -> None:
    """Be the stand-in of a server, in whatever the core asks of it."""

    async def role(worker: Worker) -> None:
        target = worker.spec.target
        if target is None:
            raise SpecError("this program stands for a server of your own: ./wl run --target")
        await _stand_in(worker, make(worker.spec, target), target)

    main(role)


async def _stand_in(worker: Worker, server: OwnServer, target: OwnTarget) -> None:
    tasks = {"check": _check, "serve": _serve, "remove": _remove}
    try:
        async with asyncio.timeout(_ANSWER_S):
            version = await server.version()
        facts = await tasks[target.task](server, target)
        worker.ready(server.name, version, endpoint=server.endpoint, facts=facts)
        await worker.stopped()
        if "counted" in facts:
            worker.reached(await server.requests() - facts["counted"], server.counts)
    except OSError as error:  # TimeoutError among them
        reason = str(error) or f"it was silent for {_ANSWER_S:.0f} s"
        raise OwnServerError(f"no {server.name} answers at {server.address}: {reason}") from error
    finally:
        await server.close()


async def _check(server: OwnServer, target: OwnTarget) -> dict[str, Any]:
    missing, written = await server.missing(), 0
    if missing and not target.fill:
        raise OwnServerError(
            f"{missing:,} records that clients ask for are not on {server.name} at "
            f"{server.address}. With --fill they are written before the run ({server.lies}) and "
            "removed after it; without it nothing is written"
        )
    if missing:
        written = await server.fill()
        if still := await server.missing():
            raise OwnServerError(
                f"{server.name} at {server.address} does not keep what is written to it: "
                f"{still:,} records are missing after {written:,} were written ({server.lies})"
            )
    return {"written": written, "counter": server.counts}


async def _serve(server: OwnServer, _target: OwnTarget) -> dict[str, Any]:
    counted = {"counted": await server.requests()} if server.counts else {}
    return {**await server.told(), **counted}


async def _remove(server: OwnServer, _target: OwnTarget) -> dict[str, Any]:
    return {"removed": await server.remove()}
