"""Figures of a cell, held to what the server decided and answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np

from wirelab.bench.truth import runs
from wirelab.bench.truth.boards_log import deliveries_of
from wirelab.bench.truth.loads import KnownLoad
from wirelab.bench.truth.part import Row
from wirelab.bench.truth.replay import answered_latencies, decided_latencies, utilisation
from wirelab.bench.truth.server_log import SERVER, Ints, Requests, requests_of
from wirelab.cells.window import Window
from wirelab.model.planned import PlannedTrial
from wirelab.model.result import Cell, Metric, Verdict
from wirelab.model.trial import TrialRecord
from wirelab.samples.run_folder import RunFolder
from wirelab.stats import percentiles

LEVELS = (50.0, 95.0, 99.0, 99.9)
LEAST_MS = 1.0
"""A difference of so much is let pass whatever share of the truth it is."""

_TAIL, _TAIL_NEEDS = 99.9, 100_000
"""This percentile is held to its bound where so many operations were quiet."""

_BOUND_QUIET, _BOUND, _BOUND_BUSY = 0.01, 0.03, 0.10
_BUSY = 0.5

_STRETCH_NS = 2_000_000_000
"""The longest delay of a server: later operations do not wait for what came before."""

_NEVER = np.iinfo(np.int64).max

Lateness = Mapping[str, float]
"""By percentile, ms by which the server answered later than it had decided, on a quiet host."""


@dataclass(frozen=True)
class _KnownLatencies:
    """Latencies of all operations that count, disturbed or not, in ns."""

    decided: Ints
    answered: Ints
    stretch: Ints
    """Number of the stretch of time in which each was due, by trial."""
    utilisation: float


def lateness_of(rows: list[Row]) -> Lateness:
    """The lateness that rows of a quiet host tell of."""
    return {
        str(row["figure"]): float(row["answered_ms"] or 0) - float(row["decided_ms"] or 0)
        for row in rows
    }


def rows_of(
    finished: runs.Finished, load: KnownLoad, server: str, lateness: Lateness | None
) -> list[Row]:
    """A row a percentile. Beside the neighbour there is a ``lateness``; None: the host was quiet.

    Raises SpoiltLogError where the server's log is of other operations.
    """
    cell = finished.cell(server, load.step)
    known = _known(finished, cell, load)
    bound = _bound(known.utilisation, quiet=lateness is None)
    of_decided = Chances(known.decided, known.stretch)
    of_answered = Chances(known.answered, known.stretch)
    chances = of_answered if lateness is None else of_decided
    rows: list[Row] = []
    for level in LEVELS:
        name = percentiles.label(level)
        metric = cell.metrics.get(f"{load.prefix}.{name}")
        decided, answered = (
            float(percentiles.percentile(of.ascending, level)) / 1e6
            for of in (of_decided, of_answered)
        )
        truth = answered if lateness is None else decided + lateness[name]
        row: Row = {
            "load": load.scenario,
            "server": server,
            "host": runs.QUIET if lateness is None else runs.NEIGHBOUR,
            "figure": name,
            "decided_ms": decided,
            "answered_ms": answered,
            "truth_ms": truth,
            "by_chance": chances.of(level, metric.n if metric else None),
            "bound": bound,
            "operations_known": len(known.decided),
            "left_out": _left_out(cell),
            "utilisation": known.utilisation,
        }
        rows.append({**row, **_judged(metric, truth, bound, level)})
    return rows


def _judged(metric: Metric | None, truth_ms: float, bound: float, level: float) -> Row:
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
        "difference": metric.value / truth_ms - 1,
    }
    if metric.verdict is Verdict.INVALID:
        return {**found, "within": None, "why": ", ".join(metric.gates)}
    if metric.at_least:
        return {**found, "within": None, "why": "at least"}
    if level >= _TAIL and (metric.n or 0) < _TAIL_NEEDS:
        return {**found, "within": None, "why": f"{metric.n} of {_TAIL_NEEDS} operations"}
    reach = max(bound * truth_ms, LEAST_MS)
    return {**found, "within": abs(metric.value - truth_ms) <= reach, "why": ""}


def _bound(busy: float, *, quiet: bool) -> float:
    if quiet:
        return _BOUND_QUIET
    return _BOUND if busy <= _BUSY else _BOUND_BUSY


def _known(finished: runs.Finished, cell: Cell, load: KnownLoad) -> _KnownLatencies:
    folder = RunFolder(finished.folder)
    planned = {trial.id: trial for trial in folder.read_run().plan}
    found = []
    for name in cell.trials:
        record = folder.read_record(name)
        assert record is not None
        of = _of_deliveries if load.operation == "delivery" else _of_requests
        found.append(of(finished, planned[name], record, load))
    longest = max(int(trial.stretch.max(initial=0)) for trial in found) + 1
    return _KnownLatencies(
        np.concatenate([trial.decided for trial in found]),
        np.concatenate([trial.answered for trial in found]),
        np.concatenate([trial.stretch + number * longest for number, trial in enumerate(found)]),
        sum(trial.utilisation for trial in found) / len(found),
    )


def _of_requests(
    finished: runs.Finished, planned: PlannedTrial, record: TrialRecord, load: KnownLoad
) -> _KnownLatencies:
    requests, facts = requests_of(finished.folder / "trials" / planned.id), _facts(record)
    included = _included(requests, planned, record, load)
    return _KnownLatencies(
        decided_latencies(requests, facts, closed=load.closed)[included],
        answered_latencies(requests, facts, closed=load.closed)[included],
        _stretch(requests.started if load.closed else requests.intended)[included],
        utilisation(requests, facts),
    )


def _of_deliveries(
    finished: runs.Finished, planned: PlannedTrial, record: TrialRecord, load: KnownLoad
) -> _KnownLatencies:
    operations = finished.result.scenarios[load.scenario].operations
    deliveries = deliveries_of(
        finished.folder / "trials" / planned.id,
        Window.of(planned, record, load.step),
        {name: operation.code for name, operation in operations.items()},
    )
    return _KnownLatencies(
        deliveries.decided_latencies(_facts(record)),
        deliveries.answered_latencies(),
        _stretch(deliveries.intended),
        0.0,
    )


def _included(
    requests: Requests, planned: PlannedTrial, record: TrialRecord, load: KnownLoad
) -> slice | Ints:
    since = requests.started if load.closed else requests.intended
    return Window.of(planned, record, load.step).inside(since)


def _facts(record: TrialRecord) -> dict[str, Any]:
    ready = record.roles[SERVER].ready
    assert ready is not None
    return dict(ready["facts"])


def _stretch(since: Ints) -> Ints:
    """Number of the stretch that each of these times lies in."""
    found: Ints = (since - since.min(initial=_NEVER)) // _STRETCH_NS
    return found


@dataclass(frozen=True)
class Chances:
    """Chances by which a percentile of some of the operations differs from that of all.

    Operations of one stretch of time wait for each other, so that stretches are drawn and not
    operations (proportions in clusters, Cochran 1977, 3.12).
    """

    latencies: Ints
    stretch: Ints

    @cached_property
    def ascending(self) -> Ints:
        """The same latencies in their order."""
        return np.sort(self.latencies)

    def of(self, level: float, operations: int | None) -> float | None:
        """Share by which a percentile of so many of the operations is off in one draw of twenty;
        None where it is of all of them."""
        if not operations or operations >= len(self.latencies):
            return None
        share, drawn = level / 100, operations / len(self.latencies)
        reach = 1.96 * self._error(level) * sqrt((1 - drawn) / drawn)
        low, true, high = (
            float(percentiles.percentile(self.ascending, min(100.0, max(0.0, 100 * at))))
            for at in (share - reach, share, share + reach)
        )
        return max(true - low, high - true) / true

    def _error(self, level: float) -> float:
        """Standard error of the share that lies above a percentile of all."""
        above = self.latencies > percentiles.percentile(self.ascending, level)
        counts = np.bincount(self.stretch)
        left = np.bincount(self.stretch, weights=above) - above.mean() * counts
        stretches = int(np.count_nonzero(counts))
        return sqrt(float((left**2).sum()) * stretches / max(1, stretches - 1)) / len(above)


def _left_out(cell: Cell) -> float:
    """Share of the time that has no figures."""
    gates = ("host-disturbed", "disturbed-seconds")
    shares = [one.evidence.get("share") for one in cell.findings if one.gate in gates]
    return max((float(share) for share in shares if share is not None), default=0.0)
