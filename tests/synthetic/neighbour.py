"""Other programs beside a synthetic trial: what the monitor records of the host, and operations
that go on more slowly while they run."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from synthetic.behaviour import HOST_CPUS, MS, PROBE_NS
from synthetic.folder import SyntheticRun, Trial

IDLE_NS = MS // 4
"""Processor time of an idle machine's programs from look to look."""

BUSY_NS = 70 * MS
"""Two others on a processor take two thirds of it."""


def bursts(trial: Trial, share: float, *, looks: int = 5) -> np.ndarray:
    """Looks of a trial before which others ran, for this share of the time, so many in a row."""
    at = trial.probe["host"]["monotonic_ns"]
    random = np.random.default_rng([trial.planned.seed, looks])
    begun = random.random(len(at) // looks + 1) < share
    return np.repeat(begun, looks)[: len(at)]


def every(trial: Trial, looks: int) -> np.ndarray:
    """One in so many looks of a trial."""
    return np.arange(len(trial.probe["host"]["monotonic_ns"])) % looks == 0


def record_host(trial: Trial, busy: np.ndarray) -> None:
    """Let the monitor have recorded the host, with others running before the looks of ``busy``."""
    at = trial.probe["host"]["monotonic_ns"]
    index = np.arange(len(at))
    nothing = np.zeros_like(index)
    trial.host = {
        "monotonic_ns": at,
        "cpu_idle_ns": [[int(n) * PROBE_NS] * HOST_CPUS for n in index],
        "cpu_steal_ns": [[0] * HOST_CPUS for _ in index],
        "pressure_cpu_ns": nothing,
        "pressure_memory_ns": nothing,
        "pressure_io_ns": nothing,
        "foreign_ran_ns": np.cumsum(np.where(busy, BUSY_NS, IDLE_NS)),
        "foreign_ran_unplaced_ns": nothing,
        "foreign_processes": np.full_like(index, 50),
        "kernel_ran_ns": index * IDLE_NS,
        "core_ns": index * IDLE_NS,
    }


def as_by_threads(trial: Trial) -> None:
    """Let a version of the monitor have recorded the host that read each thread's demand."""
    ran = trial.host.pop("foreign_ran_ns")
    trial.host["foreign_ns"] = 2 * ran
    trial.host["foreign_unplaced_ns"] = trial.host.pop("foreign_ran_unplaced_ns")


def steal_from(trial: Trial, busy: np.ndarray, ms: int = 20) -> None:
    """Let the hypervisor have taken so much of each processor before the looks of ``busy``."""
    taken = np.cumsum(np.where(busy, ms * MS, 0)).tolist()
    trial.host["cpu_steal_ns"] = [[int(one)] * HOST_CPUS for one in taken]


def _work_by(trial: Trial, busy: np.ndarray, slower: float) -> tuple[int, np.ndarray, np.ndarray]:
    """An origin, times since then, and what can be done until each: less before the looks of
    ``busy``."""
    origin = int(trial.probe["host"]["monotonic_ns"][0])
    at = trial.probe["host"]["monotonic_ns"] - origin
    rates = np.append(np.where(busy[1:], 1 / slower, 1.0), 1.0)
    times = np.append(at, at[-1] + 3600 * 1000 * MS)
    return origin, times, np.append(0.0, np.cumsum(np.diff(times) * rates))


def hold_up(trial: Trial, busy: np.ndarray, slower: float) -> None:
    """Let a closed loop go on so many times as slowly before the looks of ``busy``: what is late
    makes all that comes after it late."""
    origin, times, work = _work_by(trial, busy, slower)

    def later(at_ns: np.ndarray) -> np.ndarray:
        return np.interp(at_ns - origin, work, times).astype(np.int64) + origin

    trial.columns(**{n: later(trial.samples[n]) for n in ("intended_ns", "start_ns", "end_ns")})
    trial.record["steps"] = {
        name: tuple(later(np.array(span)).tolist()) for name, span in trial.record["steps"].items()
    }


def slowed_ends(
    trial: Trial, busy: np.ndarray, slower: float, begun_ns: np.ndarray, took_ns: np.ndarray
) -> np.ndarray:
    """Ends of what was begun then and takes so long, so many times as slow before the looks of
    ``busy``."""
    origin, times, work = _work_by(trial, busy, slower)
    ended = np.interp(np.interp(begun_ns - origin, times, work) + took_ns, work, times)
    return ended.astype(np.int64) + origin


def slow_down(trial: Trial, busy: np.ndarray, slower: float) -> None:
    """Let operations go on so many times as slowly before the looks of ``busy``."""
    begun = trial.samples["start_ns"]
    took = trial.samples["end_ns"] - begun
    trial.columns(end_ns=slowed_ends(trial, busy, slower, begun, took))
    # Workers write in the order of completion.
    order = np.argsort(trial.samples["end_ns"], kind="stable")
    trial.columns(**{name: column[order] for name, column in trial.samples.items()})


def disturb(trials: Iterable[Trial], share: float, *, slower: float, recorded: bool = True) -> None:
    """Let others run for a share of the time of trials; ``recorded``: and the monitor see it."""
    for trial in trials:
        busy = bursts(trial, share)
        slow_down(trial, busy, slower)
        if recorded:
            record_host(trial, busy)


def stall(trial: Trial, every: int) -> np.ndarray:
    """Let one operation of so many take 600 ms; the looks 150 ms before these end."""
    begun = trial.samples["start_ns"]
    stalled = np.random.default_rng(trial.planned.seed).random(len(begun)) < 1 / every
    trial.columns(end_ns=np.where(stalled, begun + 600 * MS, trial.samples["end_ns"]))
    at = trial.probe["host"]["monotonic_ns"]
    busy = np.zeros(len(at), dtype=bool)
    busy[np.searchsorted(at, begun[stalled] + 450 * MS)] = True
    return busy


def quiet_host(run: SyntheticRun) -> SyntheticRun:
    """Let the monitor have recorded an idle host beside every trial; returns the run."""
    for trial in run.trials:
        record_host(trial, np.zeros(len(trial.probe["host"]["monotonic_ns"]), dtype=bool))
    return run
