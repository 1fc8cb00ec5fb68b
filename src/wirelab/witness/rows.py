"""Rows that the witness writes (``crates/witness/src/rows.rs``), and what becomes of them.

``witness.packets.parquet``: a row a packet and side, in order. ``monotonic_ns``; ``connection``;
``way`` (0 to the server, 1 from it); ``side`` (0 departed, 1 arrived); ``position`` of its payload
in the stream of its way, ``length`` of it, ``frame`` bytes on the wire, ``again`` (1: its bytes had
departed before), ``flags`` of TCP.

``witness.messages.parquet``: a row a message of a protocol that is known. ``monotonic_ns`` of the
packet with its last byte; ``connection``, ``way``, ``position``, ``length``; ``kind`` (of OPC UA
its four letters, the first one lowest; of others the digest of the names that are asked for, 0
where none are), ``request`` (its number, or the place of a command and of its reply among others of
their connection), ``service`` (0: none is said), ``items`` (``UNKNOWN``: not said), ``readable``
(0: it is encrypted or damaged).

``witness.unseen.parquet``: times (CLOCK_MONOTONIC, ``begin_ns`` to ``end_ns``) that it cannot speak
of, and a number of ``REASONS`` why.

``witness.requested.parquet``, where the suite's data decide it: the fewest ``items`` that the
operation ``op`` of ``lane`` which started at ``start_ns`` asks for, and the digest of their
``names``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from wirelab.samples import parquet, regular_file
from wirelab.samples.replacing import replacing
from wirelab.samples.stored import UnreadableFileError
from wirelab.witness.clocks import Clocks

Columns = Mapping[str, npt.NDArray[Any]]

ROW = np.dtype(
    [
        ("kind", "u1"),
        ("way", "u1"),
        ("side", "u1"),
        ("flags", "u1"),
        ("connection", "<u4"),
        ("stamp", "<i8"),
        ("a", "<i8"),
        ("b", "<i8"),
        ("c", "<u4"),
        ("d", "<u4"),
        ("e", "<u4"),
        ("f", "<u4"),
    ]
)
_PACKET, _MESSAGE, _CLOCKS, _COUNTS, _GAP, _CUT = 1, 2, 3, 4, 6, 7
_NEVER = (1 << 63) - 1

UNKNOWN = 2**32 - 1

PACKETS, MESSAGES, UNSEEN, REQUESTED = (
    f"witness.{name}.parquet" for name in ("packets", "messages", "unseen", "requested")
)
REQUESTED_COLUMNS = ("op", "lane", "start_ns", "items", "names")

REASONS = ("clock", "drops", "rate", "stream", "outside", "foreign")
"""The time of day was set; the kernel dropped packets; there were too many; a stream's messages
could not be followed, behind bytes that were missing; it did not look yet, or not any more; a
stream had bytes that are no message of its protocol."""

DROPS, RATE, STREAM, FOREIGN = map(REASONS.index, ("drops", "rate", "stream", "foreign"))

_HANDED_OVER_NS = 100_000_000
"""A packet lies in the kernel's block no longer than this before the witness sees it."""

_OUT_OF_ORDER_NS = 1_000_000
"""Packets of two processors come to the witness in another order than that of their stamps, but
not by more than this."""


@dataclass(frozen=True)
class SeenTraffic:
    """The traffic of a trial as a witness saw it."""

    packets: Columns
    messages: Columns
    unseen: Columns
    dropped: int
    """Packets that the kernel had no room for."""
    left_out: int
    """Rows that there was no room for in their tenth of a second."""

    @property
    def looked(self) -> bool:
        """Whether it ever said what time it was."""
        return len(self.unseen["begin_ns"]) > 1


