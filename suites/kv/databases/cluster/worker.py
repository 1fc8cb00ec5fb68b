"""The neutral program ``cluster``: an Aerospike cluster of the user's own.

It takes the place of the bench server where ``--target HOST:PORT`` is given, and is filled where it
is empty. The cluster must have the namespace ``wirelab``; no other is read or written.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Any

import aerospike
from aerospike import exception
from kv_harness import host_and_port
from kv_harness.data import BINS, SETS, records

from wirelab_sdk import SpecError, Worker, main

_NAMESPACE = "wirelab"
_LOOKED_AT = 100
_WRITERS = 16
_PATIENCE_MS = 2_000

Entry = tuple[tuple[str, str, str], dict[str, int | float]]


class ClusterError(Exception):
    """The cluster cannot be used: the message says why, and what to do."""


class Cluster:
    """The cluster at ``target``, and the records that it is to hold."""

    def __init__(self, target: str, universe: int) -> None:
        self._universe = universe
        self._target = target
        try:
            config = {
                "hosts": [host_and_port(target)],
            }
            self._client = aerospike.client(config).connect()
        except exception.AerospikeError as error:
            raise ClusterError(f"no Aerospike cluster answers at {target}: {error}") from error

    def fill(self, deadline: float) -> int:
        """Write what is not there yet; how many records were written."""
        try:
            missing = [chosen for chosen in SETS if not self._holds(chosen)]
            entries = itertools.chain.from_iterable(map(self._entries, missing))
            with ThreadPoolExecutor(_WRITERS, "fill") as writers:
                return sum(writers.map(lambda part: self._write(part, deadline), _parts(entries)))
        except exception.NamespaceNotFound as error:
            raise ClusterError(
                f"the cluster at {self._target} has no namespace {_NAMESPACE}: add it to its "
                "configuration, in memory and replicated as your own are"
            ) from error

    def _holds(self, chosen: int) -> bool:
        """Whether keys from all over a set have their values; ClusterError where another has."""
        wanted = {key[2]: bins for key, bins in self._entries(chosen)}
        step = max(1, self._universe // _LOOKED_AT)
        names = [f"k{number}" for number in range(0, self._universe, step)]
        asked = [(_NAMESPACE, f"set_{chosen}", name) for name in names]
        for name, answer in zip(names, self._client.batch_read(asked).batch_records, strict=True):
            held = answer.record[2] if answer.record else None
            if held is not None and held != wanted.get(name):
                raise ClusterError(
                    f"set_{chosen}:{name} in the namespace {_NAMESPACE} is not wirelab's record: "
                    f"{held!r:.200}; give it a namespace of its own"
                )
            if held is None and name in wanted:
                return False
        return True

    def _entries(self, chosen: int) -> Iterator[Entry]:
        for key, *bins in records(chosen, self._universe).rows():
            values: Any = bins
            yield (_NAMESPACE, f"set_{chosen}", str(key)), dict(zip(BINS, values, strict=True))

    def _write(self, part: Iterable[Entry], deadline: float) -> int:
        written = 0
        for key, bins in part:
            if time.monotonic() > deadline:
                raise ClusterError(
                    "the cluster was not filled in time: fill it nearer to its nodes"
                )
            # The key is not stored with the record, as the bench server does not either.
            self._client.put(key, bins, policy={"total_timeout": _PATIENCE_MS})
            written += 1
        return written

    def close(self) -> None:
        """Leave the cluster; the records stay."""
        self._client.close()


def _parts(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    walk = iter(entries)
    while part := list(itertools.islice(walk, 1_000)):
        yield part


async def play(worker: Worker) -> None:
    """Fill the cluster, then stand for it until told to stop."""
    spec = worker.spec
    target = spec.parameter("target", "")
    if not target:
        raise SpecError("the program cluster needs the parameter target: wl run --target HOST:PORT")
    deadline = time.monotonic() + spec.limits.ready_ns / 1e9
    cluster = await asyncio.to_thread(Cluster, target, spec.parameter("universe", 10_000))
    try:
        written = await asyncio.to_thread(cluster.fill, deadline)
        facts = {"target": target, "written": written}
        worker.ready("aerospike", version("aerospike"), endpoint=target, facts=facts)
        await worker.stopped()
    finally:
        await asyncio.to_thread(cluster.close)


if __name__ == "__main__":
    main(play)
