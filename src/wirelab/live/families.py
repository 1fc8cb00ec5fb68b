"""The metrics: names, types, labels and what each means. Prometheus conventions throughout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LOOKING = "Live, for looking only: reports compute their own figures."

_UNCENSORED = "Times that other programs disturbed are in it: live figures are uncensored."

TRIAL = ("run", "suite", "scenario", "contender", "trial")
"""Labels of everything that belongs to a trial."""

RUN = ("run", "suite")


@dataclass(frozen=True)
class Family:
    """One metric; a counter's name ends in ``_total``."""

    name: str
    kind: Literal["counter", "gauge"]
    labels: tuple[str, ...]
    means: str

    @property
    def help(self) -> str:
        """Its HELP text."""
        return f"{self.means} {LOOKING}"


def _of_trial(name: str, means: str, *labels: str) -> Family:
    kind: Literal["counter", "gauge"] = "counter" if name.endswith("_total") else "gauge"
    return Family(f"wirelab_{name}", kind, (*TRIAL, *labels), means)


TRIAL_INFO = _of_trial(
    "trial_info",
    "1 for the trial under way. step is estimated from the time since the measured role was ready.",
    *("variant", "generator", "profile", "step"),
)
ELAPSED = _of_trial(
    "trial_elapsed_seconds",
    "Time since the measured role was ready; the schedule begins about 0.3 s after that.",
)
SCHEDULED = _of_trial("trial_scheduled_seconds", "Length of the trial's schedule.")
OPERATIONS = _of_trial(
    "operations_total", "Operations recorded as samples, by status.", "operation", "status"
)
SENT = _of_trial("sent_total", "Operations begun.", "operation")
RECEIVED = _of_trial(
    "received_total", "Operations answered well, or first copies received.", "operation"
)
EXPECTED = _of_trial("expected_total", "What should be received.", "operation")
DUPLICATES = _of_trial("duplicates_total", "Copies received after the first.", "operation")
REORDERED = _of_trial(
    "reordered_total", "First copies that came after a later one of the same sender.", "operation"
)
WRONG = _of_trial(
    "wrong_total", "Received, but not what was sent or not to be sent here.", "operation"
)
DROPPED = _of_trial("dropped_total", "Connections that ended without being asked to.", "operation")
BYTES = _of_trial("received_bytes_total", "Payload received.", "operation")
NETWORK_IN = _of_trial(
    "network_in_bytes_total",
    "Bytes that the sockets of the clients took: what came in at the server.",
    "operation",
)
NETWORK_OUT = _of_trial(
    "network_out_bytes_total",
    "Bytes that the clients read from their sockets: what went out of the server.",
    "operation",
)
OTHER = _of_trial(
    "other_counts_total", "Further counts of the interval file by their name.", "operation", "count"
)
LOST = _of_trial(
    "lost",
    "Expected and not received so far. What is still on its way counts until it arrives; "
    "what is left at the end of the trial is lost.",
    "operation",
)
SERVICE = _of_trial(
    "service_seconds",
    "Start to end, quantiles of the newest second that the worker has written; "
    f"quantile 1 is the maximum. {_UNCENSORED}",
    *("operation", "quantile"),
)
RESPONSE = _of_trial(
    "response_seconds",
    "Intended time to end, quantiles of the newest second that the worker has written; "
    f"quantile 1 is the maximum. {_UNCENSORED}",
    *("operation", "quantile"),
)
CPU = _of_trial("cpu_seconds_total", "CPU time of the role's process tree.", "role")
MEMORY = _of_trial("resident_memory_bytes", "Resident memory of the role's process tree.", "role")
PROCESSES = _of_trial("processes", "Processes of the role.", "role")
PROGRESS = _of_trial(
    "worker_progress",
    "Numbers of the worker's last progress event by their key, as the worker says them.",
    *("role", "figure"),
)
RUNTIME = _of_trial(
    "worker_runtime",
    "Numbers of the worker's last runtime event by their key and in their unit, such as "
    "heap_bytes or gc_pause_ns (since the start of the worker).",
    *("role", "figure"),
)

PLANNED_TRIALS = Family(
    "wirelab_run_planned_trials", "gauge", RUN, "Trials of the run, reruns included once planned."
)
ENDED_TRIALS = Family(
    "wirelab_run_trials_total", "counter", (*RUN, "status"), "Trials that have ended, by status."
)
LIVE_CPU = Family(
    "wirelab_live_cpu_seconds_total",
    "counter",
    RUN,
    "CPU time that live metrics took: looking, rendering, pushing. Answering scrapes is not in it.",
)
PUSHES = Family(
    "wirelab_live_pushes_total",
    "counter",
    (*RUN, "result"),
    "Pushes of live metrics that the target took (ok) or did not (failed).",
)

COUNTS = {
    "sent": SENT,
    "received": RECEIVED,
    "expected": EXPECTED,
    "duplicates": DUPLICATES,
    "reordered": REORDERED,
    "wrong": WRONG,
    "dropped": DROPPED,
    "bytes": BYTES,
    "written": NETWORK_IN,
    "wire": NETWORK_OUT,
}
"""Family of each count that has one of its own."""
