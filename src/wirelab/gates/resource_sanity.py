"""Figures of resources that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from wirelab.gates.facts import CellFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

UPPER_BOUND = "upper bound"
"""A worker whose heap figure may exceed the real heap says so in ``heap_kind``."""

_SLACK = 1.01

_SHORTEST_SECONDS = 0.5
"""The monitor needs two of its rows in a window to say anything of it."""

_SOCKET = ".socket"


class Contradictions(Strict):
    """Figures that cannot be, in one trial; those that are not set were fine.

    Stored flat: the socket of each role has a key ``ROLE.socket``.
    """

    sockets: dict[str, str] = Field(default={})
    probe: str = ""
    rss_max_mb: float | None = None
    heap_max_mb: float | None = None
    cpu_cores: float | None = None
    cpus: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_roles(cls, stored: Any) -> Any:
        if not isinstance(stored, Mapping) or "sockets" in stored:
            return stored
        sockets = {k.removesuffix(_SOCKET): v for k, v in stored.items() if k.endswith(_SOCKET)}
        others = {key: value for key, value in stored.items() if not key.endswith(_SOCKET)}
        return others | ({"sockets": sockets} if sockets else {})

    @model_serializer(mode="wrap")
    def _flat(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        others = {key: value for key, value in serialise(self).items() if key != "sockets"}
        return {f"{role}{_SOCKET}": why for role, why in self.sockets.items()} | others


class ContradictingTrials(Strict):
    """By trial: figures that contradict each other."""

    trials: dict[str, Contradictions]


def _check(cell: CellFacts) -> Iterator[TypedFinding[ContradictingTrials]]:
    """Figures that contradict each other warn: then the monitor watched the wrong processes.

    The process tree was there; its RSS is not below the heap that its runtime reports; its CPU
    time is not above processors x time; a role that listens owns its socket within the tree.
    """
    wrong = {t.id: found for t in cell.trials if (found := _contradictions(t, cell)) is not None}
    if wrong:
        yield TypedFinding(Verdict.WARN, ContradictingTrials(trials=wrong), list(wrong))


def _contradictions(trial: TrialFacts, cell: CellFacts) -> Contradictions | None:
    wrong: dict[str, Any] = {}
    sockets = {
        role: "owned by another process"
        for role in cell.scenario.roles
        if (record := trial.record.roles.get(role)) and record.owns_socket is False
    }
    if sockets:
        wrong["sockets"] = sockets
    measured = trial.roles.get(cell.scenario.subject_role)
    if measured is None or measured.processes_max == 0:
        seen = trial.resolved and trial.unseen_seconds is None
        if trial.window_seconds >= _SHORTEST_SECONDS and seen:
            wrong["probe"] = "no process seen"
        return Contradictions(**wrong) if wrong else None
    heap = trial.heap_max_mb
    if heap is not None and UPPER_BOUND not in trial.heap_kind and measured.rss_max_mb < heap:
        wrong |= {"rss_max_mb": measured.rss_max_mb, "heap_max_mb": heap}
    if cell.run.cpus and measured.cpu_cores > cell.run.cpus * _SLACK:
        wrong |= {"cpu_cores": measured.cpu_cores, "cpus": cell.run.cpus}
    return Contradictions(**wrong) if wrong else None


def _lines(evidence: ContradictingTrials, words: Words) -> list[str]:
    return [
        f"{trial}: {', '.join(_in_words(wrong, words))}" for trial, wrong in evidence.trials.items()
    ]


def _in_words(wrong: Contradictions, words: Words) -> Iterator[str]:
    _ = words.gettext
    if wrong.rss_max_mb is not None and wrong.heap_max_mb is not None:
        yield _("RSS {rss} MB is below the heap of {heap} MB").format(
            rss=numbers.brief(wrong.rss_max_mb, digits=3),
            heap=numbers.brief(wrong.heap_max_mb, digits=3),
        )
    if wrong.cpu_cores is not None:
        yield _("CPU of {cores} cores on {cpus} processors").format(
            cores=numbers.brief(wrong.cpu_cores), cpus=wrong.cpus
        )
    if wrong.probe:
        yield _("the monitor saw no process")
    for role in wrong.sockets:
        yield _("the socket of the {role} belongs to another process").format(role=role)


GATE = Gate(
    code="resource-sanity",
    title=N_("resource figures contradict each other"),
    meaning=N_("CPU or memory may belong to the wrong process: do not use these two."),
    remedy=N_("Start the worker directly, without a wrapper that leaves the process group."),
    looks_at="RSS against heap, CPU against cores, who owns the socket",
    verdicts={Verdict.WARN: "figures that contradict each other"},
    loads=MEASURED,
    blames=(Blame.CONTENDER,),
    concerns=Concern.RESOURCES,
    check=_check,
    evidence=ContradictingTrials,
    lines=_lines,
)
