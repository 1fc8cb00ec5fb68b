"""Operations that failed, or never came to an end."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import DROPPED, CellFacts, OperationFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY, LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words


class Failed(Strict):
    """Failed operations of one kind; those that were lost, connections that were dropped later, and
    those that others may have disturbed, are among them."""

    failed: int
    sent: int
    statuses: dict[str, int]
    lost: int = 0
    expected: int | None = None
    unattributed: int = 0

    @property
    def dropped(self) -> int:
        """Connections that were dropped; they are no operations, and have a line of their own."""
        return self.statuses.get(DROPPED, 0)

    @property
    def share(self) -> float:
        """Share of failed operations that nothing but the contender explains."""
        return (self.failed - self.unattributed) / max(1, self.sent)


class FailedOperations(Strict):
    """Failed operations by name, the worst share that nothing else explains, and what the scenario
    allows."""

    operations: dict[str, Failed]
    ratio: float
    bound: float


def _check(cell: CellFacts) -> Iterator[TypedFinding[FailedOperations]]:
    """Failed operations, in a closed loop those that were never done as well, and connections that
    were dropped: any is shown (warn); beyond the scenario's ``bounds.error_ratio`` the cell is
    invalid. Those under way while others disturbed the host count for nobody. In a faults scenario
    errors are what is looked for, and no finding.
    """
    bound = cell.scenario.bounds.error_ratio
    operations: dict[str, Failed] = {}
    for name in cell.planned[0].operations:
        facts = [trial.operations[name] for trial in cell.trials]
        if any(map(_all_failed, facts)):
            operations[name] = _failed(facts)
    if operations:
        worst = max(of.share for of in operations.values())
        trials = [t.id for t in cell.trials if any(map(_all_failed, t.operations.values()))]
        evidence = FailedOperations(operations=operations, ratio=worst, bound=bound)
        yield TypedFinding(Verdict.INVALID if worst > bound else Verdict.WARN, evidence, trials)


def _all_failed(facts: OperationFacts) -> int:
    """Failed operations of a trial. Nothing is owed to a user without a connection, so that to
    drop it would spare a server work."""
    return facts.failed + facts.counts.get(DROPPED, 0)


def _failed(facts: list[OperationFacts]) -> Failed:
    sent, failed = sum(f.sent for f in facts), sum(map(_all_failed, facts))
    statuses: dict[str, int] = {}
    for of_trial in facts:
        for status, count in of_trial.statuses.items():
            if status != "ok":
                statuses[status] = statuses.get(status, 0) + count
    if dropped := sum(f.counts.get(DROPPED, 0) for f in facts):
        statuses[DROPPED] = dropped
    lost = statuses.get("lost", 0)
    return Failed(
        failed=failed,
        sent=sent,
        statuses=statuses,
        lost=lost,
        expected=sent if lost else None,
        unattributed=sum(f.unattributed for f in facts),
    )


def _lines(evidence: FailedOperations, words: Words) -> list[str]:
    _ = words.gettext
    lines = []
    for name, found in evidence.operations.items():
        if (failed := found.failed - found.dropped) > found.lost:
            told = ((of, count) for of, count in found.statuses.items() if of != DROPPED)
            statuses = ", ".join(f"{of} {count:,}" for of, count in told)
            lines.append(
                _("{operation}: {failed} of {sent} failed ({share}): {statuses}").format(
                    operation=name,
                    failed=f"{failed:,}",
                    sent=f"{found.sent:,}",
                    share=numbers.percent(failed / found.sent),
                    statuses=statuses,
                )
            )
        if found.expected is not None:
            lines.append(
                _("{operation}: {lost} of {expected} never came ({share})").format(
                    operation=name,
                    lost=f"{found.lost:,}",
                    expected=f"{found.expected:,}",
                    share=numbers.percent(found.lost / found.expected),
                )
            )
        if found.dropped:
            lines.append(
                _("{operation}: {dropped} connections were dropped").format(
                    operation=name, dropped=f"{found.dropped:,}"
                )
            )
        if found.unattributed:
            lines.append(
                _("{operation}: other programs disturbed {unattributed} of these").format(
                    operation=name, unattributed=f"{found.unattributed:,}"
                )
            )
    return [*lines, _("allowed: {bound}").format(bound=numbers.percent(evidence.bound))]


GATE = Gate(
    code="loss-or-error",
    title=N_("failed or lost operations"),
    meaning=N_(
        "Some operations did not succeed or were never delivered, and failures may be faster "
        "or slower than answers."
    ),
    remedy=N_("Look up the statuses and the error events of the trials; repeat without the cause."),
    looks_at="operations that failed, in a closed loop those that were never done, and connections "
    "that the server ended",
    verdicts={
        Verdict.WARN: "any",
        Verdict.INVALID: "above the scenario's bound, without those under way while others "
        "disturbed the host",
    },
    loads=ORDINARY | {LoadKind.SYNC_CALLS, LoadKind.STACKS},
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    has_bounds=True,
    check=_check,
    evidence=FailedOperations,
    lines=_lines,
)
