"""Parts of the official client that are the same whether it is awaited or blocks."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from operator import itemgetter
from typing import Any

import aerospike
from kv_harness import Key, Place, RecordError, Row, host_and_port
from kv_harness.data import BINS

from wirelab_sdk import Failure, Status, explain

LIBRARY = ("aerospike", version("aerospike"))
AerospikeKey = tuple[str, str, str]

_NAMESPACE = "wirelab"
_OK, _NOT_FOUND = 0, 2
_STATUS = {
    "RecordError": Status.ITEM_ERROR,
    "TimeoutError": Status.TIMEOUT,
    "MaxRetriesExceeded": Status.TIMEOUT,
    "ConnectionError": Status.DISCONNECTED,
    "ClusterError": Status.DISCONNECTED,
    "InvalidNodeError": Status.DISCONNECTED,
    "NoMoreConnectionsError": Status.DISCONNECTED,
}
_bins_of = itemgetter(*BINS)


def connect(endpoint: str, place: Place) -> Any:
    """A client for any number of threads, with the policy that the tuning says."""
    batch: dict[str, Any] = {"total_timeout": int(place.limit_s * 1000)}
    if place.parameter("concurrent", False):
        batch["concurrent"] = True
    config: dict[str, Any] = {"hosts": [host_and_port(endpoint)], "policies": {"batch": batch}}
    if most := place.parameter("pool", 0):
        config["max_conns_per_node"] = most
    return aerospike.client(config).connect()


def keys_of(keys: Sequence[Key]) -> list[AerospikeKey]:
    """As the library takes them."""
    return [(_NAMESPACE, f"set_{chosen}", key) for chosen, key in keys]


def rows_of(result: Any) -> list[Row | None]:
    """Plain rows of a multi-get; RecordError where the server refused one."""
    rows: list[Row | None] = []
    for record in result.batch_records:
        if record.result == _OK:
            rows.append(_bins_of(record.record[2]))
        elif record.result == _NOT_FOUND:
            rows.append(None)
        else:
            raise RecordError(f"result code {record.result} for the key {record.key[:3]}")
    return rows


def failure(error: BaseException) -> Failure:
    """By the name of the library's exception: its stubs do not know all of them."""
    words = explain(error)
    status = _STATUS.get(type(error).__name__, words.status)
    return words._replace(status=status, status_name=str(getattr(error, "code", "")))
