"""Verdicts by metric: a finding takes away what it concerns, and nothing else.

A host that did other work makes times longer and leaves encoded sizes as they are. So each figure
has a verdict of its own, and a cell has that of its main metrics: those its scenario ranks by, and
those that decide in every scenario (misses and errors).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wirelab.gates.catalogue import GRAVITY, blamed, gate_of, gravest
from wirelab.gates.gate import Blame, Concern
from wirelab.metrics.catalogue import Catalogue
from wirelab.metrics.definition import Named
from wirelab.metrics.resources import RESOURCES
from wirelab.model.metrics import Disturbed
from wirelab.model.rankings import rankings
from wirelab.model.result import Cell, Finding, Metric, Verdict
from wirelab.model.scenario import Scenario

_ALL = 100.0
"""Per cent."""


@dataclass(frozen=True)
class Verdicts:
    """Verdicts of the figures of one scenario."""

    known: Mapping[str, Named]
    """By key: the metrics that the scenario may have."""

    main: frozenset[str]
    """Keys on which the verdict of a cell rests; empty where nothing is ranked: then on all."""

    @classmethod
    def of(cls, scenario: Scenario, catalogue: Catalogue) -> Verdicts:
        """Verdicts by the metrics that a scenario may have."""
        known = catalogue.of(scenario)
        ranked = {ranking.metric for ranking in rankings(scenario)}
        deciding = {key for key, named in known.items() if named.definition.decides}
        return cls(known, frozenset(ranked | deciding if ranked else ()))

    def judged(
        self, metrics: Mapping[str, Metric], findings: Sequence[Finding], cell: str
    ) -> tuple[dict[str, Metric], Verdict]:
        """The figures of a cell with their verdicts, and its own."""
        figures = {
            key: _marked(metric, self._of(key, metric, findings, cell))
            for key, metric in metrics.items()
        }
        return figures, gravest(said.verdict for said in self._of_main(metrics, findings, cell))

    def decisive(self, cell: Cell) -> set[str]:
        """The gates that make the verdict of a cell; others speak of figures by the way."""
        said = self._of_main(cell.metrics, cell.findings, cell.id)
        return {one.gate for one in said if one.verdict is cell.verdict}

    def _of_main(
        self, metrics: Mapping[str, Metric], findings: Sequence[Finding], cell: str
    ) -> Iterator[_Said]:
        """The verdicts of findings on everything, and on the main metrics."""
        for finding in findings:
            if _concern(finding) is Concern.EVERYTHING:
                yield _Said(finding.gate, finding.verdict)
        for key in self.main or frozenset(metrics):
            yield from self._of(key, metrics.get(key), findings, cell)

    def _of(
        self, key: str, metric: Metric | None, findings: Sequence[Finding], cell: str
    ) -> list[_Said]:
        """The findings that speak of a figure, each with what it says of it."""
        named = self.known.get(key)
        said = ((finding, _said(finding, key, named, metric, cell)) for finding in findings)
        return [_Said(finding.gate, verdict) for finding, verdict in said if verdict is not None]


@dataclass(frozen=True)
class _Said:
    gate: str
    verdict: Verdict


def _marked(metric: Metric, said: Sequence[_Said]) -> Metric:
    verdict = gravest(one.verdict for one in said)
    if verdict is Verdict.VALID:
        return metric
    gates = dict.fromkeys(one.gate for one in said if one.verdict is verdict)
    return metric.model_copy(update={"verdict": verdict, "gates": list(gates)})


def _said(
    finding: Finding, key: str, named: Named | None, metric: Metric | None, cell: str
) -> Verdict | None:
    """The verdict of a finding on one figure; None where it does not concern it."""
    concerned = True
    match _concern(finding):
        case Concern.EVERYTHING:
            pass
        case Concern.NOTHING:
            concerned = False
        case Concern.NAMED:
            concerned = _is_named(key, named, finding)
        case Concern.RESOURCES:
            concerned = named is None or named.definition in RESOURCES
        case Concern.TIMES:
            return _of_time(finding, named, metric, cell)
    return finding.verdict if concerned else None


def _of_time(
    finding: Finding, named: Named | None, metric: Metric | None, cell: str
) -> Verdict | None:
    """The verdict on a figure of a finding about times, by what a disturbance does to it.

    That a clean count stands holds for a host alone: under a load generator that could not keep
    up, nothing was lost because nothing was sent.
    """
    disturbed = named.definition.disturbed if named else Disturbed.TIME
    if disturbed is Disturbed.NOTHING:
        return None
    if named is None or blamed(finding, cell) not in (Blame.HOST, Blame.HARNESS):
        return finding.verdict
    match disturbed:
        case Disturbed.TIME:
            return finding.verdict
        case Disturbed.COUNT:
            if metric is not None and _is_clean(metric, named):
                return None
            return max(finding.verdict, _of_count(finding, named), key=GRAVITY.index)
        case Disturbed.UPPER_BOUND:
            return min(finding.verdict, Verdict.WARN, key=GRAVITY.index)


def _of_count(finding: Finding, named: Named) -> Verdict:
    """The verdict on a count some of which may be the host's: nobody can tell whose it is."""
    return Verdict.WARN if named.subject in finding.evidence.get("misses", ()) else Verdict.VALID


def _concern(finding: Finding) -> Concern:
    gate = gate_of(finding.gate)
    return gate.concerns if gate else Concern.EVERYTHING


def _is_named(key: str, named: Named | None, finding: Finding) -> bool:
    metrics: Collection[str] = finding.evidence.get("metrics", ())
    operations: Collection[str] = finding.evidence.get("operations", ())
    return key in metrics or (named is not None and named.subject in operations)


def _is_clean(metric: Metric, named: Named) -> bool:
    """Nothing failed: zero of what should be few, all of a share that should be large."""
    if named.definition.better == "higher":
        return metric.unit == "%" and metric.value is not None and metric.value >= _ALL
    return metric.value == 0
