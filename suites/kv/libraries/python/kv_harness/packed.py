"""Records under a key each, packed as 104 bytes: what Redis and memcached hold."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence

from kv_harness.client import Key, Row
from kv_harness.data import ROW_FORMAT, name_of
from kv_harness.user_table import FIELD_BYTES

_unpack = struct.Struct(ROW_FORMAT).unpack


def names_of(keys: Sequence[Key]) -> list[str]:
    """As the databases name them."""
    return [name_of(chosen, key) for chosen, key in keys]


def unpacked(values: Iterable[bytes | None]) -> list[Row | None]:
    """Plain rows; struct.error where a value is no record."""
    return [None if value is None else _unpack(value) for value in values]


def joined(values: Mapping[int, bytes]) -> bytes:
    """A whole record of the user table as one value."""
    return b"".join(values[field] for field in sorted(values))


def parted(value: bytes | None) -> list[bytes] | None:
    """The fields of a record of the user table."""
    if value is None:
        return None
    return [value[at : at + FIELD_BYTES] for at in range(0, len(value), FIELD_BYTES)]
