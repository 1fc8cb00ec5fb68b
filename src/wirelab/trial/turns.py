"""Good records of a trial's operations that are due at ticks, and whose turn each of them was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from wirelab.model.parts import Operation
from wirelab.model.span import Span
from wirelab.trial.failure import TrialError
from wirelab.trial.load import TrialLoad
from wirelab.trial.record_times import BEYOND, RecordTimes

Turns = Sequence[tuple[int, int]]
"""Tick and lane, by which the suite's rules know what is asked for."""

Columns = Mapping[str, npt.NDArray[np.int64]]

Said = TypeVar("Said")

TurnRule = Callable[[dict[str, Any], str, Turns], Sequence[Said | None]]
"""A rule of a suite, asked with the spec and the name of an operation: what it says of each of
those turns, None where the data do not say."""

_AT_ONCE = 50_000
"""Turns that the suite is asked about at once."""

_MOST_TIMES = 2
"""Factor by which records may exceed what was due: a few too many are found by what they say."""

_NAMES = ("intended_ns", "start_ns", "end_ns", "size", "op", "status", "lane")


@dataclass(frozen=True)
class KeptRecords:
    """The records of a trial's measured role, in a Parquet file of samples."""

    path: Path
    tick0_ns: int
    steps: Mapping[str, Span] = field(default_factory=dict)
    """Begin and end of the steps that a closed loop has told of."""

    @cached_property
    def columns(self) -> Mapping[str, npt.NDArray[Any]]:
        """The columns of all records, in the types of the file: read once for all who compare."""
        with pq.ParquetFile(self.path) as file:
            table = file.read([*_NAMES], use_threads=False)
        return {name: table.column(name).to_numpy() for name in _NAMES}


def good_records(
    load: TrialLoad, operations: Mapping[str, Operation], kept: KeptRecords
) -> Iterator[tuple[str, Columns]]:
    """By operation: the columns of its good records, with their ``tick``."""
    for name, of in _records_at_ticks(load, operations, kept):
        good = (of["status"] == 0) & (of["tick"] >= 0)
        yield name, {column: values[good] for column, values in of.items()}


def check_turns(
    load: TrialLoad, operations: Mapping[str, Operation], kept: KeptRecords, role: str
) -> None:
    """TrialError where a lane of a closed loop recorded more operations than it had turns: whose
    turn each of them was is not known, nor what it had to ask for.
    """
    for name, of in _records_at_ticks(load, operations, kept):
        lanes = of["lane"][of["tick"] == BEYOND]
        if len(lanes):
            said = f"lane {lanes[0]} has more records of {name} than turns"
            raise TrialError("more-than-turns", said, role)


def check_number(
    load: TrialLoad, operations: Mapping[str, Operation], path: Path, role: str
) -> None:
    """TrialError where a process recorded an operation far more often than it was due: nobody has
    to have room for all that a file can hold.
    """
    found = np.zeros(1 << 8, dtype=np.int64)
    with pq.ParquetFile(path) as file:
        for some in file.iter_batches(columns=["op"], use_threads=False):
            found += np.bincount(some.column(0).to_numpy(), minlength=len(found))
    for name, operation in operations.items():
        most = load.most_at_ticks(operation) if operation.due == "tick" else None
        if most is not None and found[operation.code] > _MOST_TIMES * most:
            said = f"{found[operation.code]} records of {name}, which was due {most} times"
            raise TrialError("more-than-turns", said, role)


def _records_at_ticks(
    load: TrialLoad, operations: Mapping[str, Operation], kept: KeptRecords
) -> Iterator[tuple[str, dict[str, npt.NDArray[np.int64]]]]:
    """By operation that is due at ticks: the columns of its records, with their ``tick``."""
    for name, operation in operations.items():
        if operation.due != "tick" or operation.record != "samples":
            continue
        own = kept.columns["op"] == operation.code
        of = {column: values[own].astype(np.int64) for column, values in kept.columns.items()}
        since_ns = of["intended_ns"] - kept.tick0_ns
        of["tick"] = load.ticks_of(
            operation, RecordTimes(of["lane"], since_ns, of["start_ns"], kept.steps)
        )
        yield name, of


def known_turns(
    rule: TurnRule[Said], spec: dict[str, Any], operation: str, records: Columns
) -> tuple[Columns, list[Said]]:
    """The records whose turns a rule knows, and what it says of them."""
    ticks, lanes = records["tick"], records["lane"]
    said: list[Said | None] = []
    for begin in range(0, len(ticks), _AT_ONCE):
        some = slice(begin, begin + _AT_ONCE)
        turns = list(zip(ticks[some].tolist(), lanes[some].tolist(), strict=True))
        said += rule(spec, operation, turns)
    is_known = np.array([one is not None for one in said], dtype=np.bool_)
    known = {column: values[is_known] for column, values in records.items()}
    return known, [one for one in said if one is not None]
