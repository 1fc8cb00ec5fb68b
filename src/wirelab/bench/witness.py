"""The witness of the wire: what it costs, what it adds to a request, and how well it sees."""

from __future__ import annotations

import math
import resource
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.bench.figure import BenchError, BenchFigure
from wirelab.bench.http_trial import AskedTrial, PacedTrial, null_server, paced_by_engine
from wirelab.bench.stamped import stamp_errors
from wirelab.bench.targets import WITNESS_CPU, WITNESS_MATCHED
from wirelab.build import PartBuilds, Unavailable, engine_part, witness_part
from wirelab.build.permission import Permission
from wirelab.cells import statuses
from wirelab.processes.pinning import usable_cores
from wirelab.stats.trials import trials_interval
from wirelab.trial.sockets import address_of
from wirelab.witness.exchanges import followed
from wirelab.witness.matching import NeededRequest, WireOutcome, matched
from wirelab.witness.program import Witness
from wirelab.witness.rows import SeenTraffic

Ints = npt.NDArray[np.int64]

BENCHMARK = "witness"

RATES = (100, 10_000, 50_000)
"""Packets with payload a second; a request and its answer are two."""

MOST_HELD = 20_000
"""Packets a second up to which it is held against its target: above, it counts alone."""

CONNECTIONS = 10

_BLOCKS = {"smoke": (1, 0.5, 20), "quick": (8, 3.0, 2_000), "publish": (20, 5.0, 10_000)}
"""By profile: pairs of trials at each rate, seconds of a trial, messages whose stamps are compared.
"""


@dataclass(frozen=True)
class Block:
    """Two trials at one rate, one beside the witness and one without it."""

    latency: tuple[float, float]  # p50 in us, with and without
    cost: tuple[float, float]  # processor time of the generator for a request in us, likewise
    cpu: float  # of the witness, % of a core
    matched: float  # % of the requests that it can speak of
    spoken_of: float  # % of all requests


@dataclass
class MeasuredWitness:
    """Blocks by rate, errors of stamps in us, and why there are none."""

    blocks: dict[int, list[Block]] = field(default_factory=dict)
    errors_us: list[float] = field(default_factory=list)
    why_not: str = ""


def figures(
    profile: str, repository: Path, say: Callable[[str], None], may_install: Permission
) -> list[BenchFigure]:
    """Carry out the blocks and make figures of them."""
    measured = MeasuredWitness()
    workshop = PartBuilds(repository, say, may_install=may_install)
    try:
        engine = workshop.prepare(engine_part(repository, "http")).command("")
        program = workshop.prepare(witness_part(repository)).command("")
    except Unavailable as missing:
        measured.why_not = "; ".join(part for part in (missing.reason, missing.remedy) if part)
    else:
        _measure(measured, engine, program, profile, say)
    return figures_of(measured, whole=profile != "smoke")


def _measure(
    measured: MeasuredWitness,
    engine: Sequence[str],
    program: Sequence[str],
    profile: str,
    say: Callable[[str], None],
) -> None:
    count, seconds, messages = _BLOCKS[profile]
    with tempfile.TemporaryDirectory(prefix="wirelab-bench-") as temporary:
        folder = Path(temporary)
        probe = Witness(program, [], folder)
        probe.start()
        probe.is_ready()
        probe.stop()
        if probe.failure:
            measured.why_not = probe.failure
            return
        say(f"witness: stamps of {messages:,} messages")
        measured.errors_us = [ns / 1e3 for ns in stamp_errors(program, folder, messages)]
        for rate in RATES:
            say(f"witness: {rate:,} packets/s, {count} blocks")
            measured.blocks[rate] = [
                _block(engine, program, folder, rate, seconds, is_first=bool(number % 2))
                for number in range(count)
            ]


def _block(
    engine: Sequence[str],
    program: Sequence[str],
    folder: Path,
    rate: int,
    seconds: float,
    *,
    is_first: bool,
) -> Block:
    """A trial with the witness and one without, which take turns at being the first."""
    cores = usable_cores()
    of_server, own = (cores[0][:1], cores[1][:1]) if len(cores) > 1 else ([], [])
    trials: dict[bool, PacedTrial] = {}
    seen, used = None, 0.0
    with null_server([engine[0], "null-http"], of_server, folder) as endpoint:
        asked = AskedTrial(endpoint, CONNECTIONS, seconds, own)
        for is_witnessed in (is_first, not is_first):
            witness = Witness(program, ["http"], folder) if is_witnessed else None
            if witness is not None:
                witness.start()
                witness.watch({_port_of(endpoint)})
            trials[is_witnessed] = paced_by_engine(engine, asked, folder, rate / 2)
            if witness is not None:
                before = _ended_seconds()
                witness.stop()
                used, seen = _ended_seconds() - before, witness.seen
                if witness.failure or seen is None:
                    raise BenchError(witness.failure or "the witness saw nothing")
    assert seen is not None
    return block_of(trials[True], trials[False], seen, 100 * used / seconds)


