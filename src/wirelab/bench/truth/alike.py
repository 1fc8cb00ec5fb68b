"""Part 2: the same contender under two names, in real runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby

from wirelab.bench.truth import runs
from wirelab.bench.truth.compared_two import METRIC, ComparedTwo, compared
from wirelab.bench.truth.part import MeasuredPiece, Row, TruthPart, TruthPlaces
from wirelab.bench.truth.rows import Entry
from wirelab.bench.truth.tables import table, yes_or_no
from wirelab.bench.truth.texts import ALIKE_REAL

TWINS = ComparedTwo("work", "work-again")
BLOCKS = 6
_ALLOWED = 5
"""Most false differences allowed in forty, by ranks and by intervals alike: where 5 % are false, a
third of all attempts find more than two.
"""

_REAL = 40
_TOGETHER = 5
"""Runs of a piece."""


def _pieces(profile: str) -> list[MeasuredPiece]:
    if profile == "smoke":
        return [MeasuredPiece(f"{runs.QUIET} 1", 0.5, partial(_measured, runs.QUIET, range(1)))]
    count = _REAL if profile == "publish" else _TOGETHER
    return [
        MeasuredPiece(
            f"{host} {first + 1} to {first + _TOGETHER}",
            _TOGETHER * TWINS.minutes(BLOCKS),
            partial(_measured, host, range(first, first + _TOGETHER)),
        )
        for host in runs.HOSTS
        for first in range(0, count, _TOGETHER)
    ]


def _measured(host: str, numbers: Iterable[int], where: TruthPlaces) -> list[Row]:
    return [_one(host, number, where) for number in numbers]


def _one(host: str, number: int, where: TruthPlaces) -> Row:
    blocks = None if where.profile == "smoke" else BLOCKS
    finished = TWINS.carried_out(blocks, where, f"alike-{host}-{number + 1}", host, number)
    return {"host": host, "run": number + 1, "figure": METRIC, **compared(finished, TWINS)}


def _table(entries: Sequence[Entry]) -> list[str]:
    rows = sorted(
        (row for entry in entries for row in entry.rows), key=lambda row: str(row["host"])
    )
    headings = (
        *("host", "runs", "with a ratio", "ranked apart", "interval without 1"),
        f"at most {_ALLOWED} of {_REAL}",
    )
    groups = groupby(rows, key=lambda row: str(row["host"]))
    return table(headings, (_line(host, list(own)) for host, own in groups))


def _line(host: str, rows: Sequence[Row]) -> Iterable[str]:
    known = [row for row in rows if row["ratio"] is not None]
    apart, outside = (sum(bool(row[key]) for row in known) for key in ("apart", "without_1"))
    enough = len(known) >= _REAL
    return (
        *(host, str(len(rows)), str(len(known)), str(apart), str(outside)),
        yes_or_no(
            max(apart, outside) <= _ALLOWED, "" if enough else f"{len(known)} of {_REAL} runs"
        ),
    )


PART = TruthPart("alike", "A/A, real runs", ALIKE_REAL, _pieces, _table)
