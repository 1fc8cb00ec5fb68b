"""Part 1: figures beside what servers of known truth did to every request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from wirelab.bench.figure import BenchError
from wirelab.bench.truth import rows, runs
from wirelab.bench.truth.held import LEAST_MS, Lateness, lateness_of, rows_of
from wirelab.bench.truth.loads import SMOKE, KnownLoad, cases
from wirelab.bench.truth.part import MeasuredPiece, Row, TruthPart, TruthPlaces
from wirelab.bench.truth.rows import Entry
from wirelab.bench.truth.tables import number, percent, table, yes_or_no
from wirelab.bench.truth.texts import KNOWN

_NAME = "known"


def _pieces(profile: str) -> list[MeasuredPiece]:
    return [
        MeasuredPiece(
            _piece(load, server, host),
            0.2 if profile == "smoke" else load.takes(profile, host),
            partial(_measured, load, server, host),
        )
        for load, server, host in (SMOKE if profile == "smoke" else cases())
    ]


def _piece(load: KnownLoad, server: str, host: str) -> str:
    return f"{load.scenario} {server} {host}"


def _measured(load: KnownLoad, server: str, host: str, where: TruthPlaces) -> list[Row]:
    beside = host == runs.NEIGHBOUR
    lateness = _lateness(load, server, where) if beside else None
    asked = runs.AskedRun(
        load.scenario,
        [server],
        where.profile,
        where.seed,
        trials=load.trials_beside if beside and where.profile == "publish" else None,
    )
    name = f"known-{load.scenario}-{server}-{host}"
    return rows_of(runs.carried_out(asked, where, name, host), load, server, lateness)


def _lateness(load: KnownLoad, server: str, where: TruthPlaces) -> Lateness:
    """The lateness of the server by itself when the host was quiet."""
    quiet = _piece(load, server, runs.QUIET)
    for entry in rows.read(where.kept, _NAME).entries:
        if entry.piece == quiet:
            return lateness_of(entry.rows)
    raise BenchError(f"{quiet}: to be measured first, since it says how late the server is")


_COLUMNS = (
    *("load", "server", "host", "figure", "decided (ms)", "answered (ms)", "truth (ms)"),
    *("measured (ms)", "95 % interval", "difference", "by chance", "bound", "with all (ms)"),
    *("left out", "within"),
)


def _table(entries: Sequence[Entry]) -> list[str]:
    found = [row for entry in entries for row in entry.rows]
    judged = [row for row in found if row["within"] is not None]
    beyond = [row for row in judged if not row["within"]]
    summary = (
        f"{len(judged) - len(beyond)} of {len(judged)} figures are within their bound; of the "
        f"other {len(beyond)}, {sum(map(_is_chance, beyond))} are off by no more than chance."
    )
    return [summary, "", *table(_COLUMNS, map(_line, found))]


def _is_chance(row: Row) -> bool:
    """Whether a draw of so many operations is off by as much in more than one case of twenty."""
    return abs(float(row["difference"] or 0)) <= float(row["by_chance"] or 0)


def _line(row: Row) -> Iterable[str]:
    interval = ""
    if row.get("low_ms") is not None:
        interval = f"{number(row['low_ms'])} – {number(row['high_ms'])}"
    return (
        *(str(row[name]) for name in ("load", "server", "host", "figure")),
        *(number(row[name]) for name in ("decided_ms", "answered_ms", "truth_ms", "measured_ms")),
        interval,
        percent(row.get("difference"), signed=True),
        percent(row["by_chance"]),
        f"{percent(row['bound'])} or {LEAST_MS:g} ms",
        number(row.get("uncensored_ms")),
        percent(row["left_out"]),
        "no (chance)"
        if row["within"] is False and _is_chance(row)
        else yes_or_no(row["within"], str(row["why"])),
    )


PART = TruthPart(_NAME, "Known truth", KNOWN, _pieces, _table)