def block_of(beside: PacedTrial, alone: PacedTrial, seen: SeenTraffic, cpu: float) -> Block:
    """The figures of a block; BenchError where nothing was answered."""
    pair = (beside, alone)
    latency = tuple(_median_us(one) for one in pair)
    cost = tuple(1e6 * one.cpu_seconds / len(one.records) for one in pair)
    good = beside.records[beside.records["status"] == statuses.OK]
    good = good[np.argsort(good["start_ns"], kind="stable")]
    outcome = _outcomes(seen, good["start_ns"].astype(np.int64), good["end_ns"].astype(np.int64))
    spoken_of = int(np.count_nonzero(outcome != WireOutcome.UNSEEN))
    found = int(np.count_nonzero(outcome == WireOutcome.SEEN))
    return Block(
        latency=(latency[0], latency[1]),
        cost=(cost[0], cost[1]),
        cpu=cpu,
        matched=100 * found / spoken_of if spoken_of else math.nan,
        spoken_of=100 * spoken_of / len(good),
    )


def _outcomes(seen: SeenTraffic, start_ns: Ints, end_ns: Ints) -> npt.NDArray[np.int8]:
    exchanges = followed(seen.packets, seen.messages, "http:request").exchanges
    silent = np.column_stack([seen.unseen["begin_ns"], seen.unseen["end_ns"]])
    wanted = [NeededRequest(1)] * len(start_ns)
    return matched(start_ns, end_ns, wanted, exchanges, silent).outcome


def _median_us(one: PacedTrial) -> float:
    good = one.records[one.records["status"] == statuses.OK]
    if not len(good):
        raise BenchError("no request was answered")
    return float(np.median(good["end_ns"] - good["start_ns"])) / 1e3


def _ended_seconds() -> float:
    """Processor time of all processes that we have waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _port_of(endpoint: str) -> int:
    address = address_of(endpoint)
    if address is None:
        raise BenchError(f"no address: {endpoint}")
    return int(address[1])


def figures_of(measured: MeasuredWitness, *, whole: bool) -> list[BenchFigure]:
    """For each rate what it costs and adds, and how much it found; then its stamps. ``whole``: long
    enough to be held against the targets.
    """
    found = []
    for rate in RATES:
        found += _of_rate(measured, rate, is_held=whole and rate <= MOST_HELD)
    errors = np.array(measured.errors_us)
    return [
        *found,
        *(
            BenchFigure(
                benchmark=BENCHMARK,
                name=f"witness.stamp.error.{name}",
                what=f"stamps outside of the call that wrote, {what}",
                unit="us",
                value=float(np.quantile(errors, place)) if len(errors) else None,
                why_not=measured.why_not,
            )
            for name, what, place in (("p50", "median", 0.5), ("max", "largest", 1.0))
        ),
    ]


def _of_rate(measured: MeasuredWitness, rate: int, *, is_held: bool) -> list[BenchFigure]:
    blocks = measured.blocks.get(rate, [])

    def figure(name: str, what: str, each: Sequence[float], **more: Any) -> BenchFigure:
        value, interval = _mean(each, of_ratios=name in {"latency", "cost"})
        return BenchFigure(
            benchmark=BENCHMARK,
            name=f"witness.{rate}.{name}",
            what=f"{what}, {rate:,} packets/s",
            value=value,
            interval=interval,
            each=list(each),
            why_not=measured.why_not,
            **more,
        )

    shares = [one.matched for one in blocks if not math.isnan(one.matched)]
    held: dict[str, Any] = {"target": WITNESS_CPU} if is_held else {}
    to_match: dict[str, Any] = {"target": WITNESS_MATCHED} if is_held else {}
    return [
        figure("cpu", "witness, of a core", [one.cpu for one in blocks], unit="%", **held),
        figure("latency", "p50 beside it over without", _ratios("latency", blocks), unit="x"),
        figure("cost", "generator's CPU, likewise", _ratios("cost", blocks), unit="x"),
        figure(
            *("matched", "requests found, of those it speaks of", shares),
            unit="%",
            better="higher",
            **to_match,
        ),
        figure("spoken", "requests it speaks of", [one.spoken_of for one in blocks], unit="%"),
    ]


def _ratios(name: str, blocks: Sequence[Block]) -> list[float]:
    """With it over without, block by block: what a host does shows in both."""
    pairs: list[tuple[float, float]] = [getattr(one, name) for one in blocks]
    return [beside / alone for beside, alone in pairs]


def _mean(
    each: Sequence[float], *, of_ratios: bool
) -> tuple[float | None, tuple[float, float] | None]:
    if not each:
        return None, None
    if of_ratios:
        value = math.exp(sum(map(math.log, each)) / len(each))
        return value, trials_interval(value, each)
    value = sum(each) / len(each)
    return value, trials_interval(value, each, signed=True)
