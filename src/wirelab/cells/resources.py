"""Resources that a trial used, from the monitor's rows, over the measured window.

Counters are read at the window's ends by linear interpolation between the two rows around
them, so that a figure does not depend on where the monitor's own ticks fell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.cells.window import Window
from wirelab.gates.facts import RoleFacts
from wirelab.monitor import coverage
from wirelab.stats.disturbed import UNDISTURBED, DisturbedTime

Rows = Mapping[str, npt.NDArray[Any]]
Floats = npt.NDArray[np.float64]

CORE, HOST = "core", "host"

RESOLVED_PERIODS = 10
"""Monitor periods that a step of a closed loop has to last."""


@dataclass(frozen=True)
class RoleUse:
    """Use of one role: CPU in cores (1.0 is one core busy), memory in MB (10**6 bytes)."""

    cpu_cores: float
    cpu_intervals: Floats  # cores, of each interval between two rows of the window
    rss_start_mb: float
    rss_max_mb: float
    rss_growth_mb: float  # last living row minus first: what stayed, not the highest wave
    processes_max: int
    voluntary_per_second: float
    involuntary_per_second: float
    delay_share: float  # time runnable but waiting for a CPU / window
    quiet_delay_share: float  # the same of quiet time; 0 where there is none

    @property
    def facts(self) -> RoleFacts:
        """The facts about this use that gates look at."""
        return RoleFacts(
            self.cpu_cores, self.rss_max_mb, self.processes_max, self.quiet_delay_share
        )


def role_use(rows: Rows, window: Window, disturbed: DisturbedTime = UNDISTURBED) -> RoleUse | None:
    """Use of a role within the window; None with fewer than two rows of living processes in it.

    A client ends when its last operation is done, a little before the window does: rows without
    any process hold no memory to speak of.
    """
    at = rows["monotonic_ns"]
    inside = (at >= window.begin_ns) & (at <= window.end_ns) & (rows["processes"] > 0)
    if np.count_nonzero(inside) < 2:
        return None
    rss = rows["rss_bytes"][inside] / 1e6
    spent, elapsed = (np.diff(_floats(rows, name)[inside]) for name in ("cpu_ns", "monotonic_ns"))
    delay_share = per_second(rows, "run_delay_ns", window) / 1e9
    return RoleUse(
        cpu_cores=per_second(rows, "cpu_ns", window) / 1e9,
        cpu_intervals=spent / elapsed,
        rss_start_mb=float(rss[0]),
        rss_max_mb=float(rss.max()),
        rss_growth_mb=float(rss[-1] - rss[0]),
        processes_max=int(rows["processes"][inside].max()),
        voluntary_per_second=per_second(rows, "switches_voluntary", window),
        involuntary_per_second=per_second(rows, "switches_involuntary", window),
        delay_share=delay_share,
        quiet_delay_share=_quiet_delay(rows, inside, disturbed) if disturbed else delay_share,
    )


def _quiet_delay(rows: Rows, inside: npt.NDArray[np.bool_], disturbed: DisturbedTime) -> float:
    """Share of its time that a role waited for a processor between rows with nothing disturbed
    between them; 0 where there are none."""
    at = rows["monotonic_ns"][inside].astype(np.int64)
    quiet = ~disturbed.touched(at)
    elapsed = np.diff(at)[quiet].sum()
    waited = np.diff(_floats(rows, "run_delay_ns")[inside])[quiet].sum()
    return float(waited / elapsed) if elapsed else 0.0


def role_uses(
    monitored: Mapping[str, Rows], window: Window, disturbed: DisturbedTime = UNDISTURBED
) -> dict[str, RoleUse]:
    """Use of every role of a trial; none where the window is too short for the monitor, or where
    the monitor did not see all of it."""
    if not resolved(monitored, window) or unseen_seconds(monitored, window) is not None:
        return {}
    uses = {role: role_use(rows, window, disturbed) for role, rows in monitored.items()}
    return {role: use for role, use in uses.items() if use is not None}


def resolved(monitored: Mapping[str, Rows], window: Window) -> bool:
    """Whether the window is long enough for the monitor's rows to tell of it.

    Asked of closed loops alone: their steps begin and end between two rows, with something else
    going on before and after. Reading the counters by interpolation is then wrong, at either end,
    by at most a quarter of a period times the difference of the rates; over ten periods that is a
    twentieth of the difference.
    """
    if not window.closed:
        return True
    return window.end_ns - window.begin_ns >= RESOLVED_PERIODS * period_ns(monitored)


def unseen_seconds(monitored: Mapping[str, Rows], window: Window) -> float | None:
    """The longest part of the window in which the monitor did not look; None where it looked often
    enough from begin to end."""
    if not monitored:
        return window.seconds
    longest = max(
        coverage.unseen_ns(rows["monotonic_ns"].tolist(), window.begin_ns, window.end_ns)
        for rows in monitored.values()
    )
    return longest / 1e9 if longest > coverage.MOST_UNSEEN_NS else None


def period_ns(monitored: Mapping[str, Rows]) -> float:
    """The monitor's sampling period: the median between two of its rows; infinite without any."""
    times = max((rows["monotonic_ns"] for rows in monitored.values()), key=len, default=())
    return float(np.median(np.diff(times))) if len(times) > 1 else float("inf")


