"""Time between the operations of a closed loop that is no operation's.

Of one lane and of rounds it is the mean without the longest fifth, of several lanes the median.
"""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import BetweenFacts, CellFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

PYTHON_MS, LEAST_MS = 0.25, 0.1
"""Time that a harness in Python, and in any other language, may take between two operations, on a
busy host as well: to prepare the next one, to look at the result, and to record it. Measured on two
cores beside builds: 0.02 to 0.12 ms in Python, up to 0.03 ms in Java, Node.js, Go, Rust and C#.
"""

CANARY_MS = 1.05
"""The fixed loop on those cores: where it takes longer, a harness may as well."""

BYTE_NS = 1.0
"""Time that it may take for each byte of the payload, which it composes and compares."""

SHARE = 0.1
"""Share of an operation that the time after it may have: service times leave it out."""


class TimeBetweenOperations(Strict):
    """Milliseconds from one operation to the next one, and of an operation."""

    between_ms: float
    operation_ms: float


class BetweenOperations(Strict):
    """The trial with the least time between operations; ``in_rounds``: of all lanes together."""

    trial: str
    least: TimeBetweenOperations
    in_rounds: bool = False


def _check(cell: CellFacts) -> Iterator[TypedFinding[BetweenOperations]]:
    """A tenth of an operation or more between operations, in every trial: invalid, for callers pay
    it, and more than any harness needs.
    """
    known = {trial.id: trial.between for trial in cell.trials if trial.between is not None}
    least_ms = PYTHON_MS if cell.language == "Python" else LEAST_MS
    allowed_ms = {trial.id: least_ms * _slowness(trial) for trial in cell.trials}
    if not known or not all(_is_much(one, allowed_ms[name]) for name, one in known.items()):
        return
    trial, least = min(known.items(), key=lambda one: one[1].between_ms)
    evidence = BetweenOperations(
        trial=trial,
        least=TimeBetweenOperations(between_ms=least.between_ms, operation_ms=least.operation_ms),
        in_rounds=least.in_rounds,
    )
    yield TypedFinding(Verdict.INVALID, evidence, sorted(known))


def _slowness(trial: TrialFacts) -> float:
    """Ratio of a computation here to the same on the machine of the bounds, 1 at least."""
    environment = trial.record.environment
    return max(1.0, environment.canary_ns / 1e6 / CANARY_MS) if environment else 1.0


def _is_much(one: BetweenFacts, least_ms: float) -> bool:
    harness_ms = least_ms + BYTE_NS * one.payload / 1e6
    return one.between_ms > max(harness_ms, SHARE * one.operation_ms)


def _lines(evidence: BetweenOperations, words: Words) -> list[str]:
    _ = words.gettext
    said = (
        _("{trial}: {between} from the end of a round to the next one; an operation takes {took}")
        if evidence.in_rounds
        else _("{trial}: {between} from one operation to the next; an operation takes {took}")
    )
    of = evidence.least
    return [
        said.format(
            trial=evidence.trial,
            between=numbers.with_unit(of.between_ms, "ms"),
            took=numbers.with_unit(of.operation_ms, "ms"),
        )
    ]


GATE = Gate(
    code="between-operations",
    title=N_("work between operations"),
    meaning=N_(
        "Much time passed between the end of one operation and the start of the next: work of the "
        "operation, such as reading its answer, may have been done there. Callers pay for it, and "
        "service times leave it out."
    ),
    remedy=N_(
        "Read every field of an answer before the operation ends: a worker has little to do "
        "between two of them."
    ),
    looks_at="closed loops: quiet time from the end of an operation to the start of the next one "
    "of its lane, or of a round to the next one, without the answers that were asked for",
    verdicts={
        Verdict.INVALID: f"in every trial more than {numbers.percent(SHARE)} of an operation, and "
        f"more than {LEAST_MS:g} ms (Python: {PYTHON_MS:g} ms; longer on a slow machine) and 1 ns "
        "for each byte of payload"
    },
    loads=frozenset({LoadKind.CLOSED}),
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=BetweenOperations,
    lines=_lines,
)
