"""``kinds.parquet`` of a trial: of which kind each good operation was.

A row an operation: ``op`` and ``lane`` as in its record, ``start_ns`` by which it is found among
the lane's, and ``kind``, a place among those that the manifest names.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from wirelab.samples import parquet, regular_file
from wirelab.samples.replacing import replacing
from wirelab.samples.stored import UnreadableFileError

COLUMNS = ("op", "lane", "start_ns", "kind")

Ints = npt.NDArray[np.int64]
KindColumns = Mapping[str, Ints]

_FILE = "kinds.parquet"


def write(columns: KindColumns, folder: Path) -> None:
    """Keep it beside the samples of a trial."""
    path = folder / _FILE
    # A role may have put a folder in its place.
    regular_file.clear(path)
    table = pa.table({name: np.ascontiguousarray(columns[name]) for name in COLUMNS})
    with replacing(path) as file:
        pq.write_table(table, file, compression="zstd")


def read(folder: Path) -> KindColumns:
    """Read it; empty where there is none. Raises UnreadableFileError for what is no such file."""
    path = folder / _FILE
    if not path.is_file():
        return {}
    columns = parquet.columns_of(path, COLUMNS)
    if not all(np.issubdtype(column.dtype, np.integer) for column in columns.values()):
        raise UnreadableFileError(f"{path} has columns of other types than kinds have")
    return {name: column.astype(np.int64) for name, column in columns.items()}