def seen_of(content: bytes) -> SeenTraffic:
    """Parse rows; a last one that was cut off is left out."""
    rows = np.frombuffer(content[: len(content) // ROW.itemsize * ROW.itemsize], dtype=ROW)
    told, counted = rows[rows["kind"] == _CLOCKS], rows[rows["kind"] == _COUNTS]
    clocks = Clocks(told["stamp"], told["a"], told["b"])
    period = np.cumsum(rows["kind"] == _CLOCKS) - 1  # of each row; the first one tells the clocks
    packets, messages = rows["kind"] == _PACKET, rows["kind"] == _MESSAGE
    packet, message = rows[packets], rows[messages]
    return SeenTraffic(
        packets={
            "monotonic_ns": clocks.monotonic(packet["stamp"], period[packets]),
            **{name: packet[name] for name in ("connection", "way", "side")},
            "position": packet["a"],
            "length": packet["b"],
            "frame": packet["d"],
            "again": packet["flags"],
            "flags": packet["c"],
        },
        messages={
            "monotonic_ns": clocks.monotonic(message["stamp"], period[messages]),
            **{name: message[name] for name in ("connection", "way")},
            "position": message["a"],
            "length": message["b"],
            "kind": message["c"],
            "request": message["d"],
            "service": message["e"],
            "items": message["f"],
            "readable": (message["flags"] == 0).astype(np.uint8),
        },
        unseen=_unseen(rows, clocks, counted, period),
        dropped=int(counted["b"].max(initial=0)),
        left_out=int(counted["c"].max(initial=0)),
    )


def _unseen(rows: Any, clocks: Clocks, counted: Any, period: npt.NDArray[np.int64]) -> Columns:
    """Times of which nothing is known: before it looked and after, and around what it lost."""
    found = [(begin, end, "clock") for begin, end in clocks.steps()]
    at = clocks.monotonic_ns
    for later in np.flatnonzero(np.diff(counted["b"]) > 0) + 1:
        found.append((at[later - 1] - _HANDED_OVER_NS, at[later], "drops"))
    found += [(begin, int(at[number + 1]), "rate") for number, begin in _cuts(rows, clocks, period)]
    gaps = rows["kind"] == _GAP
    begins = clocks.monotonic(rows["stamp"][gaps], period[gaps])
    ends = rows["a"][gaps]
    # The largest number there is says that it could not be followed until the end.
    known = np.where(ends < 0, _NEVER, clocks.monotonic(np.maximum(ends, 0), period[gaps]))
    reasons = np.where(rows["flags"][gaps] == 1, "stream", "foreign").tolist()
    found += [*zip(begins, known, reasons, strict=True)]
    if len(at):
        found += [(0, at[0], "outside"), (at[-1], _NEVER, "outside")]
    begin, end, reason = zip(*found, strict=True) if found else ((), (), ())
    return {
        "begin_ns": np.array(begin, dtype=np.int64),
        "end_ns": np.array(end, dtype=np.int64),
        "reason": np.array([REASONS.index(one) for one in reason], dtype=np.uint8),
    }


def _cuts(rows: Any, clocks: Clocks, period: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """The periods for which there was not enough room, and since when."""
    cuts = rows["kind"] == _CUT
    numbers = period[cuts]
    since = clocks.monotonic(rows["stamp"][cuts], numbers) - _OUT_OF_ORDER_NS
    for number, begin in zip(numbers.tolist(), since.tolist(), strict=True):
        if number + 1 < len(clocks.monotonic_ns):  # else it did not look any more
            yield number, begin


def read(folder: Path) -> dict[str, Columns]:
    """Read the records in the folder of a trial: packets, messages, unseen, and what was asked for
    where that was noted; empty without a file.

    Raises UnreadableFileError for what no witness has written.
    """
    names = {"packets": PACKETS, "messages": MESSAGES, "unseen": UNSEEN}
    if not all((folder / name).is_file() for name in names.values()):
        return {}
    found = {key: _columns(folder / name, _COLUMNS[key]) for key, name in names.items()}
    if (folder / REQUESTED).is_file():
        found["requested"] = _columns(folder / REQUESTED, REQUESTED_COLUMNS)
    return found


def _columns(path: Path, wanted: Sequence[str]) -> Columns:
    columns = parquet.columns_of(path, wanted)
    if not all(np.issubdtype(column.dtype, np.integer) for column in columns.values()):
        raise UnreadableFileError(f"{path} has columns of other types than the witness writes")
    return {name: column.astype(np.int64) for name, column in columns.items()}


_COLUMNS = {
    "packets": ("monotonic_ns", "connection", "way", "side", "position", "length", "frame"),
    "messages": (
        *("connection", "way", "position", "length", "kind", "request", "service", "items"),
        *("readable", "monotonic_ns"),
    ),
    "unseen": ("begin_ns", "end_ns", "reason"),
}


def write(seen: SeenTraffic, folder: Path) -> None:
    """Keep it beside the samples of a trial."""
    for name, columns in (
        (PACKETS, seen.packets),
        (MESSAGES, seen.messages),
        (UNSEEN, seen.unseen),
    ):
        write_table(columns, folder / name)


def write_table(columns: Columns, path: Path) -> None:
    """Keep columns in a file of the trial's folder."""
    # A role may have put a folder in its place.
    regular_file.clear(path)
    table = pa.table({key: np.ascontiguousarray(column) for key, column in columns.items()})
    with replacing(path) as file:
        pq.write_table(table, file, compression="zstd")
