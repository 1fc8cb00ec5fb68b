"""Parquet of a stored run, within bounds: a kilobyte of it can stand for gigabytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from wirelab.samples import regular_file
from wirelab.samples.format import MOST_BYTES
from wirelab.samples.regular_file import UnsafeFileError
from wirelab.samples.stored import UnreadableFileError

MOST_VALUES = 1 << 29
"""Rows times columns: what the largest sample file holds."""

LONGEST_TEXT = 255
"""Characters of a text in a column of texts, which holds the names of roles."""

Column = npt.NDArray[Any]


def problem_of(path: Path, *, lists: bool = False) -> str:
    """The reason why a file cannot be what a trial has left; empty: it can. No column is read.

    ``lists``: it may have columns of lists of whole numbers.
    """
    try:
        with regular_file.opened(path, MOST_BYTES) as file:
            found = pq.read_metadata(file)
            schema = found.schema.to_arrow_schema()
            values = _values(file, found)
    except UnsafeFileError as error:
        return str(error)
    except (pa.ArrowException, OSError, ValueError):
        return f"{path.name} is cut off or damaged"
    if values >= MOST_VALUES:
        size = f"{found.num_rows} rows of {found.num_columns} columns"
        return f"{path.name} has {size}, and {MOST_VALUES} values are the most"
    if odd := [field.name for field in schema if not _is_of_ours(field.type, lists=lists)]:
        return f"{path.name} is not of wirelab: {', '.join(odd)} has no numbers and no texts"
    return ""


def _values(file: BinaryIO, found: pq.FileMetaData) -> int:
    """All values of a file: a row of a list holds any number of them."""
    lists = [n for n in range(found.num_columns) if found.schema.column(n).max_repetition_level]
    whole: int = found.num_rows * found.num_columns
    if not lists:
        return whole
    reader = pq.ParquetFile(file)
    for number in range(found.num_row_groups):
        # Metadata of a column that contradict themselves end the process of whoever asks pyarrow
        # for them. Its reader refuses them, and reads no more for a single row than a page.
        next(reader.iter_batches(1, row_groups=[number], use_threads=False), None)
        group = found.row_group(number)
        whole += sum(group.column(column).num_values for column in lists)
    return whole


def _is_of_ours(kind: pa.DataType, *, lists: bool) -> bool:
    if pa.types.is_list(kind):
        return lists and bool(pa.types.is_integer(kind.value_type))
    known = (pa.types.is_integer, pa.types.is_floating, pa.types.is_string)
    return any(is_one(kind) for is_one in known)


def has_columns(path: Path, names: Sequence[str]) -> bool:
    """Whether a file has columns of all these names; one that cannot be read has none."""
    try:
        with regular_file.opened(path, MOST_BYTES) as file:
            return {*names} <= {*pq.read_schema(file).names}
    except (pa.ArrowException, OSError, ValueError, UnsafeFileError):
        return False


def columns_of(
    path: Path, names: Sequence[str] | None = None, *, lists: bool = False
) -> dict[str, Column]:
    """Columns by name, all where none are named; raises UnreadableFileError with the file.

    ``lists``: it may have columns of lists beside those that are named.
    """
    if problem := problem_of(path, lists=lists):
        raise UnreadableFileError(f"{path.parent}/{problem}")
    try:
        with regular_file.opened(path, MOST_BYTES) as file:
            texts = [field.name for field in pq.read_schema(file) if pa.types.is_string(field.type)]
            # Not by read_table, which loads what reads datasets of many files.
            table = pq.ParquetFile(file, read_dictionary=texts).read(names, use_threads=False)
    except (pa.ArrowException, OSError, ValueError, UnsafeFileError) as error:
        raise UnreadableFileError(f"{path}: {error}") from None
    if missing := {*(names or ())} - {*table.column_names}:
        raise UnreadableFileError(f"{path} has no column {', '.join(sorted(missing))}")
    return {name: _column(path, name, table.column(name)) for name in table.column_names}


def _column(path: Path, name: str, column: pa.ChunkedArray) -> Column:
    if column.null_count:
        raise UnreadableFileError(f"{path}: {name} has rows without a value")
    if not pa.types.is_dictionary(column.type):
        numbers: Column = column.to_numpy()
        return numbers
    parts: list[Column] = [np.empty(0, dtype=object)]
    for chunk in column.chunks:
        texts = chunk.dictionary.to_pylist()
        if any(text is None or len(text) > LONGEST_TEXT for text in texts):
            raise UnreadableFileError(
                f"{path}: {name} has a text of over {LONGEST_TEXT} characters"
            )
        parts.append(np.array(texts, dtype=object)[chunk.indices.to_numpy()])
    return np.concatenate(parts)
