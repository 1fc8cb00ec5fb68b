"""Operations of which the witness of the wire cannot speak."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

MOST_UNFOLLOWED = 0.05
"""Share of the operations. Clients that the witness can follow have none: it is told what they
speak, bytes that were missing are told from bytes that make no sense, and there is room for much
more than their operations need."""


class UnseenOperations(Strict):
    """One trial: good operations that nobody can speak of, and why."""

    failure: str = ""
    unseen: int = 0
    unfollowed: int = 0
    drowned: int = 0
    dropped: int = 0
    encrypted: bool = False


class Unwitnessed(Strict):
    """By trial."""

    trials: dict[str, UnseenOperations]


def _check(cell: CellFacts) -> Iterator[TypedFinding[Unwitnessed]]:
    """Trials that were to be witnessed and were not, and operations in times in which packets were
    lost, the time of day was set, or messages were encrypted or compressed: a remark. They accuse
    nobody. Where what went over a connection was nothing that its protocol has, or was encrypted
    although the scenario asks for none of that, and where several times as much traffic as
    operations need left no room for theirs, whoever spoke there has blinded the witness: more than
    5 % of the operations, and there is no figure of them.
    """
    silent: dict[str, UnseenOperations] = {}
    blinded: list[str] = []
    for trial in cell.trials:
        witness = trial.record.witness
        if witness is None:
            continue
        unseen = sum(wire.unseen for wire in trial.wire.values())
        unfollowed = sum(wire.unfollowed for wire in trial.wire.values())
        drowned = sum(wire.drowned for wire in trial.wire.values())
        good = unseen + sum(wire.spoken_of for wire in trial.wire.values())
        if max(unfollowed, drowned) > MOST_UNFOLLOWED * good:
            blinded.append(trial.id)
        if witness.failure or unseen:
            silent[trial.id] = UnseenOperations(
                failure=witness.failure,
                unseen=unseen,
                unfollowed=unfollowed,
                drowned=drowned,
                dropped=witness.dropped,
                encrypted=any(wire.encrypted for wire in trial.wire.values()),
            )
    if silent:
        verdict = Verdict.INVALID if blinded else Verdict.VALID
        yield TypedFinding(verdict, Unwitnessed(trials=silent), blinded or list(silent))


def _lines(evidence: Unwitnessed, words: Words) -> list[str]:
    return [_in_words(trial, of, words) for trial, of in evidence.trials.items()]


def _in_words(trial: str, of: UnseenOperations, words: Words) -> str:
    if of.failure:
        return f"{trial}: {of.failure}"
    if of.unfollowed:
        said = words.gettext(
            "{trial}: {unseen} operations beside a connection that speaks another protocol"
        )
    elif of.drowned:
        said = words.gettext(
            "{trial}: {unseen} operations beside several times the traffic that they need"
        )
    elif of.encrypted:
        said = words.gettext(
            "{trial}: {unseen} operations, whose messages are encrypted or compressed"
        )
    else:
        said = words.gettext("{trial}: {unseen} operations; the kernel dropped {dropped} packets")
    return said.format(trial=trial, unseen=f"{of.unseen:,}", dropped=f"{of.dropped:,}")


GATE = Gate(
    code="unwitnessed",
    title=N_("nobody looked at the wire"),
    meaning=N_("That these operations were asked for rests on the contender's word alone."),
    remedy=N_(
        "Install bubblewrap, or grant the right to capture packets by the command that the run "
        "shows when it begins. A client speaks the protocol of its service on all connections."
    ),
    looks_at="whether the witness of the wire looked, and lost nothing",
    verdicts={
        Verdict.VALID: "it did not, or not always",
        Verdict.INVALID: f"for more than {numbers.percent(MOST_UNFOLLOWED, 1)} of the operations a "
        "connection speaks no protocol of its service, or there is several times the traffic that "
        "they need",
    },
    loads=ORDINARY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=Unwitnessed,
    lines=_lines,
)
