"""Part 1: figures beside what servers of known truth decided for every request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any

import numpy as np

from wirelab.bench.truth import runs
from wirelab.bench.truth.part import Piece, Row, TruthPart, TruthPlaces
from wirelab.bench.truth.replay import true_latencies, utilisation
from wirelab.bench.truth.rows import Entry
from wirelab.bench.truth.server_log import SERVER, Ints, Requests, requests_of
from wirelab.bench.truth.tables import number, percent, table, yes_or_no
from wirelab.bench.truth.texts import KNOWN
from wirelab.cells.window import Window
from wirelab.model.result import Cell, Metric
from wirelab.model.run import PlannedTrial, TrialRecord
from wirelab.samples.run_folder import RunFolder
from wirelab.stats import percentiles

STEP = "all"
LEVELS = (50.0, 95.0, 99.0, 99.9)
_TAIL, _TAIL_NEEDS = 99.9, 100_000
"""This percentile is held to its bound where so many operations were quiet."""

_INDEPENDENT = ("constant", "stalls", "bimodal", "heavy")
_SHORT = ("constant", "stalls", "bimodal")
"""A paced tick waits for the one before it, which is to be over by then most of the time."""

_QUEUES = ("queue-47", "queue-67")


@dataclass(frozen=True)
class _Load:
    """A scenario of the suite with the servers that take part in it."""

    scenario: str
    servers: Sequence[str]
    closed: bool = False
    step: str = STEP

    @property
    def kind(self) -> str:
        """The duration whose truth is known; a closed loop has no intended times."""
        return "latency" if self.closed else "response"


_LOADS = (
    _Load("open", (*_INDEPENDENT, *_QUEUES)),
    _Load("fast", _INDEPENDENT),
    _Load("closed", _INDEPENDENT, closed=True),
    _Load("paced", _SHORT, step=""),
)

_MINUTES = {
    "quick": {"open": 1.3, "fast": 0.5, "closed": 1.2, "paced": 1.3},
    "publish": {"open": 4.7, "fast": 1.2, "closed": 6.0, "paced": 6.0},
}
"""Minutes that four trials of a server take, or two; roughly."""

_TRIALS_BESIDE = {"open": 10, "fast": 4, "closed": 4, "paced": 8}
"""Counted trials beside the neighbour, which leaves about 40 % of the time quiet."""

_BOUND_QUIET, _BOUND, _BOUND_BUSY = 0.01, 0.03, 0.10
_BUSY = 0.5
_LEAST_MS = 1.0


def _pieces(profile: str) -> list[Piece]:
    if profile == "smoke":
        chosen = _Load("open", ("stalls", "queue-47"))
        return [
            Piece(
                f"open {server} {runs.QUIET}", 0.2, partial(_measured, chosen, server, runs.QUIET)
            )
            for server in chosen.servers
        ]
    return [
        Piece(
            f"{load.scenario} {server} {host}",
            _MINUTES[profile][load.scenario] * _share(profile, load, host),
            partial(_measured, load, server, host),
        )
        for load in _LOADS
        for server in load.servers
        for host in runs.HOSTS
    ]


def _share(profile: str, load: _Load, host: str) -> float:
    """Factor by which it takes longer beside the neighbour."""
    if profile != "publish" or host == runs.QUIET:
        return 1.0
    return _TRIALS_BESIDE[load.scenario] / 4


def _measured(load: _Load, server: str, host: str, where: TruthPlaces) -> list[Row]:
    longer = where.profile == "publish" and host == runs.NEIGHBOUR
    asked = runs.AskedRun(
        load.scenario,
        [server],
        where.profile,
        where.seed,
        trials=_TRIALS_BESIDE[load.scenario] if longer else None,
    )
    finished = runs.carried_out(asked, where, f"known-{load.scenario}-{server}-{host}", host)
    return rows_of(finished, load, server, host)


def rows_of(finished: runs.Finished, load: _Load, server: str, host: str) -> list[Row]:
    """A row a percentile. Raises SpoiltLogError where the server's log is of other requests."""
    cell = finished.cell(server, load.step)
    truths, answered, busy = _truth(finished, cell, load)
    bound = _bound(host, busy)
    ordered, really = np.sort(truths), np.sort(answered)
    rows: list[Row] = []
    for level in LEVELS:
        metric = cell.metrics.get(f"request.{load.kind}.{percentiles.label(level)}")
        true_ms = float(percentiles.percentile(ordered, level)) / 1e6
        row: Row = {
            "load": load.scenario,
            "server": server,
            "host": host,
            "figure": percentiles.label(level),
            "truth_ms": true_ms,
            "answered_ms": float(percentiles.percentile(really, level)) / 1e6,
            "by_chance": _by_chance(ordered, level, metric.n if metric else None),
            "bound": bound,
            "requests": len(ordered),
            "left_out": _left_out(cell),
            "utilisation": busy,
        }
        rows.append({**row, **_judged(metric, true_ms, bound, level)})
    return rows


