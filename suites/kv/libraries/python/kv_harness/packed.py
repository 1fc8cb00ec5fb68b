"""Records under a key each, packed as 104 bytes: what Redis and memcached hold."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from kv_harness.client import Key, Row
from kv_harness.data import ROW_FORMAT, name_of

_unpack = struct.Struct(ROW_FORMAT).unpack


def names_of(keys: Sequence[Key]) -> list[str]:
    """As the databases name them."""
    return [name_of(chosen, key) for chosen, key in keys]


def unpacked(values: Iterable[bytes | None]) -> list[Row | None]:
    """Plain rows; struct.error where a value is no record."""
    return [None if value is None else _unpack(value) for value in values]
