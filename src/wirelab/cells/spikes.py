"""Spikes: the slowest operations of a cell, and what else went on while each was under way.

What coincides with an operation need not be its cause. So the same is counted of all operations:
what coincides with the slowest no oftener than with all of them explains nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import bdtrc

from wirelab.cells import statuses
from wirelab.cells.disturbed import is_censored
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.stretches import Stretches
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.cells.wire import OnTheWire
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario
from wirelab.model.spikes import Coinciding, SpikeCause, Spikes
from wirelab.monitor.foreign import disturbed_windows
from wirelab.monitor.stolen import stolen_windows

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Times = npt.NDArray[np.float64]

_FEWEST = 50
"""Operations of which the slowest are told apart."""

_SLOWEST_SHARE = 100
_FEWEST_SLOWEST, _MOST_SLOWEST = 10, 100
"""The slowest hundredth, but not fewer and not more than so many."""

_BEYOND = 2**62
"""No time of a monotonic clock."""

_CHANCE = 0.01
"""Probability below which a cause stands out that chance might have brought together so often."""

_SLOW_ON_THE_WIRE = 95
"""Percentile of the time on the wire beyond which it was long."""


@dataclass(frozen=True)
class TimedOperations:
    """Good operations of one kind in the window of a trial, with what went on meanwhile."""

    took_ns: Ints
    with_cause: Mapping[SpikeCause, Flags]
    """Whether each coincided with it; only causes that somebody recorded."""
    collected_ns: Ints | None
    """Time of collections within each, at the most; None: the runtime does not say."""
    on_the_wire_ns: Times | None
    """From departure to arrival, nan of those that were not seen; None: nobody looked."""
    placed_ns: Mapping[SpikeCause, float]
    untold: int


def timed_operations(
    trial: RecordedTrial,
    scenario: Scenario,
    by_name: Mapping[str, Samples],
    wire: Mapping[str, OnTheWire],
    window: Window,
    *,
    runtimes: Sequence[Sequence[dict[str, Any]]],
) -> dict[str, TimedOperations]:
    """The operations of a trial that are due at ticks, by name. ``runtimes``: what the runtime of
    each process of the contender said.

    None of a trial with steps, whose slowest are those of the step that asks for most, and none
    where the contender is several processes: a collection of one stops no other.
    """
    compared = is_censored(scenario) and scenario.is_scheduled
    if len(runtimes) != 1 or not compared or trial.planned.load.step_names:
        return {}
    events = runtimes[0]
    told = _told_by(events)
    if (host := _disturbances(trial)) is not None:
        told[SpikeCause.HOST] = host
    untold = sum(n for event in events if isinstance(n := event.get("untold"), int))
    return {
        name: _timed(
            samples, scenario.operations[name], window, told, wire.get(name), untold=untold
        )
        for name, samples in by_name.items()
        if scenario.operations[name].due == "tick"
    }


def spikes_of(trials: Sequence[Mapping[str, TimedOperations]]) -> dict[str, Spikes]:
    """The slowest operations of a cell beside all of them, by name; none of too few."""
    names = dict.fromkeys(name for trial in trials for name in trial)
    found = {name: _spikes([trial[name] for trial in trials if name in trial]) for name in names}
    return {name: one for name, one in found.items() if one is not None}


def _spikes(trials: Sequence[TimedOperations]) -> Spikes | None:
    took = np.concatenate([trial.took_ns for trial in trials])
    if len(took) < _FEWEST:
        return None
    with_cause = {
        cause: np.concatenate([trial.with_cause[cause] for trial in trials])
        for cause in SpikeCause
        if all(cause in trial.with_cause for trial in trials)
    }
    collected = _together([trial.collected_ns for trial in trials])
    on_the_wire = _together([trial.on_the_wire_ns for trial in trials])
    if on_the_wire is not None and not np.all(np.isnan(on_the_wire)):
        long = np.nanpercentile(on_the_wire, _SLOW_ON_THE_WIRE)
        with_cause[SpikeCause.WIRE] = on_the_wire > long
    else:
        on_the_wire = None
    number = min(max(len(took) // _SLOWEST_SHARE, _FEWEST_SLOWEST), _MOST_SLOWEST)
    slowest = np.argsort(took, kind="stable")[-number:]

    def coinciding(chosen: Ints | slice) -> Coinciding:
        flags = {cause: own[chosen] for cause, own in with_cause.items()}
        alone = ~np.logical_or.reduce([*flags.values()]) if flags else np.ones(len(took[chosen]))
        return Coinciding(
            operations=len(took[chosen]),
            mean_ms=_mean_ms(took[chosen]),
            collected_ms=None if collected is None else _mean_ms(collected[chosen]),
            on_the_wire_ms=None if on_the_wire is None else _mean_ms(on_the_wire[chosen]),
            coincided={cause: int(np.count_nonzero(own)) for cause, own in flags.items()},
            alone=int(np.count_nonzero(alone)),
        )

    spikes, everything = coinciding(slowest), coinciding(slice(None))
    return Spikes(
        from_ms=float(took[slowest[0]] / 1e6),
        slowest=spikes,
        all=everything,
        stands_out=[one for one in with_cause if _by_chance(spikes, everything, one) < _CHANCE],
        placed_ms={
            cause: max(trial.placed_ns.get(cause, 0.0) for trial in trials) / 1e6
            for cause in (SpikeCause.COLLECTION, SpikeCause.COMPILATION)
            if cause in with_cause
        },
        untold=sum(trial.untold for trial in trials),
    )


def _by_chance(slowest: Coinciding, everything: Coinciding, cause: SpikeCause) -> float:
    """Probability that so many of the slowest, or more, coincide with something that comes as often
    with them as with all."""
    share = everything.coincided[cause] / everything.operations
    seen = slowest.coincided[cause]
    return float(bdtrc(seen - 1, slowest.operations, share)) if seen else 1.0


def _together(parts: Sequence[npt.NDArray[np.number[Any]] | None]) -> Times | None:
    """One series of all trials; None where any of them has none."""
    known = [part for part in parts if part is not None]
    return np.concatenate(known).astype(np.float64) if len(known) == len(parts) else None


def _mean_ms(values: npt.NDArray[np.number[Any]]) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean() / 1e6) if len(known) else None


def _told_by(events: Sequence[dict[str, object]]) -> dict[SpikeCause, Stretches]:
    """Stretches of each thing that the runtime did; no entry for what it never speaks of."""
    keys = {SpikeCause.COLLECTION: "collections", SpikeCause.COMPILATION: "compilations"}
    return {
        cause: Stretches.of([row for event in events for row in _rows(event.get(key))])
        for cause, key in keys.items()
        if any(isinstance(event.get(key), list) for event in events)
    }


def _rows(said: object) -> list[tuple[int, int, int]]:
    """The entries of an event that say what the contract wants of them."""
    if not isinstance(said, list):
        return []
    found = []
    for row in said:
        match row:
            case [int(begin), int(end), int(took)] if 0 <= begin <= end < _BEYOND and took >= 0:
                found.append((begin, end, min(took, end - begin)))
    return found


def _disturbances(trial: RecordedTrial) -> Stretches | None:
    """Windows in which others ran or the hypervisor took too much; None where nobody looked."""
    host = trial.files.host
    if not host:
        return None
    windows = disturbed_windows(**host)
    if trial.files.stolen:
        windows = np.concatenate([windows, stolen_windows(**trial.files.stolen)])
    return Stretches.of([(int(begin), int(end), int(end - begin)) for begin, end in windows])


def _timed(
    samples: Samples,
    operation: Operation,
    window: Window,
    told: Mapping[SpikeCause, Stretches],
    seen: OnTheWire | None,
    *,
    untold: int,
) -> TimedOperations:
    good = samples.where(samples.status == statuses.OK)
    inside = np.arange(len(good))[window.for_operation(operation).inside(good.intended_ns)]
    start, end = good.start_ns[inside], good.end_ns[inside]
    with_cause = {cause: stretches.touch(start, end) for cause, stretches in told.items()}
    collections = told.get(SpikeCause.COLLECTION)
    collected = None if collections is None else collections.within(start, end)
    on_the_wire = None
    if seen is not None:
        departed, arrived = seen.times.bounds[1:3]
        each = np.full(len(good), np.nan)
        each[seen.places] = arrived - departed
        on_the_wire = each[inside]
    placed = {cause: stretches.slack_ns for cause, stretches in told.items()}
    return TimedOperations(end - start, with_cause, collected, on_the_wire, placed, untold)
