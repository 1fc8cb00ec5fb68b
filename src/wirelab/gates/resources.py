"""Gates on the figures of resources, and on wirelab's own use of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wirelab.gates.facts import CellFacts, TrialFacts
from wirelab.gates.host import FOREIGN_CORES
from wirelab.model.result import Finding, Verdict

UPPER_BOUND = "upper bound"
"""A worker whose heap figure may exceed the real heap says so in ``heap_kind``."""

CORE_CORES = 0.01
"""What wirelab may use while it measures, in cores."""

_SLACK = 1.01

_SHORTEST_SECONDS = 0.5
"""The probe needs two of its rows in a window to say anything of it."""


def resource_sanity(cell: CellFacts) -> Iterator[Finding]:
    """Figures that contradict each other warn: then the probe watched the wrong processes.

    The process tree was there; its RSS is not below the heap that its runtime reports; its CPU
    time is not above processors x time; a role that listens owns its socket within the tree.
    """
    evidence = {trial.id: wrong for trial in cell.trials if (wrong := _contradictions(trial, cell))}
    if evidence:
        yield Finding(
            gate="resource-sanity",
            verdict=Verdict.WARN,
            evidence={"trials": evidence},
            trials=list(evidence),
        )


def _contradictions(trial: TrialFacts, cell: CellFacts) -> dict[str, Any]:
    wrong: dict[str, Any] = {}
    for role in cell.scenario.roles:
        if trial.record.roles.get(role) and trial.record.roles[role].owns_socket is False:
            wrong[f"{role}.socket"] = "owned by another process"
    measured = trial.roles.get(cell.scenario.subject_role)
    if measured is None or measured.processes_max == 0:
        too_short = trial.window_seconds < _SHORTEST_SECONDS or not trial.resolved
        return wrong if too_short else wrong | {"probe": "no process seen"}
    heap = trial.heap_max_mb
    if heap is not None and UPPER_BOUND not in trial.heap_kind and measured.rss_max_mb < heap:
        wrong |= {"rss_max_mb": measured.rss_max_mb, "heap_max_mb": heap}
    if cell.run.cpus and measured.cpu_cores > cell.run.cpus * _SLACK:
        wrong |= {"cpu_cores": measured.cpu_cores, "cpus": cell.run.cpus}
    return wrong


def harness_cost(cell: CellFacts) -> Iterator[Finding]:
    """wirelab itself used more than 1 % of a core during the window: a remark. What any other
    process would be warned about as a neighbour, it is warned about as well.
    """
    costs = {trial.id: role.cpu_cores for trial in cell.trials if (role := trial.roles.get("core"))}
    high = {trial: cores for trial, cores in costs.items() if cores > CORE_CORES}
    if high:
        worst = max(high.values())
        verdict = Verdict.WARN if worst > FOREIGN_CORES else Verdict.VALID
        evidence = {"cores": high, "worst": worst}
        yield Finding(gate="harness-cost", verdict=verdict, evidence=evidence, trials=list(high))
