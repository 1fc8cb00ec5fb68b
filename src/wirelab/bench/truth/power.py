"""Part 3: a contender that is slower by exactly 5 %, and whether that is found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import ceil

import numpy as np

from wirelab.bench.figure import BenchError
from wirelab.bench.truth import rows as kept_rows
from wirelab.bench.truth import runs
from wirelab.bench.truth.compared_two import METRIC, ComparedTwo, compared
from wirelab.bench.truth.part import MeasuredPiece, Row, TruthPart, TruthPlaces
from wirelab.bench.truth.rows import Entry
from wirelab.bench.truth.tables import percent, table, yes_or_no
from wirelab.bench.truth.texts import POWER
from wirelab.stats.by_block import log_ratios
from wirelab.stats.signed_rank import EXACT_FROM
from wirelab.stats.stopping import blocks_needed

NAME = "power"
SLOWER = 0.05
_SCATTER_BLOCKS = 60
_RUNS, _FOUND = 10, 8
_LIMITS = {runs.QUIET: 10.0, runs.NEIGHBOUR: 15.0}
"""Minutes that one run may take."""

_WAYS = {"wait": ComparedTwo("wait", "wait-slower"), "work": ComparedTwo("work", "work-slower")}
_CASES = (("wait", runs.QUIET), ("work", runs.QUIET), ("wait", runs.NEIGHBOUR))


def _pieces(profile: str) -> list[MeasuredPiece]:
    if profile == "smoke":
        way, host = _CASES[0]
        return [_scatter_piece(way, host), _run_piece(way, host, 1)]
    return [
        piece
        for way, host in _CASES
        for piece in (
            _scatter_piece(way, host),
            *(_run_piece(way, host, number + 1) for number in range(_RUNS)),
        )
    ]


def _scatter_piece(way: str, host: str) -> MeasuredPiece:
    minutes = ComparedTwo.minutes(_SCATTER_BLOCKS)
    return MeasuredPiece(_scatter_name(way, host), minutes, partial(_scatter, way, host))


def _run_piece(way: str, host: str, number: int) -> MeasuredPiece:
    # As many blocks as the scatter asks for, which is known when it was measured.
    return MeasuredPiece(
        f"{way} {host} run {number}", _LIMITS[host], partial(_run, way, host, number)
    )


def _scatter_name(way: str, host: str) -> str:
    return f"{way} {host} scatter"


def _scatter(way: str, host: str, where: TruthPlaces) -> list[Row]:
    twins, blocks = _WAYS[way], None if where.profile == "smoke" else _SCATTER_BLOCKS
    finished = twins.carried_out(blocks, where, f"power-{way}-{host}-scatter", host, 0)
    both = twins.metrics(finished)
    logs = log_ratios(both[1], both[0]) if both is not None else []
    if len(logs) < 2:
        return [{"way": way, "host": host, "what": "scatter", "scatter": None, "needed": None}]
    scatter = float(np.std(logs, ddof=1))
    needed = blocks_needed(SLOWER, scatter) if scatter > 0 else EXACT_FROM
    found: Row = {
        **{"way": way, "host": host, "what": "scatter", "figure": METRIC},
        **{"scatter": scatter, "blocks": len(logs), "needed": needed},
        "slower_by": float(np.expm1(np.median(logs))),
    }
    return [found]


def _run(way: str, host: str, number: int, where: TruthPlaces) -> list[Row]:
    """A run of the blocks that the scatter asks for; none where it would take too long."""
    needed = _needed(way, host, where)
    row: Row = {"way": way, "host": host, "what": "run", "run": number, "figure": METRIC}
    if where.profile == "smoke":
        blocks = None
    elif needed is None or ComparedTwo.minutes(needed) > _LIMITS[host]:
        return [{**row, "too_long": True}]
    else:
        blocks = needed
    twins = _WAYS[way]
    finished = twins.carried_out(blocks, where, f"power-{way}-{host}-{number}", host, number)
    return [{**row, "too_long": False, **compared(finished, twins)}]


def _needed(way: str, host: str, where: TruthPlaces) -> int | None:
    """Blocks by the latest scatter; None where it is not known."""
    for entry in kept_rows.read(where.kept, NAME).entries:
        if entry.piece == _scatter_name(way, host):
            needed = entry.rows[0]["needed"]
            return None if needed is None else ceil(float(needed))
    raise BenchError(f"the scatter of {way}, {host}, was not measured")


_COLUMNS = (
    *("slower by 5 %", "host", "scatter s", "slower by", "blocks needed", "minutes a run"),
    *("runs", "found", f"at least {_FOUND} of {_RUNS}"),
)


def _table(entries: Sequence[Entry]) -> list[str]:
    rows = [row for entry in entries for row in entry.rows]
    cases = [case for case in _CASES if any((r["way"], r["host"]) == case for r in rows)]
    lines = (_line([r for r in rows if (r["way"], r["host"]) == case]) for case in cases)
    return table(_COLUMNS, lines)


def _line(rows: Sequence[Row]) -> Iterable[str]:
    scatter = next((row for row in rows if row["what"] == "scatter"), {})
    done = [row for row in rows if row["what"] == "run" and not row["too_long"]]
    found = sum(bool(row["slower"]) and bool(row["without_1"]) for row in done)
    needed = scatter.get("needed")
    minutes = ComparedTwo.minutes(int(needed)) if needed is not None else None
    return (
        *(str(rows[0]["way"]), str(rows[0]["host"])),
        *(percent(scatter.get("scatter")), percent(scatter.get("slower_by"), signed=True)),
        str(needed or ""),
        "" if minutes is None else f"{minutes:.1f}",
        *(str(len(done)), str(found)),
        yes_or_no(found >= _FOUND, _why(rows, done, scatter)),
    )


def _why(rows: Sequence[Row], done: Sequence[Row], scatter: Row) -> str:
    """The reason why nothing can be said; empty where it can."""
    host = str(rows[0]["host"])
    if any(row.get("too_long") for row in rows):
        return f"s = {percent(scatter.get('scatter'))} asks for more than {_LIMITS[host]:.0f} min"
    return "" if len(done) >= _RUNS else f"{len(done)} of {_RUNS} runs"


PART = TruthPart(NAME, "Power", POWER, _pieces, _table)
