"""Part 2, simulated: two contenders that are alike, and how often they are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from wirelab.bench.truth import runs
from wirelab.bench.truth.part import MeasuredPiece, Row, TruthPart, TruthPlaces
from wirelab.bench.truth.rows import Entry, Value
from wirelab.bench.truth.simulated import DISTRIBUTIONS, Floats, SimulatedTrials
from wirelab.bench.truth.tables import percent, table, yes_or_no
from wirelab.bench.truth.texts import ALIKE
from wirelab.stats.maxt import differing
from wirelab.stats.percentiles import label
from wirelab.stats.signed_rank import location
from wirelab.stats.support import needed_samples
from wirelab.stats.survival import Distribution

_LEVEL = 50.0
_RUNS = {"smoke": 10, "quick": 400, "publish": 4000}
_A_RUN_MS = {runs.QUIET: 3.0, runs.NEIGHBOUR: 14.0}
"""Processor time of a simulated run, in ms, roughly."""

BLOCKS = 6
_SECONDS, _RATE = 3, 100
_TRIAL_SPREAD, _BLOCK_SPREAD = 0.03, 0.05
_AT_MOST = 0.06


def _pieces(profile: str) -> list[MeasuredPiece]:
    cases = [(kind, host) for kind in DISTRIBUTIONS for host in runs.HOSTS]
    return [
        MeasuredPiece(
            f"{kind} {host}",
            _RUNS[profile] * _A_RUN_MS[host] / 60_000,
            partial(_simulated, kind, host),
        )
        for kind, host in (cases[:2] if profile == "smoke" else cases)
    ]


def _simulated(kind: str, host: str, where: TruthPlaces) -> list[Row]:
    world = SimulatedTrials(kind, _SECONDS, _RATE, host, trial_spread=_TRIAL_SPREAD)
    count = _RUNS[where.profile]
    ranked = apart = compared = outside = 0
    for number in range(count):
        random = np.random.default_rng([where.seed, number])
        logs = _blocks(world, random)
        pairs = differing(logs)
        ranked += bool(pairs.judged[0, 1])
        apart += bool(pairs.apart[0, 1])
        found = location((logs[:, 0] - logs[:, 1]).tolist())
        compared += found is not None
        outside += found is not None and not found.low <= 0 <= found.high
    return [
        {
            "distribution": kind,
            "host": host,
            "figure": label(_LEVEL),
            "runs": count,
            "ranked": ranked,
            "ranked_apart": apart,
            "compared": compared,
            "interval_without_1": outside,
        }
    ]


def _blocks(world: SimulatedTrials, random: np.random.Generator) -> Floats:
    """Logarithms of a percentile, a row a block in which both trials support it."""
    rows = []
    for _ in range(BLOCKS):
        hour = float(np.exp(random.normal(0, _BLOCK_SPREAD)))
        pair = [_percentile(world, random, hour) for _ in range(2)]
        if None not in pair:
            rows.append(pair)
    logarithms: Floats = np.log(np.array(rows, dtype=float).reshape(-1, 2))
    return logarithms


def _percentile(world: SimulatedTrials, random: np.random.Generator, hour: float) -> float | None:
    drawn = world.trial(random, hour)
    if not len(drawn.values):
        return None
    found = Distribution.of(drawn.values, drawn.ended).percentile(_LEVEL)
    enough = found.reached and found.support >= needed_samples(_LEVEL)
    return float(found.value) if enough else None


def _table(entries: Sequence[Entry]) -> list[str]:
    rows = [row for entry in entries for row in entry.rows]
    headings = (
        *("distribution", "host", "figure", "runs", "with ranks", "ranked apart"),
        *("with a ratio", "interval without 1", "at most 6 %"),
    )
    return table(headings, map(_line, rows))


def _line(row: Row) -> Iterable[str]:
    apart = _share(row["ranked_apart"], row["ranked"])
    outside = _share(row["interval_without_1"], row["compared"])
    known = [share for share in (apart, outside) if share is not None]
    return (
        *(str(row[key]) for key in ("distribution", "host", "figure", "runs")),
        *(str(row["ranked"]), percent(apart)),
        *(str(row["compared"]), percent(outside)),
        yes_or_no(max(known, default=0.0) <= _AT_MOST, "" if known else "none compared"),
    )


def _share(part: Value, whole: Value) -> float | None:
    return float(part or 0) / float(whole) if whole else None


PART = TruthPart("alike-simulated", "A/A, simulated", ALIKE, _pieces, _table, is_simulated=True)
