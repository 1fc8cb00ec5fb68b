"""The judgement of one probe: which bounds it held, and whose fault it is where it did not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wirelab.gates.catalogue import blamed, gate_of
from wirelab.gates.gate import Blame
from wirelab.gates.signs import Sign
from wirelab.model.capacity import Bound, Measured, Outcome, Probe
from wirelab.model.result import Finding, Metric, Verdict

CONTENDER_FIGURES = ("disconnected", "drop", "duplicate", "reorder", "wrong")
"""Figures that lateness does not make: whoever made the load, the contender broke these."""

_TOO_FEW = "too-few-samples"
_LEFT_OUT = "host-disturbed"
_NO_HINT = 0.5


@dataclass(frozen=True)
class TakenByOthers:
    """Processor time that others took while a probe went on: in ms, and as a share of that time."""

    ms: float
    share: float

    def explains(self, figure: Measured) -> bool:
        """Whether a broken bound could have held without them.

        Nothing is later by more than they took in all, and no larger share of the work is left
        undone than of the time they took: a processor that they took is given back. What is neither
        a time nor a share may be theirs by any amount.
        """
        if figure.value is None or figure.unit not in ("ms", "%"):
            return True
        most = self.ms if figure.unit == "ms" else 100 * self.share
        beyond = figure.value - figure.limit if figure.sign == "≤" else figure.limit - figure.value
        return beyond <= most


@dataclass(frozen=True)
class Evidence:
    """Facts about the trial of a probe."""

    trial: str
    load: int
    failure: tuple[str, str] | None = None
    """Reason code and sentence of a trial that failed."""
    failed_by_others: bool = False
    """The host or the harness made it fail."""
    metrics: Mapping[str, Metric] | None = None
    findings: Sequence[Finding] = ()
    """Findings of the gates of an ordinary load about this trial alone."""
    quiet: Mapping[str, Metric] | None = None
    """Its metrics over quiet time, where others disturbed the host; None: they are ``metrics``."""
    taken: TakenByOthers | None = None
    """None: nobody knows it."""
    lost: bool = False
    """The host took it, by what was recorded of the host alone."""
    generator: Mapping[Sign, float] = field(default_factory=dict)
    """Signs that the measured role was at its limit (``wirelab.gates.signs``)."""
    client_counts: bool = False
    """The measured role belongs to what is searched: its limit is the contender's."""

    def accused(self, blame: Blame) -> list[str]:
        """Gates that invalidate this trial and speak against one of those around it."""
        return [
            finding.gate
            for finding in self.findings
            if finding.verdict is Verdict.INVALID and blamed(finding, self.trial) is blame
        ]


def judge(evidence: Evidence, bounds: Sequence[Bound]) -> Probe:
    """The outcome of a probe.

    Gates that no bound makes up for speak first, then the bounds, in the order of the manifest.
    Whose fault a broken bound is: of who made the load where that one was at its limit and is not
    what is searched, of the host where it was not there, and else of the contender, whose are lost
    connections and the like in any case. All bounds held is held: a generator that is late adds to
    every response, so that it cannot have helped, and neither can others who disturb the host. A
    bound is broken by the contender where it is broken in quiet time, too, or by more than others
    can have brought about; of a trial that the host took nobody knows. (Beyond a capacity nothing
    is quiet again after the first window: what has queued up stays.)
    """
    if evidence.failure is not None:
        reason, detail = evidence.failure
        outcome: Outcome = "host" if evidence.failed_by_others else "failed"
        return _probe(evidence, outcome, reason, detail=detail, hint=_NO_HINT)
    figures = [_measured(bound, evidence.metrics or {}) for bound in bounds]
    if against := [gate for gate in evidence.accused(Blame.CONTENDER) if not _has_bounds(gate)]:
        return _probe(evidence, "failed", against[0], figures=figures, hint=_NO_HINT)
    broken = next((figure for figure in figures if not figure.holds), None)
    if broken is None:
        return _probe(evidence, "held", figures=figures)
    hint = min(_share(figure) for figure in figures)
    if evidence.lost:
        return _probe(evidence, "host", broken.metric, figures=figures, hint=hint)
    if any(
        figure.metric.split(".")[1] in CONTENDER_FIGURES for figure in figures if not figure.holds
    ):
        return _probe(evidence, "failed", broken.metric, figures=figures, hint=hint)
    limited = bool(evidence.generator or evidence.accused(Blame.GENERATOR))
    if limited and not evidence.client_counts:
        return _probe(evidence, "generator", broken.metric, figures=figures, hint=hint)
    against_host = set(evidence.accused(Blame.HOST))
    in_quiet_time = not against_host and _is_broken_in_quiet_time(evidence, bounds)
    # How much is left out says nothing there: behind a load that is too high all of it is.
    without_others = against_host <= {_LEFT_OUT} and _is_broken_without_others(evidence, figures)
    outcome = "failed" if in_quiet_time or without_others else "host"
    return _probe(evidence, outcome, broken.metric, figures=figures, hint=hint)


def _is_broken_in_quiet_time(evidence: Evidence, bounds: Sequence[Bound]) -> bool:
    """Whether a bound is shown to be broken by what nobody disturbed.

    A figure that is not known shows nothing, and neither does one that is known to be at least
    what holds.
    """
    if evidence.quiet is None:
        return True
    figures = [_measured(bound, evidence.quiet) for bound in bounds]
    return any(figure.value is not None and not figure.holds for figure in figures)


def _is_broken_without_others(evidence: Evidence, figures: Sequence[Measured]) -> bool:
    """Whether a bound is broken by more than others who disturbed the host can have done."""
    taken = evidence.taken
    broken = [figure for figure in figures if not figure.holds]
    return taken is not None and not all(taken.explains(figure) for figure in broken)


def _probe(
    evidence: Evidence,
    outcome: Outcome,
    reason: str = "",
    *,
    detail: str = "",
    figures: Sequence[Measured] = (),
    hint: float = 1.0,
) -> Probe:
    return Probe(
        trial=evidence.trial,
        load=evidence.load,
        outcome=outcome,
        reason=reason,
        detail=detail,
        figures=list(figures),
        signs=dict(evidence.generator.items()),
        hint=hint,
    )


def _has_bounds(code: str) -> bool:
    gate = gate_of(code)
    return gate is not None and gate.has_bounds


def _measured(bound: Bound, metrics: Mapping[str, Metric]) -> Measured:
    """A bound and its figure.

    A percentile that few users do not give samples enough for is held by its maximum, which no
    percentile exceeds: a probe at a low load is judged more strictly, never less.
    """
    metric, stand_in = metrics.get(bound.metric), ""
    if metric is not None and metric.value is None and bound.at_most is not None:
        maximum = f"{bound.metric.rpartition('.')[0]}.max"
        why = metric.unsupported
        if why is not None and why.code == _TOO_FEW and maximum in metrics:
            metric, stand_in = metrics[maximum], maximum
    value = metric.value if metric is not None else None
    return Measured(
        metric=bound.metric,
        sign=bound.sign,
        limit=bound.limit,
        value=value,
        unit=metric.unit if metric is not None else "",
        holds=value is not None and bound.holds(value),
        stand_in=stand_in if value is not None else "",
    )


def _share(figure: Measured) -> float:
    """The share of the load that might hold. What was attained of a load too high is often what
    can be; how late it came says nothing of the kind."""
    if figure.holds:
        return 1.0
    if figure.sign == "≥" and figure.value and figure.limit > 0:
        return figure.value / figure.limit
    return _NO_HINT
