"""A contender's interface for YCSB's workloads: one record a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from kv_harness.client import Place
from wirelab_sdk import Failure

Fields = Sequence[bytes]
"""The ten fields of a record, in order."""


class RecordClient(Protocol):
    """A client on asyncio. Calls may be under way side by side."""

    library: tuple[str, str]

    whole_records: bool
    """Whether a write replaces the record, because the database knows no fields."""

    async def open(self, endpoint: str, place: Place) -> None:
        """Connect. Exceptions are the library's own."""

    async def read_record(self, key: str) -> Fields | None:
        """All fields; None where there is no record."""

    async def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """Replace these fields, by their numbers, of a record that is there."""

    async def insert_record(self, key: str, values: Fields) -> None:
        """Make a record that is not there."""

    async def scan_records(self, key: str, most: int) -> Sequence[Fields]:
        """The records from ``key`` on in the order of keys. Only of clients that can `scan`."""

    async def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """Read a record and replace these fields of what was read: where another one has written
        between, all of it is done again. What was read is returned."""

    def explain(self, error: BaseException) -> Failure:
        """Name the failure under which an error of the library is recorded."""

    async def close(self) -> None:
        """Give the connections back."""


class BlockingRecordClient(Protocol):
    """The same for threads: calls are made by several of them at a time."""

    library: tuple[str, str]
    whole_records: bool

    def open(self, endpoint: str, place: Place) -> None:
        """Connect."""

    def read_record(self, key: str) -> Fields | None:
        """All fields; None where there is no record."""

    def write_record(self, key: str, values: Mapping[int, bytes]) -> None:
        """Replace these fields of a record that is there."""

    def insert_record(self, key: str, values: Fields) -> None:
        """Make a record that is not there."""

    def scan_records(self, key: str, most: int) -> Sequence[Fields]:
        """The records from ``key`` on."""

    def modify_record(self, key: str, values: Mapping[int, bytes]) -> Fields | None:
        """Read a record and replace fields of what was read."""

    def explain(self, error: BaseException) -> Failure:
        """Name the failure under which an error of the library is recorded."""

    def close(self) -> None:
        """Give the connections back."""
