"""A contender's interface: how keys become rows, awaited or in a thread of the caller's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from wirelab_sdk import Failure, Spec

Key = tuple[int, str]
"""Number of the set, and the key in it, such as ``(3, "k17")``."""

Row = tuple[int | float, ...]
"""The 13 bins of a record: five integers, eight doubles."""

P = TypeVar("P")
T = TypeVar("T", bool, int, float, str)


@dataclass(frozen=True, slots=True)
class Place:
    """A client's surroundings: the parameters of its trial and the time limit of a call."""

    spec: Spec

    @property
    def limit_s(self) -> float:
        """Seconds after which a call is to fail: the trial's, or those that it gives clients."""
        own = self.spec.parameter("limit_ms", 0)
        return own / 1e3 if own else self.spec.limits.operation_ns / 1e9

    @property
    def connections(self) -> int:
        """Connections of a pool at the most: those of the trial, or else of the tuning."""
        return self.spec.parameter("pool", 0) or self.spec.parameter("connections", 16)

    def parameter(self, name: str, default: T) -> T:
        """A parameter of the trial, in the type of ``default``; SpecError when it has another."""
        return self.spec.parameter(name, default)


@dataclass(slots=True)
class Spans:
    """Parts of the time of a read, in nanoseconds; a span that a client does not have stays 0.

    A client adds to what is there, so that reads one after the other can share it.
    """

    hop_out: int = 0
    """From handing a job to the executor until it begins there."""
    call: int = 0
    """The call of the library."""
    hop_back: int = 0
    """From the end of the job until the coroutine goes on."""
    convert: int = 0
    """From the library's result to plain rows."""


class Client(Protocol[P]):
    """A client on asyncio. Reads may be under way side by side."""

    library: tuple[str, str]
    """Name and version."""

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect. Exceptions are the library's own."""

    def prepare(self, keys: Sequence[Key]) -> P:
        """Prepare `read`'s argument for these keys, which may be of several sets. Never timed."""

    async def read(self, prepared: P, spans: Spans | None = None) -> list[Row | None]:
        """A row for each key in the order asked, None where there is no record."""

    def explain(self, error: BaseException) -> Failure:
        """Name the failure under which an error of the library is recorded."""

    async def close(self) -> None:
        """Give the connections back."""


class BlockingClient(Protocol[P]):
    """The same for threads: `read` is called by several of them at a time.

    Nobody can take a blocking call back, so its library must give it up by itself after
    `Place.limit_s`.
    """

    library: tuple[str, str]

    def open(self, endpoint: str, place: Place) -> None:
        """Connect."""

    def prepare(self, keys: Sequence[Key]) -> P:
        """Prepare `read`'s argument for these keys."""

    def read(self, prepared: P, spans: Spans | None = None) -> list[Row | None]:
        """A row for each key in the order asked, None where there is no record."""

    def explain(self, error: BaseException) -> Failure:
        """Name the failure under which an error of the library is recorded."""

    def close(self) -> None:
        """Give the connections back."""


class RecordError(Exception):
    """A record of a multi-get that the server refused, which is not one that it does not have."""


AnyClient = Client[Any] | BlockingClient[Any]


def host_and_port(endpoint: str) -> tuple[str, int]:
    """The parts of ``HOST:PORT``; ValueError when it is something else."""
    host, _, port = endpoint.rpartition(":")
    if not host:
        raise ValueError(f"endpoint: expected HOST:PORT, found {endpoint!r}")
    return host, int(port)
