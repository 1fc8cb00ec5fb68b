"""The sample file: 32-byte records, the first one a header.

``docs/reference/worker-contract.md`` defines it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from wirelab.samples import regular_file
from wirelab.samples.regular_file import UnsafeFileError
from wirelab.samples.replacing import replacing

MAGIC = b"WLSAMPLE"
VERSION = 1
RECORD_SIZE = 32
CLOCK_MONOTONIC = 1
MOST_BYTES = 2 << 30
"""Most bytes of a sample file: 67 million records, a hundred thousand a second for eleven minutes.
"""

_AT_ONCE = 1 << 20
"""Records that are turned into Parquet together, so that no file is in memory as a whole."""

OK = 0
"""The status of an operation that succeeded."""

RECORD = np.dtype(
    [
        ("intended_ns", "<u8"),
        ("start_ns", "<u8"),
        ("end_ns", "<u8"),
        ("size", "<u4"),
        ("op", "u1"),
        ("status", "u1"),
        ("lane", "<u2"),
    ]
)
_HEADER = np.dtype(
    [("magic", "S8"), ("version", "<u2"), ("record", "<u2"), ("clock", "<u4"), ("zero", "V16")]
)

_SCHEMA = pa.schema([(name, pa.from_numpy_dtype(RECORD[name])) for name in RECORD.names or ()])

Records = npt.NDArray[np.void]


class SampleFileError(Exception):
    """A sample file that cannot be trusted; the message says what is wrong with it."""


def read(path: Path) -> Records:
    """Records of a worker's sample file, memory-mapped, shape (n,), dtype ``RECORD``.

    Raises SampleFileError when the file is missing, foreign or truncated.
    """
    try:
        opened = regular_file.opened(path, MOST_BYTES)
    except FileNotFoundError:
        raise SampleFileError(f"{path.name} was not written") from None
    except UnsafeFileError as error:
        raise SampleFileError(str(error)) from None
    with opened as file:
        return _mapped(file, path)


def _mapped(file: BinaryIO, path: Path) -> Records:
    size = os.fstat(file.fileno()).st_size
    if size < RECORD_SIZE:
        raise SampleFileError(f"{path.name} has {size} bytes: not even a header")
    header = np.frombuffer(file.read(RECORD_SIZE), dtype=_HEADER, count=1)[0]
    if header["magic"] != MAGIC:
        raise SampleFileError(f"{path.name} does not start with {MAGIC.decode()}: a foreign file")
    if int(header["version"]) != VERSION or int(header["record"]) != RECORD_SIZE:
        raise SampleFileError(
            f"{path.name} has version {header['version']} and records of {header['record']} "
            f"bytes; expected version {VERSION} and {RECORD_SIZE} bytes"
        )
    if int(header["clock"]) != CLOCK_MONOTONIC:
        raise SampleFileError(
            f"{path.name} names clock {header['clock']}; expected {CLOCK_MONOTONIC}, "
            "CLOCK_MONOTONIC"
        )
    if size % RECORD_SIZE:
        raise SampleFileError(
            f"{path.name} is truncated: {size} bytes is no multiple of {RECORD_SIZE}"
        )
    if size == RECORD_SIZE:
        return np.empty(0, dtype=RECORD)
    return np.memmap(
        file, dtype=RECORD, mode="r", offset=RECORD_SIZE, shape=((size // RECORD_SIZE) - 1,)
    )


def write_parquet(records: Records, path: Path) -> None:
    """Keep ``records`` as Parquet, a column a field; replaces ``path`` in one step."""
    with replacing(path) as file, pq.ParquetWriter(file, _SCHEMA, compression="zstd") as kept:
        for first in range(0, len(records) or 1, _AT_ONCE):
            some = records[first : first + _AT_ONCE]
            columns = {name: np.ascontiguousarray(some[name]) for name in _SCHEMA.names}
            kept.write_table(pa.table(columns, schema=_SCHEMA))


@dataclass(frozen=True)
class Ingested:
    """Number of records of a sample file, and of those of failed operations."""

    records: int
    failed: int


def ingest(raw: Path, kept: Path) -> Ingested:
    """Turn a worker's sample file into Parquet and remove it."""
    records = read(raw)
    regular_file.clear(kept)
    write_parquet(records, kept)
    ingested = Ingested(len(records), int(np.count_nonzero(records["status"] != OK)))
    del records
    raw.unlink()
    return ingested
