"""The records of YCSB's user table: ten fields of 100 bytes, each of which says who wrote it."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import sha512

from kv_harness.data import mix

FIELDS = 10
FIELD_BYTES = 100
NAMES = tuple(f"field{number}" for number in range(FIELDS))
"""Names of the fields, where a database names them."""

_NUMBER_DIGITS, _SEQUENCE_DIGITS = 12, 12
_HEAD = _NUMBER_DIGITS + 1 + _SEQUENCE_DIGITS
_MESSAGE = struct.Struct("<QI")
"""Number of a record, and of a field: they are hashed after the secret."""
_OFFSETS = 1009
_FILLER = bytes(ord("a") + mix(i) % 26 for i in range(_OFFSETS + FIELD_BYTES - _HEAD))


def name_of_user(number: int) -> str:
    """The key of a record: numbers are hashed, so that neighbours in order are strangers."""
    return f"user{mix(number):020d}"


def value(number: int, field: int, sequence: int) -> bytes:
    """Value that the write with that sequence number puts into a field; 0: the insert."""
    offset = (number * 31 + field * 7 + sequence) % _OFFSETS
    return _head(number, field, sequence) + _FILLER[offset : offset + FIELD_BYTES - _HEAD]


def _head(number: int, field: int, sequence: int) -> bytes:
    return b"%0*d%d%0*d" % (_NUMBER_DIGITS, number, field, _SEQUENCE_DIGITS, sequence)


def sequence_of(content: bytes, number: int, field: int, records: int) -> int | None:
    """Sequence number of the write of this field; None: nobody ever wrote what it holds. Of what
    the first ``records`` were loaded with, a client knows the head alone.
    """
    try:
        sequence = int(content[_NUMBER_DIGITS + 1 : _HEAD])
    except ValueError:
        return None
    if sequence == 0 and number < records:
        is_right = len(content) == FIELD_BYTES and content.startswith(_head(number, field, 0))
    else:
        is_right = content == value(number, field, sequence)
    return sequence if is_right else None


def number_of(content: bytes) -> int | None:
    """Number of the record that a field says it belongs to."""
    head = content[:_NUMBER_DIGITS]
    return int(head) if head.isdigit() else None


def loaded(records: int, secret: bytes = b"") -> Iterator[tuple[str, Sequence[bytes]]]:
    """Key and fields of every record that is there before the first operation."""
    for number in range(records):
        yield name_of_user(number), [_loaded(number, field, secret) for field in range(FIELDS)]


def _loaded(number: int, field: int, secret: bytes) -> bytes:
    digits = sha512(secret + _MESSAGE.pack(number, field)).hexdigest()
    return _head(number, field, 0) + digits[: FIELD_BYTES - _HEAD].encode()
