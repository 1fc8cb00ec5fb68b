"""The wire format of CGD::buffer, written from its description alone.

Little-endian and unpadded, without header, tags or version: primitives as they are; strings as
an int32 of their UTF-16 units and one more, the units, and a NUL; lists and maps as an int32
count and what they hold. Null is a count of -1.

    letter = record(Letter, sent=INT64, text=STRING, marks=list_of(INT32))
    data = Writer().append(letter, value).to_bytes()
    value = Reader(data).extract(letter)

Nothing is allocated for a count before as many of the smallest elements are known to be there.
"""

from cgd.buffers import Reader, Writer
from cgd.containers import list_of, map_of
from cgd.errors import CgdError
from cgd.kinds import (
    BOOL,
    BYTES,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    NULLABLE_STRING,
    STRING,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    ValueKind,
)
from cgd.records import record

__all__ = [
    "BOOL",
    "BYTES",
    "FLOAT32",
    "FLOAT64",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "NULLABLE_STRING",
    "STRING",
    "UINT8",
    "UINT16",
    "UINT32",
    "UINT64",
    "CgdError",
    "Reader",
    "ValueKind",
    "Writer",
    "list_of",
    "map_of",
    "record",
]
