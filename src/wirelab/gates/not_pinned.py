"""Roles without processors of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED, LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class NotPinned(Strict):
    """By trial and role: why it could not be pinned."""

    refused: dict[str, dict[str, str]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[NotPinned]]:
    """A role that could not be put on processors of its own: a remark, for roles may share a core.
    What that does to figures shows in the waits and in who is late, which have gates of their own.
    """
    refused = {
        trial.id: {name: role.pin_refused}
        for trial in cell.trials
        for name, role in trial.record.roles.items()
        if role.pin_refused
    }
    if refused:
        yield TypedFinding(Verdict.VALID, NotPinned(refused=refused), list(refused))


def _lines(evidence: NotPinned, words: Words) -> list[str]:
    """The reason for each role, with the number of trials."""
    reasons = Counter(
        f"{role}: {why}" for refused in evidence.refused.values() for role, why in refused.items()
    )
    template = words.gettext("{reason} (trials: {n})")
    return [template.format(reason=reason, n=count) for reason, count in reasons.items()]


GATE = Gate(
    code="not-pinned",
    title=N_("roles without processors of their own"),
    meaning=N_("A role could not be pinned, so client and server may have shared a processor."),
    remedy=N_("Allow pinning (sched_setaffinity) for this user or container, and repeat."),
    looks_at="roles that could not be put on processors of their own",
    verdicts={Verdict.VALID: "any"},
    loads=MEASURED | {LoadKind.SEARCH},
    blames=(Blame.HOST,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=NotPinned,
    lines=_lines,
)