def _judged(metric: Metric | None, true_ms: float, bound: float, level: float) -> Row:
    """The figure beside the truth; ``within`` is None where there is nothing to hold to it."""
    if metric is None or metric.value is None:
        reason = metric.unsupported.code if metric and metric.unsupported else "not measured"
        return {"measured_ms": None, "within": None, "why": reason}
    low, high = metric.interval or (None, None)
    found: Row = {
        "measured_ms": metric.value,
        "low_ms": low,
        "high_ms": high,
        "operations": metric.n,
        "uncensored_ms": metric.uncensored,
        "difference": metric.value / true_ms - 1,
    }
    if metric.at_least:
        return {**found, "within": None, "why": "at least"}
    if level >= _TAIL and (metric.n or 0) < _TAIL_NEEDS:
        return {**found, "within": None, "why": f"{metric.n} of {_TAIL_NEEDS} operations"}
    reach = max(bound * true_ms, _LEAST_MS)
    return {**found, "within": abs(metric.value - true_ms) <= reach, "why": ""}


def _bound(host: str, busy: float) -> float:
    if host == runs.QUIET:
        return _BOUND_QUIET
    return _BOUND if busy <= _BUSY else _BOUND_BUSY


def _truth(finished: runs.Finished, cell: Cell, load: _Load) -> tuple[Ints, Ints, float]:
    """True latencies of all requests that count, those the server gave, and its utilisation."""
    folder = RunFolder(finished.folder)
    planned = {trial.id: trial for trial in folder.read_run().plan}
    truths, answered, busy = [], [], []
    for name in cell.trials:
        record = folder.read_record(name)
        assert record is not None
        requests, facts = requests_of(folder.trial(name)), _facts(record)
        counted = _counted(requests, planned[name], record, load)
        truths.append(true_latencies(requests, facts, closed=load.closed)[counted])
        since = requests.started if load.closed else requests.intended
        answered.append((requests.answered - since)[counted])
        busy.append(utilisation(requests, facts))
    return np.concatenate(truths), np.concatenate(answered), sum(busy) / len(busy)


def _counted(
    requests: Requests, planned: PlannedTrial, record: TrialRecord, load: _Load
) -> slice | Ints:
    since = requests.started if load.closed else requests.intended
    return Window.of(planned, record, load.step).inside(since)


def _facts(record: TrialRecord) -> dict[str, Any]:
    ready = record.roles[SERVER].ready
    assert ready is not None
    return dict(ready["facts"])


def _by_chance(ordered: Ints, level: float, operations: int | None) -> float | None:
    """Share by which a percentile of so many of the requests is off in one draw of twenty; None
    where it is of all of them."""
    if not operations or operations >= len(ordered):
        return None
    share, of_all = level / 100, operations / len(ordered)
    reach = 1.96 * sqrt(share * (1 - share) / operations * (1 - of_all))
    low, true, high = (
        float(percentiles.percentile(ordered, min(100.0, max(0.0, 100 * at))))
        for at in (share - reach, share, share + reach)
    )
    return max(true - low, high - true) / true


def _left_out(cell: Cell) -> float:
    """Share of the time that has no figures."""
    found = [one.evidence.get("share") for one in cell.findings if one.gate == "host-disturbed"]
    return float(found[0]) if found and found[0] is not None else 0.0


_COLUMNS = (
    *("load", "server", "host", "figure", "truth (ms)", "answered (ms)", "measured (ms)"),
    *("95 % interval", "difference", "by chance", "bound", "with all (ms)", "left out", "within"),
)


def _table(entries: Sequence[Entry]) -> list[str]:
    rows = [row for entry in entries for row in entry.rows]
    judged = [row["within"] for row in rows if row["within"] is not None]
    summary = f"{sum(map(bool, judged))} of {len(judged)} figures are within their bound."
    return [summary, "", *table(_COLUMNS, map(_line, rows))]


def _line(row: Row) -> Iterable[str]:
    interval = ""
    if row.get("low_ms") is not None:
        interval = f"{number(row['low_ms'])} – {number(row['high_ms'])}"
    return (
        *(str(row[name]) for name in ("load", "server", "host", "figure")),
        *(number(row[name]) for name in ("truth_ms", "answered_ms", "measured_ms")),
        interval,
        percent(row.get("difference"), signed=True),
        percent(row["by_chance"]),
        f"{percent(row['bound'])} or {_LEAST_MS:g} ms",
        number(row.get("uncensored_ms")),
        percent(row["left_out"]),
        yes_or_no(row["within"], str(row["why"])),
    )


PART = TruthPart("known", "Known truth", KNOWN, _pieces, _table)
