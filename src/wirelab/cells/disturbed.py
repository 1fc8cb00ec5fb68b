"""Time of a trial that others disturbed, from what the monitor recorded of the host.

What threads outside of the trial ran decides (``wirelab.monitor.foreign``). Steal counts as well
where it was found to come without regard to who is measured (``wirelab.cells.stolen``).
"""

from __future__ import annotations

import numpy as np

from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.model.scenario import Kind, Scenario
from wirelab.monitor.foreign import Ints, windows_and_taken
from wirelab.monitor.look import PERIOD_NS
from wirelab.monitor.stolen import windows_and_stolen
from wirelab.stats.disturbed import UNDISTURBED, DisturbedTime, disturbed_time
from wirelab.stats.fairness import Fairness
from wirelab.stats.whole_steps import taken_whole


def is_censored(scenario: Scenario) -> bool:
    """Whether anything is left out of the figures of its trials."""
    return scenario.kind in (Kind.LOAD, Kind.CEILING)


def trial_disturbed(
    trial: RecordedTrial, samples: Samples, window: Window, scenario: Scenario
) -> DisturbedTime:
    """Disturbed time of a trial, whose ``samples`` are all it has, in order.

    None of faults, where a caller's view is all of the time, of a probe, whose outcome decides the
    next one, and of batches, of which there is the median: their figures are of all that was
    measured. A trial whose host was not recorded has none either.
    """
    host = trial.files.host
    if not host or not is_censored(scenario) or trial.planned.probe is not None:
        return UNDISTURBED
    rows = windows_and_taken(**host)
    if trial.steal is Fairness.FAIR:
        rows = np.concatenate([rows, windows_and_stolen(**trial.files.stolen)])
    found = disturbed_around(rows[:, :2], samples, window, scenario, taken=rows[:, 2])
    if bursts := window.bursts:
        found = taken_whole(found, bursts, ahead=PERIOD_NS)
    # What was begun at the end of the window goes on after it, and may be cut off there.
    inside = window.inside(samples.intended_ns)
    last_end = int(samples.end_ns[inside].max(initial=window.end_ns))
    begins = [begin for begin, _ in (*window.spans, *window.joining)]
    return found if found.touches(min(begins), last_end) else UNDISTURBED


def disturbed_around(
    windows: Ints,
    samples: Samples,
    window: Window,
    scenario: Scenario,
    taken: Ints | None = None,
) -> DisturbedTime:
    """Disturbed time around windows of a trial, whose ``samples`` are all it has, in order;
    ``taken`` is what others took in each window.
    """
    # What a user does once in a step is under way in all of it, whatever goes on.
    steps = [one.code for one in scenario.operations.values() if one.due == "step"]
    waited_for = samples.where(~np.isin(samples.op, steps)) if steps else samples
    return disturbed_time(
        windows,
        waited_for.intended_ns,
        waited_for.end_ns,
        period=PERIOD_NS,
        limit=scenario.operation_limit,
        in_lanes=window.closed,
        loaded=(window.begin_ns, window.end_ns),
        taken=taken,
    )
