"""Answers whose bytes were never on the loopback."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts, TrialFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.scenario import Scenario
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

NOISE_FLOOR = 1_000_000
"""Bytes of payload below which nothing is said: other programs' traffic may hide as many."""


class Traffic(Strict):
    """Bytes that answers had to bring over the loopback, and bytes that came at all."""

    payload: int
    received: int


class LessTraffic(Strict):
    """By trial: more answered than received."""

    trials: dict[str, Traffic]


def _check(cell: CellFacts) -> Iterator[TypedFinding[LessTraffic]]:
    """The payload that good operations had to bring over the loopback is more than all that the
    host received on it meanwhile: invalid. What never came cannot have been answered.

    Of closed loops, and of ticks where the measured role has a secret: its content is new in every
    message, so that nothing can have made it smaller. Only where several roles take part, sizes are
    recorded, and the monitor has a row before and one after the window; what was due at ticks may
    have come until the end of the trial. The bytes between these two rows are all those of the
    window and some more, so that the gate cannot be wrong however short the window is; frames,
    acknowledgements and other programs are in them as well, so that it finds what is missing by a
    lot and not by a little.
    """
    scenario = cell.scenario
    is_new = scenario.roles[scenario.measured_role].secret
    if len(scenario.roles) < 2 or not (scenario.is_closed or is_new):
        return
    less: dict[str, Traffic] = {}
    for trial in cell.trials:
        payload = _crossing(trial, scenario)
        received = trial.loopback_bytes
        if received is not None and payload > max(NOISE_FLOOR, received):
            less[trial.id] = Traffic(payload=payload, received=received)
    if less:
        yield TypedFinding(Verdict.INVALID, LessTraffic(trials=less), list(less))


def _crossing(trial: TrialFacts, scenario: Scenario) -> int:
    """Bytes that must have crossed the loopback, whoever stands between: of what one operation
    hands over and another one counts where it comes, either all that was handed over, or all
    copies but the sender's own. A mesh needs no more: who sends writes to each of the others.
    """
    facts, crossing = trial.operations, 0
    sent_by = {name: scenario.operations[name].sent_by for name in facts}
    for name, own in facts.items():
        sender = facts.get(sent_by[name] or "")
        if sender is not None:
            crossing += max(sender.payload, own.payload - sender.payload)
        elif name not in sent_by.values():
            crossing += own.payload
    return crossing


def _lines(evidence: LessTraffic, words: Words) -> list[str]:
    template = words.gettext("{trial}: payload {payload}, received on the loopback {received}")
    return [
        template.format(
            trial=trial,
            payload=numbers.size(of.payload),
            received=numbers.size(of.received),
        )
        for trial, of in evidence.trials.items()
    ]


GATE = Gate(
    code="less-traffic",
    title=N_("less traffic than answers"),
    meaning=N_(
        "The answers carry more bytes than the host's loopback received meanwhile: some were "
        "given without having been sent. No figure of this cell is a result."
    ),
    remedy=N_(
        "Look for answers from a cache, and for a transport that does not use the loopback "
        "(shared memory, a call within the process)."
    ),
    looks_at=(
        "payload of good operations against what the loopback received meanwhile (of broadcasts "
        "all copies but the sender's own, or what was handed over where that is more): in closed "
        "loops, and at ticks where the content follows from a secret of the measured role"
    ),
    verdicts={Verdict.INVALID: "more than was received, from 1 MB on"},
    loads=ORDINARY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=LessTraffic,
    lines=_lines,
)