def loopback_flow(monitored: Mapping[str, Rows], window: Window) -> tuple[float, float] | None:
    """Received and sent MB a second on the loopback; None with fewer than two rows."""
    if HOST not in monitored or not resolved(monitored, window):
        return None
    if unseen_seconds(monitored, window) is not None:
        return None
    host = monitored[HOST]
    at = host["monotonic_ns"]
    if np.count_nonzero((at >= window.begin_ns) & (at <= window.end_ns)) < 2:
        return None
    received, sent = (per_second(host, f"net_{way}_bytes", window) / 1e6 for way in ("rx", "tx"))
    return received, sent


def seen_on_loopback(host: Rows, window: Window) -> int | None:
    """Bytes received on the loopback from the last row before the window to the second one after
    it: all that was received in it, and a little more. None where it has no row on either side.

    A row is stamped when all of it was read, the loopback first: the first one after the window may
    have been read within it.

    What was due at ticks of the window may come after it, so that there it is the last row of all.
    """
    at = host["monotonic_ns"]
    before = int(np.searchsorted(at, window.begin_ns, side="right")) - 1
    after, last = int(np.searchsorted(at, window.end_ns)), len(at) - 1
    if before < 0 or after > last:
        return None
    after = min(after + 1, last) if window.closed else last
    received = host["net_rx_bytes"]
    return int(received[after]) - int(received[before])


def per_second(rows: Rows, counter: str, window: Window) -> float:
    """Growth of a cumulative counter over the window, a second."""
    first, last = _at(rows, counter, np.array([window.begin_ns, window.end_ns]))
    covered = np.clip(
        [window.begin_ns, window.end_ns], rows["monotonic_ns"][0], rows["monotonic_ns"][-1]
    )
    return float(last - first) / (float(covered[1] - covered[0]) / 1e9)


def _at(rows: Rows, counter: str, moments: npt.NDArray[Any]) -> Floats:
    # Relative to the first row: nanoseconds since boot do not fit a float's 53 bits.
    begin = int(rows["monotonic_ns"][0])
    since = _floats(rows, "monotonic_ns")
    values: Floats = np.interp((moments - begin).astype(np.float64), since, _floats(rows, counter))
    return values


def _floats(rows: Rows, name: str) -> Floats:
    """A counter since its first row; signed before subtracting, so that nothing wraps."""
    column = rows[name].astype(np.int64)
    since: Floats = (column - column[0]).astype(np.float64)
    return since


def second_use(rows: Rows, edges_ns: npt.NDArray[np.int64]) -> dict[str, Floats]:
    """``cpu`` (% of one core) and ``rss`` (MB, the highest) between consecutive edges."""
    rss = np.full(len(edges_ns) - 1, np.nan)
    for second, (begin, end) in enumerate(pairwise(_firsts(rows, edges_ns))):
        if end > begin:
            rss[second] = rows["rss_bytes"][begin:end].max() / 1e6
    return {"cpu": _growth(rows, "cpu_ns", edges_ns) * 100, "rss": rss}


def second_growth(rows: Rows, counter: str, edges_ns: npt.NDArray[np.int64]) -> Floats:
    """Growth of a cumulative counter a second between consecutive edges; nan where the monitor did
    not look between two of them."""
    return _growth(rows, counter, edges_ns) * 1e9


def _growth(rows: Rows, counter: str, edges_ns: npt.NDArray[np.int64]) -> Floats:
    """Growth a nanosecond between consecutive edges; nan where the monitor did not look."""
    looks = np.diff(_firsts(rows, edges_ns))
    growth: Floats = np.diff(_at(rows, counter, edges_ns)) / np.diff(edges_ns)
    return np.where(looks > 0, growth, np.nan)


def _firsts(rows: Rows, edges_ns: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """The first row at or after each of the edges."""
    return np.searchsorted(rows["monotonic_ns"].astype(np.int64), edges_ns)
