"""Time of a trial that others disturbed, from what the monitor recorded of the host.

Foreign demand alone decides: what threads outside of the trial ran and waited for does not depend
on what the contender does, as steal and the processor time of others do.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.model.scenario import Kind, Scenario
from wirelab.monitor.look import PERIOD_NS
from wirelab.stats.disturbed import UNDISTURBED, DisturbedTime, disturbed_time

DEMAND_NS = 5_000_000
"""Between two looks, a tenth of a second apart; where there was more, others disturbed."""

_UNPLACED_NS = 1_000_000_000
"""How long before a look an idle thread may have run."""

Ints = npt.NDArray[np.int64]


def trial_disturbed(
    trial: RecordedTrial, samples: Samples, window: Window, scenario: Scenario
) -> DisturbedTime:
    """Disturbed time of a trial, whose ``samples`` are all it has, in order.

    None of faults, where a caller's view is all of the time, of a probe, whose outcome decides the
    next one, and of batches, of which there is the median: their figures are of all that was
    measured. A trial whose host was not recorded has none either.
    """
    host = trial.files.host
    is_censored = scenario.kind in (Kind.LOAD, Kind.CEILING)
    if not host or not is_censored or trial.planned.probe is not None:
        return UNDISTURBED
    # What a user does once in a step is under way in all of it, whatever goes on.
    steps = [one.code for one in scenario.operations.values() if one.due == "step"]
    waited_for = samples.where(~np.isin(samples.op, steps)) if steps else samples
    found = disturbed_time(
        disturbed_windows(**host),
        waited_for.intended_ns,
        waited_for.end_ns,
        period=PERIOD_NS,
        limit=scenario.operation_limit,
        in_lanes=window.closed,
    )
    intended, ended_at = samples.intended_ns, samples.end_ns
    # What was begun at the end of the window goes on after it, and may be cut off there.
    last_end = int(ended_at[window.inside(intended)].max(initial=window.end_ns))
    begins = [begin for begin, _ in (*window.spans, *window.joining)]
    return found if found.touches(min(begins), last_end) else UNDISTURBED


def disturbed_windows(
    monotonic_ns: Ints, foreign_ns: Ints, foreign_unplaced_ns: Ints
) -> npt.NDArray[np.int64]:
    """Rows of begin and end of the times between looks with too much foreign demand.

    A longer time between two looks is held to as much: nobody knows when in it the demand fell.
    Demand of threads that had been idle counts at its look; where it alone is too much, the whole
    second before is disturbed.
    """
    unplaced = np.diff(foreign_unplaced_ns)
    too_much = np.diff(foreign_ns) + unplaced > DEMAND_NS
    ends = monotonic_ns[1:]
    a_second_before = np.where(unplaced > DEMAND_NS, ends - _UNPLACED_NS, ends)
    begins = np.minimum(monotonic_ns[:-1], a_second_before)
    windows: Ints = np.column_stack([begins, ends])[too_much & (begins < ends)]
    return windows
