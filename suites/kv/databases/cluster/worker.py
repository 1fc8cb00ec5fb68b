"""The stand-in ``cluster``: an Aerospike cluster of the user's own, with the suite's records.

The cluster must have the namespace ``wirelab``; no other is read or written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import aerospike
from aerospike import exception
from kv_harness.data import BINS, SETS, parts, records

from wirelab_sdk import Spec
from wirelab_sdk.own_server import OwnServer, OwnServerError, OwnTarget, play

_NAMESPACE = "wirelab"
_PATIENCE_MS = 2_000
_COUNTER = "batch_index_complete"

Entry = tuple[tuple[str, str, str], dict[str, int | float]]
T = TypeVar("T")


class Cluster(OwnServer):
    """Records in sets of a namespace of our name."""

    name = "Aerospike"
    counts = f"statistics: {_COUNTER}"
    lies = f"in the namespace {_NAMESPACE}"

    def __init__(self, spec: Spec, target: OwnTarget) -> None:
        super().__init__(target)
        self._universe = spec.parameter("universe", 10_000)
        self._client: Any = None

    @property
    def endpoint(self) -> str:
        """The node that clients begin with."""
        return self.address

    async def version(self) -> str:
        """As its nodes tell their build."""
        builds = await self._called(lambda client: _told(client, "build"))
        return ", ".join(sorted(set(builds)))

    async def requests(self) -> int:
        """Multi-gets that its nodes have answered."""
        told = await self._called(lambda client: _told(client, "statistics"))
        figures = [one.partition(f"{_COUNTER}=")[2].partition(";")[0] for one in told]
        return sum(int(figure) for figure in figures)

    async def missing(self) -> int:
        """Records that are not there, of all sets."""
        return sum(await self._each_part(self._missing_of))

    async def fill(self) -> int:
        """Records where there are none; the key is not stored, as the bench server does not."""
        return sum(await self._each_part(self._written_of))

    async def remove(self) -> int:
        """Records that have the bins that we write."""
        return sum(await self._each_part(self._removed_of))

    async def close(self) -> None:
        """Close the client: its threads must not outlive the interpreter."""
        if self._client is not None:
            await asyncio.to_thread(self._client.close)

    def _missing_of(self, client: Any, part: list[Entry]) -> int:
        count = 0
        for (key, bins), held in zip(part, _held(client, part), strict=True):
            if held is None:
                count += 1
            elif held != bins:
                raise OwnServerError(
                    f"{key[1]}:{key[2]} in the namespace {_NAMESPACE} is not wirelab's record: it "
                    "was left as it is, and nothing was measured; give wirelab a namespace of its "
                    "own"
                )
        return count

    def _written_of(self, client: Any, part: list[Entry]) -> int:
        wanted = [
            entry for entry, held in zip(part, _held(client, part), strict=True) if held is None
        ]
        policy = {"total_timeout": _PATIENCE_MS, "exists": aerospike.POLICY_EXISTS_CREATE}
        for key, bins in wanted:
            client.put(key, bins, policy=policy)
        return len(wanted)

    def _removed_of(self, client: Any, part: list[Entry]) -> int:
        ours = [
            key for (key, bins), held in zip(part, _held(client, part), strict=True) if held == bins
        ]
        for key in ours:
            client.remove(key, policy={"total_timeout": _PATIENCE_MS})
        return len(ours)

    async def _each_part(self, do: Callable[[Any, list[Entry]], T]) -> list[T]:
        # One after another: sixteen threads at once have brought this client down (signal 11).
        return await self._called(lambda client: [do(client, p) for p in parts(self._entries())])

    async def _called(self, call: Callable[[Any], T]) -> T:
        try:
            if self._client is None:
                self._client = await asyncio.to_thread(self._connect)
            return await asyncio.to_thread(call, self._client)
        except exception.NamespaceNotFound as error:
            raise OwnServerError(
                f"the cluster at {self.address} has no namespace {_NAMESPACE}: add it to its "
                "configuration, in memory and replicated as your own are"
            ) from error
        except exception.AerospikeError as error:
            raise ConnectionResetError(str(error)) from error

    def _connect(self) -> Any:
        config: dict[str, Any] = {"hosts": [(self.host, self.port)]}
        return aerospike.client(config).connect()

    def _entries(self) -> Iterator[Entry]:
        for chosen in SETS:
            for key, *bins in records(chosen, self._universe).rows():
                values: Any = bins
                yield (
                    (_NAMESPACE, f"set_{chosen}", str(key)),
                    dict(zip(BINS, values, strict=True)),
                )


def _held(client: Any, part: list[Entry]) -> list[dict[str, int | float] | None]:
    """The bins that lie under each key."""
    found = client.batch_read([key for key, _ in part]).batch_records
    return [one.record[2] if one.record else None for one in found]


def _told(client: Any, command: str) -> list[str]:
    """Each node's answer to an info command, without the command itself."""
    answers = client.info_all(command).values()
    return [str(said).strip().rpartition("\t")[2] for _, said in answers]


if __name__ == "__main__":
    play(Cluster)
