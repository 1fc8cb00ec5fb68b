"""Drives, records and checks key-value clients in Python; a contender shows its library alone."""

from kv_harness.client import (
    BlockingClient,
    Client,
    Key,
    Place,
    RecordError,
    Row,
    Spans,
    host_and_port,
)
from kv_harness.clients import play, play_blocking
from kv_harness.executor import ExecutorReads
from kv_harness.record_client import Fields
from kv_harness.timing import awaited_read, timed_read

__all__ = [
    "BlockingClient",
    "Client",
    "ExecutorReads",
    "Fields",
    "Key",
    "Place",
    "RecordError",
    "Row",
    "Spans",
    "awaited_read",
    "host_and_port",
    "play",
    "play_blocking",
    "timed_read",
]
